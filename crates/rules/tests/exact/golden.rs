//! The golden cases that come with the rules page, unedited, through every
//! table that has the tiles and through the twin.

use afterstate_bitboard::{Akioi, Board, Classic, Grid, Mini, Slide};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules};
use afterstate_testkit::{NaiveBoard, NaiveRules};
use serde_json::Value;

use crate::support::{assert_twins, direction, packed};

struct Case {
    board: NaiveBoard,
    slide: Slide,
    after: NaiveBoard,
    gain: i64,
    legal: bool,
}

fn rows(value: &Value) -> NaiveBoard {
    serde_json::from_value(value.clone()).expect("rows of numbers")
}

fn cases(lines: &str) -> Vec<Case> {
    let case = |line| {
        let value: Value = serde_json::from_str(line).expect("a JSON line");
        let slide = value["slide"].as_str().expect("the name of a slide");
        Case {
            board: rows(&value["board"]),
            slide: slide.parse().expect("one of the four slides"),
            after: rows(&value["after"]),
            gain: value["gain"].as_i64().expect("a number"),
            legal: value["legal"].as_bool().expect("true or false"),
        }
    };
    lines.lines().map(case).collect()
}

/// Checks the cases by the twin and by the tables, and returns their number.
fn check<R: Rules>(rules: R, naive: NaiveRules, cases: &[Case]) -> usize {
    for case in cases {
        let (after, gain) = naive.slide(&case.board, direction(case.slide));
        assert_eq!(after, case.after, "{:?} {}", case.board, case.slide);
        assert_eq!(gain, case.gain, "{:?} {}", case.board, case.slide);
        let legal = naive.is_legal(&case.board, direction(case.slide));
        assert_eq!(legal, case.legal, "{:?} {}", case.board, case.slide);

        let board: Board<R::Grid> = packed(&case.board);
        let after: Board<R::Grid> = packed(&case.after);
        assert_eq!(rules.after(board, case.slide), after);
        assert_eq!(i64::from(rules.gain(board, case.slide)), case.gain);
        match rules.apply(board, case.slide) {
            Some(made) => {
                assert!(case.legal);
                assert_eq!(made.board.to_rows(), case.after);
                assert_eq!(i64::from(made.gain), case.gain);
            }
            None => assert!(!case.legal && case.gain == 0 && case.after == case.board),
        }
        assert_twins(rules, naive, board);
    }
    cases.len()
}

#[test]
fn classic_on_the_wide_board() {
    let cases = cases(include_str!("../data/slide-classic.jsonl"));
    let n_cases = check(ClassicRules::new(), NaiveRules::CLASSIC, &cases);
    assert_eq!(n_cases, 1500);
    let largest = cases.iter().flat_map(|case| case.after.iter().flatten());
    assert_eq!(
        largest.max(),
        Some(&131_072),
        "cases reach the largest tile"
    );
}

#[test]
fn classic_on_the_narrow_board() {
    let mut cases = cases(include_str!("../data/slide-classic.jsonl"));
    // The narrow board has no 65536, neither before nor after.
    cases.retain(|case| case.after.iter().flatten().all(|&number| number < 65536));
    let naive = NaiveRules::Classic { top: 32768 };
    let n_cases = check(NarrowRules::on_grid(), naive, &cases);
    assert!(n_cases > 750, "{n_cases} cases fit the narrow board");
}

#[test]
fn mini() {
    let cases = cases(include_str!("../data/slide-mini.jsonl"));
    let n_cases = check(MiniRules::on_grid(), NaiveRules::MINI, &cases);
    assert_eq!(n_cases, 1580);
}

#[test]
fn akioi() {
    let cases = cases(include_str!("../data/slide-akioi.jsonl"));
    let n_cases = check(AkioiRules::new(), NaiveRules::Akioi, &cases);
    assert_eq!(n_cases, 1600);
    assert!(cases.iter().any(|case| case.gain < 0));
}

#[test]
fn the_largest_tiles_are_those_of_the_rules_page() {
    let top = |numbers: Vec<i32>| numbers.into_iter().max();
    let numbers = |kinds: usize, number: fn(u8) -> i32| (0..kinds as u8).map(number).collect();
    assert_eq!(
        top(numbers(Classic::CELL_KINDS, Classic::number)),
        Some(131_072)
    );
    assert_eq!(top(numbers(Akioi::CELL_KINDS, Akioi::number)), Some(65536));
    assert_eq!(top(numbers(Mini::CELL_KINDS, Mini::number)), Some(1024));
}
