//! An evaluation made by hand: rows and columns, each looked up.

use afterstate_bitboard::{Board, Grid, LineMap};

use crate::contract::Evaluator;

/// What the features of a line are worth, in arbitrary units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineWeights {
    /// For each empty cell.
    pub empty: f32,
    /// For each pair of neighbors that would merge: equal tiles.
    pub merge: f32,
    /// For each exponent by which the value of a multiplier's neighbor exceeds
    /// 2 (akioi).
    pub multiply: f32,
    /// Taken off for each multiplier on the line, whatever lies beside it.
    pub multiplier: f32,
    /// Taken off for each step against the better direction of the line, times
    /// the difference of the fourth powers of the exponents.
    pub monotonicity: f32,
    /// Taken off for each tile, times its exponent to the power 3.5: the same
    /// sum in fewer tiles is better.
    pub sum: f32,
    /// Taken off when no slide is legal.
    pub lost: f32,
    /// For clearing the game (akioi).
    pub cleared: f32,
    /// For each point of gain.
    pub gain: f32,
}

impl LineWeights {
    /// Weights for the 4x4 classic board. A guess, to be tuned.
    pub const CLASSIC: LineWeights = LineWeights {
        empty: 300.0,
        merge: 700.0,
        multiply: 0.0,
        multiplier: 0.0,
        monotonicity: 45.0,
        sum: 10.0,
        lost: 1_500_000.0,
        cleared: 1_500_000.0,
        gain: 0.0,
    };

    /// Weights for the 3x3 board. A guess, to be tuned.
    pub const MINI: LineWeights = LineWeights::CLASSIC;

    /// Weights for akioi. A guess, to be tuned.
    pub const AKIOI: LineWeights = LineWeights {
        multiply: 60.0,
        multiplier: 300.0,
        ..LineWeights::CLASSIC
    };
}

/// The sum of tabulated values of all rows and columns.
///
/// Values are whole numbers, so that the sum is the same in whatever order the
/// lines come: symmetric boards have exactly the same value.
#[derive(Debug, Clone)]
pub struct LineHeuristic<G: Grid> {
    rows: LineMap<G, i32>,
    columns: LineMap<G::Transposed, i32>,
    weights: LineWeights,
}

impl<G: Grid> LineHeuristic<G> {
    /// Tabulates the lines of the grid.
    ///
    /// *Cost*: one evaluation for each line; 4 bytes for each slot of
    /// the grid's line tables, twice (8 MiB on 80-bit boards).
    pub fn new(weights: &LineWeights) -> LineHeuristic<G> {
        LineHeuristic {
            rows: LineMap::new(|codes| line_value::<G>(codes, weights)),
            columns: LineMap::new(|codes| line_value::<G::Transposed>(codes, weights)),
            weights: *weights,
        }
    }
}

impl<G: Grid> Evaluator<G> for LineHeuristic<G> {
    #[inline(always)]
    fn value(&self, after: Board<G>) -> f32 {
        let turned = after.transpose();
        let mut sum = 0;
        for row in 0..G::ROWS {
            sum += self.rows.get(after.line(row));
        }
        for column in 0..G::COLS {
            sum += self.columns.get(turned.line(column));
        }
        sum as f32
    }

    fn over_value(&self) -> f32 {
        -self.weights.lost
    }

    fn cleared_value(&self) -> f32 {
        self.weights.cleared
    }

    fn gain_weight(&self) -> f32 {
        self.weights.gain
    }
}

/// The exponent of a value tile; 0 for empty cells and multipliers.
fn exponent<G: Grid>(code: u8) -> u32 {
    let number = G::number(code);
    if number > 0 { number.ilog2() } else { 0 }
}

fn line_value<G: Grid>(codes: &[u8], weights: &LineWeights) -> i32 {
    let mut value = 0.0;
    for &code in codes {
        let number = G::number(code);
        if number == 0 {
            value += weights.empty;
        } else if number < 0 {
            value -= weights.multiplier;
        } else {
            let exponent = exponent::<G>(code) as f32;
            // Exponent to the power 3.5: a square root is exactly rounded on
            // every platform, a general power is not.
            value -= weights.sum * exponent.powi(3) * exponent.sqrt();
        }
    }
    value += neighbors::<G>(codes, weights);
    value -= weights.monotonicity * disorder::<G>(codes);
    value.round() as i32
}

/// What pairs of tiles with only empty cells between them are worth.
fn neighbors<G: Grid>(codes: &[u8], weights: &LineWeights) -> f32 {
    let mut value = 0.0;
    let mut last: Option<u8> = None;
    for &code in codes.iter().filter(|&&code| code != 0) {
        if let Some(last) = last {
            let multipliers = [last, code].map(|code| G::number(code) < 0);
            if last == code {
                value += weights.merge;
            } else if multipliers[0] != multipliers[1] {
                let exponent = exponent::<G>(last).max(exponent::<G>(code));
                value += weights.multiply * exponent.saturating_sub(1) as f32;
            }
        }
        last = Some(code);
    }
    value
}

/// How far the value tiles of a line are from falling, or from rising,
/// whichever is less; multipliers and empty cells are passed over.
fn disorder<G: Grid>(codes: &[u8]) -> f32 {
    let mut falls = 0.0;
    let mut rises = 0.0;
    let fourth = |code: u8| (exponent::<G>(code) as f32).powi(4);
    for pair in codes.windows(2) {
        if pair.iter().any(|&code| G::number(code) < 0) {
            continue;
        }
        let step = fourth(pair[1]) - fourth(pair[0]);
        if step > 0.0 {
            rises += step;
        } else {
            falls -= step;
        }
    }
    if falls < rises { falls } else { rises }
}
