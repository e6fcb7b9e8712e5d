//! Which games a tournament plays.

use core::fmt;
use core::str::FromStr;

use afterstate_play::game_seed;
use afterstate_rules::Variant;
use serde::{Deserialize, Serialize};

use crate::agent_spec::AgentSpec;
use crate::records::{Machine, RunFile};

/// Part `part` of `of` equal parts, from 1: `I/N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "ShardParts")]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Part `part` of `of`; `None` unless `part` is from 1 to `of`.
    pub fn new(part: u64, of: u64) -> Option<Shard> {
        (1..=of).contains(&part).then_some(Shard { part, of })
    }

    /// Which part it is, from 1.
    pub fn part(self) -> u64 {
        self.part
    }

    /// Of how many parts.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Whether the job with this position in the whole tournament is of this
    /// part.
    fn holds(self, position: u64) -> bool {
        position % self.of == self.part - 1
    }
}

/// A shard as it is written in `run.json`, before it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShardParts {
    part: u64,
    of: u64,
}

impl TryFrom<ShardParts> for Shard {
    type Error = ParseShardError;

    fn try_from(parts: ShardParts) -> Result<Shard, ParseShardError> {
        Shard::new(parts.part, parts.of).ok_or(ParseShardError(()))
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
            .and_then(|(part, of)| Shard::new(parse(part)?, parse(of)?))
            .ok_or(ParseShardError(()))
    }
}

/// Which games to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    entries: Vec<PlanEntry>,
    games: u64,
    seed: u64,
    shard: Shard,
}

/// An agent on a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanEntry {
    pub(crate) variant: Variant,
    pub(crate) spec: AgentSpec,
    /// The agent in its canonical form.
    pub(crate) agent: String,
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
    /// No game, or more than [`Plan::MAX_GAMES`].
    Games {
        /// How many were asked for.
        found: u64,
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
            PlanError::Games { found } => {
                write!(f, "{found} games, expected 1 to {}", Plan::MAX_GAMES)
            }
            PlanError::Unknown { what } => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// The most games of one variant and agent.
    pub const MAX_GAMES: u64 = 1_000_000_000;

    /// A plan of `games` games for each variant and agent.
    ///
    /// *Errors*: the same variant and agent twice; no game or too many.
    pub fn new(
        entries: Vec<(Variant, AgentSpec)>,
        games: u64,
        seed: u64,
        shard: Shard,
    ) -> Result<Plan, PlanError> {
        if !(1..=Plan::MAX_GAMES).contains(&games) {
            return Err(PlanError::Games { found: games });
        }
        let named = entries.into_iter().map(|(variant, spec)| PlanEntry {
            variant,
            agent: spec.to_string(),
            spec,
        });
        let mut entries: Vec<PlanEntry> = named.collect();
        // Results are sorted by variant, agent and index, all as in the files.
        entries.sort_by(|a, b| (a.variant.name(), &a.agent).cmp(&(b.variant.name(), &b.agent)));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PlanError::Twice {
                variant: pair[0].variant.to_string(),
                agent: pair[0].agent.clone(),
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
    /// *Errors*: a variant or agent that this version does not know, and what
    /// [`Plan::new`] refuses.
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
        let names = |entry: &PlanEntry| (entry.variant.to_string(), entry.agent.clone());
        RunFile {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            entries: self.entries.iter().map(names).collect(),
            games: self.games,
            seed: self.seed,
            shard: self.shard,
            files: Vec::new(),
            transcripts: false,
            threads,
            machine: Machine::here(),
            merged: Vec::new(),
        }
    }

    /// Number of games of this plan's shard.
    pub fn n_games(&self) -> u64 {
        let total = self.entries.len() as u64 * self.games;
        // Games `part - 1`, `part - 1 + of`, … below the total.
        total
            .saturating_sub(self.shard.part - 1)
            .div_ceil(self.shard.of)
    }

    /// The jobs of this shard that are not in `finished`, dear ones first, so
    /// that no worker starts a long game when the others are done.
    ///
    /// One entry after another, so that a worker needs one player at a time.
    /// Jobs are counted off, not listed: there may be billions.
    pub(crate) fn jobs<'a>(
        &'a self,
        finished: &'a FinishedSet,
    ) -> impl Iterator<Item = Job> + Send + use<'a> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|&entry| core::cmp::Reverse(self.cost(entry)));
        order
            .into_iter()
            .flat_map(|entry| (0..self.games).map(move |index| Job { entry, index }))
            .filter(|&job| self.slot(job).is_some_and(|slot| !finished.contains(slot)))
    }

    /// A rank of what a game of the entry takes: the deeper the search the
    /// more, and less on the smaller board.
    fn cost(&self, entry: usize) -> (u64, bool) {
        let entry = &self.entries[entry];
        (entry.spec.cost_ns(), entry.variant != Variant::Mini)
    }

    /// The tournament's seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The part of the games that the plan is.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// The same plan with all parts.
    pub(crate) fn whole(&self) -> Plan {
        Plan {
            shard: Shard::WHOLE,
            ..self.clone()
        }
    }

    /// The job in this slot of the shard, which is below the number of games.
    pub(crate) fn job_in(&self, slot: u64) -> Job {
        let position = slot * self.shard.of + self.shard.part - 1;
        Job {
            entry: (position / self.games) as usize,
            index: position % self.games,
        }
    }

    /// A game as errors name it.
    pub(crate) fn name_of(&self, job: Job) -> String {
        let entry = &self.entries[job.entry];
        format!("game {} of {} {}", job.index, entry.variant, entry.agent)
    }

    /// The position of an agent in the order of results.
    pub fn position_of(&self, variant: Variant, agent: &AgentSpec) -> Option<usize> {
        let mut entries = self.entries.iter();
        entries.position(|entry| entry.variant == variant && entry.spec == *agent)
    }

    pub(crate) fn entries(&self) -> &[PlanEntry] {
        &self.entries
    }

    /// The job of an entry by its names, whether or not it is of this shard.
    pub(crate) fn job_named(&self, variant: &str, agent: &str, index: u64) -> Option<Job> {
        let entry = self
            .entries
            .iter()
            .position(|entry| entry.variant.name() == variant && entry.agent == agent)?;
        Some(Job { entry, index })
    }

    /// The position of a job among those of this shard; `None` for a job that
    /// is not of the plan or of another shard.
    pub(crate) fn slot(&self, job: Job) -> Option<u64> {
        if job.entry >= self.entries.len() || job.index >= self.games {
            return None;
        }
        let position = job.entry as u64 * self.games + job.index;
        self.shard
            .holds(position)
            .then_some(position / self.shard.of)
    }

    /// The seed of a job of the plan.
    pub(crate) fn seed_of(&self, job: Job) -> u64 {
        let entry = &self.entries[job.entry];
        game_seed(self.seed, entry.variant.name(), &entry.agent, job.index)
    }
}

