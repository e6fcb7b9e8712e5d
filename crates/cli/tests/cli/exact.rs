//! `afterstate exact`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{assert_error, printed, run, text};

fn json(args: &[&str]) -> Value {
    let args = [&["exact", "--json", "--variant"], args].concat();
    serde_json::from_str(&printed(&args, "")).expect("one line of JSON")
}

#[test]
fn json_has_what_is_printed() {
    let report = json(&["mini", "--rows", "2", "--cols", "3"]);
    assert_eq!(report["states"]["total"]["all"], 85_844);
    assert_eq!(report["states"]["total"]["classes"], 21_752);
    assert_eq!(report["afterstates"]["classes"], 14_883);
    assert_eq!(report["states"]["over"]["classes"], 4_484);
    let value = report["value"].as_f64().expect("a number");
    assert!((value - 480.258_271_776).abs() < 1e-9);
    assert!(report["residual"].is_null());
    let turned = json(&["mini", "--rows", "3", "--cols", "2"]);
    assert_eq!(turned["states"], report["states"]);
}

/// The variant says which spawns and which opening; `--spawns` says otherwise.
#[test]
fn spawns_are_those_of_the_variant_or_as_told() {
    let value = |args: &[&str]| json(args)["value"].as_f64().expect("a number");
    let mini = value(&["mini", "--rows", "2"]);
    assert_eq!(value(&["classic"]), mini);
    assert_eq!(value(&["classic", "--spawns", "4:1,2:9"]), mini);
    assert_eq!(value(&["contest", "--spawns", "standard"]), mini);
    let contest = value(&["contest"]);
    assert_ne!(contest, mini);
    assert_eq!(
        value(&["mini", "--rows", "2", "--spawns", "contest"]),
        contest
    );
    // The opening of two spawned tiles is that of mini.
    assert_ne!(
        value(&["mini", "--rows", "2", "--spawns", "2:3,4:1"]),
        contest
    );
    let akioi = json(&["akioi"]);
    assert_eq!(akioi["spawns"], "guide");
    assert!(akioi["residual"].as_f64().expect("a number") <= 1e-11);
    assert_ne!(
        akioi["value"],
        json(&["akioi", "--spawns", "live"])["value"]
    );
}

/// Tiles of any size, with weights of any sum.
#[test]
fn other_tiles_may_spawn() {
    let two_by_two = |spawns: &str| json(&["classic", "--spawns", spawns]);
    let three = two_by_two("2:0.8,4:0.1,8:0.1");
    let value = three["value"].as_f64().expect("a number");
    assert!((value - 62.519_170_320_3).abs() < 1e-9);
    assert_eq!(three["states"]["total"]["all"], 1564);
    assert_eq!(two_by_two("2:24,4:3,8:3")["value"], three["value"]);
    assert_eq!(two_by_two("2:1")["value"], 68.0);
    assert_eq!(two_by_two("4096:0.25")["value"], 68.0 * 2048.0);
    // 16 16 is full, merges once, and 32 16 is over.
    let two_cells = ["mini", "--rows", "1", "--cols", "2", "--spawns", "16:1"];
    let merged = json(&two_cells);
    assert_eq!(merged["value"], 32.0);
    assert_eq!(merged["states"]["total"]["all"], 3);
}

#[test]
fn threads_and_memory_change_nothing() {
    let args = ["mini", "--objective", "tile:16"];
    let mut usual = json(&args);
    for more in [["--threads", "1"], ["--threads", "3"], ["--memory", "1"]] {
        let mut other = json(&[&args[..], &more].concat());
        for report in [&mut usual, &mut other] {
            report["spilled_bytes"] = Value::Null;
            report["memory_bytes"] = Value::Null;
        }
        assert_eq!(other, usual, "{more:?}");
    }
}

