//! A network that plays.

use core::marker::PhantomData;

use afterstate_bitboard::{Akioi, Board, Classic, FullNibbles, Grid, Nibbles};
use afterstate_eval::Evaluator;

use crate::downgrade::{codes, downgraded, downgraded_word};
use crate::grid::TupleGrid;
use crate::index::{Indices, TupleIndex};
use crate::lookup::sums;
use crate::memory::Memory;
use crate::pattern::PatternSet;

/// Which weights a board is valued by: those of its stage, by its largest tile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stages {
    exponents: Vec<u8>,
}

impl Stages {
    /// A new stage begins where the largest tile is 2 to the power of each of
    /// these, which ascend.
    pub fn new(exponents: Vec<u8>) -> Stages {
        debug_assert!(exponents.is_sorted());
        Stages { exponents }
    }

    /// Number of stages.
    pub fn n_stages(&self) -> usize {
        self.exponents.len() + 1
    }

    /// The exponents of the tiles with which stages begin.
    pub fn exponents(&self) -> &[u8] {
        &self.exponents
    }

    /// The stage of a board, from 0.
    #[inline(always)]
    pub fn of<G: TupleGrid>(&self, board: Board<G>) -> usize {
        if self.exponents.is_empty() {
            return 0;
        }
        let top = board.top_exponent() as u8;
        self.exponents
            .iter()
            .filter(|&&exponent| top >= exponent)
            .count()
    }

    /// The stages of four boards.
    #[inline(always)]
    pub fn of_all<G: TupleGrid>(&self, boards: &[Board<G>; 4]) -> [usize; 4] {
        boards.map(|board| self.of(board))
    }
}

/// A network of n-tuples.
///
/// Weights are whole numbers of [`Network::unit`] each, so that a value does not
/// depend on the order in which they are added, and with it not on how the board
/// lies.
#[derive(Debug)]
pub struct Network<G> {
    index: TupleIndex,
    patterns: PatternSet,
    stages: Stages,
    weights: Memory,
    unit: f32,
    ends: Ends,
    top: u8,
    grid: PhantomData<G>,
}

/// What a network was trained to take the ends of a game for, in its units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    /// How much a point of gain counts.
    pub gain_weight: f32,
    /// The value of a board that clears the game.
    pub cleared: f32,
}

impl<G: TupleGrid> Network<G> {
    /// A network of zeros, whose weights are multiples of `unit`.
    ///
    /// Boards with a tile above 2 to the power of `top` are looked at as if it
    /// were smaller, where the game has tiles beyond those of `G`.
    ///
    /// *Cost*: two bytes a weight and stage, taken as they are written.
    ///
    /// *Errors*: the system has not that much memory to give.
    pub fn zeroed(
        patterns: PatternSet,
        stages: Stages,
        unit: f32,
        ends: Ends,
        top: u8,
    ) -> std::io::Result<Network<G>> {
        let index = TupleIndex::new::<G>(&patterns);
        let weights = Memory::zeroed::<i16>(index.n_weights() * stages.n_stages())?;
        Ok(Network {
            index,
            patterns,
            stages,
            weights,
            unit,
            ends,
            top,
            grid: PhantomData,
        })
    }

    /// Its patterns.
    pub fn patterns(&self) -> &PatternSet {
        &self.patterns
    }

    /// Its stages.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// What a weight of 1 is worth.
    pub fn unit(&self) -> f32 {
        self.unit
    }

    /// What it takes gains and ends for.
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// The exponent of the largest tile that it was trained with.
    pub fn top(&self) -> u8 {
        self.top
    }

    /// Where its tuples lie.
    pub fn index(&self) -> &TupleIndex {
        &self.index
    }

    /// Its weights, one stage after the other.
    pub fn weights(&self) -> &[i16] {
        self.weights.items()
    }

    /// Its weights, to write.
    pub fn weights_mut(&mut self) -> &mut [i16] {
        self.weights.items_mut()
    }

    /// The values of four boards at once, in the network's units.
    #[inline]
    pub fn values_of(&self, boards: &[Board<G>; 4]) -> [f32; 4] {
        let mut indices = Indices::default();
        self.index
            .of(boards, self.stages.of_all(boards), &mut indices);
        sums(self.weights(), &indices).map(|sum| sum as f32 * self.unit)
    }
}

/// Boards as a network takes them: as they are, or with large tiles downgraded.
pub trait Seen<B: Grid>: TupleGrid {
    /// The board that stands for `board` where tiles above 2 to the power of
    /// `top` are unknown.
    fn seen(board: Board<B>, top: u8) -> Board<Self>;
}

impl Seen<Akioi> for Akioi {
    #[inline(always)]
    fn seen(board: Board<Akioi>, _top: u8) -> Board<Akioi> {
        board
    }
}

impl<const R: usize, const C: usize> Seen<Nibbles<R, C>> for Nibbles<R, C> {
    #[inline(always)]
    fn seen(board: Board<Nibbles<R, C>>, top: u8) -> Board<Nibbles<R, C>> {
        if board.top_exponent() <= u32::from(top) {
            return board;
        }
        Board::of_word(downgraded_word(board.word(), top))
    }
}

/// Where larger tiles spawn than 4, there are larger ones than a network of mini
/// has ever seen.
impl Seen<FullNibbles<3, 3>> for Nibbles<3, 3> {
    #[inline(always)]
    fn seen(board: Board<FullNibbles<3, 3>>, _top: u8) -> Board<Nibbles<3, 3>> {
        if board.top_exponent() <= u32::from(Self::TOP_EXPONENT) {
            return Board::of_word(board.word());
        }
        downgraded(codes::<_, 9>(board), Self::TOP_EXPONENT)
    }
}

impl Seen<Classic> for Nibbles<4, 4> {
    #[inline(always)]
    fn seen(board: Board<Classic>, top: u8) -> Board<Nibbles<4, 4>> {
        downgraded(codes::<_, 16>(board), top)
    }
}

impl<B: Grid, G: Seen<B>> Evaluator<B> for Network<G> {
    /// Indices are reckoned for four boards in the time of one.
    const BATCHED: bool = true;

    fn value(&self, after: Board<B>) -> f32 {
        self.values_of(&[G::seen(after, self.top); 4])[0]
    }

    #[inline]
    fn values(&self, afters: &[Board<B>; 4]) -> [f32; 4] {
        self.values_of(&afters.map(|after| G::seen(after, self.top)))
    }

    fn over_value(&self) -> f32 {
        0.0
    }

    fn cleared_value(&self) -> f32 {
        self.ends.cleared
    }

    fn gain_weight(&self) -> f32 {
        self.ends.gain_weight
    }
}
