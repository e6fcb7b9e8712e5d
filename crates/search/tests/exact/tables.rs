//! Tables: read back whole, and refused otherwise.

use std::io;

use afterstate_bitboard::{Board, FullNibbles, Nibbles, Slide};
use afterstate_rules::{ClassicRules, Opening, Rules, SpawnSet};
use afterstate_search::exact::{Objective, Problem, Table, TableError};

use crate::support::{full_problem, problem, solved, table, table_bytes};

type Small = ClassicRules<Nibbles<2, 2>>;

fn small() -> Problem<Small> {
    problem::<2, 2>(&SpawnSet::STANDARD, Objective::Score)
}

fn read<R: Rules>(problem: &Problem<R>, bytes: &[u8]) -> Result<Table<R>, TableError>
where
    R::Grid: afterstate_bitboard::WordGrid,
{
    Table::read(problem, &mut &bytes[..], bytes.len() as u64)
}

fn refusal(bytes: &[u8]) -> String {
    read(&small(), bytes)
        .err()
        .expect("such a table is refused")
        .to_string()
}

#[test]
fn a_table_holds_the_solution() {
    let problem = problem::<2, 3>(&SpawnSet::STANDARD, Objective::Score);
    let solution = solved(&problem);
    let table = table(&problem);
    assert_eq!(table.value(), solution.value());
    assert_eq!(table.len() as u64, solution.counts().afterstates.classes);
    assert!(!table.is_empty());
    // A value follows from the values one spawn and one slide on.
    let board: Board<Nibbles<2, 3>> = "4 2 . 2 . .".parse().expect("a board");
    let rules = table.problem().rules();
    let best = |board| -> f64 {
        let values = table.slide_values(board).expect("a board of a game");
        values.into_iter().flatten().reduce(f64::max).unwrap_or(0.0)
    };
    for slide in Slide::ALL {
        let value = table.slide_values(board).expect("a board of a game")[slide.idx()];
        let Some(after) = rules.apply(board, slide) else {
            assert_eq!(value, None);
            continue;
        };
        let n_empty = f64::from(after.board.n_empty());
        let spawns = after.board.empty_cells().map(|cell| {
            0.9 * best(after.board.put(cell, 1)) + 0.1 * best(after.board.put(cell, 2))
        });
        let expected = f64::from(after.gain) + spawns.sum::<f64>() / n_empty;
        let value = value.expect("the slide is legal");
        assert!((value - expected).abs() < 1e-10, "{slide}");
    }
    // All images of a board have its values.
    let mut values: Vec<u64> = Vec::new();
    for image in board.symmetries() {
        values.push(best(image).to_bits());
    }
    values.dedup();
    assert_eq!(values.len(), 1);
}

/// Tiles that the grid of spawns up to 4 does not have.
#[test]
fn a_table_of_large_spawns_has_their_boards() {
    let set = SpawnSet::new("16s", &[(16, 1)], Opening::TwoSpawned);
    let table = table(&full_problem::<2, 2>(&set, Objective::Score));
    let board = |text: &str| text.parse::<Board<FullNibbles<2, 2>>>().expect("a board");
    // Right, up and left make 128, whatever else is gained.
    let values = table.slide_values(board("64 32 16 16"));
    let right = values.expect("a board of a game")[Slide::Right.idx()];
    assert!(right.is_some_and(|value| value >= 32.0 + 64.0 + 128.0));
    assert_eq!(table.slide_values(board("16 2 . .")), None);
}

#[test]
fn boards_of_no_game_have_no_value() {
    let table = table(&small());
    let board = |text: &str| text.parse::<Board<Nibbles<2, 2>>>().expect("a board");
    assert_eq!(table.slide_values(board("2 . . .")), None);
    assert_eq!(table.slide_values(board("16 16 16 16")), None);
    assert_eq!(table.slide_values(board("2 4 4 2")), Some([None; 4]));
    assert_eq!(table.after_value(board(". . . .")), None);
}

