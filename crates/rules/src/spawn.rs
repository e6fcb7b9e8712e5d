//! Which tiles spawn, as data. RULES sections 1 and 3.

use core::fmt;
use std::borrow::Cow;

use afterstate_bitboard::{Grid, tile_text};

/// How a game starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Two tiles spawned one after the other as during the game.
    TwoSpawned,
    /// Two tiles with this number on two different random cells.
    TwoOf(i32),
}

/// A named set of spawning tiles with their weights, and the opening.
///
/// Weights need not add up to a round number: a tile's probability is its
/// weight divided by the sum.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpawnSet {
    name: Cow<'static, str>,
    weights: Cow<'static, [(i32, u32)]>,
    opening: Opening,
}

impl SpawnSet {
    /// Classic and mini: 2 with 0.9, 4 with 0.1; two spawned tiles.
    pub const STANDARD: SpawnSet =
        SpawnSet::named("standard", &[(2, 9), (4, 1)], Opening::TwoSpawned);
    /// The contest: 2 with 0.75, 4 with 0.25; two 2s.
    pub const CONTEST: SpawnSet = SpawnSet::named("contest", &[(2, 3), (4, 1)], Opening::TwoOf(2));
    /// Akioi by the published guide, whose figures add up to 0.991.
    pub const GUIDE: SpawnSet = SpawnSet::named(
        "guide",
        &[(2, 7830), (4, 780), (-1, 1118), (-2, 182)],
        Opening::TwoSpawned,
    );
    /// Akioi as the live game draws it: ×2 gets what the guide leaves over.
    pub const LIVE: SpawnSet = SpawnSet::named(
        "live",
        &[(2, 7830), (4, 780), (-1, 1118), (-2, 272)],
        Opening::TwoSpawned,
    );
    /// All named sets.
    pub const ALL: [SpawnSet; 4] = [
        SpawnSet::STANDARD,
        SpawnSet::CONTEST,
        SpawnSet::GUIDE,
        SpawnSet::LIVE,
    ];

    const fn named(
        name: &'static str,
        weights: &'static [(i32, u32)],
        opening: Opening,
    ) -> SpawnSet {
        SpawnSet {
            name: Cow::Borrowed(name),
            weights: Cow::Borrowed(weights),
            opening,
        }
    }

    /// A set of one's own. Numbers are as in [`tile_text`].
    pub fn new(name: &str, weights: &[(i32, u32)], opening: Opening) -> SpawnSet {
        SpawnSet {
            name: Cow::Owned(name.to_owned()),
            weights: Cow::Owned(weights.to_vec()),
            opening,
        }
    }

    /// The name of the set.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tile numbers with their weights, in the order of the set.
    pub fn weights(&self) -> &[(i32, u32)] {
        &self.weights
    }

    /// How a game starts.
    pub fn opening(&self) -> Opening {
        self.opening
    }

    /// The largest number of the set and of its opening.
    pub fn largest(&self) -> i32 {
        let opening = match self.opening {
            Opening::TwoSpawned => i32::MIN,
            Opening::TwoOf(number) => number,
        };
        let numbers = self.weights.iter().map(|&(number, _)| number);
        numbers.fold(opening, i32::max)
    }

    /// The set as cell codes of grid `G`.
    ///
    /// *Errors*: a tile that the grid does not have, an empty cell or a tile
    /// twice as a spawn, a weight of 0, no tile at all, or weights whose sum
    /// is not below 2^24.
    pub fn on_grid<G: Grid>(&self) -> Result<Spawns<G>, SpawnSetError> {
        let mut kinds: Vec<Spawn> = Vec::with_capacity(self.weights.len());
        let mut total: u32 = 0;
        for &(number, weight) in self.weights.iter() {
            let code = code_of_spawn::<G>(number)?;
            if weight == 0 || kinds.iter().any(|kind| kind.code == code) {
                return Err(SpawnSetError::Weight { number, weight });
            }
            total = total.saturating_add(weight);
            kinds.push(Spawn {
                code,
                number,
                weight,
            });
        }
        if total == 0 || total >= 1 << 24 {
            return Err(SpawnSetError::Total { total });
        }
        let opening_code = match self.opening {
            Opening::TwoSpawned => None,
            Opening::TwoOf(number) => Some(code_of_spawn::<G>(number)?),
        };
        Ok(Spawns {
            kinds,
            total,
            opening_code,
            grid: core::marker::PhantomData,
        })
    }
}

fn code_of_spawn<G: Grid>(number: i32) -> Result<u8, SpawnSetError> {
    G::code(i64::from(number))
        .filter(|&code| code != 0)
        .ok_or(SpawnSetError::Tile { number })
}

/// Why a spawn set cannot be used on a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpawnSetError {
    /// The grid has no such tile.
    Tile {
        /// Its number.
        number: i32,
    },
    /// A weight of 0, or a tile listed twice.
    Weight {
        /// The tile's number.
        number: i32,
        /// Its weight.
        weight: u32,
    },
    /// No tiles, or weights that add up to 2^24 or more.
    Total {
        /// The sum of the weights.
        total: u32,
    },
}

impl fmt::Display for SpawnSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpawnSetError::Tile { number } => {
                write!(f, "`{}` cannot spawn on this board", tile_text(*number))
            }
            SpawnSetError::Weight { number, weight } => write!(
                f,
                "tile {} with weight {weight}: expected each tile once, with a weight of 1 or more",
                tile_text(*number)
            ),
            SpawnSetError::Total { total } => {
                write!(f, "weights add up to {total}, expected 1 to 16777215")
            }
        }
    }
}

impl std::error::Error for SpawnSetError {}

/// One tile that may spawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spawn {
    /// Its cell code on the grid.
    pub code: u8,
    /// Its number.
    pub number: i32,
    /// Its weight; the probability is weight / [`Spawns::total`].
    pub weight: u32,
}

/// A [`SpawnSet`] as cell codes of one grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawns<G: Grid> {
    kinds: Vec<Spawn>,
    total: u32,
    opening_code: Option<u8>,
    grid: core::marker::PhantomData<G>,
}

impl<G: Grid> Spawns<G> {
    /// The tiles that may spawn, in the order of the set; at least one.
    #[inline(always)]
    pub fn kinds(&self) -> &[Spawn] {
        &self.kinds
    }

    /// The sum of the weights.
    #[inline(always)]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The tile of which a game starts with two, where the opening is fixed;
    /// `None` where two tiles spawn.
    pub fn opening_code(&self) -> Option<u8> {
        self.opening_code
    }

    /// The same spawns as cell codes of another grid; `None` where that lacks
    /// one of the tiles.
    pub fn on_grid<H: Grid>(&self) -> Option<Spawns<H>> {
        let moved = |code| H::code(i64::from(G::number(code)));
        let kinds = self
            .kinds
            .iter()
            .map(|kind| moved(kind.code).map(|code| Spawn { code, ..*kind }));
        let opening_code = match self.opening_code {
            Some(code) => Some(moved(code)?),
            None => None,
        };
        Some(Spawns {
            kinds: kinds.collect::<Option<_>>()?,
            total: self.total,
            opening_code,
            grid: core::marker::PhantomData,
        })
    }

    /// The largest number that may spawn.
    pub fn max_number(&self) -> i32 {
        self.kinds.iter().map(|kind| kind.number).max().unwrap_or(0)
    }
}
