//! The cache gives out what was put in for exactly this board and depth, or
//! nothing.

use std::collections::BTreeMap;

use afterstate_bitboard::{Akioi, Board, Classic, Mini};
use afterstate_search::Cache;
use afterstate_testkit::NaiveRules;
use proptest::prelude::{prop, proptest};

use crate::support::{board, boards_of_game};

/// Few boards and small caches, so that boards meet in buckets: boards 2i and
/// 2i + 1 differ in the fifth bits of their cells alone.
fn akioi_board(number: u8) -> Board<Akioi> {
    let code = 1 + number / 2;
    // A code from 16 on is stored with the nibble of the code 15 below it.
    let code = code + 15 * (number % 2);
    Board::default().put(usize::from(number / 2), code)
}

proptest! {
    /// Any sequence of stores, look-ups and generations against a map of what
    /// was stored in this generation.
    #[test]
    fn agrees_with_a_map(
        bits in 1..6_u32,
        steps in prop::collection::vec((0..8_u8, 1..5_u8, 1..1000_u64, 0..24_u8), 1..400),
    ) {
        let mut cache = Cache::new(bits);
        let mut map = BTreeMap::new();
        let mut generation = 0;
        for (number, depth, n_nodes, action) in steps {
            let board = akioi_board(number);
            let key = (board, depth);
            if action == 0 {
                cache.next_generation();
                generation += 1;
                map.clear();
            } else if action < 8 {
                // One board and depth have one value in a generation, as in a
                // search.
                let value = (generation * 64 + i32::from(number) * 8 + i32::from(depth)) as f32;
                cache.set(board, depth, value, n_nodes);
                map.insert(key, value);
                assert_eq!(cache.get(board, depth), Some(value), "just stored");
            } else if let Some(value) = cache.get(board, depth) {
                assert_eq!(map.get(&key), Some(&value));
            }
        }
        cache.clear();
        for (board, depth) in map.into_keys() {
            assert_eq!(cache.get(board, depth), None);
        }
    }
}

/// Nothing is given out that was not put in: not at another depth, not for a
/// board that differs in one cell, not from a free entry.
#[test]
fn only_exact_matches_are_given_out() {
    for bits in [1, 2, 3, 8] {
        let mut cache = Cache::new(bits);
        let empty = Board::<Classic>::default();
        for depth in 0..=255 {
            assert_eq!(cache.get(empty, depth), None, "a free entry");
        }
        let stored: Board<Classic> = board("2 4 8 16 / 32 64 128 256 / . . . . / . . . 65536");
        cache.set(stored, 3, 1.5, 10);
        assert_eq!(cache.get(stored, 3), Some(1.5));
        for depth in (0..=255).filter(|&depth| depth != 3) {
            assert_eq!(cache.get(stored, depth), None, "depth {depth}");
        }
        for idx in 0..16 {
            for code in (0..18).filter(|&code| code != stored.cell(idx)) {
                assert_eq!(cache.get(stored.with_cell(idx, code), 3), None);
            }
        }
    }
}

/// The two boards of a cache with one bucket: a value that took more work stays
/// when values of less work come.
#[test]
fn dear_values_stay() {
    let mut cache = Cache::new(1);
    let boards: Vec<Board<Mini>> = (1..=9).map(|code| Board::default().put(4, code)).collect();
    cache.set(boards[0], 2, 0.0, 1 << 20);
    for (number, &board) in boards.iter().enumerate().skip(1) {
        cache.set(board, 2, number as f32, 16);
        assert_eq!(cache.get(board, 2), Some(number as f32), "the last one");
        assert_eq!(cache.get(boards[0], 2), Some(0.0), "the dear one");
        if number > 1 {
            assert_eq!(cache.get(boards[number - 1], 2), None, "the one before");
        }
    }
    // A dearer one takes its place, and the one that was dear moves over.
    cache.set(boards[5], 2, -1.0, 1 << 21);
    assert_eq!(cache.get(boards[5], 2), Some(-1.0));
    assert_eq!(cache.get(boards[0], 2), Some(0.0));
}

/// Values of earlier generations are gone, however dear, also after the
/// generations that an entry tells apart have all been seen.
#[test]
fn earlier_generations_are_gone() {
    let mut cache = Cache::new(1);
    let [first, second, third] = [1, 2, 3].map(|code| Board::<Mini>::default().put(0, code));
    for generation in 0..100 {
        assert_eq!(cache.get(first, 1), None, "generation {generation}");
        cache.set(first, 1, generation as f32, 1 << 40);
        assert_eq!(cache.get(first, 1), Some(generation as f32));
        cache.next_generation();
        for board in [first, second, third] {
            assert_eq!(cache.get(board, 1), None, "generation {generation}");
        }
        // A cheap value of now takes the place of a dear one of before.
        cache.set(second, 1, -1.0, 16);
        cache.set(third, 1, -2.0, 16);
        assert_eq!(cache.get(second, 1), Some(-1.0));
        assert_eq!(cache.get(third, 1), Some(-2.0));
        cache.next_generation();
    }
}

/// A cache of 2^14 entries keeps nearly all of some thousand boards of play.
#[test]
fn boards_spread_over_the_buckets() {
    let mut cache = Cache::new(14);
    let game = |seed| boards_of_game::<Classic>(NaiveRules::CLASSIC, &[(2, 9), (4, 1)], seed);
    let mut boards: Vec<_> = (0..30).flat_map(game).collect();
    boards.sort();
    boards.dedup();
    for &board in &boards {
        cache.set(board, 1, 0.0, 8);
    }
    let kept = boards
        .iter()
        .filter(|&&board| cache.get(board, 1).is_some());
    let (kept, n_boards) = (kept.count(), boards.len());
    assert!(n_boards > 2500, "{n_boards}");
    assert!(kept * 100 >= n_boards * 97, "{kept} of {n_boards}");
}

#[test]
fn sizes_out_of_range_are_refused() {
    for bits in [0, 41, u32::MAX] {
        assert!(
            std::panic::catch_unwind(|| Cache::new(bits)).is_err(),
            "{bits}"
        );
    }
}
