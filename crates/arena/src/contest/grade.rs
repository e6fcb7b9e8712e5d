use core::num::NonZero;
use core::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use afterstate_bitboard::Classic;
use afterstate_play::agent_seed;
use afterstate_play::contest::{
    AgentPlayer, CaseResult, ContestPlayer, Fault, Grading, Verdict, case_seed, play_case,
};
use afterstate_rules::{ClassicRules, SpawnSet, Spawns, Variant};
use rayon::prelude::*;

use crate::run::thread_pool;

use super::pipe::{PipePlayer, PlayerCommand, late};
use super::starts::Starts;
use super::streams::ErrorOutput;
use crate::agent_spec::AgentSpec;
use crate::build::Shared;

/// Who is graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GradePlayer {
    /// The built-in player.
    BuiltIn {
        /// Its agent.
        agent: AgentSpec,
        /// The time for one answer, if there is a limit: a late answer is a
        /// fault, but it is waited for.
        time_limit: Option<Duration>,
    },
    /// A player in another process, one process for each case.
    Command(PlayerCommand),
}

/// What to grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradePlan {
    /// Who is graded.
    pub player: GradePlayer,
    /// Number of cases; a grading of the contest has 20.
    pub n_cases: u32,
    /// The seed from which all cases follow. The same cases come up for every
    /// player.
    pub seed: u64,
    /// Number of cases at once. The results do not depend on it, but for
    /// players that are short of time.
    pub n_threads: usize,
}

/// One case with what its player complained of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GradedCase {
    /// The case.
    pub result: CaseResult,
    /// What the player wrote to standard error, if a fault ended the case.
    pub error_output: Option<ErrorOutput>,
    /// What the answers took on the clock; `None` for players in other
    /// processes, whose answers also wait for pipes.
    pub thinking: Option<Duration>,
}

/// A finished grading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grades {
    /// The cases and what they come to.
    pub grading: Grading,
    /// Standard error of the cases, in the order of the cases.
    pub error_outputs: Vec<Option<ErrorOutput>>,
    /// What all answers took together; `None` for players in other processes.
    pub thinking: Option<Duration>,
}

impl Grades {
    /// The mean time for a slide, in microseconds: `None` for players in other
    /// processes and where no slide was made.
    pub fn thinking_us_per_slide(&self) -> Option<f64> {
        let cases = self.grading.cases().iter();
        let n_slides: u64 = cases.map(|case| u64::from(case.n_slides)).sum();
        us_per_slide(self.thinking, n_slides)
    }
}

/// The mean time for a slide, in microseconds: `None` where no time is known and
/// where no slide was made.
pub(super) fn us_per_slide(thinking: Option<Duration>, n_slides: u64) -> Option<f64> {
    let thinking = thinking.filter(|_| n_slides > 0)?;
    Some(thinking.as_secs_f64() * 1e6 / n_slides as f64)
}

impl GradePlan {
    /// The plan of the grading `idx` places after this one: of a seed as much
    /// larger.
    pub(crate) fn nth(&self, idx: u64) -> GradePlan {
        GradePlan {
            seed: self.seed.wrapping_add(idx),
            ..self.clone()
        }
    }
}

/// Plays all cases of the plan, and calls `watch` on some thread after each.
///
/// A case that ends with a fault does not keep the others from being played,
/// and nothing is left of the processes of a case when it ends.
///
/// `None` when `stop` was set meanwhile. Players in other processes have then
/// been ended.
///
/// *Panics*: when the built-in player plays by a file that `shared` has not
/// loaded.
pub fn grade(
    shared: &Shared,
    plan: &GradePlan,
    stop: &AtomicBool,
    watch: impl Fn(&GradedCase) + Sync,
) -> Option<Grades> {
    grade_many(shared, plan, 1, stop, watch).and_then(|mut gradings| gradings.pop())
}

