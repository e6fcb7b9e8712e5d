//! What a tournament writes down.

use afterstate_play::GameResult;
use serde::{Deserialize, Serialize};

use crate::run::Shard;

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

impl GameRecord {
    pub(crate) fn new(
        variant: &str,
        agent: &str,
        index: u64,
        seed: u64,
        result: GameResult,
    ) -> GameRecord {
        GameRecord {
            variant: variant.to_owned(),
            agent: agent.to_owned(),
            index,
            seed,
            score: result.score,
            largest: result.largest,
            moves: result.n_slides,
            outcome: result.outcome.name().to_owned(),
        }
    }
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
    /// The worker, from 0.
    pub worker: usize,
}

/// A finished game as the journal of an unfinished run keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JournalLine {
    pub(crate) game: GameRecord,
    pub(crate) elapsed_ns: u64,
    pub(crate) worker: usize,
}

impl JournalLine {
    pub(crate) fn timing(&self) -> Timing {
        Timing {
            variant: self.game.variant.clone(),
            agent: self.game.agent.clone(),
            index: self.game.index,
            elapsed_ns: self.elapsed_ns,
            worker: self.worker,
        }
    }
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
    /// Worker threads. Results do not depend on it.
    pub threads: usize,
    /// The machine.
    pub machine: Machine,
}

impl RunFile {
    /// The first difference between two runs that would make their games
    /// differ: name of the field, and both values.
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
    }
}
