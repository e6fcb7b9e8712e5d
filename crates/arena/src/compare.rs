//! Two agents, side by side.

use core::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::bootstrap::{bootstrap_interval, median};
use crate::build::Shared;
use crate::difference::Difference;
use crate::folder_error::FolderError;
use crate::moments::Moments;
use crate::plan::{Job, Plan};
use crate::records::FinishedGame;
use crate::run::play_jobs;
use crate::sequential::{ErrorRates, NonInferiority, Verdict};
use crate::stats::Interval;
use crate::summary::{EntrySummary, EntryTally};

/// What is to be decided about two agents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// How much weaker the first agent may be, as a share of the other's mean.
    pub margin_share: f64,
    /// How often the answer may be wrong.
    pub rates: ErrorRates,
}

/// How a sequential test ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What was asked.
    pub question: Question,
    /// The margin in points.
    pub margin: f64,
    /// Logarithm of the likelihood ratio at the end.
    pub log_ratio: f64,
    /// At or below this the first agent is rejected.
    pub reject_at: f64,
    /// At or above this it is accepted.
    pub accept_at: f64,
    /// Games of each agent after which nothing more is played.
    pub cap: u64,
    /// What came of it.
    pub verdict: Verdict,
}

/// Two agents on the same variant and what their games say of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The seed that the games come from, as in a tournament.
    pub seed: u64,
    /// The first agent and the one that it is compared with.
    pub agents: [EntrySummary; 2],
    /// Microseconds for a slide, of each.
    pub us_per_slide: [f64; 2],
    /// First mean less second.
    pub difference: Difference,
    /// 95 % interval of that difference by percentile bootstrap.
    pub difference_bootstrap95: Interval,
    /// First median less second.
    pub median_difference: f64,
    /// 95 % interval of that difference by percentile bootstrap.
    pub median_difference_bootstrap95: Interval,
    /// The answer, if there was a question.
    pub answer: Option<Answer>,
}

/// Plays the two entries of a plan against each other's means, a batch of games of
/// each in turn, until the question is decided, or to the last game where there
/// is none. `first` is the entry's position in the order of results. `watch` hears
/// how many games of each are finished. `None` when `stop` was set.
///
/// Games have the seeds that they have in a tournament.
///
/// *Errors*: a file that an agent plays by and that is not what it needs.
///
/// *Panics*: when the plan has not two entries, or fewer than two games of each.
pub fn compare(
    plan: &Plan,
    first: usize,
    question: Option<Question>,
    shared: &Shared,
    threads: usize,
    stop: &AtomicBool,
    mut watch: impl FnMut(u64) + Send,
) -> Result<Option<Comparison>, FolderError> {
    assert_eq!(plan.entries().len(), 2, "two agents are compared");
    let cap = plan.n_games() / 2;
    assert!(cap > 1, "a spread needs two games");
    let mut games: [Vec<FinishedGame>; 2] = [Vec::new(), Vec::new()];
    loop {
        let n = games[0].len() as u64;
        let batch = match question {
            Some(_) => next_batch(n, cap),
            None => cap - n,
        };
        let jobs = (n..n + batch).flat_map(|index| [0, 1].map(|entry| Job { entry, index }));
        let mut played = Vec::new();
        let whole = play_jobs(plan, shared, threads, jobs, stop, |game| {
            played.push(game);
            watch(n + played.len() as u64 / 2);
        })?;
        if !whole {
            return Ok(None);
        }
        played.sort_unstable_by_key(FinishedGame::job);
        for game in played {
            games[usize::from(game.job().entry != first)].push(game);
        }
        let answer = question.map(|question| answer(question, &games, cap));
        let verdict = answer.as_ref().map(|answer| answer.verdict);
        if verdict != Some(Verdict::PlayOn) {
            return Ok(Some(comparison(plan, first, &games, answer)));
        }
    }
}

/// How many games to play before a test looks again: the more there are, the less
/// one more says.
pub(crate) fn next_batch(n: u64, cap: u64) -> u64 {
    NonInferiority::LEAST.max(n / 4).min(cap - n)
}

fn scores(games: &[FinishedGame]) -> Vec<f64> {
    games.iter().map(|game| game.score as f64).collect()
}

fn answer(question: Question, games: &[Vec<FinishedGame>; 2], cap: u64) -> Answer {
    let [one, other] = [0, 1].map(|at| Moments::of(&scores(&games[at])));
    let test = NonInferiority {
        margin: question.margin_share * other.mean.abs(),
        rates: question.rates,
    };
    let (reject_at, accept_at) = question.rates.bounds();
    Answer {
        question,
        margin: test.margin,
        log_ratio: test.log_ratio(&one, &other),
        reject_at,
        accept_at,
        cap,
        verdict: test.verdict(&one, &other, cap),
    }
}

fn comparison(
    plan: &Plan,
    first: usize,
    games: &[Vec<FinishedGame>; 2],
    answer: Option<Answer>,
) -> Comparison {
    let [one, other] = [0, 1].map(|at| scores(&games[at]));
    let entries = [first, 1 - first];
    let agents = [0, 1].map(|at| {
        let entry = &plan.entries()[entries[at]];
        let mut tally = EntryTally::default();
        games[at].iter().for_each(|game| tally.add(game));
        tally.summary(entry.variant.name(), &entry.agent)
    });
    let us_per_slide = [0, 1].map(|at| {
        let elapsed_ns: u64 = games[at].iter().map(|game| game.elapsed_ns).sum();
        elapsed_ns as f64 * 1e-3 / agents[at].moves.max(1) as f64
    });
    let mean = |values: &[f64]| Moments::of(values).mean;
    let between = |statistic: fn(&[f64]) -> f64| {
        bootstrap_interval([&one, &other], |[one, other]| {
            statistic(one) - statistic(other)
        })
        .expect("there are two games of each")
    };
    Comparison {
        seed: plan.seed(),
        us_per_slide,
        difference: Difference::new(&Moments::of(&one), &Moments::of(&other))
            .expect("there are two games of each"),
        difference_bootstrap95: between(mean),
        median_difference: median(&one) - median(&other),
        median_difference_bootstrap95: between(median),
        agents,
        answer,
    }
}
