//! Random draws, exact in their odds and the same everywhere.

use afterstate_bitboard::{Board, Grid, potential};
use afterstate_rules::Spawns;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of every random decision: named after its algorithm, so that
/// a seed means the same games in every release.
pub type GameRng = Xoshiro256PlusPlus;

/// The generator of a seed.
pub fn rng_of_seed(seed: u64) -> GameRng {
    GameRng::seed_from_u64(seed)
}

/// One 64-bit draw, spent digit by digit in mixed radix.
///
/// A ply needs a cell, a tile and, in random play, a slide: together fewer
/// than 2^33 outcomes, so one draw serves for all. The probability of each
/// outcome is off by less than one part in 2^30.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw(u64);

impl Draw {
    #[inline(always)]
    pub(crate) fn new(rng: &mut GameRng) -> Draw {
        Draw(rng.next_u64())
    }

    /// A number below `radix`, uniform; what is left serves the next digit.
    #[inline(always)]
    pub(crate) fn digit(&mut self, radix: u32) -> u32 {
        let wide = u128::from(self.0) * u128::from(radix);
        self.0 = wide as u64;
        (wide >> 64) as u32
    }
}

/// A spawning tile as random play needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TileKind {
    pub(crate) code: u8,
    /// The potential of the tile, in points.
    pub(crate) potential: u32,
}

/// Draws spawning tiles by their weights.
#[derive(Debug, Clone)]
pub(crate) struct TileDraw {
    /// As many entries for each tile as its weight says.
    tiles: Vec<TileKind>,
}

impl TileDraw {
    pub(crate) fn new<G: Grid>(spawns: &Spawns<G>) -> TileDraw {
        let tiles = spawns.kinds().iter().flat_map(|kind| {
            let tile = TileKind {
                code: kind.code,
                potential: potential(kind.number) as u32,
            };
            core::iter::repeat_n(tile, kind.weight as usize)
        });
        TileDraw {
            tiles: tiles.collect(),
        }
    }

    #[inline(always)]
    pub(crate) fn kind(&self, draw: &mut Draw) -> TileKind {
        let point = draw.digit(self.tiles.len() as u32);
        self.tiles[point as usize]
    }
}

/// Where a tile appeared, and which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spawned {
    /// Cell index, row by row from the top left, 0-based.
    pub cell: usize,
    /// Cell code on the grid.
    pub code: u8,
}

/// Draws the random part of one game: its opening and its spawns.
#[derive(Debug, Clone)]
pub struct Spawner<G: Grid> {
    rng: GameRng,
    tiles: TileDraw,
    opening_code: Option<u8>,
    grid: core::marker::PhantomData<G>,
}

impl<G: Grid> Spawner<G> {
    /// The spawns of the game with this seed.
    pub fn new(spawns: &Spawns<G>, seed: u64) -> Spawner<G> {
        Spawner {
            rng: rng_of_seed(seed),
            tiles: TileDraw::new(spawns),
            opening_code: spawns.opening_code(),
            grid: core::marker::PhantomData,
        }
    }

    /// The spawns that come next, as far as the generator determines them.
    pub fn rng(&self) -> &GameRng {
        &self.rng
    }

    /// Goes on with another generator: one that was kept.
    pub fn set_rng(&mut self, rng: GameRng) {
        self.rng = rng;
    }

    /// The two tiles a game starts with, in the order they appear.
    pub fn opening(&mut self) -> [Spawned; 2] {
        let mut board = Board::<G>::default();
        [(); 2].map(|()| {
            let mut spawned = self.spawn(board);
            spawned.code = self.opening_code.unwrap_or(spawned.code);
            board = board.put(spawned.cell, spawned.code);
            spawned
        })
    }

    /// A tile in a uniformly random empty cell of `board`, by the weights of
    /// the spawn set.
    ///
    /// *Panics*: in debug builds, when no cell is empty.
    #[inline]
    pub fn spawn(&mut self, board: Board<G>) -> Spawned {
        debug_assert!(board.n_empty() > 0, "a tile spawns in an empty cell");
        let mut draw = Draw::new(&mut self.rng);
        let cell = board.nth_empty(draw.digit(board.n_empty()));
        Spawned {
            cell,
            code: self.tiles.kind(&mut draw).code,
        }
    }
}
