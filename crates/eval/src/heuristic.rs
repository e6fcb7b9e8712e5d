//! An evaluation made by hand: rows and columns, each looked up.

use afterstate_bitboard::{Board, Grid, LineMap, MAX_LINE};

use crate::contract::Evaluator;

/// What the features of a line are worth, in arbitrary units. A line is listed
/// from the edge where the largest tiles should lie.
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
    /// Taken off where a cell is followed by a larger tile: the difference of
    /// the fourth powers of the exponents.
    pub rise4: f32,
    /// The same with squares, by which small tiles count for more.
    pub rise2: f32,
    /// Taken off for each exponent by which two neighboring tiles differ.
    pub rough: f32,
    /// Taken off for each tile, times its exponent to the power 3.5: from two
    /// 32s on, the same sum in fewer tiles is better.
    pub sum: f32,
    /// Taken off when no slide is legal.
    pub lost: f32,
    /// For clearing the game (akioi).
    pub cleared: f32,
    /// For each point of gain.
    pub gain: f32,
}

impl LineWeights {
    /// Weights for the 4x4 classic board.
    ///
    /// Tuned by CMA-ES at depth 2 (docs/experiments.md, 2026-11-30); `empty`
    /// sets the scale, `lost` and `cleared` are guesses.
    pub const CLASSIC: LineWeights = LineWeights {
        empty: 300.0,
        merge: 658.7,
        multiply: 0.0,
        multiplier: 0.0,
        rise4: 1.15,
        rise2: 22.97,
        rough: 15.74,
        sum: 3.397,
        lost: 204_000.0,
        cleared: 200_000.0,
        gain: 0.0,
    };

    /// Weights for the 3x3 board, tuned likewise.
    pub const MINI: LineWeights = LineWeights {
        merge: 750.4,
        rise4: 2.304,
        rise2: 36.7,
        rough: 18.62,
        sum: 2.361,
        lost: 112_300.0,
        ..LineWeights::CLASSIC
    };

    /// Weights for akioi, tuned likewise at depth 1.
    pub const AKIOI: LineWeights = LineWeights {
        merge: 606.0,
        multiply: 97.73,
        multiplier: 21.95,
        rise4: 0.3783,
        rise2: 5.591,
        rough: 88.25,
        sum: 0.0343,
        gain: 1.745,
        lost: 310_500.0,
        ..LineWeights::CLASSIC
    };
}

/// The sum of tabulated values of all rows and columns.
///
/// Rows are valued listed from the left and from the right, and the better sum
/// counts; columns likewise. All rows thus agree on the side where large tiles
/// should lie, and so do the columns: together they mean a corner.
///
/// Values are whole numbers, so that the sum is the same in whatever order the
/// lines come: symmetric boards have exactly the same value.
#[derive(Debug, Clone)]
pub struct LineHeuristic<G: Grid> {
    rows: LineMap<G, BothWays>,
    columns: LineMap<G::Transposed, BothWays>,
    weights: LineWeights,
}

/// A line's value listed from its start and from its end.
#[derive(Debug, Clone, Copy, Default)]
struct BothWays {
    from_start: i32,
    from_end: i32,
}

impl BothWays {
    fn of_line<G: Grid>(codes: &[u8], weights: &LineWeights) -> BothWays {
        let mut reversed = [0; MAX_LINE];
        let reversed = &mut reversed[..codes.len()];
        reversed.copy_from_slice(codes);
        reversed.reverse();
        BothWays {
            from_start: line_value::<G>(codes, weights),
            from_end: line_value::<G>(reversed, weights),
        }
    }

    #[inline(always)]
    fn best_of_sum(lines: impl Iterator<Item = BothWays>) -> i32 {
        let mut sum = BothWays::default();
        for line in lines {
            sum.from_start += line.from_start;
            sum.from_end += line.from_end;
        }
        sum.from_start.max(sum.from_end)
    }
}

impl<G: Grid> LineHeuristic<G> {
    /// Tabulates the lines of the grid.
    ///
    /// *Cost*: two evaluations for each line; 8 bytes for each slot of the
    /// grid's line tables, twice (16 MiB on 80-bit boards).
    pub fn new(weights: &LineWeights) -> LineHeuristic<G> {
        LineHeuristic {
            rows: LineMap::new(|codes| BothWays::of_line::<G>(codes, weights)),
            columns: LineMap::new(|codes| BothWays::of_line::<G::Transposed>(codes, weights)),
            weights: *weights,
        }
    }
}

impl<G: Grid> Evaluator<G> for LineHeuristic<G> {
    #[inline(always)]
    fn value(&self, after: Board<G>) -> f32 {
        let turned = after.transpose();
        let rows = BothWays::best_of_sum((0..G::ROWS).map(|row| self.rows.get(after.line(row))));
        let columns =
            BothWays::best_of_sum((0..G::COLS).map(|col| self.columns.get(turned.line(col))));
        (rows + columns) as f32
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

/// The value of a line listed from the edge where large tiles should lie.
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
            value -= weights.sum * exponent * exponent * exponent * exponent.sqrt();
        }
    }
    value += neighbors::<G>(codes, weights);
    for pair in codes.windows(2) {
        // A multiplier is passed over: it will not stay.
        if pair.iter().all(|&code| G::number(code) >= 0) {
            let [first, second] = [pair[0], pair[1]].map(exponent::<G>);
            if second > first {
                value -= weights.rise4 * (second.pow(4) - first.pow(4)) as f32;
                value -= weights.rise2 * (second.pow(2) - first.pow(2)) as f32;
            }
        }
    }
    value.round() as i32
}

/// What pairs of tiles with only empty cells between them are worth.
fn neighbors<G: Grid>(codes: &[u8], weights: &LineWeights) -> f32 {
    let mut value = 0.0;
    let mut last: Option<u8> = None;
    for &code in codes.iter().filter(|&&code| code != 0) {
        if let Some(last) = last {
            let multipliers = [last, code].map(|code| G::number(code) < 0);
            let exponents = [last, code].map(exponent::<G>);
            if last == code {
                value += weights.merge;
            } else if multipliers[0] != multipliers[1] {
                let largest = exponents[0].max(exponents[1]);
                value += weights.multiply * largest.saturating_sub(1) as f32;
            } else if !multipliers[0] {
                value -= weights.rough * exponents[0].abs_diff(exponents[1]) as f32;
            }
        }
        last = Some(code);
    }
    value
}
