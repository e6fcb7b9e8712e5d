//! The folder of a tournament.

use core::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::records::{GameRecord, JournalLine, RunFile, Timing};
use crate::report::html_report;
use crate::summary::Summary;

const RUN: &str = "run.json";
const JOURNAL: &str = "journal.jsonl";
const GAMES: &str = "games.jsonl";
const TIMINGS: &str = "timings.jsonl";
const SUMMARY: &str = "summary.json";
const REPORT: &str = "report.html";

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
    /// A new run into a folder that holds one.
    Occupied {
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
            FolderError::Io { path, source } => write!(f, "{}: {source}", path.display()),
            FolderError::Occupied { path } => write!(
                f,
                "{}: holds a run already, expected a new folder or --resume",
                path.display()
            ),
            FolderError::Content { path, line, what } => {
                write!(f, "{}, line {line}: {what}", path.display())
            }
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
            _ => None,
        }
    }
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, FolderError> {
    result.map_err(|source| FolderError::Io {
        path: path.to_owned(),
        source,
    })
}

/// A tournament's folder, with the journal to which finished games go.
///
/// While a run is on, each finished game is one line of `journal.jsonl`, on
/// disk before the next one is asked for. At the end the other files are
/// written from it, each under another name first, and the journal goes.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    run: RunFile,
    journal: File,
    lines: Vec<JournalLine>,
}

impl Folder {
    /// Begins a run in a folder that holds none; the folder is made.
    ///
    /// *Errors*: the folder holds a run, or cannot be written.
    pub fn create(path: &Path, run: RunFile) -> Result<Folder, FolderError> {
        at(path, fs::create_dir_all(path))?;
        let run_path = path.join(RUN);
        // The journal is claimed first: of two runs begun at once, one loses.
        if run_path.exists() {
            return Err(FolderError::Occupied {
                path: path.to_owned(),
            });
        }
        let journal_path = path.join(JOURNAL);
        let claimed = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&journal_path);
        let journal = match claimed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(FolderError::Occupied {
                    path: path.to_owned(),
                });
            }
            other => at(&journal_path, other)?,
        };
        write_whole(&run_path, &to_json(&run))?;
        Ok(Folder {
            path: path.to_owned(),
            run,
            journal,
            lines: Vec::new(),
        })
    }

    /// The run that a folder was begun with.
    ///
    /// *Errors*: no or a broken `run.json`.
    pub fn read_run(path: &Path) -> Result<RunFile, FolderError> {
        let run_path = path.join(RUN);
        let text = at(&run_path, fs::read_to_string(&run_path))?;
        serde_json::from_str(&text).map_err(|error| FolderError::Content {
            line: error.line(),
            what: error.to_string(),
            path: run_path,
        })
    }

    /// Goes on with the run of a folder. A line that was cut off when the run
    /// was killed is dropped; its game is played again.
    ///
    /// *Errors*: a run begun with another version, other agents, games, seed
    /// or shard; broken files.
    pub fn resume(path: &Path, run: &RunFile) -> Result<Folder, FolderError> {
        let begun = Folder::read_run(path)?;
        if let Some((field, was, now)) = begun.difference(run) {
            return Err(FolderError::Changed {
                path: path.to_owned(),
                field,
                was,
                now,
            });
        }
        let journal_path = path.join(JOURNAL);
        let mut lines = Vec::new();
        if journal_path.exists() {
            let n_bytes = read_lines(&journal_path, true, &mut lines)?;
            let file = at(
                &journal_path,
                OpenOptions::new().write(true).open(&journal_path),
            )?;
            at(&journal_path, file.set_len(n_bytes))?;
        } else {
            lines = finished_lines(path)?;
        }
        let journal = at(
            &journal_path,
            OpenOptions::new()
                .append(true)
                .create(true)
                .open(&journal_path),
        )?;
        let mut folder = Folder {
            path: path.to_owned(),
            run: begun,
            journal,
            lines: Vec::new(),
        };
        if folder.journal_is_empty()? {
            for line in lines {
                folder.append(line)?;
            }
        } else {
            folder.lines = lines;
        }
        Ok(folder)
    }

    fn journal_is_empty(&self) -> Result<bool, FolderError> {
        let path = self.path.join(JOURNAL);
        Ok(at(&path, self.journal.metadata())?.len() == 0)
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The finished games so far.
    pub(crate) fn lines(&self) -> &[JournalLine] {
        &self.lines
    }

    /// Adds a finished game to the journal, in one write.
    pub(crate) fn append(&mut self, line: JournalLine) -> Result<(), FolderError> {
        let mut text = serde_json::to_string(&line).expect("a record is plain data");
        text.push('\n');
        at(
            &self.path.join(JOURNAL),
            self.journal.write_all(text.as_bytes()),
        )?;
        self.lines.push(line);
        Ok(())
    }

    /// Writes the result files from the games finished so far. The journal
    /// stays: the run may go on.
    pub(crate) fn write_results(&mut self) -> Result<Summary, FolderError> {
        self.lines.sort_by(|a, b| {
            let key = |line: &JournalLine| {
                (
                    line.game.variant.clone(),
                    line.game.agent.clone(),
                    line.game.index,
                )
            };
            key(a).cmp(&key(b))
        });
        let games: Vec<GameRecord> = self.lines.iter().map(|line| line.game.clone()).collect();
        let timings: Vec<Timing> = self.lines.iter().map(JournalLine::timing).collect();
        let summary = Summary::new(&self.run, &games, &timings);
        write_whole(&self.path.join(GAMES), &to_json_lines(&games))?;
        write_whole(&self.path.join(TIMINGS), &to_json_lines(&timings))?;
        write_whole(&self.path.join(SUMMARY), &to_json(&summary))?;
        write_whole(&self.path.join(REPORT), &html_report(&summary))?;
        Ok(summary)
    }

    /// Writes the result files of a complete run and drops the journal.
    pub(crate) fn finish(mut self) -> Result<Summary, FolderError> {
        let summary = self.write_results()?;
        let journal_path = self.path.join(JOURNAL);
        at(&journal_path, fs::remove_file(&journal_path))?;
        Ok(summary)
    }
}