#[test]
fn goals_have_values_without_being_stored() {
    let table = table(&problem::<2, 2>(&SpawnSet::STANDARD, Objective::Tile(8)));
    let board = |text: &str| text.parse::<Board<Nibbles<2, 2>>>().expect("a board");
    assert_eq!(table.after_value(board("8 . . .")), Some(1.0));
    assert_eq!(table.slide_values(board("8 2 . .")), Some([None; 4]));
    let values = table
        .slide_values(board("4 4 2 ."))
        .expect("a board of a game");
    assert_eq!(values[Slide::Left.idx()], Some(1.0));
    assert!(values.into_iter().flatten().any(|value| value < 1.0));
}

#[test]
fn every_cut_is_refused() {
    let bytes = table_bytes(&small());
    assert!(read(&small(), &bytes).is_ok());
    for len in 0..bytes.len() {
        let text = refusal(&bytes[..len]);
        let expected = if len == 0 { "not a table" } else { "cut off" };
        assert!(text.contains(expected), "{len}: {text}");
        // And where the length is not what the system says.
        let outcome = Table::read(&small(), &mut &bytes[..len], bytes.len() as u64);
        let error = outcome.err().expect("bytes are missing");
        assert!(matches!(error, TableError::Read(_)), "{len}: {error}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(refusal(&longer).contains("bytes, expected"));
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = table_bytes(&small());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            let text = refusal(&changed);
            let expected: &[&str] = match at {
                0..8 => &["not a table of exact values"],
                8..12 => &["a table of version "],
                _ => &["damaged", "cut off"],
            };
            assert!(
                expected.iter().any(|words| text.contains(words)),
                "{at}: {text}"
            );
            assert!(!text.contains('\n'), "{text}");
        }
    }
}

#[test]
fn other_tables_are_refused() {
    let wide = table_bytes(&problem::<2, 3>(&SpawnSet::STANDARD, Objective::Score));
    assert_eq!(refusal(&wide), "a table for board 2x3, expected board 2x2");
    let tile = table_bytes(&problem::<2, 2>(&SpawnSet::STANDARD, Objective::Tile(16)));
    assert_eq!(
        refusal(&tile),
        "a table for objective tile:16, expected objective score"
    );
    let contest = table_bytes(&problem::<2, 2>(&SpawnSet::CONTEST, Objective::Score));
    assert_eq!(
        refusal(&contest),
        "a table for spawns 2:3,4:1 from two 2s, expected spawns 2:9,4:1"
    );
    let twos = SpawnSet::new("twos", &[(2, 1)], Opening::TwoSpawned);
    let twos = table_bytes(&problem::<2, 2>(&twos, Objective::Score));
    assert!(refusal(&twos).contains("spawns 2:1, expected"));
    let eights = SpawnSet::new("eights", &[(8, 1), (2, 9)], Opening::TwoSpawned);
    let eights = full_problem::<2, 2>(&eights, Objective::Score);
    assert_eq!(
        refusal(&table_bytes(&eights)),
        "a table for spawns 2:9,8:1, expected spawns 2:9,4:1"
    );
    let error = read(&eights, &table_bytes(&small())).err();
    assert_eq!(
        error.expect("it is of other spawns").to_string(),
        "a table for spawns 2:9,4:1, expected spawns 2:9,8:1"
    );
    assert!(refusal(b"PNG and so on, longer than a prefix").contains("not a table"));
    assert!(refusal(&[0; 4096]).contains("not a table"));
}

/// A name is not what a set is.
#[test]
fn spawn_sets_are_told_by_their_weights() {
    let bytes = table_bytes(&small());
    let renamed = SpawnSet::new("mine", &[(2, 9), (4, 1)], Opening::TwoSpawned);
    assert!(read(&problem::<2, 2>(&renamed, Objective::Score), &bytes).is_ok());
}

#[test]
fn a_file_that_cannot_be_read_is_said() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let error = Table::read(&small(), &mut Broken, 100).err();
    assert!(matches!(error, Some(TableError::Read(_))));
}
