//! The folder of a tournament.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::folder_error::{FolderError, at};
use crate::json_files::{
    LastLine, describe, read_lines, to_json, to_json_line, write_whole, write_whole_lines,
};
use crate::plan::{FinishedSet, Plan};
use crate::records::{FinishedGame, ForeignGame, GameRecord, JournalLine, RunFile, Timing};
use crate::report::html_report;
use crate::summary::Summary;

const RUN: &str = "run.json";
const JOURNAL: &str = "journal.jsonl";
const GAMES: &str = "games.jsonl";
const TIMINGS: &str = "timings.jsonl";
const SUMMARY: &str = "summary.json";
const REPORT: &str = "report.html";

/// How much play a power loss may cost. Asking the disk after each game would
/// slow short games down a thousandfold, for games that are only played again.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A tournament's folder, with the journal to which finished games go.
///
/// While a run is on, each finished game is one line of `journal.jsonl`, given
/// to the system in one write before its worker begins another game: a killed
/// process loses the games in progress and nothing else. A power loss may cost
/// the games of the last second as well. At the end the other files are
/// written from it, each under another name first, and only then the journal
/// goes: as long as there is a journal it is what counts.
///
/// The process that plays holds a lock on `run.json`, which the system takes
/// back however the process ends. Where the file system has no locks there is
/// none. On Windows a locked file cannot be read by others either.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    plan: Plan,
    run: RunFile,
    /// `run.json`, locked until this is dropped.
    _claim: File,
    /// Open while games are missing, or were when it was opened.
    journal: Option<File>,
    synced: Instant,
    games: Vec<FinishedGame>,
    finished: FinishedSet,
}

