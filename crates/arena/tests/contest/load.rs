//! Time limits on a busy machine.

use crate::support::{Grader, python_player};

#[test]
fn users_b25_many_quick_players_are_not_late() {
    let Some(player) = python_player("delay 1") else {
        return;
    };
    let crowd = Grader {
        n_cases: 32,
        n_threads: 32,
        limit_ms: 4000,
        seed: 2,
    };
    for case in crowd.grade(&player).grading.cases() {
        assert_eq!(case.verdict.to_string(), "ok");
    }
}

#[test]
fn users_b25_a_player_that_takes_twice_its_time_always_loses() {
    let Some(player) = python_player("delay 200") else {
        return;
    };
    for n_threads in [1, 8] {
        let grader = Grader {
            n_cases: 8,
            n_threads,
            limit_ms: 100,
            seed: 2,
        };
        for case in grader.grade(&player).grading.cases() {
            assert_eq!(
                case.verdict.to_string(),
                "time at slide 1: no answer within 100 ms"
            );
        }
    }
}
