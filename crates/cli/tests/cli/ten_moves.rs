use serde_json::{Value, json};

use crate::support::{assert_error, file, printed, run, text};

#[test]
fn golden_cases() {
    let cases = file("crates/search/tests/data/ten-moves.jsonl");
    // One process each, so a part is enough: the library is tested on all.
    for case in cases.lines().step_by(10) {
        let case: Value = serde_json::from_str(case).expect("JSON");
        let input = case["board"].to_string().replace(['[', ']', ','], " ");
        let expected = format!("{} {}\n", case["score"], case["moves"]);
        assert_eq!(printed(&["ten-moves"], &input), expected, "{input}");
    }
}

#[test]
fn examples_of_the_task_however_they_are_divided() {
    for input in [
        "2 2 0 0 0 0 0 0 0",
        "2 2 0\n0 0 0\n0 0 0\n",
        "2 2 0\r\n0 0 0\r\n0 0 0\r\n",
        "\t2\t2  0\n\n0 0 0 0 0 0\n\n",
        "\u{feff}2 2 0 0 0 0 0 0 0",
    ] {
        assert_eq!(printed(&["ten-moves"], input), "4 1\n", "{input:?}");
    }
    assert_eq!(printed(&["ten-moves"], "0 ".repeat(9)), "0 0\n");
}

/// Slides of a 3x3 board, written here once more: rows as `Vec`s, turned until
/// the slide goes to the left.
fn naive_slide(board: &[Vec<u32>], slide: &str) -> (Vec<Vec<u32>>, u32) {
    let transpose = |board: &[Vec<u32>]| -> Vec<Vec<u32>> {
        (0..3)
            .map(|col| board.iter().map(|row| row[col]).collect())
            .collect()
    };
    let mirror = |board: &[Vec<u32>]| -> Vec<Vec<u32>> {
        board
            .iter()
            .map(|row| row.iter().rev().copied().collect())
            .collect()
    };
    match slide {
        "up" | "down" => {
            let along = if slide == "up" { "left" } else { "right" };
            let (after, gain) = naive_slide(&transpose(board), along);
            (transpose(&after), gain)
        }
        "right" => {
            let (after, gain) = naive_slide(&mirror(board), "left");
            (mirror(&after), gain)
        }
        "left" => {
            let mut gain = 0;
            let after = board
                .iter()
                .map(|row| {
                    let mut tiles = row.iter().copied().filter(|&tile| tile > 0).peekable();
                    let mut line = Vec::new();
                    while let Some(tile) = tiles.next() {
                        let merges = tiles.next_if_eq(&tile).is_some();
                        line.push(if merges { 2 * tile } else { tile });
                        gain += if merges { 2 * tile } else { 0 };
                    }
                    line.resize(3, 0);
                    line
                })
                .collect();
            (after, gain)
        }
        _ => panic!("`{slide}` is no slide"),
    }
}

#[test]
fn a_trace_makes_the_score_in_that_many_legal_slides() {
    for (board, horizon) in [
        ("2 2 0 2 2 0 0 0 8", "10"),
        ("16 16 16 16 16 16 16 16 16", "10"),
        ("2 4 8 8 4 2 2 4 8", "10"),
        ("2 4 8 16 2 4 8 16 2", "10"),
        ("2 2 4 8 16 16 8 4 2", "10"),
        ("2 2 4 8 16 16 8 4 2", "3"),
        ("2 2 4 8 16 16 8 4 2", "40"),
        ("0 0 0 0 0 0 0 0 0", "10"),
        ("2 2 0 0 0 0 0 0 0", "0"),
    ] {
        let args = ["ten-moves", "--slides", horizon];
        let answer = printed(&args, board);
        let traced = printed(&[args.as_slice(), &["--trace"]].concat(), board);
        let trace = traced.strip_prefix(&answer).expect("the same answer first");
        let mut numbers = answer
            .split_whitespace()
            .map(|number| number.parse::<u32>());
        let mut number = || numbers.next().expect("two numbers").expect("a number");
        let (score, moves) = (number(), number());

        assert_eq!(trace.lines().count(), 1, "{traced:?}");
        let slides: Vec<&str> = trace.split_whitespace().collect();
        assert_eq!(slides.len() as u32, moves, "{board}");
        assert_eq!(trace, slides.join(" ") + "\n");
        let cells: Vec<u32> = board
            .split(' ')
            .map(|cell| cell.parse().expect("a cell"))
            .collect();
        let mut at: Vec<Vec<u32>> = cells.chunks(3).map(<[u32]>::to_vec).collect();
        let mut sum = 0;
        for slide in &slides {
            let (after, gain) = naive_slide(&at, slide);
            assert_ne!(after, at, "{slide} is legal");
            at = after;
            sum += gain;
        }
        assert_eq!(sum, score, "{board}");

        let json = printed(&[args.as_slice(), &["--trace", "--json"]].concat(), board);
        let json: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(
            json,
            json!({"score": score, "moves": moves, "trace": slides})
        );
        let json = printed(&[args.as_slice(), &["--json"]].concat(), board);
        assert_eq!(json, format!("{{\"score\":{score},\"moves\":{moves}}}\n"));
    }
}

