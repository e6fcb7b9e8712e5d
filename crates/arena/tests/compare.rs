//! Two agents compared: the same games as a tournament's, and verdicts that are
//! right where there is no doubt.

mod common;

use std::sync::atomic::AtomicBool;

use afterstate_arena::{
    AgentSpec, Comparison, ErrorRates, Plan, Question, Shard, Shared, Verdict, compare,
};
use afterstate_rules::Variant;
use common::{play, spec};

const QUESTION: Question = Question {
    margin_share: 0.05,
    rates: ErrorRates {
        accept_wrongly: 0.05,
        reject_wrongly: 0.05,
    },
};

fn plan(agents: [&str; 2], games: u64) -> (Plan, usize) {
    let entries = agents.map(|agent| (Variant::Mini, spec(agent, Variant::Mini)));
    let plan = Plan::new(entries.to_vec(), games, 3, Shard::WHOLE).expect("two agents");
    let first = plan.position_of(Variant::Mini, &spec(agents[0], Variant::Mini));
    (plan, first.expect("it is in the plan"))
}

fn compared(
    agents: [&str; 2],
    games: u64,
    question: Option<Question>,
    threads: usize,
) -> Comparison {
    let (plan, first) = plan(agents, games);
    let stop = AtomicBool::new(false);
    let mut last = 0;
    let shared = Shared::default();
    let found = compare(&plan, first, question, &shared, threads, &stop, |n| {
        last = n
    });
    let found = found
        .expect("no file is needed")
        .expect("nobody stopped it");
    assert_eq!(last, found.agents[0].games);
    assert_eq!(found.agents[0].games, found.agents[1].games);
    for (entry, agent) in found.agents.iter().zip(agents) {
        assert_eq!(entry.agent, spec(agent, Variant::Mini).to_string());
    }
    found
}

/// Which agent is named first decides the sign and nothing else, and the games are
/// those of a tournament with the same seed.
#[test]
fn games_are_those_of_a_tournament() {
    let agents = ["greedy", "random"];
    let found = compared(agents, 30, None, 2);
    let turned = compared(["random", "greedy"], 30, None, 1);
    assert_eq!(found.difference.mean, -turned.difference.mean);
    assert_eq!(found.median_difference, -turned.median_difference);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan(agents, 30).0, 2);
    for (one, two) in summary.entries.iter().zip(&found.agents) {
        assert_eq!(
            (&one.agent, one.mean, one.moves),
            (&two.agent, two.mean, two.moves)
        );
        assert_eq!((one.quartiles, &one.tiles), (two.quartiles, &two.tiles));
    }
    let interval = found.difference.welch_t95;
    assert!(interval.low < found.difference.mean && found.difference.mean < interval.high);
    let drawn = found.difference_bootstrap95;
    // Two ways to the interval of the same 30 games each.
    let width = interval.high - interval.low;
    assert!(
        (drawn.low - interval.low).abs() < 0.2 * width,
        "{drawn:?} {interval:?}"
    );
    assert!(
        (drawn.high - interval.high).abs() < 0.2 * width,
        "{drawn:?} {interval:?}"
    );
    assert_eq!(found.answer, None);
}

#[test]
fn what_is_plain_is_decided_soon() {
    for threads in [1, 3] {
        let stronger = compared(["greedy", "random"], 1000, Some(QUESTION), threads);
        let answer = stronger.answer.expect("there was a question");
        assert_eq!(answer.verdict, Verdict::Accept);
        assert!(answer.log_ratio >= answer.accept_at);
        assert!(stronger.agents[0].games < 200);
        let weaker = compared(["random", "greedy"], 1000, Some(QUESTION), threads);
        let answer = weaker.answer.expect("there was a question");
        assert_eq!(answer.verdict, Verdict::Reject);
        assert!(answer.log_ratio <= answer.reject_at);
        assert!(weaker.agents[0].games < 200);
        assert_eq!(answer.margin, 0.05 * weaker.agents[1].mean.expect("a mean"));
    }
}

/// At the cap it is said that nothing was decided.
#[test]
fn at_the_cap_it_is_undecided() {
    // The same search under two names, and with them other seeds.
    let agents = ["heuristic:depth=1", "heuristic:depth=1..1,nodes=1000000"];
    let found = compared(agents, 20, Some(QUESTION), 2);
    let answer = found.answer.expect("there was a question");
    assert_eq!((answer.verdict, answer.cap), (Verdict::Undecided, 20));
    assert_eq!(found.agents[0].games, 20);
}

#[test]
fn a_stopped_comparison_is_none() {
    let (plan, first) = plan(["greedy", "random"], 50);
    let stop = AtomicBool::new(true);
    let shared = Shared::default();
    let found = compare(&plan, first, None, &shared, 2, &stop, |_| ());
    assert!(found.expect("no file is needed").is_none());
}

/// Equal time instead of equal depth: limits of their own give way to it.
#[test]
fn agents_get_the_same_time() {
    let timed = |agent: &str| {
        let agent = spec(agent, Variant::Mini).at_time(2, Variant::Mini);
        agent
            .map(|agent| agent.to_string())
            .map_err(|error| error.to_string())
    };
    assert_eq!(timed("heuristic:depth=3").as_deref(), Ok("heuristic:ms=2"));
    assert_eq!(
        timed("heuristic:nodes=10,objective=largest").as_deref(),
        Ok("heuristic:ms=2,objective=largest")
    );
    let error = timed("greedy").expect_err("it does not search");
    assert!(
        error.contains("ms=2") && error.contains("greedy"),
        "{error}"
    );
    let none = AgentSpec::default_of(Variant::Mini).at_time(0, Variant::Mini);
    assert!(
        none.expect_err("no time")
            .to_string()
            .contains("1 to 3600000")
    );
    let found = compared(["heuristic:ms=1", "heuristic:depth=1"], 2, None, 2);
    assert!(found.agents[0].machine_dependent && !found.agents[1].machine_dependent);
    // A slide takes no longer than the time, and what it takes to notice.
    assert!(found.us_per_slide[0] > found.us_per_slide[1]);
}
