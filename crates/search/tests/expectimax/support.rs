//! What several of the modules need.

use afterstate_bitboard::{Board, Grid};
use afterstate_eval::Evaluator;
use afterstate_testkit::{NaiveBoard, NaiveRules, empty_cells};

/// A board from its text, rows divided by ` / `.
pub(crate) fn board<G: Grid>(text: &str) -> Board<G> {
    match text.replace(" / ", "\n").parse() {
        Ok(board) => board,
        Err(error) => panic!("{text}: {error}"),
    }
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

/// The output function of SplitMix64.
pub(crate) fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A small generator (SplitMix64), so that every run tests the same boards.
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    /// A number below `n`, nearly uniform.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (((mixed(self.0) >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// An evaluator that gives every board up to symmetry a number of its own, so
/// that a search which looks at one wrong board is found out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scrambled {
    gain_weight: f32,
    rise_weight: f32,
}

impl Scrambled {
    /// One that counts a point of gain this much.
    pub(crate) fn with_gains(gain_weight: f32) -> Scrambled {
        Scrambled {
            gain_weight,
            rise_weight: 0.0,
        }
    }

    /// One that counts a doubled largest tile this much, and no gains.
    pub(crate) fn with_rises(rise_weight: f32) -> Scrambled {
        Scrambled {
            gain_weight: 0.0,
            rise_weight,
        }
    }
}

/// What [`Scrambled`] says of a board that is over: far from all other values.
pub(crate) const OVER: f32 = -3000.0;

/// What it says of a board that clears the game.
pub(crate) const CLEARED: f32 = 7000.0;

impl<G: Grid> Evaluator<G> for Scrambled {
    fn value(&self, after: Board<G>) -> f32 {
        let (low, high) = after.canonical().key();
        (mixed(low ^ mixed(u64::from(high))) >> 52) as f32
    }

    fn over_value(&self) -> f32 {
        OVER
    }

    fn cleared_value(&self) -> f32 {
        CLEARED
    }

    fn gain_weight(&self) -> f32 {
        self.gain_weight
    }

    fn rise_weight(&self) -> f32 {
        self.rise_weight
    }
}

/// Boards of one random game with the naive rules: the opening and every
/// board after a spawn, the last one included.
pub(crate) fn boards_of_game<G: Grid>(
    naive: NaiveRules,
    weights: &[(i32, u32)],
    seed: u64,
) -> Vec<Board<G>> {
    let mut draws = Draws(seed);
    let mut rows = afterstate_testkit::opening(G::ROWS, G::COLS, weights, &mut |n| draws.below(n));
    let mut boards = vec![packed(&rows)];
    loop {
        let mut legal = naive.afterstates(&rows);
        if naive.is_cleared(&rows) || legal.is_empty() {
            return boards;
        }
        rows = legal
            .swap_remove(draws.below(legal.len() as u32) as usize)
            .1;
        let cells = empty_cells(&rows);
        let (row, col) = cells[draws.below(cells.len() as u32) as usize];
        let total = weights.iter().map(|&(_, weight)| weight).sum();
        let mut point = draws.below(total);
        let tile = weights.iter().find(|&&(_, weight)| {
            let found = point < weight;
            point = point.saturating_sub(weight);
            found
        });
        rows[row][col] = tile.expect("a point lies in some weight").0;
        boards.push(packed(&rows));
    }
}
