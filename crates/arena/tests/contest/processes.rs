//! What becomes of processes.

use core::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::{Grader, HASTY, USUAL, python_player};

#[test]
fn a_child_that_sleeps_is_ended_with_its_parent() {
    // A parent that ends at once: its child holds the output open, but that is
    // not waited for.
    let started = Instant::now();
    let verdict = USUAL.only_verdict("sleep 300 & exit 4");
    assert_eq!(verdict, "exited at slide 1: exit status: 4");
    assert!(started.elapsed() < Duration::from_secs(30));

    // One that sleeps beside its child, and a grandchild whose parent is gone.
    let verdict = HASTY.only_verdict("sleep 300 & sleep 300");
    assert_eq!(verdict, "time at slide 1: no answer within 300 ms");
    let verdict = HASTY.only_verdict("(sleep 300 & exit 0); sleep 300");
    assert_eq!(verdict, "time at slide 1: no answer within 300 ms");
    // A child that does not mind to be asked politely.
    let verdict = HASTY.only_verdict("trap '' TERM HUP INT; sleep 300 & sleep 300");
    assert_eq!(verdict, "time at slide 1: no answer within 300 ms");
}

#[test]
fn a_child_is_ended_after_a_good_game() {
    let Some(player) = python_player("") else {
        return;
    };
    let grades = USUAL.grade(&format!("sleep 300 & {player}"));
    assert!(
        grades
            .grading
            .cases()
            .iter()
            .all(|case| case.verdict.name() == "ok")
    );
}

#[test]
fn a_player_that_lingers_is_ended_after_its_game() {
    let Some(player) = python_player("linger 300") else {
        return;
    };
    let started = Instant::now();
    let grades = USUAL.grade(&player);
    assert!(started.elapsed() < Duration::from_secs(60));
    assert!(
        grades
            .grading
            .cases()
            .iter()
            .all(|case| case.verdict.name() == "ok")
    );
}

#[test]
fn a_stopped_grading_ends_its_players() {
    let stop = AtomicBool::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        // More cases than threads: those that wait for their turn stop as well.
        let crowd = Grader {
            n_cases: 50,
            n_threads: 8,
            ..USUAL
        };
        assert!(crowd.grade_until("sleep 300 & sleep 300", &stop).is_none());
    });
    assert!(started.elapsed() < Duration::from_secs(30));
}

/// Children that nobody waited for would stay as zombies.
#[cfg(target_os = "linux")]
#[test]
fn no_zombie_stays() {
    USUAL.only_verdict("sleep 300 & exit 4");
    HASTY.only_verdict("sleep 300");
    // Other tests of this process have zombies too, but none for long.
    let started = Instant::now();
    let mut zombies = own_zombies();
    while !zombies.is_empty() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "the zombies {zombies:?} stay"
        );
        std::thread::sleep(Duration::from_millis(20));
        let now = own_zombies();
        zombies.retain(|zombie| now.contains(zombie));
    }
}

/// The process ids of dead children of this process that were not waited for.
#[cfg(target_os = "linux")]
fn own_zombies() -> Vec<u32> {
    let own = std::process::id().to_string();
    let mut zombies = Vec::new();
    for entry in std::fs::read_dir("/proc")
        .expect("Linux has /proc")
        .flatten()
    {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name before it may have anything in it, closing parentheses too.
        let after_name = stat.rsplit(')').next().unwrap_or("");
        let mut fields = after_name.split_whitespace();
        if fields.next() == Some("Z") && fields.next() == Some(&own) {
            let name = entry.file_name();
            zombies.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
        }
    }
    zombies
}
