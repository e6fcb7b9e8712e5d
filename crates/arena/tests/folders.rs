//! Folders that are not as they should be: each is one clear line, and what is
//! on disk stays.

mod common;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use afterstate_arena::{Folder, FolderError, Plan, Shard, Shared, run_games};
use afterstate_rules::Variant;
use common::{finish, names, play, quick_plan, shard, spec, stop_after, text};

/// A stopped run in a folder of its own.
fn stopped(n_games: u64) -> (tempfile::TempDir, Plan) {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let plan = quick_plan(4);
    let folder = Folder::create(temp.path(), plan.clone(), 1).expect("new");
    assert!(!stop_after(folder, 1, n_games));
    (temp, plan)
}

/// All files with their content, to see that an error changes none.
fn content(path: &Path) -> Vec<(String, String)> {
    let with_text = |name: String| {
        let text = text(path, &name);
        (name, text)
    };
    names(path).into_iter().map(with_text).collect()
}

#[track_caller]
fn line_of(error: &FolderError) -> String {
    let mut line = error.to_string();
    if let Some(source) = std::error::Error::source(error) {
        line = format!("{line}: {source}");
    }
    assert!(!line.contains('\n') && !line.ends_with('.'), "{line:?}");
    line
}

#[track_caller]
fn refused(path: &Path, plan: &Plan, expected: &str) {
    let before = content(path);
    let error = Folder::resume(path, plan.clone()).expect_err("it must be refused");
    let line = line_of(&error);
    assert!(line.contains(expected), "{line:?} lacks {expected:?}");
    assert!(line.contains(&path.display().to_string()), "{line:?}");
    assert_eq!(content(path), before);
}

#[test]
fn a_folder_takes_one_run() {
    let (temp, plan) = stopped(3);
    let before = content(temp.path());
    let error = Folder::create(temp.path(), plan.clone(), 1).expect_err("occupied");
    assert!(line_of(&error).ends_with("holds a run already, expected a new folder or --resume"));
    assert_eq!(content(temp.path()), before);
    // Finished or without its run.json it is not free either.
    finish(
        Folder::resume(temp.path(), plan.clone()).expect("it can go on"),
        1,
    );
    let error = Folder::create(temp.path(), plan.clone(), 1).expect_err("occupied");
    assert!(matches!(error, FolderError::Occupied { .. }));
    fs::remove_file(temp.path().join("run.json")).expect("a temporary file");
    let error = Folder::create(temp.path(), plan, 1).expect_err("occupied");
    assert!(matches!(error, FolderError::Occupied { .. }));
    assert!(names(temp.path()).contains(&"games.jsonl".to_owned()));
}

/// A folder with other things in it, or killed before its run began, is free.
#[test]
fn a_folder_without_a_run_is_free() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    fs::write(temp.path().join("notes.txt"), "mine").expect("a temporary file");
    fs::write(temp.path().join("run.json"), "").expect("a temporary file");
    play(temp.path(), &quick_plan(2), 1);
    assert_eq!(text(temp.path(), "notes.txt"), "mine");
    let deep = temp.path().join("a/b/c");
    play(&deep, &quick_plan(1), 1);
    assert_eq!(names(&deep), common::RESULTS);
}

/// Of two processes at one folder the second is refused, for as long as the
/// first has it.
#[test]
fn one_process_at_a_time() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let plan = quick_plan(4);
    let first = Folder::create(temp.path(), plan.clone(), 1).expect("new");
    refused(temp.path(), &plan, "another process is playing this run");
    drop(first);
    let first = Folder::resume(temp.path(), plan.clone()).expect("nobody has it");
    refused(temp.path(), &plan, "another process is playing this run");
    finish(first, 1);
    let third = Folder::resume(temp.path(), plan).expect("nobody has it");
    assert_eq!(third.n_finished(), 8);
}

#[test]
fn a_changed_plan_is_refused_with_what_differs() {
    let (temp, _) = stopped(3);
    let greedy = (Variant::Mini, spec("greedy", Variant::Mini));
    let random = (Variant::Mini, spec("random", Variant::Mini));
    let deep = (Variant::Mini, spec("heuristic:depth=2", Variant::Mini));
    let contest = (Variant::Contest, spec("greedy", Variant::Contest));
    let both = vec![greedy.clone(), random.clone()];
    let cases = [
        (
            vec![greedy.clone()],
            4,
            3,
            Shard::WHOLE,
            "entries: mini greedy; mini random, now mini greedy",
        ),
        (
            vec![greedy, deep],
            4,
            3,
            Shard::WHOLE,
            "now mini greedy; mini heuristic:depth=2",
        ),
        (
            vec![contest, random],
            4,
            3,
            Shard::WHOLE,
            "now contest greedy; mini random",
        ),
        (both.clone(), 5, 3, Shard::WHOLE, "games: 4, now 5"),
        (both.clone(), 4, 9, Shard::WHOLE, "seed: 3, now 9"),
        (both, 4, 3, shard(1, 2), "shard: 1/1, now 1/2"),
    ];
    for (entries, games, seed, shard, expected) in cases {
        let plan = Plan::new(entries, games, seed, shard).expect("a plan");
        refused(temp.path(), &plan, expected);
    }
}

