//! Playing and judging by a table.

use std::sync::Arc;

use afterstate_bitboard::{Board, FullNibbles, Grid, Slide};
use afterstate_play::Agent;
use afterstate_rules::{ClassicRules, Rules};
use afterstate_search::exact::Table;
use serde::{Deserialize, Serialize};

/// The mini board as tables have it: with the tiles of all games, whatever
/// spawns.
type FullMini = FullNibbles<3, 3>;

/// The table of the mini game, as all workers of a process share it.
pub(crate) type MiniTable = Arc<Table<ClassicRules<FullMini>>>;

/// The board of code that is generic over variants but runs for mini alone.
pub(crate) fn mini_board<G: Grid>(board: Board<G>) -> Board<FullMini> {
    debug_assert_eq!((G::ROWS, G::COLS), (3, 3), "tables are of the mini board");
    Board::of_word(board.key().0)
}

/// Chooses the slide of the highest value in a table, the first in the order of
/// [`Slide::ALL`] among equals.
pub(crate) struct ExactAgent(pub(crate) MiniTable);

impl<R: Rules> Agent<R> for ExactAgent {
    fn start(&mut self, _seed: u64) {}

    fn choose(&mut self, _rules: R, board: Board<R::Grid>) -> Slide {
        let values = self.0.slide_values(mini_board(board));
        best(&values.expect("a table has every board of a game")).unwrap_or(Slide::Up)
    }
}

/// The slide of the highest value, the first among equals.
pub(crate) fn best(values: &[Option<f64>; 4]) -> Option<Slide> {
    let mut best: Option<(f64, Slide)> = None;
    for (slide, value) in Slide::ALL.into_iter().zip(values) {
        if let Some(value) = *value
            && best.is_none_or(|(highest, _)| value > highest)
        {
            best = Some((value, slide));
        }
    }
    best.map(|(_, slide)| slide)
}

/// How the slides of a game compare with the best ones.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Number of slides that were optimal.
    pub optimal: u32,
    /// What all slides together cost, in expected points. Its mean over games is
    /// the optimum less the mean score.
    pub loss: f32,
}

/// Slides are optimal that cost no more than rounding, in points.
const ROUNDING: f64 = 1e-9;

impl Judged {
    /// Adds a slide.
    ///
    /// *Panics*: when the slide is not legal, or no game comes to the board.
    pub(crate) fn add(&mut self, table: &MiniTable, board: Board<FullMini>, slide: Slide) {
        let values = table
            .slide_values(board)
            .expect("a table has every board of a game");
        let best = values.into_iter().flatten().fold(0.0, f64::max);
        let cost = best - values[slide.idx()].expect("an agent chooses a legal slide");
        if cost <= ROUNDING {
            self.optimal += 1;
        } else {
            self.loss += cost as f32;
        }
    }
}
