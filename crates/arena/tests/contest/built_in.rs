//! Gradings of the built-in player.

use core::sync::atomic::AtomicBool;
use std::time::Duration;

use afterstate_arena::contest::{GradePlan, GradePlayer, grade, grade_many};
use afterstate_arena::{AgentSpec, Shared};
use afterstate_play::contest::{Grading, Verdict};
use afterstate_rules::Variant;

fn plan(agent: &str, seed: u64, n_threads: usize, time_limit: Option<Duration>) -> GradePlan {
    GradePlan {
        player: GradePlayer::BuiltIn {
            agent: AgentSpec::parse(agent, Variant::Contest).expect("an agent's name"),
            time_limit,
        },
        n_cases: 20,
        seed,
        n_threads,
    }
}

/// The grading, after a look at what depends on the clock.
fn graded(agent: &str, seed: u64, n_threads: usize, time_limit: Option<Duration>) -> Grading {
    let plan = plan(agent, seed, n_threads, time_limit);
    let stop = AtomicBool::new(false);
    let grades =
        grade(&Shared::default(), &plan, &stop, |_| ()).expect("nothing stops the grading");
    assert!(grades.thinking > Some(Duration::ZERO));
    grades.grading
}

/// Any agent can be graded, those with a budget as well; the same seeds are the
/// same cases, one grading at a time or many at once.
#[test]
fn many_gradings_are_those_of_their_seeds() {
    for agent in ["greedy", "heuristic:depth=1..2,nodes=60,objective=largest"] {
        let stop = AtomicBool::new(false);
        let many = grade_many(
            &Shared::default(),
            &plan(agent, 7, 2, None),
            3,
            &stop,
            |_| (),
        );
        let many = many.expect("nothing stops the gradings");
        assert_eq!(many.len(), 3);
        for (seed, grades) in (7..).zip(many) {
            assert_eq!(grades.grading, graded(agent, seed, 1, None), "{seed}");
        }
    }
}

#[test]
fn results_depend_on_the_seed_and_not_on_threads() {
    for agent in ["random", "greedy", "heuristic:depth=1"] {
        let expected = graded(agent, 1, 1, None);
        assert_eq!(graded(agent, 1, 2, None), expected);
        assert_eq!(graded(agent, 1, 8, None), expected);
        assert_ne!(graded(agent, 2, 2, None), expected);
        for case in expected.cases() {
            assert_eq!(case.verdict, Verdict::Ok);
        }
    }
}

#[test]
fn chance_alone_passes_nothing() {
    let random = graded("random", 1, 2, None);
    assert!(random.s() < 20.0, "S = {}", random.s());
    assert_eq!(random.final_score(), 0.0);
    let searching = graded("heuristic:depth=2", 1, 2, None);
    assert!(searching.s() > 60.0, "S = {}", searching.s());
}

#[test]
fn a_limit_holds_for_the_built_in_player_too() {
    // No search of two plies takes less than a nanosecond.
    let late = graded("heuristic:depth=2", 1, 2, Some(Duration::from_nanos(1)));
    for case in late.cases() {
        assert_eq!(
            case.verdict.to_string(),
            "time at slide 1: no answer within 0 ms"
        );
    }
    let in_time = graded("greedy", 1, 2, Some(Duration::from_secs(60)));
    assert_eq!(in_time, graded("greedy", 1, 2, None));
}
