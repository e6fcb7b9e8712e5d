//! Files of JSON, and lines of JSON, read and written.

use core::marker::PhantomData;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

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

/// The lines of a file, one by one: none is kept.
pub(crate) struct Lines<T> {
    path: PathBuf,
    reader: BufReader<File>,
    last_line: LastLine,
    text: Vec<u8>,
    line: usize,
    n_bytes: u64,
    record: PhantomData<T>,
}

impl<T: DeserializeOwned> Lines<T> {
    /// The lines of the file from its beginning.
    ///
    /// *Errors*: the file cannot be opened.
    pub(crate) fn open(path: &Path, last_line: LastLine) -> Result<Lines<T>, FolderError> {
        Ok(Lines {
            path: path.to_owned(),
            reader: BufReader::new(at(path, File::open(path))?),
            last_line,
            text: Vec::new(),
            line: 0,
            n_bytes: 0,
            record: PhantomData,
        })
    }

    /// The next line; `None` at the end.
    ///
    /// *Errors*: a line that is no JSON of the type.
    pub(crate) fn next(&mut self) -> Result<Option<T>, FolderError> {
        self.text.clear();
        let n_read = at(&self.path, self.reader.read_until(b'\n', &mut self.text))?;
        let is_cut = self.last_line == LastLine::MayBeCut && !self.text.ends_with(b"\n");
        if n_read == 0 || is_cut {
            return Ok(None);
        }
        self.line += 1;
        let record = serde_json::from_slice(&self.text);
        let record = record.map_err(|error| self.wrong(describe(&error)))?;
        self.n_bytes += n_read as u64;
        Ok(Some(record))
    }

    /// Number of the line that was read last, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Bytes of the whole lines that were read.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// What is wrong with the line that was read last.
    pub(crate) fn wrong(&self, what: String) -> FolderError {
        FolderError::Content {
            path: self.path.clone(),
            line: self.line,
            what,
        }
    }
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
    let mut file = WholeFile::create(path)?;
    file.write(content.as_bytes())?;
    file.finish()
}

/// A file under another name, which takes its place when it is finished.
pub(crate) struct WholeFile {
    path: PathBuf,
    unfinished: PathBuf,
    out: BufWriter<File>,
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> Result<WholeFile, FolderError> {
        let unfinished = path.with_extension("tmp");
        let file = at(&unfinished, File::create(&unfinished))?;
        Ok(WholeFile {
            path: path.to_owned(),
            unfinished,
            out: BufWriter::new(file),
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        at(&self.unfinished, self.out.write_all(bytes))
    }

    pub(crate) fn finish(self) -> Result<(), FolderError> {
        let file = self.out.into_inner();
        let file = at(
            &self.unfinished,
            file.map_err(io::IntoInnerError::into_error),
        )?;
        // Before the rename, which could otherwise outlive a power loss that
        // the content does not.
        at(&self.unfinished, file.sync_all())?;
        // Renamed when it is closed, as some systems want it.
        drop(file);
        at(&self.path, fs::rename(&self.unfinished, &self.path))
    }
}