/// The first line and the counts of `--all`.
fn all(horizon: &[&str]) -> (Vec<u64>, Vec<u64>) {
    let args = [&["ten-moves", "--all"], horizon].concat();
    let output = printed(&args, "");
    let mut lines = output.lines();
    let words: Vec<&str> = lines.next().expect("a first line").split(' ').collect();
    let names: Vec<&str> = words.iter().copied().step_by(2).collect();
    assert_eq!(names, ["boards", "score", "moves", "max"]);
    let totals = words.iter().skip(1).step_by(2);
    let totals: Vec<u64> = totals.map(|word| word.parse().expect("a number")).collect();
    let counts: Vec<u64> = lines
        .enumerate()
        .map(|(slides, line)| {
            let count = line
                .strip_prefix(&format!("moves {slides}: "))
                .expect("its number");
            count.parse().expect("a number")
        })
        .collect();
    let json = printed(&[args.as_slice(), &["--json"]].concat(), "");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let [boards, score, moves, max] = totals[..] else {
        panic!("four totals")
    };
    assert_eq!(
        json,
        json!({"boards": boards, "score": score, "moves": moves, "max": max, "by_moves": counts})
    );
    (totals, counts)
}

#[test]
fn all_boards_add_up_for_every_horizon() {
    let (ten, by_moves) = all(&[]);
    assert_eq!(by_moves.len(), 11);
    assert_eq!(all(&["--slides", "10"]), (ten.clone(), by_moves));
    let mut last_score = 0;
    for (horizon, n_counts) in [("0", 1), ("1", 2), ("2", 3), ("9", 10), ("10", 11)] {
        let (totals, counts) = all(&["--slides", horizon]);
        assert_eq!(counts.len(), n_counts, "{horizon}");
        assert_eq!(totals[0], 1_953_125);
        assert_eq!(counts.iter().sum::<u64>(), 1_953_125);
        let moves: u64 = (0..)
            .zip(&counts)
            .map(|(slides, count)| slides * count)
            .sum();
        assert_eq!(totals[2], moves);
        assert!(totals[1] >= last_score);
        last_score = totals[1];
    }
    assert_eq!(last_score, ten[1]);
    // A horizon beyond all use is neither slow nor long.
    let (totals, counts) = all(&["--slides", "4294967295"]);
    assert!(totals[1] > last_score);
    assert!(counts.len() > 11 && counts.last() > Some(&0));
    assert_eq!(all(&["--slides", "1000"]), (totals, counts));
}

#[test]
fn other_input_is_one_line() {
    let accepted = "expected 0, 2, 4, 8 or 16";
    let too_few = "expected nine, each 0, 2, 4, 8 or 16";
    for (input, message) in [
        (
            "",
            format!("line 1, column 1: the input ends after 0 values, {too_few}"),
        ),
        (
            "2 2",
            format!("line 1, column 4: the input ends after 2 values, {too_few}"),
        ),
        (
            "2 3 0 0 0 0 0 0 0",
            format!("line 1, column 3: value 2 is `3`, {accepted}"),
        ),
        (
            "2 32 0 0 0 0 0 0 0",
            format!("line 1, column 3: value 2 is `32`, {accepted}"),
        ),
        (
            "2,2,0,0,0,0,0,0,0",
            format!("line 1, column 1: value 1 is `2,2,0,0,0,0,0,0,0`, {accepted}"),
        ),
        (
            "0 0 0\r\n0 -8 0\r\n0 0 0",
            format!("line 2, column 3: value 5 is `-8`, {accepted}"),
        ),
        (
            "0 0 0 0 0 0 0 0 0 0",
            "line 1, column 19: `0` after nine values, expected the end of the input".to_owned(),
        ),
        (
            "\0",
            format!("line 1, column 1: value 1 is `\\0`, {accepted}"),
        ),
    ] {
        assert_eq!(
            assert_error(&["ten-moves"], input, &message),
            "",
            "{input:?}"
        );
    }
    let endless = "0 ".repeat(1_000_000);
    let message = "the input is longer than 1048576 bytes, expected one board";
    assert_eq!(assert_error(&["ten-moves"], endless, message), "");
    let output = run(&["ten-moves"], [0xff; 100]);
    assert_eq!(text(&output.stderr).lines().count(), 1);
    assert_eq!(output.status.code(), Some(2));
}
