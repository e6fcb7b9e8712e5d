use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{assert_error, file, printed, program, run, text};

fn args(variant: &str) -> [&str; 3] {
    ["slide", "--variant", variant]
}

/// The line that asks for a slide of a board given as text, rows divided by
/// slashes.
fn question(board: &str, slide: &str) -> String {
    let number = |cell: &str| match cell.strip_prefix('x') {
        Some(factor) => format!("-{factor}"),
        None => cell.replace('.', "0"),
    };
    let rows: Vec<String> = board
        .split('/')
        .map(|row| {
            let cells: Vec<String> = row.split_whitespace().map(number).collect();
            format!("[{}]", cells.join(", "))
        })
        .collect();
    let rows = rows.join(", ");
    format!("{{\"board\": [{rows}], \"slide\": \"{slide}\"}}")
}

/// Asserts the answer for one board: the board after, the gain, the legality.
#[track_caller]
fn assert_slide(variant: &str, board: &str, slide: &str, after: &str, gain: i64) {
    let line = question(board, slide);
    let rows: Value = serde_json::from_str(&question(after, slide)).expect("JSON");
    let answer: Value = serde_json::from_str(&printed(&args(variant), &line)).expect("JSON");
    assert_eq!(answer["after"], rows["board"], "{variant} {line}");
    assert_eq!(answer["gain"], json!(gain), "{variant} {line}");
    assert_eq!(answer["legal"], json!(board != after), "{variant} {line}");
}

#[test]
fn golden_cases_come_out_to_the_byte() {
    for (variant, golden) in [
        ("classic", "classic"),
        ("contest", "classic"),
        ("mini", "mini"),
        ("akioi", "akioi"),
    ] {
        let cases = file(&format!("crates/rules/tests/data/slide-{golden}.jsonl"));
        assert!(cases.lines().count() > 1000);
        assert!(
            printed(&args(variant), &cases) == cases,
            "{variant}, with the answers"
        );
        // Without the answers, which the input may not lend to the output.
        let questions: String = cases
            .lines()
            .map(|case| {
                let (question, _) = case.split_once(", \"after\"").expect("a golden case");
                format!("{question}}}\r\n")
            })
            .collect();
        assert!(printed(&args(variant), questions) == cases, "{variant}");
    }
}

#[test]
fn a_hundred_thousand_lines_are_answered_in_order() {
    let cases = file("crates/rules/tests/data/slide-classic.jsonl");
    let input: String = (0..100_000)
        .zip(cases.lines().cycle())
        .map(|(id, case)| format!("{{\"id\": {id}, {}\n", &case[1..]))
        .collect();
    assert!(printed(&args("classic"), &input) == input);
}

#[test]
fn a_bad_line_stops_it_after_the_answers_before() {
    let good = question("2 2 . / . . . / . . .", "left");
    let answer = printed(&args("mini"), &good);
    let input = format!("{good}\n\n{good}\r\n{{\"board\": [[2, 2]], \"slide\": 1}}\n{good}\n");
    assert_eq!(
        assert_error(
            &args("mini"),
            input,
            "line 4, field `slide`: `1` is not a slide, \
             expected \"up\", \"right\", \"down\" or \"left\"",
        ),
        answer.repeat(2)
    );
    let many = format!("{good}\n").repeat(20_000);
    let printed = assert_error(
        &args("mini"),
        many + "{\"board\": [[2,2,0],[0,0,0],[0,3.5,0]], \"slide\": \"up\"}",
        "line 20001, field `board`, row 3, column 2: `3.5` is not a tile, \
         expected 0 or a power of two from 2 to 1024",
    );
    assert_eq!(printed.lines().count(), 20_000);
}

#[test]
fn nothing_that_comes_in_makes_it_panic() {
    let board = "{\"board\": [[2,0,0],[0,0,0],[0,0,0]], \"slide\": ";
    for (input, message) in [
        (
            b"\xff\xfe{\0".to_vec(),
            "line 1, column 1: byte 0xff is not UTF-8 text".to_owned(),
        ),
        (
            "[".repeat(3_000_000).into_bytes(),
            "line 1: longer than 1048576 bytes".to_owned(),
        ),
        (
            vec![0; 1000],
            format!(
                "line 1: `{}…` is not a JSON object, \
                 expected {{\"board\": [[…], …], \"slide\": \"left\"}}",
                "\\0".repeat(20)
            ),
        ),
        (
            format!("{board}\"{}\"}}\n", "é\n".repeat(3)).into_bytes(),
            "line 1, column 49: not JSON: EOF while parsing a string".to_owned(),
        ),
        (
            format!("{board}{}}}\n", "[".repeat(100_000)).into_bytes(),
            "line 1, column 100047: not JSON: expected value".to_owned(),
        ),
        (
            format!("{board}{}{}}}\n", "[".repeat(100_000), "]".repeat(100_000)).into_bytes(),
            format!(
                "line 1, field `slide`: `{}…` is not a slide, \
                 expected \"up\", \"right\", \"down\" or \"left\"",
                "[".repeat(20)
            ),
        ),
    ] {
        assert_eq!(assert_error(&args("mini"), input, &message), "");
    }
}

