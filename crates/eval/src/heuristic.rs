//! An evaluation made by hand: rows and columns, each looked up.

use afterstate_bitboard::{Board, Grid, LineMap};

use crate::contract::Evaluator;
use crate::line_value::{across_value, along_value, reversed};
use crate::weights::LineWeights;

/// The sum of tabulated values of all rows and columns, for the best of eight
/// formations: the corner where the largest tile should lie, and the edge of
/// it along which the others should follow ([`LineWeights`]).
///
/// Values are whole numbers, so that the sum is the same in whatever order the
/// lines come: symmetric boards have exactly the same value.
#[derive(Debug, Clone)]
pub struct LineHeuristic<G: Grid> {
    rows: Halves<LineMap<G, Formations>>,
    /// None where columns are packed as rows are: the same tables serve both.
    columns: Option<Halves<LineMap<G::Transposed, Formations>>>,
    /// What the number of empty cells is worth.
    crowded: [i32; 17],
    weights: LineWeights,
}

/// What a line is worth in each formation.
///
/// Bit 0 of the index: the corner lies at the end of the first line along, not
/// at its start. Bit 1: the edge is the last line along. Bit 2: not the board's
/// rows lie along the edge but its columns. A table of lines has the values of
/// a row; those of a column come with bit 2 exchanged.
type Formations = [i32; 8];

/// Tables for the first half of the lines, the outermost first. Lines of the
/// other half are the same from the other side.
type Halves<T> = [T; 2];

/// The values of line `number` of `n_lines`, listed from its start.
fn formations<G: Grid>(
    codes: &[u8],
    number: usize,
    n_lines: usize,
    weights: &LineWeights,
) -> Formations {
    let backwards = reversed(codes);
    let listed = [codes, &backwards[..codes.len()]];
    let from_each_side = [number, n_lines - 1 - number];
    let mut values = [0; 8];
    for end in 0..2 {
        for last in 0..2 {
            values[2 * last + end] =
                along_value::<G>(listed[end], from_each_side[last], weights).round() as i32;
            // Of a line across, the corner's side tells its number and the
            // edge's side where it is listed from.
            values[4 + 2 * last + end] =
                across_value::<G>(listed[last], from_each_side[end], weights).round() as i32;
        }
    }
    values
}

fn tabulated<G: Grid>(weights: &LineWeights) -> Halves<LineMap<G, Formations>> {
    let inner = 1.min(G::ROWS - 1);
    [0, inner].map(|number| LineMap::new(|codes| formations::<G>(codes, number, G::ROWS, weights)))
}

/// Adds the values of a line that lies `mirrored` against that of its table:
/// the first line along for it is the last, and so is the first across.
#[inline(always)]
fn add(sum: &mut Formations, values: &Formations, mirrored: bool, exchanged: bool) {
    for (index, total) in sum.iter_mut().enumerate() {
        let index = if exchanged { index ^ 4 } else { index };
        let flipped = if index & 4 == 0 { index ^ 2 } else { index ^ 1 };
        *total += values[if mirrored { flipped } else { index }];
    }
}

#[inline(always)]
fn add_lines<G: Grid>(
    sum: &mut Formations,
    tables: &Halves<LineMap<G, Formations>>,
    n_lines: usize,
    line: impl Fn(usize) -> usize,
    exchanged: bool,
) {
    for number in 0..n_lines {
        let from_end = n_lines - 1 - number;
        let table = &tables[number.min(from_end)];
        add(sum, table.get(line(number)), number > from_end, exchanged);
    }
}

impl<G: Grid> LineHeuristic<G> {
    /// Tabulates the lines of the grid.
    ///
    /// *Cost*: sixteen evaluations for each line; 64 bytes for each slot of the
    /// grid's line tables (4 MiB on boards of four bits a cell, 64 MiB on
    /// boards of five, of which a sixth is ever written), twice where rows and
    /// columns differ in length.
    pub fn new(weights: &LineWeights) -> LineHeuristic<G> {
        let mut crowded = [0; 17];
        for (n_empty, value) in crowded.iter_mut().enumerate() {
            *value = (-weights.crowded / n_empty.max(1) as f32).round() as i32;
        }
        LineHeuristic {
            rows: tabulated(weights),
            columns: (G::ROWS != G::COLS).then(|| tabulated(weights)),
            crowded,
            weights: *weights,
        }
    }
}

impl<G: Grid> Evaluator<G> for LineHeuristic<G> {
    #[inline(always)]
    fn value(&self, after: Board<G>) -> f32 {
        let turned = after.transpose();
        let mut sum = Formations::default();
        add_lines(&mut sum, &self.rows, G::ROWS, |row| after.line(row), false);
        let column = |col| turned.line(col);
        match &self.columns {
            None => add_lines(&mut sum, &self.rows, G::COLS, column, true),
            Some(columns) => add_lines(&mut sum, columns, G::COLS, column, true),
        }
        let best = sum.into_iter().fold(i32::MIN, i32::max);
        (best + self.crowded[after.n_empty() as usize]) as f32
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
