//! Ten moves against the golden cases and a literal search.

mod literal;

use std::num::NonZeroUsize;

use afterstate_bitboard::MiniBoard;
use afterstate_search::ten_moves::{Best, HORIZON, Solver, solve_all};
use literal::{Numbers, input, literal_answers, naive_slide};

/// Number of inputs of the task.
const INPUTS: u64 = 5_u64.pow(9);

/// Boards to try: debug builds are some ten times slower.
const SAMPLE: u64 = if cfg!(debug_assertions) { 500 } else { 4000 };

fn packed(board: Numbers) -> MiniBoard {
    let numbers = board.map(i64::from);
    let rows: Vec<&[i64]> = numbers.chunks(3).collect();
    MiniBoard::from_rows(&rows).expect("a 3x3 board")
}

/// Inputs spread over the whole space, every fourth with six of its cells
/// emptied: boards with few tiles are rare in the space and go on longest.
fn sample(n_boards: u64) -> impl Iterator<Item = Numbers> {
    (0..n_boards).map(|n| {
        // The step has no factor in common with 5^9.
        let mut board = input(n * 1_234_577 % INPUTS);
        if n % 4 == 0 {
            for k in 0..6 {
                board[((n / 4 + k * (1 + n / 8 % 2)) % 9) as usize] = 0;
            }
        }
        board
    })
}

#[test]
fn golden_cases() {
    let mut solver = Solver::new();
    let cases = include_str!("data/ten-moves.jsonl");
    assert_eq!(cases.lines().count(), 300);
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let rows: Vec<Vec<i64>> =
            serde_json::from_value(case["board"].clone()).expect("rows of numbers");
        let best = solver.solve(MiniBoard::from_rows(&rows).expect("a 3x3 board"), HORIZON);
        assert_eq!(i64::from(best.score), case["score"], "{line}");
        assert_eq!(i64::from(best.slides), case["moves"], "{line}");
    }
}

#[test]
fn equal_to_the_literal_search_for_every_horizon() {
    let mut solver = Solver::new();
    for board in sample(SAMPLE) {
        for (horizon, (score, slides)) in (0..).zip(literal_answers(board, HORIZON as usize)) {
            let best = solver.solve(packed(board), horizon);
            assert_eq!(best, Best { score, slides }, "{board:?} horizon {horizon}");
        }
    }
}

#[test]
fn equal_to_the_literal_search_beyond_the_inputs_of_the_task() {
    let mut solver = Solver::new();
    for n in 0..SAMPLE {
        // Tiles up to 128: the sum stays below that of two of 1024.
        let board = input(n * 1_234_577 % INPUTS).map(|tile| tile << (n % 4));
        for (horizon, (score, slides)) in (0..).zip(literal_answers(board, 5)) {
            let best = solver.solve(packed(board), horizon);
            assert_eq!(best, Best { score, slides }, "{board:?} horizon {horizon}");
        }
    }
}

#[test]
fn two_of_the_largest_tile_stay_apart() {
    let board = packed([1024, 1024, 0, 2, 2, 0, 0, 0, 0]);
    let best = Solver::new().solve(board, 1000);
    assert_eq!(
        best,
        Best {
            score: 4,
            slides: 1
        }
    );
}

#[test]
fn the_sequence_is_legal_and_scores_what_was_said() {
    let mut solver = Solver::new();
    for board in sample(4 * SAMPLE) {
        for horizon in [3, HORIZON, 1000] {
            let best = solver.solve(packed(board), horizon);
            let sequence = solver.best_sequence(packed(board), horizon);
            assert_eq!(sequence.len(), best.slides as usize, "{board:?}");
            let mut at = board;
            let mut score = 0;
            for slide in sequence {
                let (after, gain) = naive_slide(at, slide.idx());
                assert_ne!(after, at, "{board:?}: {slide} is not legal");
                at = after;
                score += gain;
            }
            assert_eq!(score, best.score, "{board:?}");
        }
    }
}

#[test]
fn symmetric_boards_have_equal_answers() {
    let mut solver = Solver::new();
    for board in sample(4 * SAMPLE) {
        let best = solver.solve(packed(board), HORIZON);
        for image in packed(board).symmetries() {
            assert_eq!(solver.solve(image, HORIZON), best, "{image:?}");
            assert_eq!(
                solver.best_sequence(image, HORIZON).len(),
                best.slides as usize
            );
        }
    }
}

#[test]
fn a_longer_horizon_is_never_worse_and_ends() {
    let mut solver = Solver::new();
    for board in sample(4 * SAMPLE) {
        let board = packed(board);
        let mut last = Best {
            score: 0,
            slides: 0,
        };
        for horizon in 0..25 {
            let best = solver.solve(board, horizon);
            assert!(best.slides <= horizon);
            assert!(
                best == last || (best.score > last.score && best.slides == horizon),
                "{board:?}: {last:?}, then {best:?} within {horizon}"
            );
            last = best;
        }
        // No input has more than 21 slides to its best: `ten_moves_space`.
        assert_eq!(solver.solve(board, u32::MAX), last, "{board:?}");
    }
}

#[test]
fn a_used_solver_answers_like_a_new_one() {
    let mut used = Solver::new();
    // Two 2s far apart among different tiles: far more boards than an input of
    // the task reaches.
    let wide = packed([2, 4, 8, 16, 32, 64, 2, 0, 0]);
    let wide_best = used.solve(wide, 1000);
    for board in sample(200) {
        let board = packed(board);
        assert_eq!(
            used.solve(board, HORIZON),
            Solver::new().solve(board, HORIZON)
        );
    }
    assert_eq!(used.solve(wide, 1000), wide_best);
    assert_eq!(Solver::new().solve(wide, 1000), wide_best);
}

#[test]
fn totals_are_those_of_a_loop_over_the_space() {
    let mut solver = Solver::new();
    for horizon in [0, 1, 2] {
        // All inputs one by one, not up to symmetry. Longer horizons take
        // seconds: `ten_moves_space`.
        let mut score = 0;
        let mut max = 0;
        let mut by_slides = vec![0; horizon as usize + 1];
        for n in 0..INPUTS {
            let best = solver.solve(packed_input(n), horizon);
            score += best.score as u64;
            max = max.max(best.score);
            by_slides[best.slides as usize] += 1;
        }
        let totals = solve_all(horizon, NonZeroUsize::MIN);
        assert_eq!(totals.boards, INPUTS);
        assert_eq!(totals.score, score);
        assert_eq!(totals.max, max);
        assert_eq!(totals.by_slides, by_slides);
        let slides = (0..).zip(by_slides).map(|(k, count): (u64, u64)| k * count);
        assert_eq!(totals.slides, slides.sum::<u64>());
    }
}

fn packed_input(n: u64) -> MiniBoard {
    let mut rest = n;
    (0..9).fold(MiniBoard::default(), |board, idx| {
        let code = (rest % 5) as u8;
        rest /= 5;
        board.put(idx, code)
    })
}

#[test]
fn totals_do_not_depend_on_the_number_of_threads() {
    for horizon in [0, 1, HORIZON, 1000] {
        let [one, others @ ..] = [1, 2, 3, 100]
            .map(|threads| solve_all(horizon, NonZeroUsize::new(threads).expect("not 0")));
        for other in others {
            assert_eq!(other, one);
        }
    }
}
