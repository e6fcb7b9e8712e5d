//! Spawns, counts of paths, and whole random games.

use crate::boards::{NaiveBoard, empty_board, empty_cells};
use crate::slides::NaiveRules;

/// Every board that a spawn can make of an afterstate: for each empty cell in
/// order, each of the tiles in order.
pub fn spawned(after: &NaiveBoard, tiles: &[i32]) -> Vec<NaiveBoard> {
    let mut boards = Vec::new();
    for (row, col) in empty_cells(after) {
        for &tile in tiles {
            let mut board = after.clone();
            board[row][col] = tile;
            boards.push(board);
        }
    }
    boards
}

/// How many ways lead to the afterstates and to the boards of a ply; see
/// [`count_paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathCounts {
    /// Ways to an afterstate.
    pub afterstates: u64,
    /// Ways to a board after the spawn.
    pub boards: u64,
}

/// Walks every way of `depth` plies from `board`, one by one, and counts those
/// to an afterstate and to a board of the last ply. Nothing spawns on a cleared
/// board. Depth 0 has no afterstate and one board.
///
/// *Cost*: proportional to the number of ways; no memory.
pub fn count_paths(rules: NaiveRules, tiles: &[i32], board: &NaiveBoard, depth: u32) -> PathCounts {
    if depth == 0 {
        return PathCounts {
            afterstates: 0,
            boards: 1,
        };
    }
    let mut counts = PathCounts::default();
    if rules.is_cleared(board) {
        return counts;
    }
    for (_, after, _) in rules.afterstates(board) {
        if depth == 1 {
            counts.afterstates += 1;
        }
        if rules.is_cleared(&after) {
            continue;
        }
        for next in spawned(&after, tiles) {
            let below = count_paths(rules, tiles, &next, depth - 1);
            counts.afterstates += below.afterstates;
            counts.boards += below.boards;
        }
    }
    counts
}

/// What became of a random game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NaivePlayout {
    /// The last board.
    pub board: NaiveBoard,
    /// The sum of the gains.
    pub score: i64,
    /// The number of slides.
    pub n_slides: u64,
    /// The number of 4s spawned, those of the opening not counted.
    pub n_fours: u64,
}

/// An empty board with two tiles spawned one after the other.
///
/// `weights` lists tiles with their weights; `below(n)` draws a uniform number
/// below `n`.
pub fn opening(
    n_rows: usize,
    n_cols: usize,
    weights: &[(i32, u32)],
    below: &mut impl FnMut(u32) -> u32,
) -> NaiveBoard {
    let mut board = empty_board(n_rows, n_cols);
    spawn(&mut board, weights, below);
    spawn(&mut board, weights, below);
    board
}

/// Plays from `board` to the end: each slide uniform among the legal ones, each
/// spawn in a uniform empty cell. Arguments are as for [`opening`].
pub fn playout(
    rules: NaiveRules,
    board: NaiveBoard,
    weights: &[(i32, u32)],
    below: &mut impl FnMut(u32) -> u32,
) -> NaivePlayout {
    let mut game = NaivePlayout {
        board,
        score: 0,
        n_slides: 0,
        n_fours: 0,
    };
    while !rules.is_cleared(&game.board) {
        let mut legal = rules.afterstates(&game.board);
        if legal.is_empty() {
            break;
        }
        let chosen = below(legal.len() as u32) as usize;
        let (_, after, gain) = legal.swap_remove(chosen);
        game.board = after;
        game.score += gain;
        game.n_slides += 1;
        // The slide that clears is the last thing that happens in a game.
        if !rules.is_cleared(&game.board) && spawn(&mut game.board, weights, below) == 4 {
            game.n_fours += 1;
        }
    }
    game
}

/// Puts a random tile into a random empty cell and returns its number.
fn spawn(
    board: &mut NaiveBoard,
    weights: &[(i32, u32)],
    below: &mut impl FnMut(u32) -> u32,
) -> i32 {
    let cells = empty_cells(board);
    let (row, col) = cells[below(cells.len() as u32) as usize];
    let mut draw = below(weights.iter().map(|&(_, weight)| weight).sum());
    for &(tile, weight) in weights {
        if draw < weight {
            board[row][col] = tile;
            return tile;
        }
        draw -= weight;
    }
    unreachable!("the draw is below the sum of the weights")
}
