//! Playing the games of a tournament in parallel.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use afterstate_rules::Variant;

use crate::build::{EntryPlayer, Shared};
use crate::folder::Folder;
use crate::folder_error::FolderError;
use crate::plan::{Job, Plan};
use crate::records::{Effort, FinishedGame};
use crate::summary::Summary;

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
    let finished = folder.take_finished_set();
    let left = plan.n_games() - folder.n_finished();
    let most = usize::try_from(left).unwrap_or(usize::MAX);
    let jobs = Mutex::new(plan.jobs(&finished));
    for entry in plan.entries() {
        shared
            .load(entry.variant, &entry.spec)
            .map_err(FolderError::Agent)?;
    }
    let failed = AtomicBool::new(false);
    let go_on = || !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed);
    let ledger = Mutex::new(Ledger {
        folder,
        watch,
        outcome: Ok(()),
    });
    let work = |index: usize| {
        let _guard = FailOnPanic(&failed);
        let mut worker = Worker {
            plan: &plan,
            shared,
            index,
            player: None,
        };
        while go_on() {
            let job = locked(&jobs).next();
            let Some(game) = job.and_then(|job| worker.play(job, &go_on)) else {
                break;
            };
            if !locked(&ledger).enter(&plan, game) {
                failed.store(true, Ordering::Relaxed);
            }
        }
    };
    match thread_pool(threads.clamp(1, most)) {
        Some(pool) => {
            pool.broadcast(|context| work(context.index()));
        }
        None => work(0),
    }
    let ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
    ledger.outcome
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
    fn enter(&mut self, plan: &Plan, game: FinishedGame) -> bool {
        if self.outcome.is_ok() {
            self.outcome = self.folder.append(game);
        }
        if self.outcome.is_ok() {
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
    player: Option<(usize, Box<dyn EntryPlayer>)>,
}

impl Worker<'_> {
    /// The finished game; `None` when told not to go on.
    fn play(&mut self, job: Job, go_on: &dyn Fn() -> bool) -> Option<FinishedGame> {
        let entry = &self.plan.entries()[job.entry];
        if self
            .player
            .as_ref()
            .is_none_or(|&(known, _)| known != job.entry)
        {
            // Dropped first: a player may hold megabytes.
            self.player = None;
            let player = self.shared.player(entry.variant, &entry.spec);
            self.player = Some((job.entry, player));
        }
        let (_, player) = self.player.as_mut()?;
        let n_before = player.n_nodes();
        let started = Instant::now();
        let result = player.play(self.plan.seed_of(job), go_on)?;
        let elapsed_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let effort = Effort {
            elapsed_ns,
            nodes: player.n_nodes() - n_before,
            worker: self.index,
            judged: player.judged(),
        };
        Some(FinishedGame::new(job, result, effort))
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
