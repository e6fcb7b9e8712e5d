//! Standard input: whole, or line by line, and never without a bound.

use std::io::{self, BufRead, BufReader, Read, StdinLock};

use anyhow::{Context, ensure};

/// What some programs put at the start of a text to say that it is UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The largest input that is read whole, in bytes: a board takes a few dozen,
/// and an endless input must end.
const MAX_BYTES: u64 = 1 << 20;

const CANNOT_READ: &str = "standard input cannot be read";

/// All of standard input, without a byte order mark at its start.
///
/// *Errors*: it cannot be read, or is too long to be what was asked for.
pub(crate) fn read_whole() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .context(CANNOT_READ)?;
    ensure!(
        bytes.len() as u64 <= MAX_BYTES,
        "the input is longer than {MAX_BYTES} bytes, expected one board"
    );
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(bytes)
}

/// The lines of standard input.
pub(crate) struct Lines {
    stdin: BufReader<StdinLock<'static>>,
    max_bytes: usize,
    is_first: bool,
}

impl Lines {
    /// Lines that are cut after `max_bytes` + 1 bytes: enough to see that they
    /// are too long.
    pub(crate) fn new(max_bytes: usize) -> Lines {
        Lines {
            stdin: BufReader::with_capacity(1 << 16, io::stdin().lock()),
            max_bytes,
            is_first: true,
        }
    }

    /// Puts the next line, with its newline if it has one, into `line`; returns
    /// whether there was one. A byte order mark at the start of the input is
    /// left out.
    ///
    /// Calls `before_waiting` before every read that may have to wait for
    /// whoever writes our input.
    ///
    /// *Errors*: the input cannot be read, or those of `before_waiting`.
    pub(crate) fn next(
        &mut self,
        line: &mut Vec<u8>,
        mut before_waiting: impl FnMut() -> anyhow::Result<()>,
    ) -> anyhow::Result<bool> {
        line.clear();
        loop {
            if self.stdin.buffer().is_empty() {
                before_waiting()?;
            }
            let available = match self.stdin.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                available => available.context(CANNOT_READ)?,
            };
            let room = self.max_bytes + 1 - line.len();
            let available = &available[..available.len().min(room)];
            let end = available.iter().position(|&byte| byte == b'\n');
            let n_taken = end.map_or(available.len(), |at| at + 1);
            line.extend_from_slice(&available[..n_taken]);
            self.stdin.consume(n_taken);
            if end.is_some() || n_taken == 0 || line.len() > self.max_bytes {
                break;
            }
        }
        if std::mem::take(&mut self.is_first) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
            return Ok(true);
        }
        Ok(!line.is_empty())
    }
}
