//! What spawns, and where: odds of tiles, uniform cells, openings.

use afterstate_bitboard::{Akioi, Board, Classic, Grid, Mini};
use afterstate_play::{Game, Spawner};
use afterstate_rules::{Rules, SpawnSet};

use crate::support::{
    Case, Check, akioi, assert_chi_square, board, classic, contest, for_all, spawns,
};

const N_SPAWNS: u64 = 1_000_000;

/// A million spawns on one board: each tile's share is right to 0.0015 (more
/// than three standard deviations of any share), every empty cell gets its
/// part, and which tile it is has nothing to do with the cell.
///
/// Row 10 of the reports of users of other programs.
fn million_spawns<G: Grid>(set: &SpawnSet, before: Board<G>) {
    let spawns = spawns::<G>(set);
    let mut spawner = Spawner::new(&spawns, 1);
    let empty: Vec<usize> = before.empty_cells().collect();
    let mut counts = vec![0; empty.len() * spawns.kinds().len()];
    for _ in 0..N_SPAWNS {
        let spawned = spawner.spawn(before);
        let cell = empty.iter().position(|&idx| idx == spawned.cell);
        let kind = spawns
            .kinds()
            .iter()
            .position(|kind| kind.code == spawned.code);
        let cell = cell.expect("a tile spawns in an empty cell");
        let kind = kind.expect("the set has the tile");
        counts[cell * spawns.kinds().len() + kind] += 1;
    }
    let mut expected = Vec::new();
    let n_kinds = spawns.kinds().len();
    for kind in spawns.kinds() {
        let odds = f64::from(kind.weight) / f64::from(spawns.total());
        expected.push(odds * N_SPAWNS as f64 / empty.len() as f64);
    }
    for (number, kind) in spawns.kinds().iter().enumerate() {
        let count: u64 = counts.iter().skip(number).step_by(n_kinds).sum();
        let share = count as f64 / N_SPAWNS as f64;
        let odds = expected[number] * empty.len() as f64 / N_SPAWNS as f64;
        assert!((share - odds).abs() < 0.0015, "{}: {share}", kind.number);
    }
    let per_cell: Vec<u64> = counts
        .chunks(n_kinds)
        .map(|cell| cell.iter().sum())
        .collect();
    let even = vec![N_SPAWNS as f64 / empty.len() as f64; empty.len()];
    assert_chi_square(&per_cell, &even, "cells");
    assert_chi_square(&counts, &expected.repeat(empty.len()), "cells and tiles");
}

const HALF_FULL: &str = "2 . . 4 / . 8 . . / . . 2 . / 16 . . .";

#[test]
fn standard_spawns() {
    million_spawns::<Classic>(&SpawnSet::STANDARD, board(HALF_FULL));
}

#[test]
fn contest_spawns() {
    million_spawns::<Classic>(&SpawnSet::CONTEST, board(HALF_FULL));
}

#[test]
fn guide_spawns() {
    million_spawns::<Akioi>(&SpawnSet::GUIDE, board(HALF_FULL));
}

#[test]
fn live_spawns() {
    million_spawns::<Akioi>(&SpawnSet::LIVE, board(HALF_FULL));
}

#[test]
fn mini_spawns() {
    million_spawns::<Mini>(&SpawnSet::STANDARD, board("2 . . / . 4 . / . . ."));
}

/// The odds that the tests above go by, as the rules page states them.
#[test]
fn odds_are_those_of_the_rules_page() {
    for (set, odds) in [
        (SpawnSet::STANDARD, vec![(2, 0.9), (4, 0.1)]),
        (SpawnSet::CONTEST, vec![(2, 0.75), (4, 0.25)]),
        (
            SpawnSet::GUIDE,
            vec![
                (2, 0.783 / 0.991),
                (4, 0.078 / 0.991),
                (-1, 0.1118 / 0.991),
                (-2, 0.0182 / 0.991),
            ],
        ),
        (
            SpawnSet::LIVE,
            vec![(2, 0.783), (4, 0.078), (-1, 0.1118), (-2, 0.0272)],
        ),
    ] {
        let total: u32 = set.weights().iter().map(|&(_, weight)| weight).sum();
        assert_eq!(set.weights().len(), odds.len());
        for (&(number, weight), (same, odds)) in set.weights().iter().zip(odds) {
            assert_eq!(number, same);
            let found = f64::from(weight) / f64::from(total);
            assert!((found - odds).abs() < 1e-12, "{number}: {found}");
        }
    }
}

