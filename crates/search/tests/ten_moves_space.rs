//! The whole input space of ten moves, board by board.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use afterstate_bitboard::{MiniBoard, Slide};
use afterstate_rules::{MiniRules, Rules};
use afterstate_search::ten_moves::{HORIZON, Solver, solve_all};

/// Every board whose cells are empty, 2, 4, 8 or 16.
fn inputs() -> impl Iterator<Item = MiniBoard> {
    (0..5_u64.pow(9)).map(|n| {
        let mut rest = n;
        (0..9).fold(MiniBoard::default(), |board, idx| {
            let code = (rest % 5) as u8;
            rest /= 5;
            board.put(idx, code)
        })
    })
}

#[test]
fn totals_are_those_of_single_boards() {
    let mut solver = Solver::new();
    for horizon in [3, HORIZON, 1000] {
        let mut score = 0;
        let mut max = 0;
        let mut by_slides = vec![0_u64; 22];
        for board in inputs() {
            let best = solver.solve(board, horizon);
            score += best.score as u64;
            max = max.max(best.score);
            by_slides[best.slides as usize] += 1;
        }
        let mut totals = solve_all(horizon, NonZeroUsize::MIN);
        totals.by_slides.resize(by_slides.len(), 0);
        assert_eq!((totals.score, totals.max), (score, max));
        assert_eq!(totals.by_slides, by_slides);
    }
}

/// The published figures: 94.7 boards on average and at most 676 within ten
/// slides, the input itself included.
#[test]
fn boards_within_ten_slides() {
    let rules = MiniRules::on_grid();
    let mut sum = 0;
    let mut max = 0;
    // Symmetric boards reach equally many, so one of each class is enough.
    for board in inputs().filter(|board| board.canonical() == *board) {
        let mut reached = BTreeSet::from([board]);
        let mut layer = vec![board];
        for _ in 0..HORIZON {
            let mut next = Vec::new();
            for from in layer {
                for slide in Slide::ALL {
                    let after = rules.after(from, slide);
                    if reached.insert(after) {
                        next.push(after);
                    }
                }
            }
            layer = next;
        }
        let images = BTreeSet::from(board.symmetries());
        sum += images.len() * reached.len();
        max = max.max(reached.len());
    }
    let mean = sum as f64 / 5_f64.powi(9);
    assert_eq!(format!("{mean:.1}"), "94.7");
    assert_eq!(max, 676);
}
