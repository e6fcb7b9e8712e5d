//! Shards joined to what one run of the whole writes, and everything that shards
//! can lack.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use afterstate_arena::{Folder, MergeError, Plan, Shard, merge};
use afterstate_rules::Variant;
use common::{RESULTS, names, plan_of, play, quick_plan, records, shard, spec, stop_after, text};

/// All shards of a plan, played into folders of their own.
fn shards(temp: &Path, of: u64, plan: impl Fn(Shard) -> Plan) -> Vec<PathBuf> {
    (1..=of)
        .map(|part| {
            let path = temp.join(format!("{part}-of-{of}"));
            play(&path, &plan(shard(part, of)), 1);
            path
        })
        .collect()
}

fn quick(part: Shard) -> Plan {
    let entries = ["random", "greedy"].map(|agent| (Variant::Mini, spec(agent, Variant::Mini)));
    Plan::new(entries.to_vec(), 5, 3, part).expect("no entry is there twice")
}

#[test]
fn shards_merge_to_the_bytes_of_the_whole() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let whole = temp.path().join("whole");
    let summary = play(&whole, &plan_of(5, 13, Shard::WHOLE), 2);
    // More shards than games of an entry, and as many as there are games.
    for of in [1, 3, 8, 45, 50] {
        let mut folders = shards(temp.path(), of, |part| plan_of(5, 13, part));
        folders.reverse();
        let before: Vec<String> = folders
            .iter()
            .map(|path| text(path, "games.jsonl"))
            .collect();
        let out = temp.path().join(format!("merged-{of}"));
        let merged = merge(&folders, &out).expect("all shards are there");
        assert_eq!(
            text(&out, "games.jsonl"),
            text(&whole, "games.jsonl"),
            "{of}"
        );
        assert_eq!(names(&out), RESULTS);
        for (one, two) in summary.entries.iter().zip(&merged.entries) {
            assert_eq!((one.mean, &one.tiles), (two.mean, &two.tiles));
        }
        let after: Vec<String> = folders
            .iter()
            .map(|path| text(path, "games.jsonl"))
            .collect();
        assert_eq!(before, after);
        let run = &merged.run;
        assert_eq!(run.merged.len() as u64, of);
        assert_eq!(
            (run.shard, run.merged[0].shard),
            (Shard::WHOLE, shard(1, of))
        );
        // What is merged is a finished run like any other.
        let stored = Folder::stored_plan(&out).expect("a run");
        let folder = Folder::resume(&out, stored).expect("a run");
        assert_eq!(folder.n_finished(), folder.plan().n_games());
    }
}

#[track_caller]
fn refused(folders: &[PathBuf], expected: &str) {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let out = temp.path().join("out");
    let error = merge(folders, &out).expect_err("it must be refused");
    let line = error.to_string();
    assert!(line.contains(expected), "{line:?} lacks {expected:?}");
    assert!(!line.contains('\n') && !line.ends_with('.'), "{line:?}");
    assert!(!out.exists(), "nothing is begun");
}

#[test]
fn missing_shards_and_shards_there_twice_are_named() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folders = shards(temp.path(), 4, quick);
    refused(&[], "no folder is given");
    refused(
        &folders[..3],
        "shard 4/4 is missing, expected the folders of all shards",
    );
    refused(&folders[1..2], "shard 1/4, 3/4, 4/4 are missing");
    let mut twice = folders.clone();
    twice.push(folders[2].clone());
    refused(&twice, "shard 3/4 is there twice: ");
    let copy = temp.path().join("copy");
    fs::create_dir(&copy).expect("a temporary folder");
    for name in RESULTS {
        fs::copy(folders[0].join(name), copy.join(name)).expect("a temporary file");
    }
    twice.pop();
    twice[1] = copy;
    refused(&twice, "shard 1/4 is there twice: ");
    let many = shards(temp.path(), 12, quick);
    refused(
        &many[..2],
        "shard 3/12, 4/12, 5/12, 6/12, 7/12, 8/12, 9/12, 10/12 and 2 more are missing",
    );
}

#[test]
fn shards_of_different_tournaments_are_told_apart() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folders = shards(temp.path(), 2, quick);
    let entries = || vec![(Variant::Mini, spec("random", Variant::Mini))];
    let both = || {
        let mut both = entries();
        both.push((Variant::Mini, spec("greedy", Variant::Mini)));
        both
    };
    let cases = [
        (both(), 5, 4, 2, "another seed: 3 there, 4 here"),
        (both(), 6, 3, 2, "another games: 5 there, 6 here"),
        (
            entries(),
            5,
            3,
            2,
            "another entries: mini greedy; mini random there",
        ),
        (
            both(),
            5,
            3,
            3,
            "another number of shards: 2 parts there, 3 parts here",
        ),
    ];
    for (at, (entries, games, seed, of, expected)) in cases.into_iter().enumerate() {
        let path = temp.path().join(format!("other-{at}"));
        let plan = Plan::new(entries, games, seed, shard(2, of)).expect("a plan");
        play(&path, &plan, 1);
        refused(&[folders[0].clone(), path], expected);
    }
}