/// One game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Job {
    /// Position of the entry in the plan.
    pub(crate) entry: usize,
    /// Index of the game among those of the entry.
    pub(crate) index: u64,
}

/// The finished jobs of a shard by their slots, a bit each.
#[derive(Debug, Default, Clone)]
pub(crate) struct FinishedSet {
    words: Vec<u64>,
}

impl FinishedSet {
    fn contains(&self, slot: u64) -> bool {
        let word = self.words.get((slot / 64) as usize);
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Adds a slot and returns whether it is new.
    pub(crate) fn insert(&mut self, slot: u64) -> bool {
        let at = (slot / 64) as usize;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (slot % 64);
        let is_new = self.words[at] & bit == 0;
        self.words[at] |= bit;
        is_new
    }

    /// The positions of slots among those of the set.
    pub(crate) fn ranks(&self) -> Ranks<'_> {
        let mut n_before = 0;
        let before = self.words.iter().map(|word| {
            let before = n_before;
            n_before += u64::from(word.count_ones());
            before
        });
        Ranks {
            before: before.collect(),
            set: self,
        }
    }
}

/// How many slots of a set are smaller than one of it.
pub(crate) struct Ranks<'a> {
    set: &'a FinishedSet,
    /// By words, the slots of all words before.
    before: Vec<u64>,
}

impl Ranks<'_> {
    /// Number of smaller slots; `None` for a slot that is not of the set.
    pub(crate) fn rank(&self, slot: u64) -> Option<u64> {
        if !self.set.contains(slot) {
            return None;
        }
        let at = (slot / 64) as usize;
        let below = self.set.words[at] & ((1 << (slot % 64)) - 1);
        Some(self.before[at] + u64::from(below.count_ones()))
    }
}

