use afterstate_bitboard::{MiniBoard, Slide};
use afterstate_rules::{MiniRules, Rules};

use super::classes::{Classes, potential_bound, slide_all};

/// The number of slides in the task.
pub const HORIZON: u32 = 10;

/// The best that can be made of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Best {
    /// The largest score, in points.
    pub score: i32,
    /// The fewest slides with that score.
    pub slides: u32,
}

/// Solves single boards.
///
/// It owns the memory of the search, so keep it for the next board: solving
/// allocates nothing once the memory has grown to what the boards need.
///
/// ```
/// use afterstate_bitboard::MiniBoard;
/// use afterstate_search::ten_moves::{Best, HORIZON, Solver};
///
/// let mut solver = Solver::new();
/// let board: MiniBoard = "2 2 . / 2 2 . / . . 8".replace('/', "\n").parse()?;
/// let best = solver.solve(board, HORIZON);
/// assert_eq!(best, Best { score: 32, slides: 3 });
/// assert_eq!(solver.best_sequence(board, HORIZON).len(), 3);
/// # Ok::<(), afterstate_bitboard::BoardError>(())
/// ```
pub struct Solver {
    rules: MiniRules,
    classes: Classes,
    nodes: Vec<Node>,
}

/// A reached board, up to symmetry.
#[derive(Clone, Copy)]
struct Node {
    board: MiniBoard,
    /// Index of the node it was first reached from.
    parent: u32,
}

impl Solver {
    /// A solver that has not solved anything.
    pub fn new() -> Solver {
        Solver {
            rules: MiniRules::on_grid(),
            // No input of the task takes more than 221 boards up to symmetry,
            // whatever the horizon (counted over the whole input space), so
            // that the set never grows for them.
            classes: Classes::with_slots(512),
            nodes: Vec::with_capacity(256),
        }
    }

    /// The best score of at most `horizon` slides from `board`, and the fewest
    /// slides to it.
    ///
    /// *Range*: any board. Two tiles of 1024 stay apart, as in the rules.
    ///
    /// *Cost*: proportional to the number of boards within `horizon` slides, up
    /// to symmetry; a horizon beyond the last new board costs nothing more.
    pub fn solve(&mut self, board: MiniBoard, horizon: u32) -> Best {
        self.search(board, horizon).0
    }

    /// One sequence of slides that is best for `board`: as many slides as
    /// [`Solver::solve`] says, with the score that it says. The same for the
    /// same board at any time.
    ///
    /// *Cost*: that of [`Solver::solve`].
    pub fn best_sequence(&mut self, board: MiniBoard, horizon: u32) -> Vec<Slide> {
        let (best, mut idx) = self.search(board, horizon);
        let mut way = Vec::with_capacity(best.slides as usize);
        while idx != 0 {
            way.push(self.nodes[idx].board);
            idx = self.nodes[idx].parent as usize;
        }
        let mut at = board;
        way.into_iter()
            .rev()
            .map(|class| {
                let (slide, after) = Slide::ALL
                    .into_iter()
                    .filter_map(|slide| Some((slide, self.rules.apply(at, slide)?.board)))
                    .find(|(_, after)| after.canonical() == class)
                    .expect("symmetric boards have symmetric successors");
                at = after;
                slide
            })
            .collect()
    }

    /// The best, and the index of the node where it is reached.
    fn search(&mut self, board: MiniBoard, horizon: u32) -> (Best, usize) {
        let bound = potential_bound(board.tile_sum()) as i32;
        let start = board.potential() as i32;
        let root = board.canonical();
        self.classes.clear();
        self.classes.enter(root);
        self.nodes.clear();
        self.nodes.push(Node {
            board: root,
            parent: 0,
        });
        let mut best = Best {
            score: 0,
            slides: 0,
        };
        let mut best_idx = 0;
        if start == bound {
            return (best, best_idx);
        }
        let mut layer = 0..1;
        for slides in 1..=horizon {
            for idx in layer.clone() {
                let from = self.nodes[idx].board;
                for after in slide_all(self.rules, from) {
                    if !self.classes.enter(after).1 {
                        continue;
                    }
                    let potential = after.potential() as i32;
                    if potential - start > best.score {
                        best_idx = self.nodes.len();
                        best = Best {
                            score: potential - start,
                            slides,
                        };
                    }
                    self.nodes.push(Node {
                        board: after,
                        parent: idx as u32,
                    });
                    if potential == bound {
                        return (best, best_idx);
                    }
                }
            }
            layer = layer.end..self.nodes.len();
            if layer.is_empty() {
                break;
            }
        }
        (best, best_idx)
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}