/// The games of a folder whose run had come to its end.
fn finished_lines(path: &Path) -> Result<Vec<JournalLine>, FolderError> {
    let mut games: Vec<GameRecord> = Vec::new();
    let mut timings: Vec<Timing> = Vec::new();
    if path.join(GAMES).exists() {
        read_lines(&path.join(GAMES), false, &mut games)?;
        read_lines(&path.join(TIMINGS), false, &mut timings)?;
    }
    if games.len() != timings.len() {
        return Err(FolderError::Content {
            path: path.join(TIMINGS),
            line: timings.len() + 1,
            what: format!(
                "{} lines, expected {} as in {GAMES}",
                timings.len(),
                games.len()
            ),
        });
    }
    let lines = games
        .into_iter()
        .zip(timings)
        .map(|(game, timing)| JournalLine {
            game,
            elapsed_ns: timing.elapsed_ns,
            worker: timing.worker,
        });
    Ok(lines.collect())
}

/// Reads JSON lines; returns the number of bytes of whole lines. With
/// `may_be_cut` a last line without its end is passed over.
fn read_lines<T: DeserializeOwned>(
    path: &Path,
    may_be_cut: bool,
    into: &mut Vec<T>,
) -> Result<u64, FolderError> {
    let mut reader = BufReader::new(at(path, File::open(path))?);
    let mut n_bytes = 0;
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let n_read = at(path, reader.read_until(b'\n', &mut text))?;
        if n_read == 0 || (may_be_cut && !text.ends_with(b"\n")) {
            break;
        }
        let record = serde_json::from_slice(&text).map_err(|error| FolderError::Content {
            path: path.to_owned(),
            line,
            what: format!("column {}: {}", error.column(), plain(&error)),
        })?;
        into.push(record);
        n_bytes += n_read as u64;
    }
    Ok(n_bytes)
}

/// A JSON error without its position, which is told apart.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

fn to_json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("records are plain data");
    text.push('\n');
    text
}

fn to_json_lines(values: &[impl Serialize]) -> String {
    let mut text = String::new();
    for value in values {
        text.push_str(&serde_json::to_string(value).expect("records are plain data"));
        text.push('\n');
    }
    text
}

/// Writes a file so that it is either as before or whole.
fn write_whole(path: &Path, content: &str) -> Result<(), FolderError> {
    let unfinished = path.with_extension("tmp");
    at(&unfinished, fs::write(&unfinished, content))?;
    at(path, fs::rename(&unfinished, path))
}
