//! The commands `merge` and `compare` as processes: output and exit status.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn xtask(folder: &Path, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.current_dir(folder).args(args.split_whitespace());
    command.output().expect("the program is there")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("output is UTF-8")
}

/// Standard output of a command that ends with this status and says nothing else.
#[track_caller]
fn printed(folder: &Path, args: &str, status: i32) -> String {
    let output = xtask(folder, args);
    assert_eq!(text(&output.stderr), "", "{args}");
    assert_eq!(output.status.code(), Some(status), "{args}");
    text(&output.stdout).to_owned()
}

/// The one line with which a command refuses bad input.
#[track_caller]
fn refused(folder: &Path, args: &str, expected: &str) {
    let output = xtask(folder, args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {said}");
    assert_eq!(
        (text(&output.stdout), said.lines().count()),
        ("", 1),
        "{said}"
    );
    assert!(
        said.starts_with("error: ") && said.contains(expected),
        "{said:?} lacks {expected:?}"
    );
}

#[test]
fn eight_shards_are_merged() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folder = temp.path();
    let run = "tournament --variant mini --variant akioi --agent greedy --agent random \
        --games 15 --seed 8";
    printed(folder, &format!("{run} --out whole"), 0);
    let mut shards = String::new();
    for part in 1..=8 {
        printed(folder, &format!("{run} --shard {part}/8 --out s{part}"), 0);
        shards = format!("s{part} {shards}");
    }
    let table = printed(folder, &format!("merge {shards} --out merged"), 0);
    assert!(table.ends_with("60 games, seed 8, in merged\n"), "{table}");
    let games = |name: &str| fs::read(folder.join(name).join("games.jsonl")).expect("it is there");
    assert_eq!(games("merged"), games("whole"));
    let json = printed(folder, &format!("merge {shards} --out again --json"), 0);
    let summary: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(summary["run"]["merged"][7]["shard"]["part"], 8);

    refused(
        folder,
        "merge --out x",
        "required arguments were not provided: <DIR>...",
    );
    refused(folder, "merge s1", "--out <DIR>");
    refused(
        folder,
        "merge s1 s2 --out x",
        "shard 3/8, 4/8, 5/8, 6/8, 7/8, 8/8 are missing",
    );
    refused(
        folder,
        "merge s1 s1 --out x",
        "shard 1/8 is there twice: s1 and s1",
    );
    refused(folder, "merge s1 nowhere --out x", "nowhere: holds no run");
    refused(
        folder,
        &format!("merge {shards} --out whole"),
        "whole: holds a run already",
    );
    assert!(!folder.join("x").exists());
}

#[test]
fn agents_are_compared() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folder = temp.path();
    let run = "compare --variant mini --agent greedy --agent random";
    let table = printed(folder, &format!("{run} --games 40"), 0);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[1].starts_with("greedy     40 "), "{table}");
    assert!(lines[2].starts_with("random     40 "), "{table}");
    for part in [
        "first less second, 95 % intervals",
        "Welch's t ",
        "bootstrap ",
    ] {
        assert!(table.contains(part), "{table} lacks {part}");
    }
    assert_eq!(
        printed(folder, &format!("{run} --games 40 --threads 1"), 0)
            .lines()
            .count(),
        lines.len()
    );

    let table = printed(folder, &format!("{run} --margin 10"), 0);
    assert!(
        table.contains("\naccept: weaker by less than 10 % ("),
        "{table}"
    );
    let turned = "compare --variant mini --agent random --agent greedy --margin 10";
    let json = printed(folder, &format!("{turned} --json"), 1);
    let found: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(found["answer"]["verdict"], "reject");
    assert_eq!(found["agents"][0]["agent"], "random");
    assert!(
        found["difference"]["welch_t95"]["high"]
            .as_f64()
            .expect("a number")
            < 0.0
    );
    let undecided = printed(folder, &format!("{turned} --games 2"), 1);
    assert!(undecided.contains("undecided: "), "{undecided}");
    let timed = "compare --variant mini --agent heuristic:depth=1 --agent heuristic:depth=2 \
        --ms 1 --games 2";
    refused(
        folder,
        timed,
        "agent heuristic:ms=1 is named twice for mini",
    );

    refused(
        folder,
        "compare --variant mini --agent greedy",
        "--agent is given 1 times, expected twice",
    );
    refused(
        folder,
        &format!("{run} --agent random"),
        "--agent is given 3 times",
    );
    refused(
        folder,
        &format!("{run} --margin 0"),
        "expected a number from 0.01 to 100",
    );
    refused(
        folder,
        &format!("{run} --games 1"),
        "expected a whole number from 2 to",
    );
    refused(
        folder,
        &format!("{run} --error-rate 0.5"),
        "expected a number from 0.0001 to 0.4",
    );
    refused(folder, &format!("{run} --ms 1"), "greedy");
    refused(
        folder,
        "compare --agent greedy --agent random",
        "--variant <V>",
    );
}
