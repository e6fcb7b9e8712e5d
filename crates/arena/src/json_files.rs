//! Files of JSON, and lines of JSON, read and written.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::folder_error::{FolderError, at};

/// Whether the last line of a file may lack its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastLine {
    /// A process may have been killed while it wrote: such a line is passed
    /// over.
    MayBeCut,
    /// The file was written whole.
    IsWhole,
}

/// Hands every line to `take`, with its number from 1, and returns the number
/// of bytes of whole lines.
///
/// *Errors*: a line that is no JSON of the type; what `take` says of a line
/// that it does not want.
pub(crate) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    last_line: LastLine,
    mut take: impl FnMut(usize, T) -> Result<(), FolderError>,
) -> Result<u64, FolderError> {
    let mut reader = BufReader::new(at(path, File::open(path))?);
    let mut n_bytes = 0;
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let n_read = at(path, reader.read_until(b'\n', &mut text))?;
        let is_cut = last_line == LastLine::MayBeCut && !text.ends_with(b"\n");
        if n_read == 0 || is_cut {
            break;
        }
        let record = serde_json::from_slice(&text).map_err(|error| FolderError::Content {
            path: path.to_owned(),
            line,
            what: describe(&error),
        })?;
        take(line, record)?;
        n_bytes += n_read as u64;
    }
    Ok(n_bytes)
}

/// A JSON error with its column; its line is told apart.
pub(crate) fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let plain = match text.rfind(" at line ") {
        Some(end) => &text[..end],
        None => &text,
    };
    format!("column {}: {plain}", error.column())
}

/// A value as JSON text, with an end of line.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("records are plain data");
    text.push('\n');
    text
}

/// A value as one line of JSON, with its end.
pub(crate) fn to_json_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("records are plain data");
    line.push(b'\n');
    line
}

/// Writes a file so that it is either as before or whole, after a power loss
/// too.
pub(crate) fn write_whole(path: &Path, content: &str) -> Result<(), FolderError> {
    write_whole_with(path, |out| out.write_all(content.as_bytes()))
}

/// The same with lines of JSON, none of which is kept.
pub(crate) fn write_whole_lines<T: Serialize>(
    path: &Path,
    values: impl Iterator<Item = T>,
) -> Result<(), FolderError> {
    let mut values = values;
    write_whole_with(path, |out| {
        values.try_for_each(|value| out.write_all(&to_json_line(&value)))
    })
}

fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), FolderError> {
    let unfinished = path.with_extension("tmp");
    let written = File::create(&unfinished).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        // Before the rename, which could otherwise outlive a power loss that
        // the content does not.
        file.sync_all()
    });
    at(&unfinished, written)?;
    at(path, fs::rename(&unfinished, path))
}
