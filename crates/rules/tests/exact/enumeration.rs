//! Boards from spawns and slides, sum by sum of tiles.

#![allow(dead_code, reason = "each test program takes what it needs")]

use std::collections::BTreeMap;

use afterstate_bitboard::{Board, Grid};
use afterstate_rules::{ClassicRules, Rules, ValueGrid};

/// Each board once, ascending.
pub(crate) fn distinct<T: Ord>(mut boards: Vec<T>) -> Vec<T> {
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// Every board that a spawn makes of these, with its tile sum.
pub(crate) fn spawn_all<G: Grid>(boards: &[Board<G>], into: &mut BTreeMap<i64, Vec<Board<G>>>) {
    for &board in boards {
        for idx in board.empty_cells() {
            for code in [1, 2] {
                let next = board.put(idx, code);
                into.entry(next.tile_sum()).or_default().push(next);
            }
        }
    }
}

/// The boards of two spawned tiles, by tile sum.
pub(crate) fn openings<G: Grid>() -> BTreeMap<i64, Vec<Board<G>>> {
    let mut single = BTreeMap::new();
    spawn_all(&[Board::default()], &mut single);
    let mut openings = BTreeMap::new();
    for boards in single.values() {
        spawn_all(boards, &mut openings);
    }
    openings
}

/// The states short of a goal, up to symmetry: how many are alive, and how many
/// are over. No layer is kept.
pub(crate) fn short_of<G: ValueGrid>(goal: i32) -> [usize; 2]
where
    G::Transposed: ValueGrid,
{
    let rules = ClassicRules::<G>::on_grid();
    let classes_short_of_goal = |boards: Vec<Board<G>>| {
        let short = boards.into_iter().filter(|board| board.largest() < goal);
        distinct(short.map(Board::canonical).collect())
    };
    let mut waiting = openings();
    let mut counts = [0; 2];
    while let Some((_, states)) = waiting.pop_first() {
        let mut afterstates = Vec::new();
        for state in classes_short_of_goal(states) {
            let n_before = afterstates.len();
            let made = rules.apply_all(state).into_iter().flatten();
            afterstates.extend(made.map(|made| made.board));
            counts[usize::from(afterstates.len() == n_before)] += 1;
        }
        spawn_all(&classes_short_of_goal(afterstates), &mut waiting);
    }
    counts
}