fn edit(path: &Path, name: &str, from: &str, to: &str) {
    let before = text(path, name);
    assert!(before.contains(from), "{name} has no {from}: {before}");
    fs::write(path.join(name), before.replacen(from, to, 1)).expect("a temporary file");
}

#[test]
fn another_version_is_refused() {
    let (temp, plan) = stopped(3);
    edit(temp.path(), "run.json", env!("CARGO_PKG_VERSION"), "0.0.7");
    refused(temp.path(), &plan, "another version: 0.0.7, now ");
    let error = Folder::stored_plan(temp.path()).expect_err("another version");
    assert!(line_of(&error).contains("another version: 0.0.7, now "));
}

#[test]
fn a_broken_run_file_is_refused() {
    let cases = [
        (
            "\"games\": 4",
            "\"games\": -4",
            "line 13: column 13: invalid value",
        ),
        ("\"games\": 4", "\"game\": 4", "missing field `games`"),
        (
            "\"games\": 4",
            "\"games\": 0",
            "0 games, expected 1 to 1000000000",
        ),
        (
            "\"games\": 4",
            "\"games\": 18446744073709551615",
            "expected 1 to 1000000000",
        ),
        ("\"of\": 1", "\"of\": 0", "expected I/N with I from 1 to N"),
        (
            "\"part\": 1",
            "\"part\": 2",
            "expected I/N with I from 1 to N",
        ),
        (
            "\"random\"",
            "\"radnom\"",
            "agent `radnom`: no such agent, expected random",
        ),
        (
            "\"random\"",
            "\"greedy\"",
            "agent greedy is named twice for mini",
        ),
        ("\"mini\"", "\"micro\"", "variant `micro`: expected classic"),
        ("{", "", "line 2: column 11: invalid type"),
    ];
    for (from, to, expected) in cases {
        let (temp, _) = stopped(3);
        edit(temp.path(), "run.json", from, to);
        let before = content(temp.path());
        let error = Folder::stored_plan(temp.path()).expect_err("it is broken");
        let line = line_of(&error);
        assert!(line.contains(expected), "{line:?} lacks {expected:?}");
        assert!(line.contains("run.json, line "), "{line:?}");
        assert_eq!(content(temp.path()), before);
    }
    let (temp, plan) = stopped(3);
    fs::write(temp.path().join("run.json"), [0xff, 0xfe, 0]).expect("a temporary file");
    let error = Folder::resume(temp.path(), plan).expect_err("it is broken");
    assert!(line_of(&error).contains("run.json: cannot be read"));
}

#[test]
fn a_broken_journal_is_refused() {
    let cases = [
        ("\"score\":", "\"scole\":", "journal.jsonl, line 1: column"),
        (
            "\"index\":0",
            "\"index\":4",
            "line 1: game 4 of mini greedy is not of this run",
        ),
        (
            "\"index\":0",
            "\"index\":1",
            "line 1: game 1 of mini greedy is not of this run",
        ),
        (
            "\"mini\"",
            "\"akioi\"",
            "line 1: game 0 of akioi greedy is not of this run",
        ),
        (
            "\"greedy\"",
            "\"random\"",
            "line 1: game 0 of mini random is not of this run",
        ),
        (
            "\"seed\":",
            "\"seed\":1",
            "line 1: game 0 of mini greedy is not of this run",
        ),
        (
            "\"over\"",
            "\"lost\"",
            "has an outcome other than over and cleared",
        ),
        ("\n", " \u{0}\n", "line 1: column"),
        ("\n", "\n\n", "line 2: column"),
    ];
    for (from, to, expected) in cases {
        let (temp, plan) = stopped(3);
        edit(temp.path(), "journal.jsonl", from, to);
        refused(temp.path(), &plan, expected);
    }
    let (temp, plan) = stopped(3);
    let journal = text(temp.path(), "journal.jsonl");
    let first = journal.split_inclusive('\n').next().expect("a line");
    fs::write(temp.path().join("journal.jsonl"), journal.clone() + first).expect("a file");
    refused(
        temp.path(),
        &plan,
        "line 4: game 0 of mini greedy is there twice",
    );
}