#[test]
fn shards_that_are_not_whole_are_refused() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folders = shards(temp.path(), 2, quick);
    let stopped = temp.path().join("stopped");
    let folder = Folder::create(&stopped, quick(shard(2, 2)), 1).expect("new");
    assert!(!stop_after(folder, 1, 2));
    let with_stopped = [folders[0].clone(), stopped.clone()];
    refused(
        &with_stopped,
        "stopped: shard 2/2 has 2 of 5 games, expected all: cargo xtask tournament --resume",
    );
    let plan = Folder::stored_plan(&stopped).expect("a run");
    let busy = Folder::resume(&stopped, plan).expect("nobody has it");
    refused(
        &with_stopped,
        "stopped: another process is playing this run",
    );
    common::finish(busy, 1);

    let games = text(&stopped, "games.jsonl");
    let timings = text(&stopped, "timings.jsonl");
    let without = |text: &str, line: usize| {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        lines.remove(line);
        lines.concat()
    };
    let with_twice = |text: &str, line: usize| {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        lines.insert(line, lines[line]);
        lines.concat()
    };
    let write = |games: String, timings: String| {
        fs::write(stopped.join("games.jsonl"), games).expect("a temporary file");
        fs::write(stopped.join("timings.jsonl"), timings).expect("a temporary file");
    };
    for (line, expected) in [
        (
            1,
            "shard 2/2: game 3 of mini greedy is missing, game 0 of mini random is in its place",
        ),
        (4, "shard 2/2: game 4 of mini random is missing"),
    ] {
        write(without(&games, line), without(&timings, line));
        refused(&with_stopped, expected);
    }
    for (line, expected) in [
        (0, "shard 2/2: game 1 of mini greedy is there twice"),
        (4, "shard 2/2: game 4 of mini random is there twice"),
    ] {
        write(with_twice(&games, line), with_twice(&timings, line));
        refused(&with_stopped, expected);
    }
    write(games.clone(), without(&timings, 4));
    refused(
        &with_stopped,
        "timings.jsonl, line 5: expected the games of games.jsonl",
    );
    write(
        games.replacen("\"score\":", "\"score\":x", 1),
        timings.clone(),
    );
    refused(&with_stopped, "games.jsonl, line 1: column");
    write(games, timings);
    let out = temp.path().join("out");
    merge(&with_stopped, &out).expect("whole again");
    let error = merge(&with_stopped, &out).expect_err("occupied");
    assert!(error.to_string().contains("holds a run already"), "{error}");
    let error = merge(&with_stopped, &with_stopped[0]).expect_err("occupied");
    assert!(matches!(error, MergeError::Folder(_)), "{error}");
}

/// The transcripts of all shards come along, and a lost one is named.
#[test]
fn transcripts_are_merged() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folders: Vec<PathBuf> = (1..=2)
        .map(|part| {
            let path = temp.path().join(part.to_string());
            let plan = quick(shard(part, 2));
            let folder = Folder::create_with_transcripts(&path, plan, 1).expect("new");
            common::finish(folder, 2);
            path
        })
        .collect();
    let out = temp.path().join("out");
    merge(&folders, &out).expect("all shards are there");
    assert_eq!(records(&out).len(), 10);
    let mut of_shards: Vec<String> = folders
        .iter()
        .flat_map(|path| names(&path.join("transcripts")))
        .collect();
    of_shards.sort();
    assert_eq!(names(&out.join("transcripts")), of_shards);
    let lost = folders[1]
        .join("transcripts")
        .join(&names(&folders[1].join("transcripts"))[0]);
    fs::remove_file(&lost).expect("a temporary file");
    let error = merge(&folders, &temp.path().join("again")).expect_err("one is lost");
    assert!(
        error.to_string().contains(&lost.display().to_string()),
        "{error}"
    );
    // With and without do not go together.
    let plain = temp.path().join("plain");
    play(&plain, &quick(shard(2, 2)), 1);
    refused(
        &[folders[0].clone(), plain],
        "another choice of transcripts: on there, off here",
    );
}

/// A whole run merges with itself alone.
#[test]
fn one_shard_of_one_is_copied() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let path = temp.path().join("whole");
    play(&path, &quick_plan(2), 1);
    let out = temp.path().join("out");
    merge(std::slice::from_ref(&path), &out).expect("it is whole");
    assert_eq!(text(&out, "games.jsonl"), text(&path, "games.jsonl"));
}
