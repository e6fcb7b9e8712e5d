use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::agent_file::AgentFileError;

/// What went wrong with a tournament's folder.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// A file could not be read or written.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file in the place of the folder.
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// A new run into a folder that holds one.
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The folder of a run that another process is playing.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A folder to be resumed that holds no run.
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// A file holds something else than a run writes.
    Content {
        /// The file.
        path: PathBuf,
        /// Line of the file, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The file that an agent of the run plays by.
    Agent(AgentFileError),
    /// A resumed run differs from what the folder was begun with.
    Changed {
        /// The folder.
        path: PathBuf,
        /// Name of the field of `run.json`.
        field: &'static str,
        /// What it was.
        was: String,
        /// What it would be now.
        now: String,
    },
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Io { path, .. } => {
                write!(f, "{}: cannot be read or written", path.display())
            }
            FolderError::NotAFolder { path } => {
                write!(f, "{}: is a file, expected a folder", path.display())
            }
            FolderError::Occupied { path } => write!(
                f,
                "{}: holds a run already, expected a new folder or --resume",
                path.display()
            ),
            FolderError::Busy { path } => write!(
                f,
                "{}: another process is playing this run, expected to be alone",
                path.display()
            ),
            FolderError::NoRun { path } => write!(
                f,
                "{}: holds no run, expected the folder of one",
                path.display()
            ),
            FolderError::Content { path, line, what } => {
                write!(f, "{}, line {line}: {what}", path.display())
            }
            FolderError::Agent(error) => error.fmt(f),
            FolderError::Changed {
                path,
                field,
                was,
                now,
            } => write!(
                f,
                "{}: the run was begun with another {field}: {was}, now {now}",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FolderError::Io { source, .. } => Some(source),
            FolderError::Agent(error) => error.source(),
            _ => None,
        }
    }
}

/// A result of the system, with the file it is about.
pub(crate) fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, FolderError> {
    result.map_err(|source| FolderError::Io {
        path: path.to_owned(),
        source,
    })
}
