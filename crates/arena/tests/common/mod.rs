//! Small tournaments in folders of their own.

#![allow(dead_code, reason = "every test file takes what it needs")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_arena::{AgentSpec, Folder, GameRecord, Plan, Shard, Shared, Summary, run_games};
use afterstate_rules::Variant;

/// Every file that a finished run leaves.
pub(crate) const RESULTS: [&str; 5] = [
    "games.jsonl",
    "report.html",
    "run.json",
    "summary.json",
    "timings.jsonl",
];

/// A plan of every variant with two agents, and a searching one on the small
/// board.
pub(crate) fn plan_of(games: u64, seed: u64, shard: Shard) -> Plan {
    let mut entries = Vec::new();
    for variant in Variant::ALL {
        for agent in ["random", "greedy"] {
            entries.push((variant, spec(agent, variant)));
        }
    }
    entries.push((Variant::Mini, spec("heuristic:depth=1", Variant::Mini)));
    Plan::new(entries, games, seed, shard).expect("no entry is there twice")
}

/// A plan of quick games.
pub(crate) fn quick_plan(games: u64) -> Plan {
    let entries = vec![
        (Variant::Mini, spec("random", Variant::Mini)),
        (Variant::Mini, spec("greedy", Variant::Mini)),
    ];
    Plan::new(entries, games, 3, Shard::WHOLE).expect("no entry is there twice")
}

pub(crate) fn spec(agent: &str, variant: Variant) -> AgentSpec {
    AgentSpec::parse(agent, variant).expect("the agent is known")
}

pub(crate) fn shard(part: u64, of: u64) -> Shard {
    Shard::new(part, of).expect("the part is one of them")
}

/// Plays to the end, and returns the summary with the number of games that
/// this took.
pub(crate) fn finish(folder: Folder, threads: usize) -> (Summary, u64) {
    let mut n_played = 0;
    let (summary, complete) = run_games(
        folder,
        &Shared::default(),
        threads,
        &AtomicBool::new(false),
        |_| {
            n_played += 1;
        },
    )
    .expect("the folder can be written");
    assert!(complete);
    (summary, n_played)
}

/// Plays until `n_games` are on disk, and returns whether the run is complete.
pub(crate) fn stop_after(folder: Folder, threads: usize, n_games: u64) -> bool {
    let stop = AtomicBool::new(false);
    let (summary, complete) = run_games(folder, &Shared::default(), threads, &stop, |progress| {
        if progress.finished >= n_games {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .expect("the folder can be written");
    assert!(summary.n_games() >= n_games);
    complete
}

pub(crate) fn play(path: &Path, plan: &Plan, threads: usize) -> Summary {
    let folder = Folder::create(path, plan.clone(), threads).expect("the folder is new");
    finish(folder, threads).0
}

pub(crate) fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| {
            let name = entry.expect("the entry can be read").file_name();
            name.into_string().expect("our names are UTF-8")
        })
        .collect();
    names.sort();
    names
}

pub(crate) fn records(folder: &Path) -> Vec<GameRecord> {
    text(folder, "games.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is a record"))
        .collect()
}
