use std::collections::BTreeMap;

use afterstate_bitboard::{Board, Slide};

use crate::rules::Rules;
use crate::spawn::Spawns;

/// How many ways lead through a game from a board; see [`perft`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerftCounts {
    /// Ways to an afterstate of the last ply.
    pub afterstates: u64,
    /// Ways to a board after the spawn of the last ply.
    pub boards: u64,
}

/// Counts the ways of `depth` plies (each a legal slide and a spawn of any tile
/// in any empty cell) from `board`, as path counts: a board reached in two
/// ways counts twice. A slide that clears the game has an afterstate and no
/// spawn.
///
/// Depth 0 has no afterstate and one board.
///
/// *Cost*: in time and memory proportional to the number of different boards,
/// which are counted once with the number of ways that lead to them.
pub fn perft<R: Rules>(
    rules: R,
    spawns: &Spawns<R::Grid>,
    board: Board<R::Grid>,
    depth: u32,
) -> PerftCounts {
    let mut boards = BTreeMap::from([(board, 1_u64)]);
    let mut n_afterstates = 0;
    for _ in 0..depth {
        let mut afterstates = BTreeMap::new();
        for (&board, &ways) in &boards {
            if rules.is_cleared(board) {
                continue;
            }
            for slide in Slide::ALL {
                if let Some(after) = rules.apply(board, slide) {
                    *afterstates.entry(after.board).or_insert(0) += ways;
                }
            }
        }
        n_afterstates = afterstates.values().sum();
        boards = BTreeMap::new();
        let playing = |after: &Board<R::Grid>| !rules.is_cleared(*after);
        for (&after, &ways) in afterstates.iter().filter(|(after, _)| playing(after)) {
            for idx in after.empty_cells() {
                for kind in spawns.kinds() {
                    *boards.entry(after.put(idx, kind.code)).or_insert(0) += ways;
                }
            }
        }
    }
    PerftCounts {
        afterstates: n_afterstates,
        boards: boards.values().sum(),
    }
}