#[test]
fn empty_input_and_missing_newline_and_byte_order_mark() {
    assert_eq!(printed(&args("mini"), ""), "");
    assert_eq!(printed(&args("mini"), "\n\r\n  \n"), "");
    assert_eq!(printed(&args("mini"), "\u{feff}"), "");
    let line = question("2 2 . / . . . / . . .", "left");
    let answer = printed(&args("mini"), format!("{line}\n"));
    assert!(answer.ends_with('\n'));
    for input in [
        line.clone(),
        format!("{line}\r\n"),
        format!("\u{feff}{line}"),
    ] {
        assert_eq!(printed(&args("mini"), input), answer);
    }
}

#[test]
fn answers_do_not_wait_for_the_end_of_the_input() {
    let mut child = program(&args("mini")).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let (sender, answers) = mpsc::channel();
    let reader = thread::spawn(move || {
        for answer in stdout.lines() {
            sender
                .send(answer.expect("text"))
                .expect("the test listens");
        }
    });
    for slide in ["up", "right", "down", "left"] {
        let line = question("2 . . / . . . / . . 4", slide);
        // The start of the next line is there as well, but no end of it.
        write!(stdin, "{line}\n ").expect("it reads on");
        stdin.flush().expect("it reads on");
        // Without a limit, an answer that is held back would hang the test.
        let answer = answers.recv_timeout(Duration::from_secs(60));
        let answer = answer.expect("the answer comes while the input is open");
        assert!(answer.contains(slide), "{answer}");
    }
    drop(stdin);
    reader.join().expect("it reads to the end");
    assert!(answers.recv().is_err(), "there is one answer a line");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = program(&args("mini")).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let line = question("2 . . / . . . / . . 4", "up") + "\n";
    stdin.write_all(line.as_bytes()).expect("it reads on");
    let mut first = String::new();
    stdout.read_line(&mut first).expect("text");
    drop(stdout);
    // At the latest when its answers no longer fit in a buffer, it notices.
    while stdin.write_all(line.as_bytes()).is_ok() {}
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn users_a_rules_hold_through_the_program() {
    let empty = "/ . . . . / . . . . / . . . .";
    for variant in ["classic", "contest"] {
        for (row, slide, after, gain) in [
            ("2 2 4 .", "left", "4 4 . .", 4),
            ("8 8 16 .", "left", "16 16 . .", 16),
            ("2 2 2 2", "left", "4 4 . .", 8),
            ("2 2 2 2", "right", ". . 4 4", 8),
            ("2 2 2 .", "left", "4 2 . .", 4),
            (". 2 2 2", "left", "4 2 . .", 4),
            ("2 . 2 2", "left", "4 2 . .", 4),
            (". 4 4 4", "right", ". . 4 8", 8),
            ("2 2 4 4", "right", ". . 4 8", 12),
        ] {
            let (board, after) = (format!("{row}{empty}"), format!("{after}{empty}"));
            assert_slide(variant, &board, slide, &after, gain);
        }
        assert_slide(
            variant,
            "2 . . . / 4 . . . / 2 . . . / 2 . . .",
            "down",
            ". . . . / 2 . . . / 4 . . . / 4 . . .",
            4,
        );
        let stuck = "8 4 4 2 / . 2 2 . / . . . . / . . . .";
        assert_slide(variant, stuck, "up", stuck, 0);
        let full = "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 64 128";
        for slide in ["up", "right", "down", "left"] {
            assert_slide(variant, full, slide, full, 0);
        }
        assert_slide(
            variant,
            "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 64 64",
            "left",
            "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 128 .",
            128,
        );
        assert_slide(
            variant,
            ". 2 4 8 / 8 2 4 8 / 2 4 8 16 / 16 8 4 2",
            "left",
            "2 4 8 . / 8 2 4 8 / 2 4 8 16 / 16 8 4 2",
            0,
        );
    }
    assert_slide(
        "akioi",
        "32768 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256",
        "left",
        "65536 2 4 . / 8 16 32 64 / 2 4 8 16 / 32 64 128 256",
        65536,
    );
    assert_slide(
        "akioi",
        "2 4 8 1024 / . 4 512 x2 / 2 4 x1 64 / 2 4 x1 64",
        "down",
        ". . . . / . . 8 1024 / 2 8 512 x2 / 4 8 x2 128",
        146,
    );
}

#[test]
fn users_a15_the_largest_tiles_are_exact() {
    let empty = "/ . . . . / . . . . / . . . .";
    for variant in ["classic", "contest"] {
        for (row, after, gain) in [
            ("16384 16384 . .", "32768 . . .", 32768),
            ("32768 32768 . .", "65536 . . .", 65536),
            ("65536 65536 . .", "131072 . . .", 131_072),
            ("32768 32768 65536 .", "65536 65536 . .", 65536),
            ("65536 65536 65536 65536", "131072 131072 . .", 262_144),
        ] {
            let (board, after) = (format!("{row}{empty}"), format!("{after}{empty}"));
            assert_slide(variant, &board, "left", &after, gain);
        }
        let top = format!("131072 131072 . .{empty}");
        assert_slide(variant, &top, "left", &top, 0);
    }
    let line = question(&format!("262144 . . .{empty}"), "left");
    let output = run(&args("classic"), line);
    assert!(text(&output.stderr).contains("row 1, column 1: `262144` is not a tile"));
}
