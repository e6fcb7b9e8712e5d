//! A search on the layout of fewer bits where it is exact: the values and nodes
//! of the wide one, on boards far below, at and above the bound.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use afterstate_bitboard::{Classic, ClassicBoard, NarrowBoard, Nibbles};
use afterstate_eval::{Aimed, LineHeuristic, LineWeights, Objective};
use afterstate_rules::{AkioiRules, ClassicRules, NarrowRules, Rules, SpawnSet};
use afterstate_search::{Depth, Expectimax, Limits, NarrowFirst, Search};
use afterstate_testkit::NaiveRules;

use crate::support::{board, boards_of_game};

/// Boards around the bound: a tile sum of 65536 and a bit less, and more.
const LARGE: [&str; 7] = [
    "32768 32768 . . / . . . . / . 2 . . / . . . .",
    "32768 16384 8192 4096 / 2048 1024 512 256 / 128 64 32 16 / 8 4 . .",
    "32768 16384 8192 4096 / 2048 1024 512 256 / 128 64 32 16 / 8 . 2 .",
    "32768 16384 8192 4096 / 4096 . . . / . . . . / . . 2 .",
    "16384 16384 16384 8192 / 4096 2 . 2 / . . . . / . . . .",
    "65536 2 4 8 / 2 4 8 16 / 4 8 16 32 / . . . 64",
    "65536 65536 4 8 / 2 4 8 16 / 4 8 16 32 / . . . 64",
];

fn limits() -> [Limits; 5] {
    let adaptive = Limits {
        depth: Depth::Adaptive { least: 1, most: 3 },
        ..Limits::to_depth(3)
    };
    let budget = Limits {
        max_nodes: Some(700),
        ..Limits::to_depth(4)
    };
    [
        Limits::to_depth(1),
        Limits::to_depth(2),
        Limits::to_depth(3),
        adaptive,
        budget,
    ]
}

#[test]
fn narrow_searches_are_equal_to_the_bit() {
    let wide_heuristic = Arc::new(LineHeuristic::<Classic>::new(&LineWeights::CLASSIC));
    let heuristic = Arc::new(LineHeuristic::<Nibbles<4, 4>>::new(&LineWeights::CLASSIC));
    let spawns = SpawnSet::STANDARD.on_grid().expect("classic tiles");
    let narrow_spawns = spawns.on_grid().expect("2 and 4 are small");
    let mut boards: Vec<ClassicBoard> = LARGE.iter().map(|text| board(text)).collect();
    let of_games = boards_of_game(NaiveRules::CLASSIC, SpawnSet::STANDARD.weights(), 3);
    boards.extend(of_games.into_iter().rev().step_by(11));
    boards.retain(|board| board.n_empty() <= 10);
    for limits in limits() {
        for objective in [Objective::Score, Objective::Largest] {
            let wide = {
                let heuristic = Arc::clone(&wide_heuristic);
                let spawns = spawns.clone();
                move || {
                    let aimed = Aimed::new(Arc::clone(&heuristic), objective);
                    Expectimax::new(ClassicRules::new(), &spawns, aimed, limits).with_cache(10)
                }
            };
            let aimed = Aimed::new(Arc::clone(&heuristic), objective);
            let narrow = Expectimax::new(NarrowRules::on_grid(), &narrow_spawns, aimed, limits);
            let n_made = Arc::new(AtomicUsize::new(0));
            let counted = {
                let (wide, n_made) = (wide.clone(), Arc::clone(&n_made));
                move || {
                    n_made.fetch_add(1, Ordering::Relaxed);
                    wide()
                }
            };
            let mut search = NarrowFirst::<ClassicRules, _, _>::new(
                narrow.with_cache(10),
                counted,
                limits.depth,
                &spawns,
            );
            for &board in boards.iter().rev() {
                // Each board by itself, since the two layouts share no cache.
                let mut alone = wide();
                search.forget();
                let n_before = search.n_nodes();
                let values = search
                    .values(board)
                    .values
                    .map(|value| value.map(f32::to_bits));
                let expected = alone
                    .values(board)
                    .values
                    .map(|value| value.map(f32::to_bits));
                assert_eq!(values, expected, "{limits:?} {objective} {board:?}");
                if limits.max_nodes.is_some() {
                    assert_eq!(search.n_nodes() - n_before, alone.n_nodes(), "{board:?}");
                }
                let stopped = search.values_until(board, &mut || true);
                assert_eq!(stopped, alone.values_until(board, &mut || true));
            }
            assert_eq!(n_made.load(Ordering::Relaxed), 1, "made once, when needed");
        }
    }
}

/// The bound is where a 65536 could be made, and no 64-bit board is asked for
/// what it does not have.
#[test]
fn boards_are_narrow_as_far_as_that_is_exact() {
    let narrow = |board: ClassicBoard, n_slides| ClassicRules::narrow_board(board, n_slides, 4);
    let at = |idx: usize| -> ClassicBoard { board(LARGE[idx]) };
    assert_eq!(narrow(at(0), 1), None);
    // A tile sum of 65532: one spawn of 4 more makes 65536 possible.
    assert_eq!(at(1).tile_sum(), 65_532);
    assert_eq!(narrow(at(1), 0).map(ClassicBoard::from), Some(at(1)));
    assert_eq!(narrow(at(1), 1), None);
    assert_eq!(at(2).tile_sum(), 65_530);
    assert_eq!(narrow(at(2), 1).map(ClassicBoard::from), Some(at(2)));
    assert_eq!(narrow(at(2), 2), None);
    assert_eq!(narrow(at(5), 0), None);
    let small: ClassicBoard = board("2 4 . . / . . . . / . . . . / . . . .");
    assert!(narrow(small, 255).is_some());
    assert_eq!(narrow(small, u32::MAX), None);
    assert!(ClassicRules::new().narrow().is_some());
    assert!(NarrowRules::on_grid().narrow().is_none());
    assert!(AkioiRules::new().narrow().is_none());
    let itself: NarrowBoard = board("2 4 . . / . . . . / . . . . / . . . .");
    assert_eq!(NarrowRules::narrow_board(itself, 1, 4), None);
}

/// A spawn that the small layout does not have keeps the search wide.
#[test]
fn spawns_move_to_another_grid_if_it_has_them() {
    let spawns = SpawnSet::CONTEST
        .on_grid::<Classic>()
        .expect("classic tiles");
    let narrow = spawns.on_grid::<Nibbles<4, 4>>().expect("small tiles");
    assert_eq!(Some(narrow), SpawnSet::CONTEST.on_grid().ok());
    let large = SpawnSet::new(
        "large",
        &[(2, 1), (65_536, 1)],
        afterstate_rules::Opening::TwoSpawned,
    );
    let spawns = large.on_grid::<Classic>().expect("classic has a 65536");
    assert_eq!(spawns.on_grid::<Nibbles<4, 4>>(), None);
}