/// Plays as many gradings as `n_gradings` says, of the plan's seed and those
/// after it, with all their cases as one heap of work; else as [`grade`].
pub fn grade_many(
    shared: &Shared,
    plan: &GradePlan,
    n_gradings: u32,
    stop: &AtomicBool,
    watch: impl Fn(&GradedCase) + Sync,
) -> Option<Vec<Grades>> {
    let n_each = u64::from(plan.n_cases);
    let n_all = u64::from(n_gradings) * n_each;
    let most = usize::try_from(n_all).unwrap_or(usize::MAX).max(1);
    let grader = Grader::new(shared, plan, stop);
    let one = |index: u64| {
        let seed = plan.nth(index / n_each).seed;
        let case = grader.case(case_seed(seed, index % n_each))?;
        watch(&case);
        Some(case)
    };
    let indices = 0..n_all;
    let cases: Option<Vec<GradedCase>> = match thread_pool(plan.n_threads.clamp(1, most)) {
        // Not by ranges of indices, which cannot be divided where they are of
        // 64 bits: one case after another to whoever is free.
        Some(pool) => pool.install(|| {
            let cases: Vec<u64> = indices.collect();
            cases.into_par_iter().with_max_len(1).map(one).collect()
        }),
        None => indices.map(one).collect(),
    };
    let mut cases = cases?.into_iter();
    let gradings = (0..n_gradings).map(|_| graded(cases.by_ref().take(plan.n_cases as usize)));
    Some(gradings.collect())
}

/// A grading of these cases.
fn graded(cases: impl Iterator<Item = GradedCase>) -> Grades {
    let mut results = Vec::new();
    let mut error_outputs = Vec::new();
    let mut thinking = Some(Duration::ZERO);
    for case in cases {
        thinking = thinking.zip(case.thinking).map(|(sum, time)| sum + time);
        results.push(case.result);
        error_outputs.push(case.error_output);
    }
    Grades {
        grading: Grading::new(results),
        error_outputs,
        thinking,
    }
}

/// What the cases of a grading share.
struct Grader<'a> {
    plan: &'a GradePlan,
    stop: &'a AtomicBool,
    rules: ClassicRules,
    spawns: Spawns<Classic>,
    shared: &'a Shared,
    starts: Starts,
}

impl<'a> Grader<'a> {
    fn new(shared: &'a Shared, plan: &'a GradePlan, stop: &'a AtomicBool) -> Grader<'a> {
        let n_cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Grader {
            plan,
            stop,
            rules: ClassicRules::new(),
            spawns: SpawnSet::CONTEST
                .on_grid()
                .expect("the contest's tiles are those of the classic board"),
            shared,
            starts: Starts::new(n_cores),
        }
    }

    fn case(&self, seed: u64) -> Option<GradedCase> {
        let go_on = || !self.stop.load(Ordering::Relaxed);
        match &self.plan.player {
            GradePlayer::BuiltIn { agent, time_limit } => {
                let (rules, spawns) = (self.rules, &self.spawns);
                let agent = self.shared.agent(agent, Variant::Contest, rules, spawns);
                let mut player = Timed {
                    player: AgentPlayer::new(rules, agent, agent_seed(seed)),
                    limit: *time_limit,
                    thinking: Duration::ZERO,
                };
                let result = play_case(rules, spawns, seed, &mut player, &go_on)?;
                Some(GradedCase {
                    result,
                    error_output: None,
                    thinking: Some(player.thinking),
                })
            }
            GradePlayer::Command(command) => {
                let mut player = PipePlayer::new(command, &self.starts, self.stop);
                let result = play_case(self.rules, &self.spawns, seed, &mut player, &go_on)?;
                let error_output = match result.verdict {
                    Verdict::Ok => None,
                    Verdict::Fault { .. } => player.break_off(),
                };
                Some(GradedCase {
                    result,
                    error_output,
                    thinking: None,
                })
            }
        }
    }
}

/// A player of this process on the clock, and with a time limit to keep to.
struct Timed<P> {
    player: P,
    limit: Option<Duration>,
    /// What its answers took so far.
    thinking: Duration,
}

impl<P: ContestPlayer> ContestPlayer for Timed<P> {
    fn init(&mut self, r1: usize, c1: usize, r2: usize, c2: usize) {
        self.player.init(r1, c1, r2, c2);
    }

    fn generate(&mut self, r: usize, c: usize, x: i32) {
        self.player.generate(r, c, x);
    }

    fn sliderequest(&mut self) -> Result<i64, Fault> {
        let asked = Instant::now();
        let answer = self.player.sliderequest();
        let took = asked.elapsed();
        self.thinking += took;
        match self.limit {
            Some(limit) if took > limit => Err(late(limit)),
            _ => answer,
        }
    }

    fn end(&mut self, largest: i32, score: i64) {
        self.player.end(largest, score);
    }
}
