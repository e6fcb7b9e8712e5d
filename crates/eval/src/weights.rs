//! What the features of a line are worth.

/// What the features of lines are worth, in arbitrary units.
///
/// A board is valued in eight ways, and the best counts: with each of its four
/// corners as the place of the largest tile, and either edge of that corner as
/// the line of the largest tiles. The lines that lie *along* that edge are
/// numbered from it (0 is the edge itself) and listed from the side of the
/// corner; the lines *across* are numbered from the corner and listed from the
/// edge.
///
/// Weights that come in threes are for the edge line, the other lines along,
/// and the lines across. A *rise* from one cell to the next larger one is the
/// difference of their exponents to the power 3.5, plus
/// [`LineWeights::rise2`] times that of their squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineWeights {
    /// For each empty cell of a line.
    pub empty: f32,
    /// Taken off once for the board, divided by its number of empty cells.
    pub crowded: f32,
    /// For each pair of neighbors that would merge.
    pub merge: [f32; 3],
    /// More for such a pair for each exponent of its tiles.
    pub merge_growth: f32,
    /// For each exponent by which the value of a multiplier's neighbor exceeds
    /// 2 (akioi).
    pub multiply: f32,
    /// Taken off for each multiplier on the line, whatever lies beside it.
    pub multiplier: f32,
    /// Taken off for each exponent by which two neighboring tiles differ.
    pub rough: [f32; 3],
    /// For each pair of neighbors of which one is the double of the other.
    pub chain: [f32; 3],
    /// Taken off for rises on the edge line, by the cell they start from.
    pub edge: [f32; 3],
    /// Taken off for rises on the other lines along, by line.
    pub falling: [f32; 3],
    /// The same for the line listed from its other end: rows of a snake.
    pub rising: [f32; 3],
    /// Taken off for the smaller of both, by line.
    pub unordered: [f32; 3],
    /// Taken off for rises on the lines across, by line.
    pub across: [f32; 4],
    /// The rises of a line across count these times, by the cell they start
    /// from.
    pub across_pair: [f32; 3],
    /// How much the squares count in a rise: they are what small tiles feel.
    pub rise2: f32,
    /// Taken off for each tile, times the cube of its exponent, by line along.
    pub sum_along: [f32; 4],
    /// The same by line across.
    pub sum_across: [f32; 4],
    /// For an edge line without empty cells on which each tile is smaller than
    /// the one before.
    pub full: f32,
    /// More for it for each exponent of its last tile.
    pub full_last: f32,
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
    /// sets the scale.
    pub const CLASSIC: LineWeights = LineWeights {
        empty: 300.0,
        crowded: 1550.8,
        merge: [1003.4, 543.0, 652.6],
        merge_growth: 16.81,
        multiply: 0.0,
        multiplier: 0.0,
        rough: [0.5878, 27.0, 5.063],
        chain: [-86.2, 72.5, 113.7],
        edge: [2.602, 3.447, 4.261],
        falling: [1.707, 2.387, 0.578],
        rising: [2.901, 1.61, 0.0],
        unordered: [2.313, 1.91, 1.91],
        across: [1.451, 4.204, 6.872, 2.802],
        across_pair: [1.0, 1.451, 1.113],
        rise2: 7.07,
        sum_along: [10.7, 11.6, 17.0, 14.5],
        sum_across: [11.5, 15.9, 15.5, 9.967],
        full: 697.4,
        full_last: 39.47,
        lost: 340_893.0,
        cleared: 200_000.0,
        gain: 0.0,
    };

    /// Weights for the 3x3 board, tuned likewise.
    pub const MINI: LineWeights = LineWeights {
        crowded: 635.08,
        merge: [875.12, 371.12, 1506.88],
        merge_growth: 0.0122,
        rough: [5.467, 3.994, 0.176],
        chain: [-288.56, 12.86, 7.74],
        edge: [1.595, 21.30, 12.49],
        falling: [13.36, 1.448, 0.0],
        rising: [1.929, 11.30, 0.0],
        unordered: [9.98, 0.492, 0.0],
        across: [1.802, 14.74, 3.162, 0.0],
        across_pair: [1.0, 1.41, 1.161],
        rise2: 1.132,
        sum_along: [3.511, 28.90, 80.07, 0.0],
        sum_across: [2.161, 30.98, 55.60, 0.0],
        full: 671.2,
        full_last: 150.3,
        lost: 779_119.0,
        ..LineWeights::CLASSIC
    };

    /// Weights for akioi, tuned likewise.
    pub const AKIOI: LineWeights = LineWeights {
        crowded: 2077.1,
        merge: [462.2, 415.2, 1679.2],
        merge_growth: 1.283,
        multiply: 270.56,
        multiplier: 0.8438,
        rough: [0.5702, 689.3, 1.792],
        chain: [-31.39, 0.5226, 327.76],
        edge: [11.459, 18.784, 38.324],
        falling: [2.722, 6.979, -0.235],
        rising: [7.121, 4.438, 0.0],
        unordered: [0.784, 1.023, 11.81],
        across: [6.168, 7.943, 13.41, 9.395],
        across_pair: [1.0, 1.566, 0.579],
        rise2: 1.763,
        sum_along: [2.877, 11.63, 24.50, 53.67],
        sum_across: [11.38, 1.883, 1.057, 0.692],
        full: 63.28,
        full_last: 162.2,
        lost: 324_900.0,
        gain: 20.785,
        ..LineWeights::CLASSIC
    };

    /// Every weight with its name; those of a list are numbered: `edge.0`.
    pub fn by_name(&mut self) -> Vec<(String, &mut f32)> {
        fn numbered<'a>(
            name: &'static str,
            weights: &'a mut [f32],
        ) -> impl Iterator<Item = (String, &'a mut f32)> {
            let named = weights.iter_mut().enumerate();
            named.map(move |(number, weight)| (format!("{name}.{number}"), weight))
        }
        // Taken apart by name, so that no weight is forgotten.
        let LineWeights {
            empty,
            crowded,
            merge,
            merge_growth,
            multiply,
            multiplier,
            rough,
            chain,
            edge,
            falling,
            rising,
            unordered,
            across,
            across_pair,
            rise2,
            sum_along,
            sum_across,
            full,
            full_last,
            lost,
            cleared,
            gain,
        } = self;
        let single = [
            ("empty", empty),
            ("crowded", crowded),
            ("merge_growth", merge_growth),
            ("multiply", multiply),
            ("multiplier", multiplier),
            ("rise2", rise2),
            ("full", full),
            ("full_last", full_last),
            ("lost", lost),
            ("cleared", cleared),
            ("gain", gain),
        ];
        let single = single.map(|(name, weight)| (name.to_owned(), weight));
        single
            .into_iter()
            .chain(numbered("merge", merge))
            .chain(numbered("rough", rough))
            .chain(numbered("chain", chain))
            .chain(numbered("edge", edge))
            .chain(numbered("falling", falling))
            .chain(numbered("rising", rising))
            .chain(numbered("unordered", unordered))
            .chain(numbered("across", across))
            .chain(numbered("across_pair", across_pair))
            .chain(numbered("sum_along", sum_along))
            .chain(numbered("sum_across", sum_across))
            .collect()
    }
}
