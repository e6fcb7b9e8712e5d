//! How far a search looks, and what it leaves out.

use afterstate_bitboard::{Board, Grid};

/// How far a search looks, and what it leaves out.
///
/// ```
/// use afterstate_search::{Depth, Limits};
///
/// let exact = Limits::to_depth(3);
/// assert!(exact.is_exact());
/// let quick = Limits { min_probability: 1e-3, ..Limits::to_depth(5) };
/// assert!(!quick.is_exact());
/// let steady = Limits { depth: Depth::Adaptive { least: 2, most: 6 }, ..quick };
/// # let _ = steady;
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Plies.
    pub depth: Depth,
    /// Boards to look at, cached ones not counted; `None` for no limit. The
    /// search deepens ply by ply and answers from the deepest depth that it
    /// finished; depth 1 is always finished.
    pub max_nodes: Option<u64>,
    /// Afterstates that are reached with a smaller probability than this, as
    /// the product of the odds of all spawns on the way, are not searched on
    /// but evaluated as they are. 0 prunes nothing.
    pub min_probability: f32,
    /// Spawns of a kind with less than a quarter of the weight are looked at
    /// only this often on any way; after that the mean is taken over the
    /// other kinds. `u32::MAX` prunes nothing.
    pub max_rare_spawns: u32,
}

/// How many plies a search looks ahead. One ply looks at the afterstates of
/// the board's slides only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Always this many, 1 to 255.
    Fixed(u32),
    /// Between these, more where more is at stake: see [`Depth::plies`].
    Adaptive {
        /// The fewest plies, at least 1.
        least: u32,
        /// The most plies, at most 255.
        most: u32,
    },
}

impl Depth {
    /// The plies for a board.
    ///
    /// Adaptive depth is the least depth plus one for every second different
    /// tile above three, and one more when no more than two cells are empty: a
    /// board with many different tiles takes long to tidy up, and a full one
    /// is soon lost. A guess, held by the table of depths in
    /// `docs/experiments.md`.
    pub fn plies<G: Grid>(self, board: Board<G>) -> u32 {
        match self {
            Depth::Fixed(plies) => plies,
            Depth::Adaptive { least, most } => {
                let seen = board.cells().fold(0_u32, |seen, code| seen | 1 << code);
                let n_different = (seen & !1).count_ones();
                let crowded = u32::from(board.n_empty() <= 2);
                (least + n_different.saturating_sub(3) / 2 + crowded).min(most)
            }
        }
    }

    /// The most plies for any board.
    pub fn most(self) -> u32 {
        match self {
            Depth::Fixed(plies) => plies,
            Depth::Adaptive { most, .. } => most,
        }
    }
}

impl Limits {
    /// A search to exactly `plies` plies that leaves nothing out.
    pub fn to_depth(plies: u32) -> Limits {
        Limits {
            depth: Depth::Fixed(plies),
            max_nodes: None,
            min_probability: 0.0,
            max_rare_spawns: u32::MAX,
        }
    }

    /// Whether every value is the exact expectation to its depth.
    pub fn is_exact(self) -> bool {
        self.min_probability <= 0.0 && self.max_rare_spawns == u32::MAX
    }
}
