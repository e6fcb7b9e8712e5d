//! The folder of a tournament.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::folder_error::{FolderError, at};
use crate::game_files::{
    GAMES, JOURNAL, OrderedJournal, REPORT, RUN, SUMMARY, StoredGames, TIMINGS, game_of, sum_up,
    sync_folder, write_results, write_summary,
};
use crate::json_files::{LastLine, Lines, WholeFile, describe, to_json, to_json_line};
use crate::plan::{FinishedSet, Plan};
use crate::played_by::played_by;
use crate::records::{FinishedGame, JournalLine, RunFile};
use crate::summary::Summary;
use crate::transcripts::TRANSCRIPTS;

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
    finished: FinishedSet,
    n_finished: u64,
}

impl Folder {
    /// Begins a run in a folder that holds none; the folder is made.
    /// `threads` is noted in `run.json`.
    ///
    /// *Errors*: the folder holds a run, or cannot be written; a file that an
    /// agent plays by cannot be read.
    pub fn create(path: &Path, plan: Plan, threads: usize) -> Result<Folder, FolderError> {
        let run = RunFile {
            files: played_by(&plan)?,
            ..plan.run_file(threads)
        };
        Folder::begin(path, plan, run)
    }

    /// The same for a run whose games are written down slide by slide as well.
    ///
    /// *Errors*: as [`Folder::create`].
    pub fn create_with_transcripts(
        path: &Path,
        plan: Plan,
        threads: usize,
    ) -> Result<Folder, FolderError> {
        let run = RunFile {
            files: played_by(&plan)?,
            transcripts: true,
            ..plan.run_file(threads)
        };
        Folder::begin(path, plan, run)
    }

    /// The same with what `run.json` is to say.
    pub(crate) fn begin(path: &Path, plan: Plan, run: RunFile) -> Result<Folder, FolderError> {
        refuse_file(path)?;
        at(path, fs::create_dir_all(path))?;
        let occupied = || FolderError::Occupied {
            path: path.to_owned(),
        };
        if [JOURNAL, GAMES, TIMINGS, SUMMARY, REPORT, TRANSCRIPTS]
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
        locked(claim.try_lock(), path)?;
        // An empty file is of a run that was killed before it began.
        if at(&run_path, claim.metadata())?.len() > 0 {
            return Err(occupied());
        }
        let written = claim
            .write_all(to_json(&run).as_bytes())
            .and_then(|()| claim.sync_all());
        at(&run_path, written)?;
        if run.transcripts {
            let transcripts = path.join(TRANSCRIPTS);
            at(&transcripts, fs::create_dir(&transcripts))?;
        }
        let journal = Some(open_journal(path)?);
        sync_folder(path);
        Ok(Folder {
            path: path.to_owned(),
            plan,
            run,
            _claim: claim,
            journal,
            synced: Instant::now(),
            finished: FinishedSet::default(),
            n_finished: 0,
        })
    }

    /// The plan of the run that a folder was begun with.
    ///
    /// *Errors*: no or a broken `run.json`, or one of another version.
    pub fn stored_plan(path: &Path) -> Result<Plan, FolderError> {
        plan_of(
            path,
            &read_run(path, &mut open_run(path, OpenOptions::new().read(true))?)?,
        )
    }

    /// Goes on with the run of a folder. A line that was cut off when the run
    /// was killed is dropped; its game is played again.
    ///
    /// *Errors*: a run begun with another version, other agents, games, seed,
    /// shard or content of a file that an agent plays by; broken files; another
    /// process at it.
    pub fn resume(path: &Path, plan: Plan) -> Result<Folder, FolderError> {
        let mut claim = open_run(path, OpenOptions::new().read(true).write(true))?;
        locked(claim.try_lock(), path)?;
        let run = read_run(path, &mut claim)?;
        let mut now = plan.run_file(run.threads);
        now.transcripts = run.transcripts;
        if run.difference(&now).is_none() {
            now.files = played_by(&plan)?;
        }
        if let Some((field, was, now)) = run.difference(&now) {
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
            finished: FinishedSet::default(),
            n_finished: 0,
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
            folder.restore_journal(&journal_path)?;
        }
        folder.journal = Some(open_journal(path)?);
        Ok(folder)
    }

    /// Takes over the games of the journal and cuts off what is no whole line.
    fn read_journal(&mut self, journal_path: &Path) -> Result<(), FolderError> {
        let mut lines = Lines::<JournalLine>::open(journal_path, LastLine::MayBeCut)?;
        while let Some(line) = lines.next()? {
            let game = game_of(&line, &self.plan).map_err(|what| lines.wrong(what))?;
            self.take_over(&game).map_err(|what| lines.wrong(what))?;
        }
        let file = OpenOptions::new().write(true).open(journal_path);
        at(
            journal_path,
            file.and_then(|file| file.set_len(lines.n_bytes())),
        )
    }

    /// Takes over the games of a folder whose run had come to its end.
    fn read_results(&mut self) -> Result<(), FolderError> {
        if !self.path.join(GAMES).exists() {
            return Ok(());
        }
        let plan = self.plan.clone();
        let mut games = StoredGames::open(&self.path, &plan)?;
        while let Some(game) = games.next() {
            self.take_over(&game?).map_err(|what| games.wrong(what))?;
        }
        Ok(())
    }