#[test]
fn broken_results_of_a_finished_run_are_refused() {
    let cases = [
        (
            "games.jsonl",
            "\"score\":",
            "\"scole\":",
            "games.jsonl, line 1: column",
        ),
        (
            "games.jsonl",
            "\"index\":2",
            "\"index\":1",
            "timings.jsonl, line 3: expected the games of games.jsonl",
        ),
        (
            "games.jsonl",
            "\"seed\":",
            "\"seed\":1",
            "games.jsonl, line 1: game 0 of mini greedy is not of",
        ),
        (
            "timings.jsonl",
            "\"index\":3",
            "\"index\":7",
            "timings.jsonl, line 4: expected the games",
        ),
        (
            "timings.jsonl",
            "\"elapsed_ns\":",
            "\"elapsed_ns\":-",
            "timings.jsonl, line 1: column",
        ),
    ];
    for (name, from, to, expected) in cases {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let plan = quick_plan(4);
        play(temp.path(), &plan, 1);
        edit(temp.path(), name, from, to);
        refused(temp.path(), &plan, expected);
    }
    let temp = tempfile::tempdir().expect("a temporary folder");
    let plan = quick_plan(4);
    play(temp.path(), &plan, 1);
    let games = text(temp.path(), "games.jsonl");
    let cut = games.len() - 30;
    fs::write(temp.path().join("games.jsonl"), &games[..cut]).expect("a temporary file");
    refused(temp.path(), &plan, "games.jsonl, line 8: column");
    let cut = games.trim_end().rfind('\n').expect("lines") + 1;
    fs::write(temp.path().join("games.jsonl"), &games[..cut]).expect("a temporary file");
    refused(
        temp.path(),
        &plan,
        "timings.jsonl, line 8: expected the games",
    );
}

#[test]
fn places_that_are_no_folder_of_a_run() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let plan = quick_plan(4);
    refused(
        temp.path(),
        &plan,
        "holds no run, expected the folder of one",
    );
    let missing = temp.path().join("missing");
    let error = Folder::resume(&missing, plan.clone()).expect_err("there is none");
    assert!(line_of(&error).contains("missing: holds no run, expected"));
    assert!(!missing.exists());
    let file = temp.path().join("file");
    fs::write(&file, "text").expect("a temporary file");
    for error in [
        Folder::create(&file, plan.clone(), 1).expect_err("a file"),
        Folder::resume(&file, plan.clone()).expect_err("a file"),
        Folder::stored_plan(&file).expect_err("a file"),
    ] {
        assert!(line_of(&error).contains("file: is a file, expected a folder"));
    }
    let error = Folder::create(&file.join("below"), plan, 1).expect_err("below a file");
    assert!(line_of(&error).contains("below: cannot be read or written: "));
    assert_eq!(fs::read_to_string(&file).expect("still there"), "text");
}

/// A full disk at the end: the games are in the journal, and the run ends well
/// once there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_no_game() {
    for name in ["games.tmp", "timings.tmp", "summary.tmp", "report.tmp"] {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let plan = quick_plan(4);
        let folder = Folder::create(temp.path(), plan.clone(), 1).expect("new");
        let full = temp.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
        let error = run_games(
            folder,
            &Shared::default(),
            2,
            &AtomicBool::new(false),
            |_| {},
        )
        .expect_err("full");
        let line = line_of(&error);
        assert!(
            line.contains(name) && line.contains("No space left"),
            "{line}"
        );
        fs::remove_file(&full).expect("a link");
        let folder = Folder::resume(temp.path(), plan).expect("it can go on");
        let (summary, n_played) = finish(folder, 2);
        assert_eq!((summary.n_games(), n_played), (8, 0));
        assert_eq!(names(temp.path()), common::RESULTS);
    }
}

#[test]
fn any_result_file_makes_a_folder_occupied_and_stays() {
    for name in [
        "games.jsonl",
        "timings.jsonl",
        "summary.json",
        "report.html",
    ] {
        let temp = tempfile::tempdir().expect("a temporary folder");
        fs::write(temp.path().join(name), "precious").expect("a temporary file");
        let error = Folder::create(temp.path(), quick_plan(1), 1).expect_err(name);
        assert!(matches!(error, FolderError::Occupied { .. }), "{name}");
        assert_eq!(text(temp.path(), name), "precious");
    }
}

#[test]
fn a_run_killed_before_it_began_is_no_run_to_resume() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    fs::write(temp.path().join("run.json"), "").expect("a temporary file");
    let error = Folder::stored_plan(temp.path()).expect_err("nothing to go on with");
    assert!(line_of(&error).ends_with("holds no run, expected the folder of one"));
    Folder::create(temp.path(), quick_plan(1), 1).expect("it begins afresh");
}
