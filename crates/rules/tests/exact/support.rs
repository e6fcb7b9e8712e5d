//! What several of the modules need.

use afterstate_bitboard::{Board, Grid, Slide};
use afterstate_rules::{Afterstate, Rules, Status};
use afterstate_testkit::{Direction, NaiveBoard, NaiveRules};

/// The naive name of a slide.
pub(crate) fn direction(slide: Slide) -> Direction {
    let named = |direction: &Direction| direction.name() == slide.name();
    let found = Direction::ALL.into_iter().find(named);
    found.expect("both crates have the same four slides")
}

/// The packed form of a naive board.
pub(crate) fn packed<G: Grid>(rows: &NaiveBoard) -> Board<G> {
    let wide: Vec<Vec<i64>> = rows
        .iter()
        .map(|row| row.iter().copied().map(i64::from).collect())
        .collect();
    match Board::from_rows(&wide) {
        Ok(board) => board,
        Err(error) => panic!("{rows:?}: {error}"),
    }
}

/// A board from its text, rows divided by ` / `.
pub(crate) fn board<G: Grid>(text: &str) -> Board<G> {
    match text.replace(" / ", "\n").parse() {
        Ok(board) => board,
        Err(error) => panic!("{text}: {error}"),
    }
}

/// Asserts that all that the rules say of a board is what the twin says.
pub(crate) fn assert_twins<R: Rules>(rules: R, naive: NaiveRules, board: Board<R::Grid>) {
    let rows = board.to_rows();
    let all = rules.apply_all(board);
    for slide in Slide::ALL {
        let (after_rows, gain) = naive.slide(&rows, direction(slide));
        let after: Board<R::Grid> = packed(&after_rows);
        assert_eq!(rules.after(board, slide), after, "{rows:?} {slide}");
        let naive_gain = i32::try_from(gain).expect("a gain of four lines fits");
        assert_eq!(rules.gain(board, slide), naive_gain, "{rows:?} {slide}");
        let legal = (after_rows != rows).then_some(Afterstate {
            board: after,
            gain: naive_gain,
        });
        assert_eq!(rules.apply(board, slide), legal, "{rows:?} {slide}");
        assert_eq!(all[slide.idx()], legal, "{rows:?} {slide}");
    }
    let is_blocked = naive.afterstates(&rows).is_empty();
    assert_eq!(rules.has_legal_slide(board), !is_blocked, "{rows:?}");
    let status = match (naive.is_cleared(&rows), naive.is_over(&rows)) {
        (true, _) => Status::Cleared,
        (false, true) => Status::Over,
        (false, false) => Status::Playing,
    };
    assert_eq!(rules.status(board), status, "{rows:?}");
    assert_eq!(rules.is_cleared(board), status == Status::Cleared);
}

/// A small generator (SplitMix64), so that every run tests the same games.
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    /// A number below `n`, nearly uniform.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (((mixed >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A random board: any tile in any cell, a cell in `emptiness` empty.
    pub(crate) fn board<G: Grid>(&mut self, emptiness: u32) -> Board<G> {
        let mut board = Board::default();
        for idx in 0..G::CELLS {
            if self.below(emptiness) > 0 {
                board = board.with_cell(idx, self.below(G::CELL_KINDS as u32) as u8);
            }
        }
        board
    }
}
