//! Numbers of distinct states and afterstates by tile sum, against published
//! and independently computed figures.
//!
//! A state is a board before the player's slide, over boards and openings
//! included; an afterstate is the board after a legal slide. Spawns are the
//! `standard` ones, and an opening has two spawned tiles. Figures reproduced
//! by others: shoover/demos `docs/2048-perfect-play.md`, DomTheDeveloper's
//! 2048-undo `research/state-space/expected.json`, and jdlm.info, "The
//! mathematics of 2048".

use std::collections::BTreeMap;

use afterstate_bitboard::{Board, Grid, Mini, Nibbles};
use afterstate_rules::{ClassicRules, Rules, ValueGrid};
use afterstate_testkit::{NaiveBoard, NaiveRules, empty_board, spawned, symmetries, tile_sum};

use crate::enumeration::{distinct, openings, short_of, spawn_all};

/// The boards of one tile sum.
struct Layer<G: Grid> {
    states: Vec<Board<G>>,
    afterstates: Vec<Board<G>>,
}

fn up_to_symmetry<G: Grid>(boards: &[Board<G>]) -> usize {
    distinct(boards.iter().map(|board| board.canonical()).collect()).len()
}

/// The layers of tile sum 4, 6, 8 … of the game on `G`, until `max_sum` or the
/// end of all games.
fn layers<G: ValueGrid>(max_sum: i64) -> Vec<Layer<G>>
where
    G::Transposed: ValueGrid,
{
    let rules = ClassicRules::<G>::on_grid();
    let mut waiting = openings();
    let mut layers = Vec::new();
    while let Some((sum, states)) = waiting.pop_first() {
        if sum > max_sum {
            break;
        }
        assert_eq!(sum, 4 + 2 * layers.len() as i64, "no layer is left out");
        let states = distinct(states);
        let mut afterstates = Vec::new();
        for &state in &states {
            let made = rules.apply_all(state).into_iter().flatten();
            afterstates.extend(made.map(|made| made.board));
        }
        let afterstates = distinct(afterstates);
        spawn_all(&afterstates, &mut waiting);
        layers.push(Layer {
            states,
            afterstates,
        });
    }
    layers
}

/// Sums over the layers: states, states up to symmetry, afterstates, the same
/// up to symmetry, and over states up to symmetry.
fn totals<G: ValueGrid>() -> [usize; 5]
where
    G::Transposed: ValueGrid,
{
    let rules = ClassicRules::<G>::on_grid();
    let mut totals = [0; 5];
    for layer in layers::<G>(i64::MAX) {
        let is_over = |&board: &Board<G>| !rules.has_legal_slide(board);
        let over: Vec<_> = layer.states.iter().copied().filter(is_over).collect();
        let counts = [
            layer.states.len(),
            up_to_symmetry(&layer.states),
            layer.afterstates.len(),
            up_to_symmetry(&layer.afterstates),
            up_to_symmetry(&over),
        ];
        for (total, count) in totals.iter_mut().zip(counts) {
            *total += count;
        }
    }
    totals
}

fn counts<G: Grid>(layers: &[Layer<G>], count: impl Fn(&Layer<G>) -> usize) -> Vec<usize> {
    layers.iter().map(count).collect()
}

#[test]
fn two_by_two() {
    assert_eq!(totals::<Nibbles<2, 2>>(), [662, 110, 464, 67, 36]);
    let layers = layers::<Nibbles<2, 2>>(34);
    assert_eq!(
        counts(&layers, |layer| up_to_symmetry(&layer.states)),
        [2, 3, 4, 5, 7, 5, 4, 3, 6, 6, 6, 4, 5, 3, 2, 2]
    );
}

#[test]
fn two_by_three_and_its_transpose() {
    let expected = [85_844, 21_752, 59_038, 14_883, 4_484];
    assert_eq!(totals::<Nibbles<2, 3>>(), expected);
    assert_eq!(totals::<Nibbles<3, 2>>(), expected);
}

#[test]
fn three_by_three_by_tile_sum() {
    let layers = layers::<Mini>(34);
    assert_eq!(
        counts(&layers, |layer| up_to_symmetry(&layer.states)),
        [
            8, 22, 43, 79, 143, 218, 330, 477, 692, 938, 1255, 1586, 1990, 2386, 2919, 3410
        ]
    );
}

#[test]
fn four_by_four_by_tile_sum() {
    fn check<G: ValueGrid>()
    where
        G::Transposed: ValueGrid,
    {
        // The largest layers take most of the time and show nothing new.
        let n_layers = if cfg!(debug_assertions) { 8 } else { 11 };
        let all = [
            120, 508, 1292, 3044, 6600, 13208, 25140, 45420, 79584, 135_572, 224_660,
        ];
        let states = [21, 68, 170, 386, 838, 1659, 3163, 5693, 9985, 16978, 28143];
        let afterstates = [6, 10, 27, 54, 114, 217, 403, 717, 1267, 2142, 3540];
        let layers = layers::<G>(2 + 2 * n_layers as i64);
        assert_eq!(counts(&layers, |layer| layer.states.len()), all[..n_layers]);
        assert_eq!(
            counts(&layers, |layer| up_to_symmetry(&layer.states)),
            states[..n_layers]
        );
        assert_eq!(
            counts(&layers, |layer| up_to_symmetry(&layer.afterstates)),
            afterstates[..n_layers]
        );
    }
    check::<Nibbles<4, 4>>();
    check::<afterstate_bitboard::Classic>();
}

/// jdlm.info counts states that are alive and have not reached the goal. Its
/// count of 4x4 to 16 is in the long tier (`states_to_16.rs`).
#[test]
fn until_a_goal() {
    assert_eq!(short_of::<Nibbles<2, 2>>(32), [57, 18]);
    // 2 and 4 like a chessboard: nothing else fills the board and merges nothing.
    assert_eq!(short_of::<Nibbles<4, 4>>(8), [84_659, 1]);
}

/// The smallest game once more, with nothing but the twin.
#[test]
fn two_by_two_by_the_twin() {
    let naive = NaiveRules::Classic { top: i32::MAX };
    let openings = spawned(&empty_board(2, 2), &[2, 4]);
    let mut waiting: Vec<NaiveBoard> = Vec::new();
    for board in openings {
        waiting.extend(spawned(&board, &[2, 4]));
    }
    let mut states: BTreeMap<NaiveBoard, ()> = BTreeMap::new();
    let mut afterstates: BTreeMap<NaiveBoard, ()> = BTreeMap::new();
    while let Some(board) = waiting.pop() {
        if states.insert(board.clone(), ()).is_some() {
            continue;
        }
        for (_, after, _) in naive.afterstates(&board) {
            assert_eq!(tile_sum(&after), tile_sum(&board));
            waiting.extend(spawned(&after, &[2, 4]));
            afterstates.insert(after, ());
        }
    }
    let least = |board: &NaiveBoard| symmetries(board).remove(0);
    let over = states.keys().filter(|board| naive.is_over(board));
    assert_eq!(states.len(), 662);
    assert_eq!(distinct(states.keys().map(least).collect()).len(), 110);
    assert_eq!(afterstates.len(), 464);
    assert_eq!(distinct(afterstates.keys().map(least).collect()).len(), 67);
    assert_eq!(distinct(over.map(least).collect()).len(), 36);
}