    fn restore_journal(&self, journal_path: &Path) -> Result<(), FolderError> {
        let mut journal = WholeFile::create(journal_path)?;
        if self.n_finished > 0 {
            for game in StoredGames::open(&self.path, &self.plan)? {
                journal.write(&to_json_line(&game?.line(&self.plan)))?;
            }
        }
        journal.finish()
    }

    /// Takes over a stored game.
    ///
    /// *Errors*: a game that is there already.
    fn take_over(&mut self, game: &FinishedGame) -> Result<(), String> {
        let job = game.job();
        let slot = self.plan.slot(job);
        if !slot.is_some_and(|slot| self.finished.insert(slot)) {
            return Err(format!("{} is there twice", self.plan.name_of(job)));
        }
        self.n_finished += 1;
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
        self.n_finished
    }

    /// The finished games so far.
    pub(crate) fn finished(&self) -> &FinishedSet {
        &self.finished
    }

    /// Where games go slide by slide, if they do.
    pub(crate) fn transcripts(&self) -> Option<PathBuf> {
        self.run.transcripts.then(|| self.path.join(TRANSCRIPTS))
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
        self.take_over(&game)
            .expect("a game that is finished is not played again");
        Ok(())
    }

    /// Writes the result files from the games finished so far, and drops the
    /// journal if those are all. Returns the summary and whether they are.
    pub(crate) fn close(mut self) -> Result<(Summary, bool), FolderError> {
        let complete = self.n_finished() == self.plan.n_games();
        if self.journal.take().is_none() {
            // Nothing was played: at most a file is missing that somebody took away.
            let summary = sum_up(&self.run, StoredGames::open(&self.path, &self.plan)?)?;
            let is_there = |name: &&str| self.path.join(name).exists();
            if ![SUMMARY, REPORT].iter().all(is_there) {
                write_summary(&self.path, &summary)?;
            }
            return Ok((summary, complete));
        }
        let games = OrderedJournal::open(&self.path, &self.plan, &self.finished)?;
        let summary = write_results(&self.path, &self.plan, &self.run, games)?;
        if complete {
            self.remove_journal()?;
        }
        Ok((summary, complete))
    }

    /// Writes the result files from games that were played elsewhere.
    pub(crate) fn write_merged<E: From<FolderError>>(
        mut self,
        games: impl Iterator<Item = Result<FinishedGame, E>>,
    ) -> Result<Summary, E> {
        let summary = write_results(&self.path, &self.plan, &self.run, games)?;
        self.journal = None;
        self.remove_journal()?;
        Ok(summary)
    }

    fn remove_journal(&self) -> Result<(), FolderError> {
        let journal_path = self.path.join(JOURNAL);
        at(&journal_path, fs::remove_file(&journal_path))
    }
}

/// A run that nobody plays, for as long as this is held: for reading only.
#[derive(Debug)]
pub(crate) struct RestingRun {
    pub(crate) path: PathBuf,
    pub(crate) plan: Plan,
    pub(crate) run: RunFile,
    /// `run.json`, locked until this is dropped.
    _claim: File,
}

impl RestingRun {
    /// The run of a folder.
    ///
    /// *Errors*: a process plays it; no or a broken `run.json`, or one of another
    /// version.
    pub(crate) fn open(path: &Path) -> Result<RestingRun, FolderError> {
        let mut claim = open_run(path, OpenOptions::new().read(true))?;
        locked(claim.try_lock_shared(), path)?;
        let run = read_run(path, &mut claim)?;
        Ok(RestingRun {
            path: path.to_owned(),
            plan: plan_of(path, &run)?,
            run,
            _claim: claim,
        })
    }

    /// The number of games so far, if the run was not played to its end.
    pub(crate) fn n_unfinished(&self) -> Result<Option<u64>, FolderError> {
        let journal_path = self.path.join(JOURNAL);
        if !journal_path.exists() {
            let begun = self.path.join(GAMES).exists();
            return Ok((!begun).then_some(0));
        }
        let mut lines = Lines::<JournalLine>::open(&journal_path, LastLine::MayBeCut)?;
        while lines.next()?.is_some() {}
        Ok(Some(lines.line() as u64))
    }
}

/// The plan of a stored run.
///
/// *Errors*: a run of another version, or one that this version does not know.
fn plan_of(path: &Path, run: &RunFile) -> Result<Plan, FolderError> {
    let here = env!("CARGO_PKG_VERSION");
    if run.version != here {
        return Err(FolderError::Changed {
            path: path.to_owned(),
            field: "version",
            was: run.version.clone(),
            now: here.to_owned(),
        });
    }
    Plan::from_run_file(run).map_err(|error| FolderError::Content {
        path: path.join(RUN),
        line: 1,
        what: error.to_string(),
    })
}

/// Whether an open `run.json` was claimed for this process.
fn locked(claimed: Result<(), TryLockError>, path: &Path) -> Result<(), FolderError> {
    match claimed {
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

fn open_run(path: &Path, options: &OpenOptions) -> Result<File, FolderError> {
    refuse_file(path)?;
    let run_path = path.join(RUN);
    match options.open(&run_path) {
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
