//! Playing the games of a tournament in parallel.

use core::sync::atomic::{AtomicBool, Ordering};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use afterstate_rules::Variant;

use crate::build::{EntryPlayer, Shared};
use crate::folder::Folder;
use crate::folder_error::FolderError;
use crate::plan::{Job, Plan};
use crate::records::{Effort, FinishedGame};
use crate::summary::Summary;
use crate::transcripts::write_transcript;

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Games on disk, those of an earlier run included.
    pub finished: u64,
    /// All games of the run.
    pub total: u64,
    /// The variant of the last game.
    pub variant: Variant,
    /// The agent of the last game, in its canonical form.
    pub agent: &'a str,
}

/// Plays what is left of the games of the folder's plan.
///
/// Each game is in the folder's journal before its worker begins another.
/// Returns the summary, and whether the run is complete: not, when `stop` was
/// set before the last game ended. Games in progress are then given up; the
/// folder holds the results of the finished ones and can be resumed.
///
/// Fewer workers than `threads` are started where there are fewer games, or
/// where the system refuses more.
///
/// *Errors*: what goes wrong with the folder, whose journal keeps what it has; a
/// file that an agent plays by and that is not what it needs.
pub fn run_games(
    mut folder: Folder,
    shared: &Shared,
    threads: usize,
    stop: &AtomicBool,
    watch: impl FnMut(&Progress<'_>) + Send,
) -> Result<(Summary, bool), FolderError> {
    if folder.n_finished() < folder.plan().n_games() {
        play_the_rest(&mut folder, shared, threads, stop, watch)?;
    }
    folder.close()
}

fn play_the_rest(
    folder: &mut Folder,
    shared: &Shared,
    threads: usize,
    stop: &AtomicBool,
    watch: impl FnMut(&Progress<'_>) + Send,
) -> Result<(), FolderError> {
    let plan = folder.plan().clone();
    let finished = folder.finished().clone();
    let transcripts = folder.transcripts();
    let left = plan.n_games() - folder.n_finished();
    let most = usize::try_from(left).unwrap_or(usize::MAX);
    load(&plan, shared)?;
    let ledger = Mutex::new(Ledger {
        folder,
        watch,
        outcome: Ok(()),
    });
    let crew = Crew {
        plan: &plan,
        shared,
        transcripts: transcripts.as_deref(),
        n_workers: threads.clamp(1, most),
    };
    crew.play(plan.jobs(&finished), stop, |game| {
        locked(&ledger).enter(&plan, game)
    });
    let ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
    ledger.outcome
}

/// Plays jobs of a plan and hands each game to `take`, in the order in which they
/// end. Returns whether all were played: not, when `stop` was set before.
///
/// *Errors*: a file that an agent plays by and that is not what it needs.
pub(crate) fn play_jobs(
    plan: &Plan,
    shared: &Shared,
    threads: usize,
    jobs: impl Iterator<Item = Job> + Send,
    stop: &AtomicBool,
    take: impl FnMut(FinishedGame) + Send,
) -> Result<bool, FolderError> {
    load(plan, shared)?;
    let crew = Crew {
        plan,
        shared,
        transcripts: None,
        n_workers: threads.max(1),
    };
    let outcome = Mutex::new((take, Ok(())));
    let all = crew.play(jobs, stop, |game| {
        let (take, outcome) = &mut *locked(&outcome);
        match game {
            Ok(game) => take(game),
            Err(error) => *outcome = Err(error),
        }
        outcome.is_ok()
    });
    let (_, outcome) = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome.map(|()| all)
}

fn load(plan: &Plan, shared: &Shared) -> Result<(), FolderError> {
    for entry in plan.entries() {
        shared
            .load(entry.variant, &entry.spec)
            .map_err(FolderError::Agent)?;
    }
    Ok(())
}

/// Workers that play games of one plan.
struct Crew<'a> {
    plan: &'a Plan,
    shared: &'a Shared,
    /// Where games go slide by slide, if they do.
    transcripts: Option<&'a Path>,
    n_workers: usize,
}

impl Crew<'_> {
    /// Plays until there are no more jobs, `stop` is set, or `enter` returns
    /// false. Returns whether every job was played.
    fn play(
        &self,
        jobs: impl Iterator<Item = Job> + Send,
        stop: &AtomicBool,
        enter: impl Fn(Result<FinishedGame, FolderError>) -> bool + Sync,
    ) -> bool {
        let jobs = Mutex::new(jobs);
        let failed = AtomicBool::new(false);
        let cut_short = AtomicBool::new(false);
        let go_on = || !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed);
        let work = |index: usize| {
            let _guard = FailOnPanic(&failed);
            let mut worker = Worker {
                plan: self.plan,
                shared: self.shared,
                index,
                transcripts: self.transcripts,
                player: None,
            };
            while go_on() {
                let Some(job) = locked(&jobs).next() else {
                    break;
                };
                let Some(game) = worker.play(job, &go_on).transpose() else {
                    cut_short.store(true, Ordering::Relaxed);
                    break;
                };
                if !enter(game) {
                    failed.store(true, Ordering::Relaxed);
                }
            }
        };
        match thread_pool(self.n_workers) {
            Some(pool) => {
                pool.broadcast(|context| work(context.index()));
            }
            None => work(0),
        }
        let is_left = locked(&jobs).next().is_some();
        !is_left && !cut_short.load(Ordering::Relaxed)
    }
}