impl Folder {
    /// Begins a run in a folder that holds none; the folder is made.
    /// `threads` is noted in `run.json`.
    ///
    /// *Errors*: the folder holds a run, or cannot be written.
    pub fn create(path: &Path, plan: Plan, threads: usize) -> Result<Folder, FolderError> {
        refuse_file(path)?;
        at(path, fs::create_dir_all(path))?;
        let occupied = || FolderError::Occupied {
            path: path.to_owned(),
        };
        if [JOURNAL, GAMES, TIMINGS, SUMMARY, REPORT]
            .iter()
            .any(|name| path.join(name).exists())
        {
            return Err(occupied());
        }
        let run_path = path.join(RUN);
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&run_path);
        let mut claim = at(&run_path, opened)?;
        lock(&claim, path)?;
        // An empty file is of a run that was killed before it began.
        if at(&run_path, claim.metadata())?.len() > 0 {
            return Err(occupied());
        }
        let run = plan.run_file(threads);
        let written = claim
            .write_all(to_json(&run).as_bytes())
            .and_then(|()| claim.sync_all());
        at(&run_path, written)?;
        let journal = Some(open_journal(path)?);
        sync_folder(path);
        Ok(Folder {
            path: path.to_owned(),
            plan,
            run,
            _claim: claim,
            journal,
            synced: Instant::now(),
            games: Vec::new(),
            finished: FinishedSet::default(),
        })
    }

    /// The plan of the run that a folder was begun with.
    ///
    /// *Errors*: no or a broken `run.json`, or one of another version.
    pub fn stored_plan(path: &Path) -> Result<Plan, FolderError> {
        let run = read_run(path, &mut open_run(path)?)?;
        let here = env!("CARGO_PKG_VERSION");
        if run.version != here {
            return Err(FolderError::Changed {
                path: path.to_owned(),
                field: "version",
                was: run.version,
                now: here.to_owned(),
            });
        }
        Plan::from_run_file(&run).map_err(|error| FolderError::Content {
            path: path.join(RUN),
            line: 1,
            what: error.to_string(),
        })
    }

    /// Goes on with the run of a folder. A line that was cut off when the run
    /// was killed is dropped; its game is played again.
    ///
    /// *Errors*: a run begun with another version, other agents, games, seed
    /// or shard; broken files; another process at it.
    pub fn resume(path: &Path, plan: Plan) -> Result<Folder, FolderError> {
        let mut claim = open_run(path)?;
        lock(&claim, path)?;
        let run = read_run(path, &mut claim)?;
        if let Some((field, was, now)) = run.difference(&plan.run_file(run.threads)) {
            return Err(FolderError::Changed {
                path: path.to_owned(),
                field,
                was,
                now,
            });
        }
        let mut folder = Folder {
            path: path.to_owned(),
            plan,
            run,
            _claim: claim,
            journal: None,
            synced: Instant::now(),
            games: Vec::new(),
            finished: FinishedSet::default(),
        };
        let journal_path = path.join(JOURNAL);
        if journal_path.exists() {
            folder.read_journal(&journal_path)?;
        } else {
            folder.read_results()?;
            if folder.n_finished() == folder.plan.n_games() {
                return Ok(folder);
            }
            // Somebody took the journal away: one is made of the results.
            let lines = folder.games.iter().map(|game| game.line(&folder.plan));
            write_whole_lines(&journal_path, lines)?;
        }
        folder.journal = Some(open_journal(path)?);
        Ok(folder)
    }

    /// Takes over the games of the journal and cuts off what is no whole line.
    fn read_journal(&mut self, journal_path: &Path) -> Result<(), FolderError> {
        let n_bytes = read_lines(
            journal_path,
            LastLine::MayBeCut,
            |line, entry: JournalLine| self.take_over(journal_path, line, &entry),
        )?;
        let file = OpenOptions::new().write(true).open(journal_path);
        at(journal_path, file.and_then(|file| file.set_len(n_bytes)))
    }

    /// Takes over the games of a folder whose run had come to its end.
    fn read_results(&mut self) -> Result<(), FolderError> {
        let (games_path, timings_path) = (self.path.join(GAMES), self.path.join(TIMINGS));
        if !games_path.exists() {
            return Ok(());
        }
        let mut timings = Vec::new();
        read_lines(&timings_path, LastLine::IsWhole, |_, timing: Timing| {
            let job = self
                .plan
                .job_named(&timing.variant, &timing.agent, timing.index);
            timings.push((job, timing));
            Ok(())
        })?;
        let apart = |line: usize| FolderError::Content {
            path: timings_path.clone(),
            line,
            what: format!("expected the games of {GAMES} in the same order"),
        };
        read_lines(&games_path, LastLine::IsWhole, |line, game: GameRecord| {
            let job = self.plan.job_named(&game.variant, &game.agent, game.index);
            let timing = timings.get(line - 1).filter(|timing| timing.0 == job);
            let (_, timing) = timing.ok_or_else(|| apart(line))?;
            let entry = JournalLine {
                game,
                elapsed_ns: timing.elapsed_ns,
                nodes: timing.nodes,
                worker: timing.worker,
                judged: timing.judged,
            };
            self.take_over(&games_path, line, &entry)
        })?;
        if timings.len() > self.games.len() {
            return Err(apart(self.games.len() + 1));
        }
        Ok(())
    }

    /// Takes over a stored game.
    ///
    /// *Errors*: a game that is not of the plan, or is there already.
    fn take_over(
        &mut self,
        path: &Path,
        line: usize,
        entry: &JournalLine,
    ) -> Result<(), FolderError> {
        let wrong = |what: &str| FolderError::Content {
            path: path.to_owned(),
            line,
            what: format!(
                "game {} of {} {} {what}",
                entry.game.index, entry.game.variant, entry.game.agent
            ),
        };
        let game = FinishedGame::from_line(entry, &self.plan).map_err(|reason| match reason {
            ForeignGame::Job => wrong("is not of this run"),
            ForeignGame::Outcome => wrong("has an outcome other than over and cleared"),
        })?;
        let slot = self.plan.slot(game.job());
        if !slot.is_some_and(|slot| self.finished.insert(slot)) {
            return Err(wrong("is there twice"));
        }
        self.games.push(game);
        Ok(())
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games to be played into the folder.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Number of finished games so far.
    pub fn n_finished(&self) -> u64 {
        self.games.len() as u64
    }

    /// The games that were finished when the folder was opened.
    pub(crate) fn take_finished_set(&mut self) -> FinishedSet {
        core::mem::take(&mut self.finished)
    }

    /// Adds a finished game to the journal, in one write.
    pub(crate) fn append(&mut self, game: FinishedGame) -> Result<(), FolderError> {
        let line = to_json_line(&game.line(&self.plan));
        let path = || self.path.join(JOURNAL);
        if let Some(journal) = &mut self.journal {
            journal.write_all(&line).map_err(|source| FolderError::Io {
                path: path(),
                source,
            })?;
            if self.synced.elapsed() > SYNC_INTERVAL {
                at(&path(), journal.sync_data())?;
                self.synced = Instant::now();
            }
        }
        self.games.push(game);
        Ok(())
    }

    /// Writes the result files from the games finished so far, and drops the
    /// journal if those are all. Returns the summary and whether they are.
    pub(crate) fn close(mut self) -> Result<(Summary, bool), FolderError> {
        self.games.sort_unstable_by_key(FinishedGame::job);
        let complete = self.n_finished() == self.plan.n_games();
        let summary = Summary::new(&self.run, &self.games);
        let is_there = |name: &&str| self.path.join(name).exists();
        let untouched = self.journal.is_none();
        if untouched && [GAMES, TIMINGS, SUMMARY, REPORT].iter().all(is_there) {
            return Ok((summary, complete));
        }
        let records = self.games.iter().map(|game| game.record(&self.plan));
        write_whole_lines(&self.path.join(GAMES), records)?;
        let timings = self.games.iter().map(|game| game.timing(&self.plan));
        write_whole_lines(&self.path.join(TIMINGS), timings)?;
        write_whole(&self.path.join(SUMMARY), &to_json(&summary))?;
        write_whole(&self.path.join(REPORT), &html_report(&summary))?;
        sync_folder(&self.path);
        if self.journal.take().is_some() && complete {
            let journal_path = self.path.join(JOURNAL);
            at(&journal_path, fs::remove_file(&journal_path))?;
        }
        Ok((summary, complete))
    }
}