#[cfg(test)]
mod tests {
    use afterstate_rules::Variant;

    use super::{FinishedSet, Job, Plan, Shard};
    use crate::agent_spec::AgentSpec;

    fn plan(games: u64, shard: Shard) -> Plan {
        let agents = ["random", "heuristic:depth=1", "heuristic:depth=2"];
        let entries = [Variant::Mini, Variant::Classic]
            .into_iter()
            .flat_map(|variant| {
                agents.map(|agent| (variant, AgentSpec::parse(agent, variant).expect("known")))
            });
        Plan::new(entries.collect(), games, 5, shard).expect("a plan")
    }

    #[test]
    fn dear_games_come_first() {
        let plan = plan(2, Shard::WHOLE);
        let none = FinishedSet::default();
        let order: Vec<String> = plan
            .jobs(&none)
            .map(|job| {
                let entry = &plan.entries()[job.entry];
                format!("{} {} {}", entry.variant, entry.agent, job.index)
            })
            .collect();
        assert_eq!(
            order,
            [
                "classic heuristic:depth=2 0",
                "classic heuristic:depth=2 1",
                "mini heuristic:depth=2 0",
                "mini heuristic:depth=2 1",
                "classic heuristic:depth=1 0",
                "classic heuristic:depth=1 1",
                "mini heuristic:depth=1 0",
                "mini heuristic:depth=1 1",
                "classic random 0",
                "classic random 1",
                "mini random 0",
                "mini random 1",
            ]
        );
    }

    /// Every game is of exactly one shard, and the slots of a shard are 0, 1,
    /// 2, … without a gap.
    #[test]
    fn shards_are_a_partition() {
        for games in [1, 2, 7, 10] {
            for of in 1..=70 {
                let mut all = Vec::new();
                for part in 1..=of {
                    let plan = plan(games, Shard::new(part, of).expect("a part"));
                    let none = FinishedSet::default();
                    let jobs: Vec<Job> = plan.jobs(&none).collect();
                    assert_eq!(jobs.len() as u64, plan.n_games(), "{part}/{of} of {games}");
                    let slots = jobs.iter().map(|&job| plan.slot(job).expect("its own"));
                    let mut slots: Vec<u64> = slots.collect();
                    slots.sort_unstable();
                    assert!(slots.iter().copied().eq(0..plan.n_games()));
                    let in_slots = slots.iter().map(|&slot| plan.job_in(slot));
                    assert!(in_slots.is_sorted());
                    assert!(jobs.iter().all(|&job| {
                        plan.slot(job).is_some_and(|slot| plan.job_in(slot) == job)
                    }));
                    all.extend(jobs);
                }
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len() as u64, 6 * games, "{of} parts of {games}");
            }
        }
    }

    #[test]
    fn finished_jobs_are_left_out() {
        let plan = plan(100, Shard::new(2, 3).expect("a part"));
        let mut finished = FinishedSet::default();
        let jobs: Vec<Job> = plan.jobs(&finished).collect();
        for (idx, &job) in jobs.iter().enumerate() {
            if idx % 3 != 1 {
                let slot = plan.slot(job).expect("its own");
                assert!(finished.insert(slot) && !finished.insert(slot));
            }
        }
        let left: Vec<Job> = plan.jobs(&finished).collect();
        let expected: Vec<Job> = jobs.iter().copied().skip(1).step_by(3).collect();
        assert_eq!(left, expected);
    }

    #[test]
    fn ranks_count_smaller_slots() {
        let mut set = FinishedSet::default();
        let slots = [0, 3, 63, 64, 65, 127, 128, 700];
        for slot in slots.into_iter().rev() {
            assert!(set.insert(slot));
        }
        let ranks = set.ranks();
        for (rank, slot) in (0..).zip(slots) {
            assert_eq!(ranks.rank(slot), Some(rank), "{slot}");
        }
        assert_eq!(
            (ranks.rank(1), ranks.rank(701), ranks.rank(9999)),
            (None, None, None)
        );
    }

    /// The largest plan is counted off without being listed.
    #[test]
    fn a_billion_games_take_no_memory() {
        let plan = plan(Plan::MAX_GAMES, Shard::WHOLE);
        let none = FinishedSet::default();
        assert_eq!(plan.n_games(), 6 * Plan::MAX_GAMES);
        assert_eq!(plan.jobs(&none).take(1000).count(), 1000);
    }
}
