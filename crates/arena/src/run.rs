//! Playing the games of a tournament in parallel.

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::collections::BTreeSet;
use std::sync::mpsc;
use std::time::Instant;

use afterstate_play::game_seed;
use afterstate_rules::Variant;
use serde::{Deserialize, Serialize};

use crate::agent_spec::AgentSpec;
use crate::build::{EntryPlayer, Shared};
use crate::folder::{Folder, FolderError};
use crate::records::{GameRecord, JournalLine, Machine, RunFile};
use crate::summary::Summary;

/// Part `part` of `of` equal parts, from 1: `I/N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// Number of parts.
    pub of: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Whether the job with this position in the whole tournament is of this
    /// part.
    fn holds(self, position: u64) -> bool {
        position % self.of == self.part - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// What [`Shard::from_str`] says of a text that is no shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseShardError(());

impl fmt::Display for ParseShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected I/N with I from 1 to N")
    }
}

impl std::error::Error for ParseShardError {}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let parse = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse::<u64>().ok()).flatten()
        };
        text.split_once('/')
            .and_then(|(part, of)| {
                Some(Shard {
                    part: parse(part)?,
                    of: parse(of)?,
                })
            })
            .filter(|shard| (1..=shard.of).contains(&shard.part))
            .ok_or(ParseShardError(()))
    }
}

/// Which games to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    entries: Vec<(Variant, AgentSpec)>,
    games: u64,
    seed: u64,
    shard: Shard,
}

/// Why a plan is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// A variant and agent twice, which would be the same games twice.
    Twice {
        /// Name of the variant.
        variant: String,
        /// The agent in its canonical form.
        agent: String,
    },
    /// A stored run names something that this version does not know.
    Unknown {
        /// What it names.
        what: String,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Twice { variant, agent } => {
                write!(f, "agent {agent} is named twice for {variant}")
            }
            PlanError::Unknown { what } => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// A plan of `games` games for each variant and agent.
    ///
    /// *Errors*: the same variant and agent twice.
    pub fn new(
        mut entries: Vec<(Variant, AgentSpec)>,
        games: u64,
        seed: u64,
        shard: Shard,
    ) -> Result<Plan, PlanError> {
        // Results are sorted by variant, agent and index, all as in the files.
        entries.sort_by_key(|(variant, agent)| (variant.name(), agent.to_string()));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0] == pair[1]) {
            let (variant, agent) = &pair[0];
            return Err(PlanError::Twice {
                variant: variant.to_string(),
                agent: agent.to_string(),
            });
        }
        Ok(Plan {
            entries,
            games,
            seed,
            shard,
        })
    }

    /// The plan of a stored run.
    ///
    /// *Errors*: a variant or agent that this version does not know.
    pub fn from_run_file(run: &RunFile) -> Result<Plan, PlanError> {
        let unknown = |what: String| PlanError::Unknown { what };
        let mut entries = Vec::new();
        for (variant, agent) in &run.entries {
            let known: Variant = variant
                .parse()
                .map_err(|error| unknown(format!("variant `{variant}`: {error}")))?;
            let spec =
                AgentSpec::parse(agent, known).map_err(|error| unknown(error.to_string()))?;
            entries.push((known, spec));
        }
        Plan::new(entries, run.games, run.seed, run.shard)
    }

    /// What `run.json` says of the plan.
    pub fn run_file(&self, threads: usize) -> RunFile {
        RunFile {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            entries: self
                .entries
                .iter()
                .map(|(variant, agent)| (variant.to_string(), agent.to_string()))
                .collect(),
            games: self.games,
            seed: self.seed,
            shard: self.shard,
            threads,
            machine: Machine::here(),
        }
    }

    /// Number of games of this plan's shard.
    pub fn n_games(&self) -> u64 {
        let total = self.entries.len() as u64 * self.games;
        (total + self.shard.of - self.shard.part) / self.shard.of
    }

    /// The jobs of this shard that are not in `finished`, dear ones first, so
    /// that no worker starts a long game when the others are done.
    fn jobs(&self, finished: &BTreeSet<(usize, u64)>) -> Vec<Job> {
        let mut jobs: Vec<Job> = (0..self.entries.len())
            .flat_map(|entry| (0..self.games).map(move |index| Job { entry, index }))
            .enumerate()
            .filter(|&(position, job)| {
                self.shard.holds(position as u64) && !finished.contains(&(job.entry, job.index))
            })
            .map(|(_, job)| job)
            .collect();
        jobs.sort_by_key(|job| {
            (
                core::cmp::Reverse(self.cost(job.entry)),
                job.index,
                job.entry,
            )
        });
        jobs
    }

    /// A rank of what a game of the entry takes.
    fn cost(&self, entry: usize) -> u32 {
        self.entries[entry].1.depth().unwrap_or(0)
    }

    /// The position of an entry by its names.
    pub(crate) fn entry_named(&self, variant: &str, agent: &str) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.0.name() == variant && entry.1.to_string() == agent)
    }

    pub(crate) fn holds(&self, entry: usize, index: u64) -> bool {
        index < self.games && self.shard.holds(entry as u64 * self.games + index)
    }

    pub(crate) fn seed_of(&self, entry: usize, index: u64) -> u64 {
        let (variant, agent) = &self.entries[entry];
        game_seed(self.seed, variant.name(), &agent.to_string(), index)
    }
}

