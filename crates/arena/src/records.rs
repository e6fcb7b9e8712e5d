//! What a tournament writes down.

use afterstate_play::{GameResult, Outcome};
use serde::{Deserialize, Serialize};

use crate::exact::Judged;
use crate::plan::{Job, Plan, Shard};

/// One game, by nothing but what its seed determines: a line of `games.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Name of the variant.
    pub variant: String,
    /// The agent in its canonical form.
    pub agent: String,
    /// Index of the game among those of its variant and agent, from 0.
    pub index: u64,
    /// The seed of the game.
    pub seed: u64,
    /// Sum of gains, in points.
    pub score: i64,
    /// Largest number on the last board.
    pub largest: i32,
    /// Number of slides.
    pub moves: u32,
    /// `over` or `cleared`.
    pub outcome: String,
}

/// What a game took: a line of `timings.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Name of the variant.
    pub variant: String,
    /// The agent in its canonical form.
    pub agent: String,
    /// Index of the game.
    pub index: u64,
    /// Wall time of the game on its worker, in nanoseconds.
    pub elapsed_ns: u64,
    /// Boards that the agent looked at; 0 for agents that do not search.
    #[serde(default)]
    pub nodes: u64,
    /// The worker, from 0.
    pub worker: usize,
    /// How the slides compare with the best ones, where they were judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
}

/// A finished game as the journal of an unfinished run keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JournalLine {
    pub(crate) game: GameRecord,
    pub(crate) elapsed_ns: u64,
    #[serde(default)]
    pub(crate) nodes: u64,
    pub(crate) worker: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) judged: Option<Judged>,
}

/// What a game took, which depends on the machine and not on the seed, and what
/// a table thinks of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Effort {
    pub(crate) elapsed_ns: u64,
    pub(crate) nodes: u64,
    pub(crate) worker: usize,
    pub(crate) judged: Option<Judged>,
}

/// A finished game in memory: without the names and the seed, which follow
/// from the plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FinishedGame {
    pub(crate) score: i64,
    pub(crate) elapsed_ns: u64,
    pub(crate) nodes: u64,
    /// Below [`Plan::MAX_GAMES`].
    index: u32,
    pub(crate) largest: i32,
    pub(crate) moves: u32,
    entry: u32,
    worker: u16,
    pub(crate) outcome: Outcome,
    pub(crate) judged: Option<Judged>,
}

impl FinishedGame {
    /// *Panics*: when the index is not below [`Plan::MAX_GAMES`].
    pub(crate) fn new(job: Job, result: GameResult, effort: Effort) -> FinishedGame {
        FinishedGame {
            score: result.score,
            elapsed_ns: effort.elapsed_ns,
            nodes: effort.nodes,
            index: u32::try_from(job.index).expect("a plan has at most MAX_GAMES games"),
            largest: result.largest,
            moves: result.n_slides,
            entry: u32::try_from(job.entry).expect("a plan has fewer entries than games"),
            worker: u16::try_from(effort.worker).unwrap_or(u16::MAX),
            outcome: result.outcome,
            judged: effort.judged,
        }
    }

    /// The game that a line tells of.
    ///
    /// *Errors*: a game that is not of the plan, or an outcome that is none.
    pub(crate) fn from_line(line: &JournalLine, plan: &Plan) -> Result<FinishedGame, ForeignGame> {
        let game = &line.game;
        let job = plan
            .job_named(&game.variant, &game.agent, game.index)
            .filter(|&job| plan.slot(job).is_some() && plan.seed_of(job) == game.seed)
            .ok_or(ForeignGame::Job)?;
        let outcome = [Outcome::Over, Outcome::Cleared]
            .into_iter()
            .find(|outcome| outcome.name() == game.outcome)
            .ok_or(ForeignGame::Outcome)?;
        let result = GameResult {
            score: game.score,
            largest: game.largest,
            n_slides: game.moves,
            outcome,
        };
        let effort = Effort {
            elapsed_ns: line.elapsed_ns,
            nodes: line.nodes,
            worker: line.worker,
            judged: line.judged,
        };
        Ok(FinishedGame::new(job, result, effort))
    }

    pub(crate) fn job(&self) -> Job {
        Job {
            entry: self.entry as usize,
            index: u64::from(self.index),
        }
    }