/// A lock whose holders leave nothing half done when they panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where finished games go, from one worker at a time.
struct Ledger<'a, W> {
    folder: &'a mut Folder,
    watch: W,
    outcome: Result<(), FolderError>,
}

impl<W: FnMut(&Progress<'_>)> Ledger<'_, W> {
    /// Writes a game down, and returns whether that went well, now and before.
    fn enter(&mut self, plan: &Plan, game: Result<FinishedGame, FolderError>) -> bool {
        if self.outcome.is_ok() {
            let entered = game.and_then(|game| self.folder.append(game).map(|()| game));
            let Ok(game) = entered.map_err(|error| self.outcome = Err(error)) else {
                return false;
            };
            let entry = &plan.entries()[game.job().entry];
            (self.watch)(&Progress {
                finished: self.folder.n_finished(),
                total: plan.n_games(),
                variant: entry.variant,
                agent: &entry.agent,
            });
        }
        self.outcome.is_ok()
    }
}

/// Stops the other workers when one panics, rather than letting them play to
/// the end with one fewer.
struct FailOnPanic<'a>(&'a AtomicBool);

impl Drop for FailOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// A worker with the player of the entry it is at.
struct Worker<'a> {
    plan: &'a Plan,
    shared: &'a Shared,
    index: usize,
    /// Where games go slide by slide, if they do.
    transcripts: Option<&'a Path>,
    player: Option<(usize, Box<dyn EntryPlayer>)>,
}

impl Worker<'_> {
    /// The finished game; `None` when told not to go on.
    ///
    /// *Errors*: its transcript cannot be written.
    fn play(
        &mut self,
        job: Job,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<FinishedGame>, FolderError> {
        let entry = &self.plan.entries()[job.entry];
        if self
            .player
            .as_ref()
            .is_none_or(|&(known, _)| known != job.entry)
        {
            // Dropped first: a player may hold megabytes.
            self.player = None;
            let mut player = self.shared.player(entry.variant, &entry.spec);
            if self.transcripts.is_some() {
                player.record();
            }
            self.player = Some((job.entry, player));
        }
        let Some((_, player)) = self.player.as_mut() else {
            return Ok(None);
        };
        let n_before = player.n_nodes();
        let started = Instant::now();
        let Some(result) = player.play(self.plan.seed_of(job), go_on) else {
            return Ok(None);
        };
        let elapsed_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let effort = Effort {
            elapsed_ns,
            nodes: player.n_nodes() - n_before,
            worker: self.index,
            judged: player.judged(),
        };
        // Before the journal has the game: one that is there has its transcript.
        if let Some((folder, transcript)) = self.transcripts.zip(player.transcript()) {
            write_transcript(folder, job.index, transcript)?;
        }
        Ok(Some(FinishedGame::new(job, result, effort)))
    }
}

/// Address space that a thread may claim: its stack, and what the C library sets
/// aside for its memory at once, twice as much for a moment.
#[cfg(unix)]
const BYTES_PER_THREAD: u64 = 128 << 20;

/// As many of `n` threads as there is address space for, where it is limited.
fn affordable(n_threads: usize) -> usize {
    #[cfg(unix)]
    if let Some(n_bytes) = rustix::process::getrlimit(rustix::process::Resource::As).current {
        let affordable = (n_bytes / BYTES_PER_THREAD).max(1);
        return usize::try_from(affordable).map_or(n_threads, |most| n_threads.min(most));
    }
    n_threads
}

/// A pool of this many threads or, on a system that is short of them, of half
/// as many, and so on; `None` where only the calling one is to be had.
pub(crate) fn thread_pool(n_threads: usize) -> Option<rayon::ThreadPool> {
    core::iter::successors(Some(affordable(n_threads)), |n| Some(n / 2))
        .take_while(|&n| n > 0)
        .find_map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().ok())
}
