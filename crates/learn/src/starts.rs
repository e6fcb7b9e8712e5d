//! Boards from the middle of games, to begin others from.

use afterstate_bitboard::{Board, Grid};
use rand::Rng;
use serde::{Deserialize, Serialize};

use afterstate_play::GameRng;

/// Games that do not begin with an opening, so that the late game is practised
/// as much as the early one.
///
/// Games are cut into segments by the sum of their tiles. Of each segment the
/// boards with which games entered it are kept, the newest ones; a game that is
/// restarted begins with one of them, of any segment with the same chance.
///
/// *Source*: in the spirit of carousel shaping, W. Jaskowski, arXiv 1604.05085,
/// section 4.3, where stages of the network are the segments.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Restarts {
    /// Games of 256 that are restarted.
    pub share: u8,
    /// The sum of tiles by which segments differ.
    pub segment_sum: i64,
}

/// Boards kept of each segment.
const KEPT: usize = 1024;

/// Where games of one worker may begin.
#[derive(Debug)]
pub(crate) struct Starts<G: Grid> {
    restarts: Option<Restarts>,
    pub(crate) rings: Vec<Ring<G>>,
    /// Segments with boards, in the order in which they got their first.
    pub(crate) filled: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Ring<G: Grid> {
    pub(crate) boards: Vec<Board<G>>,
    pub(crate) next: usize,
}

impl<G: Grid> Starts<G> {
    pub(crate) fn new(restarts: Option<Restarts>) -> Starts<G> {
        Starts {
            restarts,
            rings: Vec::new(),
            filled: Vec::new(),
        }
    }

    /// The segment of a board.
    pub(crate) fn segment(&self, board: Board<G>) -> usize {
        self.restarts.map_or(0, |restarts| {
            (board.tile_sum() / restarts.segment_sum) as usize
        })
    }

    /// Keeps the board with which a game entered `segment`.
    pub(crate) fn keep(&mut self, segment: usize, board: Board<G>) {
        while self.rings.len() <= segment {
            self.rings.push(Ring {
                boards: Vec::new(),
                next: 0,
            });
        }
        let ring = &mut self.rings[segment];
        if ring.boards.is_empty() {
            self.filled.push(segment);
        }
        if ring.boards.len() < KEPT {
            ring.boards.push(board);
        } else {
            ring.boards[ring.next] = board;
            ring.next = (ring.next + 1) % KEPT;
        }
    }

    /// The board to begin the next game with; `None` for an opening.
    pub(crate) fn draw(&self, rng: &mut GameRng) -> Option<Board<G>> {
        let restarts = self.restarts?;
        let bits = rng.next_u64();
        if (bits & 0xff) as u8 >= restarts.share || self.filled.is_empty() {
            return None;
        }
        let pick = |bits: u64, n: usize| ((bits & 0xff_ffff) as usize * n) >> 24;
        let ring = &self.rings[self.filled[pick(bits >> 8, self.filled.len())]];
        Some(ring.boards[pick(bits >> 32, ring.boards.len())])
    }
}
