//! Standard output that may end before the program does.

use core::fmt;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Standard output, buffered: flush it at the end, since errors are lost in a
/// drop, and wherever somebody may be waiting for an answer.
pub(crate) fn standard() -> Output {
    Output {
        stdout: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
    }
}

/// Made by [`standard`].
pub(crate) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes).map_err(explained)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().map_err(explained)
    }
}

/// A failure of standard output, told apart from that of any other pipe.
#[derive(Debug)]
struct OutputError {
    source: io::Error,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output cannot be written")
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// `text` with control characters written out, so that it stays on its line.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for ch in text.chars() {
        if ch.is_control() {
            line.extend(ch.escape_default());
        } else {
            line.push(ch);
        }
    }
    line
}

fn explained(source: io::Error) -> io::Error {
    io::Error::new(source.kind(), OutputError { source })
}

/// Whether `error` means that whoever read our output, such as `head`, has seen
/// enough: a quiet end, and no fault.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .filter(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
            .and_then(io::Error::get_ref)
            .is_some_and(|inner| inner.is::<OutputError>())
    })
}