#[derive(Debug, Clone, Copy)]
struct Job {
    entry: usize,
    index: u64,
}

/// How far a run is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Games on disk, those of an earlier run included.
    pub finished: u64,
    /// All games of the run.
    pub total: u64,
    /// The entry of the last game: variant and agent.
    pub last: (String, String),
}

/// Plays every game of the plan that is not in `finished` on `threads`
/// workers, handing each to `done` on the calling thread as soon as it ends.
///
/// Returns whether all games were played: not, when `stop` was set or `done`
/// failed meanwhile. Games in progress are then given up.
///
/// *Errors*: what `done` returns.
pub(crate) fn run_jobs<E: Send>(
    plan: &Plan,
    threads: usize,
    finished: &BTreeSet<(usize, u64)>,
    stop: &AtomicBool,
    mut done: impl FnMut(JournalLine) -> Result<(), E>,
) -> Result<bool, E> {
    let jobs = plan.jobs(finished);
    let n_threads = threads.clamp(1, jobs.len().max(1));
    let shared = Shared::default();
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let go_on = || !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()
        .expect("the system gives the asked number of threads");
    let (sender, receiver) = mpsc::sync_channel::<JournalLine>(4 * n_threads);
    let mut outcome = Ok(());
    std::thread::scope(|scope| {
        let (jobs, shared, next, go_on, pool) = (&jobs, &shared, &next, &go_on, &pool);
        scope.spawn(move || {
            let sender = sender;
            pool.broadcast(|context| {
                let mut worker = Worker {
                    plan,
                    shared,
                    index: context.index(),
                    players: Vec::new(),
                };
                while go_on()
                    && let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(line) = worker.play(job, go_on)
                {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        });
        while let Ok(line) = receiver.recv() {
            if outcome.is_ok() {
                outcome = done(line);
                failed.store(outcome.is_err(), Ordering::Relaxed);
            }
        }
    });
    outcome.map(|()| !stop.load(Ordering::Relaxed))
}

/// A worker with the players it has built so far, by entry.
struct Worker<'a> {
    plan: &'a Plan,
    shared: &'a Shared,
    index: usize,
    players: Vec<(usize, Box<dyn EntryPlayer>)>,
}

impl Worker<'_> {
    fn play(&mut self, job: Job, go_on: &dyn Fn() -> bool) -> Option<JournalLine> {
        let (variant, spec) = &self.plan.entries[job.entry];
        let known = self
            .players
            .iter()
            .position(|&(entry, _)| entry == job.entry);
        let at = known.unwrap_or_else(|| {
            self.players
                .push((job.entry, self.shared.player(*variant, spec)));
            self.players.len() - 1
        });
        let seed = self.plan.seed_of(job.entry, job.index);
        let started = Instant::now();
        let result = self.players[at].1.play(seed, go_on)?;
        let elapsed_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let game = GameRecord::new(variant.name(), &spec.to_string(), job.index, seed, result);
        Some(JournalLine {
            game,
            elapsed_ns,
            worker: self.index,
        })
    }
}

/// Plays what is left of the plan's games into the folder.
///
/// Returns the summary, and whether the run is complete: not, when `stop` was
/// set. The folder then holds the results of the finished games and can be
/// resumed.
///
/// *Errors*: what goes wrong with the folder; a game in its journal that is
/// not of the plan.
pub fn run_games(
    plan: &Plan,
    mut folder: Folder,
    threads: usize,
    stop: &AtomicBool,
    mut watch: impl FnMut(&Progress),
) -> Result<(Summary, bool), FolderError> {
    let mut finished = BTreeSet::new();
    for (line, entry) in (1..).zip(folder.lines()) {
        let game = &entry.game;
        let job = plan
            .entry_named(&game.variant, &game.agent)
            .filter(|&known| {
                plan.holds(known, game.index) && plan.seed_of(known, game.index) == game.seed
            })
            .map(|known| (known, game.index));
        if !job.is_some_and(|job| finished.insert(job)) {
            return Err(FolderError::Content {
                path: folder.path().to_owned(),
                line,
                what: format!(
                    "game {} of {} {} is not of this run, or is there twice",
                    game.index, game.variant, game.agent
                ),
            });
        }
    }
    let total = plan.n_games();
    let complete = run_jobs(plan, threads, &finished, stop, |line: JournalLine| {
        let last = (line.game.variant.clone(), line.game.agent.clone());
        folder.append(line)?;
        watch(&Progress {
            finished: folder.lines().len() as u64,
            total,
            last,
        });
        Ok::<(), FolderError>(())
    })?;
    if complete {
        Ok((folder.finish()?, true))
    } else {
        Ok((folder.write_results()?, false))
    }
}