/// Claims an open `run.json` for this process.
fn lock(claim: &File, path: &Path) -> Result<(), FolderError> {
    match claim.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy {
            path: path.to_owned(),
        }),
        // Some network file systems have no locks: better unguarded than not
        // at all.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => at(&path.join(RUN), Err(error)),
    }
}

fn refuse_file(path: &Path) -> Result<(), FolderError> {
    if path.exists() && !path.is_dir() {
        return Err(FolderError::NotAFolder {
            path: path.to_owned(),
        });
    }
    Ok(())
}

fn open_run(path: &Path) -> Result<File, FolderError> {
    refuse_file(path)?;
    let run_path = path.join(RUN);
    let opened = OpenOptions::new().read(true).write(true).open(&run_path);
    match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FolderError::NoRun {
            path: path.to_owned(),
        }),
        other => at(&run_path, other),
    }
}

fn read_run(path: &Path, file: &mut File) -> Result<RunFile, FolderError> {
    let run_path = path.join(RUN);
    let mut text = String::new();
    at(&run_path, file.read_to_string(&mut text))?;
    if text.is_empty() {
        // A run that was killed before it began.
        return Err(FolderError::NoRun {
            path: path.to_owned(),
        });
    }
    serde_json::from_str(&text).map_err(|error| FolderError::Content {
        line: error.line(),
        what: describe(&error),
        path: run_path,
    })
}

fn open_journal(path: &Path) -> Result<File, FolderError> {
    let journal_path = path.join(JOURNAL);
    let opened = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&journal_path);
    at(&journal_path, opened)
}

/// Asks the disk for the names in a folder. Not every system can be asked, and
/// where it cannot there is nothing to be done.
fn sync_folder(path: &Path) {
    let _ = File::open(path).and_then(|folder| folder.sync_all());
}