/// Openings of 200,000 seeds, as ordered numbers of the two tiles and cells.
fn openings<R: Rules>(case: &Case<R>) -> Vec<[(usize, i32); 2]> {
    let spawns = case.spawns();
    (0..200_000)
        .map(|seed| {
            let opening = Spawner::new(&spawns, seed).opening();
            opening.map(|tile| (tile.cell, R::Grid::number(tile.code)))
        })
        .collect()
}

/// Asserts that the two tiles are drawn by these odds, one after the other.
fn assert_tiles(openings: &[[(usize, i32); 2]], odds: &[(i32, f64)]) {
    let mut counts = Vec::new();
    let mut expected = Vec::new();
    for &(first, first_odds) in odds {
        for &(second, second_odds) in odds {
            let these =
                |opening: &&[(usize, i32); 2]| opening.map(|tile| tile.1) == [first, second];
            counts.push(openings.iter().filter(these).count() as u64);
            expected.push(first_odds * second_odds * openings.len() as f64);
        }
    }
    assert_chi_square(&counts, &expected, "tiles of openings");
}

/// Asserts that all ordered pairs of different cells are as likely.
fn assert_cells(openings: &[[(usize, i32); 2]], n_cells: usize) {
    let mut counts = vec![0; n_cells * n_cells];
    for [first, second] in openings {
        counts[first.0 * n_cells + second.0] += 1;
    }
    let same = |pair: usize| pair / n_cells == pair % n_cells;
    for pair in (0..counts.len()).filter(|&pair| same(pair)) {
        assert_eq!(counts[pair], 0, "two tiles in one cell");
    }
    let different = (0..counts.len()).filter(|&pair| !same(pair));
    let counts: Vec<u64> = different.map(|pair| counts[pair]).collect();
    let even = vec![openings.len() as f64 / counts.len() as f64; counts.len()];
    assert_chi_square(&counts, &even, "cells of openings");
}

/// Row 11: both 2 with 0.81, a 2 and a 4 with 0.18, both 4 with 0.01.
#[test]
fn standard_openings() {
    let openings = openings(&classic());
    assert_tiles(&openings, &[(2, 0.9), (4, 0.1)]);
    assert_cells(&openings, 16);
    let share = |wanted: [i32; 2]| {
        let sorted = |opening: &[(usize, i32); 2]| {
            let mut tiles = opening.map(|tile| tile.1);
            tiles.sort_unstable();
            tiles
        };
        let these = openings.iter().filter(|opening| sorted(opening) == wanted);
        these.count() as f64 / openings.len() as f64
    };
    // Four standard deviations of each share.
    for (tiles, odds) in [([2, 2], 0.81), ([2, 4], 0.18), ([4, 4], 0.01)] {
        let bound = 4.0 * (odds * (1.0 - odds) / openings.len() as f64).sqrt();
        let found = share(tiles);
        assert!((found - odds).abs() < bound, "{tiles:?}: {found}");
    }
}

#[test]
fn contest_openings() {
    let openings = openings(&contest());
    assert!(openings.iter().flatten().all(|&(_, number)| number == 2));
    assert_cells(&openings, 16);
}

#[test]
fn akioi_openings() {
    let openings = openings(&akioi(SpawnSet::LIVE));
    let odds = [(2, 0.783), (4, 0.078), (-1, 0.1118), (-2, 0.0272)];
    assert_tiles(&openings, &odds);
    assert_cells(&openings, 16);
}

#[test]
fn mini_openings() {
    let openings = openings(&crate::support::mini());
    assert_tiles(&openings, &[(2, 0.9), (4, 0.1)]);
    assert_cells(&openings, 9);
}

/// A game starts with two tiles, those of its seed's spawner, and starts with
/// the same two when it is started again.
struct Openings;

impl Check for Openings {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let spawns = case.spawns();
        for seed in (0..2000).chain([u64::MAX, u64::MAX - 1]) {
            let game = Game::new(case.rules, &spawns, seed);
            let opening = Spawner::new(&spawns, seed).opening();
            assert_eq!(game.opening(), opening);
            let n_tiles = R::Grid::CELLS as u32 - game.board().n_empty();
            assert_eq!(n_tiles, 2, "{} {seed}", case.name());
            for tile in opening {
                assert_eq!(game.board().cell(tile.cell), tile.code);
            }
            assert_eq!((game.score(), game.n_slides()), (0, 0));
            let again = Game::new(case.rules, &spawns, seed);
            assert_eq!(again.board(), game.board());
        }
    }
}

#[test]
fn a_game_starts_with_two_tiles() {
    for_all(&mut Openings);
}