    /// The line of `games.jsonl`.
    pub(crate) fn record(&self, plan: &Plan) -> GameRecord {
        let entry = &plan.entries()[self.job().entry];
        GameRecord {
            variant: entry.variant.name().to_owned(),
            agent: entry.agent.clone(),
            index: self.job().index,
            seed: plan.seed_of(self.job()),
            score: self.score,
            largest: self.largest,
            moves: self.moves,
            outcome: self.outcome.name().to_owned(),
        }
    }

    /// The line of `timings.jsonl`.
    pub(crate) fn timing(&self, plan: &Plan) -> Timing {
        let entry = &plan.entries()[self.job().entry];
        Timing {
            variant: entry.variant.name().to_owned(),
            agent: entry.agent.clone(),
            index: self.job().index,
            elapsed_ns: self.elapsed_ns,
            nodes: self.nodes,
            worker: usize::from(self.worker),
            judged: self.judged,
        }
    }

    /// The line of the journal.
    pub(crate) fn line(&self, plan: &Plan) -> JournalLine {
        JournalLine {
            game: self.record(plan),
            elapsed_ns: self.elapsed_ns,
            nodes: self.nodes,
            worker: usize::from(self.worker),
            judged: self.judged,
        }
    }
}

/// Why a stored game is none of a plan's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForeignGame {
    /// Its variant, agent, index or seed.
    Job,
    /// It ended in no way that there is.
    Outcome,
}

/// The machine a run was made on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system.
    pub os: String,
    /// Processor architecture.
    pub arch: String,
    /// Hardware threads available to the process.
    pub cpus: usize,
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
        }
    }
}

/// `run.json`: what was asked, with which version, on which machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// Version of this program.
    pub version: String,
    /// Variants with their agents, in canonical form, in the order of results.
    pub entries: Vec<(String, String)>,
    /// Games of each variant and agent, over all shards.
    pub games: u64,
    /// The tournament's seed.
    pub seed: u64,
    /// The part of the games that this run plays.
    pub shard: Shard,
    /// What the agents play by: networks, embedded ones among them, and tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PlayedBy>,
    /// Whether each game is written down slide by slide.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub transcripts: bool,
    /// Worker threads. Results do not depend on it.
    pub threads: usize,
    /// The machine; of merged shards that which merged them.
    pub machine: Machine,
    /// The shards that this run was merged from, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<MergedShard>,
}

/// A file that an agent plays by, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlayedBy {
    /// The path as the agent names it, or which embedded network it is.
    pub file: String,
    /// 64-bit xxHash of the content with seed 0, in hexadecimal.
    pub xxh64: String,
}

/// Where a shard of merged results was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedShard {
    /// The part of the games.
    pub shard: Shard,
    /// Worker threads.
    pub threads: usize,
    /// The machine.
    pub machine: Machine,
}

impl RunFile {
    /// The first difference between two runs that would make their games or
    /// their results differ: name of the field, and both values.
    pub fn difference(&self, other: &RunFile) -> Option<(&'static str, String, String)> {
        let differing = |field, a: String, b: String| (a != b).then_some((field, a, b));
        let entries = |run: &RunFile| {
            let names: Vec<String> = run
                .entries
                .iter()
                .map(|(variant, agent)| format!("{variant} {agent}"))
                .collect();
            names.join("; ")
        };
        differing("version", self.version.clone(), other.version.clone())
            .or_else(|| differing("entries", entries(self), entries(other)))
            .or_else(|| differing("games", self.games.to_string(), other.games.to_string()))
            .or_else(|| differing("seed", self.seed.to_string(), other.seed.to_string()))
            .or_else(|| differing("shard", self.shard.to_string(), other.shard.to_string()))
            .or_else(|| self.differing_file(other))
            .or_else(|| {
                let shown = |on: bool| if on { "on" } else { "off" }.to_owned();
                differing(
                    "choice of transcripts",
                    shown(self.transcripts),
                    shown(other.transcripts),
                )
            })
    }

    /// The first file that is another than it was. What a version before this
    /// one noted nothing of is not compared.
    fn differing_file(&self, other: &RunFile) -> Option<(&'static str, String, String)> {
        self.files.iter().find_map(|one| {
            let same_name = other.files.iter().find(|two| two.file == one.file)?;
            let shown = |it: &PlayedBy| format!("{} with checksum {}", it.file, it.xxh64);
            (same_name != one).then(|| ("file", shown(one), shown(same_name)))
        })
    }
}