#[test]
fn bad_questions_are_refused() {
    let refused = |args: &[&str], message: &str| {
        let args = [&["exact", "--variant"], args].concat();
        assert_eq!(assert_error(&args, "", message), "");
    };
    let sizes = "cannot be solved, expected 1x2 to 3x3, 1x4, 2x4, or one of these turned";
    refused(
        &["mini", "--rows", "3", "--cols", "4"],
        &format!("a board with 3 rows and 4 columns {sizes}"),
    );
    refused(
        &["classic", "--rows", "1"],
        &format!("a board with 1 rows and 1 columns {sizes}"),
    );
    refused(
        &["akioi", "--rows", "2", "--cols", "3"],
        "a board of akioi with 2 rows and 3 columns is too large to be solved, expected 2 and 2",
    );
    refused(
        &["akioi", "--table", "never.table"],
        "there are no tables of akioi, expected another variant or no table",
    );
    refused(
        &["mini", "--objective", "tile:2048"],
        "objective tile:2048: no such tile on this board, expected a power of two from 2 to 1024",
    );
    refused(
        &["mini", "--spawns", "2:9,256:1"],
        "256 as a spawn: merging could lead beyond 32768, the largest tile that a board holds here, \
         expected spawns up to 128",
    );
    refused(
        &["classic", "--spawns", "65536:1"],
        "65536 as a spawn: merging could lead beyond 32768, the largest tile that a board holds \
         here, expected spawns up to 4096",
    );
    refused(
        &["classic", "--spawns", "8:1", "--objective", "tile:128"],
        "objective tile:128: no such tile on this board, expected a power of two from 2 to 64",
    );
    refused(
        &["mini", "--spawns", "2:9,x1:1"],
        "`x1` cannot spawn on this board",
    );
    refused(
        &["mini", "--spawns", "2:1,2:1"],
        "tile 2 with weight 1: expected each tile once, with a weight of 1 or more",
    );
    let output = run(&["exact", "--variant", "mini", "--spawns", "2:x"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`2:x` is no tile with a weight, expected standard"));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_table_is_written_whole() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("small.table");
    let path_text = path.to_str().expect("the path is text");
    let args = ["mini", "--rows", "2", "--table", path_text];
    let report = json(&args);
    let first = fs::read(&path).expect("the table is there");
    assert_eq!(report["table_bytes"], first.len() as u64);
    assert_eq!(first[..8], *b"AFTEXACT");
    // Again, over the old one, by another number of threads.
    json(&[&args[..], &["--threads", "1"]].concat());
    assert!(fs::read(&path).expect("the table is there") == first);
    assert_eq!(names(folder.path()), ["small.table"]);
}

#[test]
fn a_table_that_cannot_be_written_is_said_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("missing/small.table");
    let args = [
        "exact",
        "--variant",
        "mini",
        "--table",
        path.to_str().expect("text"),
    ];
    let output = run(&args, "");
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    let expected = format!("error: the table {} cannot be written: ", path.display());
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(message.lines().count(), 1);
    assert!(names(folder.path()).is_empty());
}

/// Interrupted at several moments, on disk and in memory: status 130, and
/// nothing is left, neither a table nor layers.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    use std::process::Command;
    use std::time::Duration;

    let folder = tempfile::tempdir().expect("a folder for the test");
    let folder_text = folder.path().to_str().expect("the path is text");
    let path = folder.path().join("mini.table");
    let args = [
        &[
            "exact",
            "--variant",
            "mini",
            "--memory",
            "8",
            "--scratch",
            folder_text,
        ][..],
        &["--table", path.to_str().expect("the path is text")],
    ]
    .concat();
    for wait_ms in [300, 900, 2000] {
        let mut child = crate::support::program(&args);
        let child = child.spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(wait_ms));
        let killed = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(killed.expect("there is kill").success());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(130), "after {wait_ms} ms");
        assert_eq!(text(&output.stderr), "interrupted; nothing was written\n");
        assert_eq!(text(&output.stdout), "");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// A table of another board, one that is cut off, one that is not there: one
/// line, and no hint.
#[test]
fn hints_from_wrong_tables_are_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("small.table");
    let path_text = path.to_str().expect("the path is text");
    let agent = format!("exact:file={path_text}");
    let args = ["hint", "--variant", "mini", "--agent", &agent];
    let board = "2 2 . . . . . . .";
    let output = run(&args, board);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    let expected = format!("error: table {path_text}: it cannot be opened: ");
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(message.lines().count(), 1);
    json(&["mini", "--rows", "2", "--table", path_text]);
    let foreign = format!("table {path_text}: a table for board 2x2, expected board 3x3");
    assert_error(&args, board, &foreign);
    let bytes = fs::read(&path).expect("the table is there");
    fs::write(&path, &bytes[..40]).expect("it can be cut");
    let cut = format!("table {path_text}: the table is cut off after 40 bytes, in its header");
    assert_error(&args, board, &cut);
    let large = ["--spawns", "2:1,256:1"];
    let message = "256 as a spawn: merging could lead beyond 32768, the largest tile that a board \
                   holds here, expected spawns up to 128";
    assert_error(&[&args[..], &large].concat(), board, message);
    fs::write(&path, "no table").expect("it can be written");
    let strange = format!(
        "table {path_text}: not a table of exact values, expected one that `exact --table` wrote"
    );
    assert_error(&args, board, &strange);
    let no_file = ["hint", "--variant", "mini", "--agent", "exact"];
    assert_error(
        &no_file,
        board,
        "agent exact: expected exact:file=FILE, a table that `afterstate exact --variant mini \
         --table FILE` writes",
    );
}
