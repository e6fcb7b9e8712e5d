//! Whether the recommended agents play as well as they did.

use core::sync::atomic::AtomicBool;

use afterstate_rules::Variant;
use serde::{Deserialize, Serialize};

use crate::agent_spec::AgentSpec;
use crate::build::Shared;
use crate::compare::{Question, next_batch};
use crate::difference::Difference;
use crate::folder_error::FolderError;
use crate::moments::Moments;
use crate::plan::{Job, Plan, Shard};
use crate::records::FinishedGame;
use crate::run::play_jobs;
use crate::sequential::{NonInferiority, Verdict};

/// Games of the recommended agent of a variant, as they were played once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrengthBaseline {
    /// The agent in its canonical form.
    pub agent: String,
    /// The seed of the games, as in a tournament.
    pub seed: u64,
    /// How many of the games are played to see whether they are the same.
    pub look: u64,
    /// Scores and numbers of slides.
    pub games: Vec<(i64, u32)>,
}

/// What became of an agent's strength.
#[derive(Debug, Clone, PartialEq)]
pub struct StrengthCheck {
    /// The agent that is recommended now.
    pub agent: String,
    /// Games that were played now.
    pub n_games: u64,
    /// Whether they are the same games, slide by slide as far as that shows.
    pub is_same: bool,
    /// Mean score now, in points.
    pub mean: f64,
    /// Mean score of the baseline.
    pub was: f64,
    /// The mean less that of the baseline; none where games are the same.
    pub difference: Option<Difference>,
    /// Whether the agent is not weaker by the margin.
    pub verdict: Verdict,
}

/// Plays the games of a baseline.
///
/// *Errors*: a file that an agent plays by and that is not what it needs.
pub fn measure_strength(
    variant: Variant,
    seed: u64,
    look: u64,
    n_games: u64,
    threads: usize,
) -> Result<StrengthBaseline, FolderError> {
    let (plan, agent) = plan_of(variant, seed, n_games);
    Ok(StrengthBaseline {
        agent,
        seed,
        look,
        games: games(&plan, 0..n_games, &Shared::default(), threads)?,
    })
}

/// Plays the first games again. Where they are the same, the agent is as strong
/// as it was; where not, more are played until the question is decided, at most
/// as many as the baseline has.
///
/// *Errors*: a file that an agent plays by and that is not what it needs.
pub fn check_strength(
    variant: Variant,
    baseline: &StrengthBaseline,
    question: Question,
    threads: usize,
) -> Result<StrengthCheck, FolderError> {
    let cap = baseline.games.len() as u64;
    let (plan, agent) = plan_of(variant, baseline.seed, cap);
    let shared = Shared::default();
    let look = baseline.look.min(cap);
    let mut played = games(&plan, 0..look, &shared, threads)?;
    let is_same = baseline.games.starts_with(&played);
    let was = moments(&baseline.games);
    let margin = question.margin_share * was.mean.abs();
    let test = NonInferiority {
        margin,
        rates: question.rates,
    };
    loop {
        let now = moments(&played);
        let verdict = if is_same {
            Verdict::Accept
        } else {
            test.verdict(&now, &was, cap)
        };
        if verdict != Verdict::PlayOn {
            return Ok(StrengthCheck {
                agent,
                n_games: now.n,
                is_same,
                mean: now.mean,
                was: if is_same { now.mean } else { was.mean },
                difference: Difference::new(&now, &was).filter(|_| !is_same),
                verdict,
            });
        }
        let next = next_batch(now.n, cap);
        played.extend(games(&plan, now.n..now.n + next, &shared, threads)?);
    }
}

fn plan_of(variant: Variant, seed: u64, n_games: u64) -> (Plan, String) {
    let agent = AgentSpec::default_of(variant);
    let name = agent.to_string();
    let plan = Plan::new(vec![(variant, agent)], n_games, seed, Shard::WHOLE);
    (plan.expect("one agent, and some games"), name)
}

fn moments(games: &[(i64, u32)]) -> Moments {
    let scores: Vec<f64> = games.iter().map(|&(score, _)| score as f64).collect();
    Moments::of(&scores)
}

/// Scores and slides of the games with these indices.
fn games(
    plan: &Plan,
    indices: core::ops::Range<u64>,
    shared: &Shared,
    threads: usize,
) -> Result<Vec<(i64, u32)>, FolderError> {
    let mut played = Vec::new();
    let jobs = indices.map(|index| Job { entry: 0, index });
    let stop = AtomicBool::new(false);
    play_jobs(plan, shared, threads, jobs, &stop, |game| played.push(game))?;
    played.sort_unstable_by_key(FinishedGame::job);
    Ok(played.iter().map(|game| (game.score, game.moves)).collect())
}

#[cfg(test)]
mod tests {
    use afterstate_rules::Variant;

    use super::{StrengthBaseline, check_strength, measure_strength};
    use crate::compare::Question;
    use crate::sequential::{ErrorRates, Verdict};

    const QUESTION: Question = Question {
        margin_share: 0.15,
        rates: ErrorRates {
            accept_wrongly: 0.05,
            reject_wrongly: 0.05,
        },
    };

    /// The same games are recognized; others are tested, and are stronger, weaker
    /// or not to be told apart.
    #[test]
    fn strength_is_held_against_a_baseline() {
        let baseline = measure_strength(Variant::Mini, 5, 4, 40, 2).expect("no file");
        assert_eq!(baseline.games.len(), 40);
        let check =
            |baseline: &StrengthBaseline| check_strength(Variant::Mini, baseline, QUESTION, 2);
        let same = check(&baseline).expect("no file");
        assert!(same.is_same && same.verdict == Verdict::Accept);
        assert_eq!((same.n_games, same.difference), (4, None));

        let scaled = |factor: f64| {
            let mut other = baseline.clone();
            for (score, _) in &mut other.games {
                *score = (*score as f64 * factor) as i64;
            }
            other
        };
        let stronger = check(&scaled(0.5)).expect("no file");
        assert!(!stronger.is_same);
        assert_eq!(stronger.verdict, Verdict::Accept);
        let weaker = check(&scaled(2.0)).expect("no file");
        assert_eq!(weaker.verdict, Verdict::Reject);
        assert!(weaker.difference.expect("tested").welch_t95.high < 0.0);
        assert!(weaker.n_games < 40);
        let mut few = scaled(1.07);
        few.games.truncate(17);
        let undecided = check(&few).expect("no file");
        assert_eq!(
            (undecided.verdict, undecided.n_games),
            (Verdict::Undecided, 17)
        );
        // A game that is a slide longer is another game.
        let mut longer = baseline.clone();
        longer.games[3].1 += 1;
        assert!(!check(&longer).expect("no file").is_same);
    }
}
