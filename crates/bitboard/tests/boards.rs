//! Properties of boards on every grid, against rows of numbers.

use std::collections::BTreeSet;
use std::fmt::Debug;

use afterstate_bitboard::{
    Akioi, Board, Classic, ClassicBoard, FullNibbles, Grid, Mini, NarrowBoard, Nibbles, Quints,
    WordGrid, parse_tile, potential, tile_text,
};
use afterstate_testkit as naive;
use afterstate_testkit::NaiveBoard;
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, TestRunner};

/// Runs `check` on random values of `strategy`.
fn for_all<S: Strategy>(strategy: S, check: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let config = Config {
        cases: 400,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&strategy, |value| {
        check(value);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Random boards, half of them with many empty cells.
fn boards<G: Grid>() -> impl Strategy<Value = Board<G>> {
    let kinds = G::CELL_KINDS as u8;
    let cell = (0..kinds, any::<bool>());
    let cells = proptest::collection::vec(cell, G::CELLS);
    (cells, any::<bool>()).prop_map(|(cells, is_sparse)| {
        let mut board = Board::default();
        for (idx, (code, is_kept)) in cells.into_iter().enumerate() {
            if is_kept || !is_sparse {
                board = board.with_cell(idx, code);
            }
        }
        board
    })
}

fn from_naive<G: Grid>(rows: &NaiveBoard) -> Board<G> {
    let wide: Vec<Vec<i64>> = rows
        .iter()
        .map(|row| row.iter().copied().map(i64::from).collect())
        .collect();
    Board::from_rows(&wide).expect("rows of a board are a board")
}

/// Calls the generic check once for each grid that the workspace uses, and for
/// the shapes at the edge of what the type allows.
macro_rules! on_every_grid {
    ($check:ident) => {
        $check::<Classic>();
        $check::<Nibbles<4, 4>>();
        $check::<Akioi>();
        $check::<Mini>();
        $check::<Nibbles<2, 2>>();
        $check::<Nibbles<2, 3>>();
        $check::<Nibbles<3, 2>>();
        $check::<Nibbles<2, 4>>();
        $check::<Nibbles<4, 2>>();
        $check::<Nibbles<3, 4>>();
        $check::<Nibbles<4, 3>>();
        $check::<Nibbles<1, 1>>();
        $check::<Nibbles<1, 4>>();
        $check::<Nibbles<4, 1>>();
        $check::<Nibbles<2, 3, 4>>();
        $check::<FullNibbles<3, 3>>();
        $check::<FullNibbles<2, 4>>();
        $check::<Quints<2, 2>>();
        $check::<Quints<2, 3>>();
        $check::<Quints<3, 1>>();
    };
}

#[test]
fn text_and_rows_read_back() {
    fn check<G: Grid>() {
        for_all(boards::<G>(), |board| {
            let text = board.to_string();
            assert_eq!(text.parse(), Ok(board));
            assert_eq!(text.replace('\n', "\r\n").parse(), Ok(board));
            assert_eq!(text.replace('\n', " ").parse(), Ok(board));
            assert_eq!(format!("\n\n{text}\n\n").parse(), Ok(board));
            assert_eq!(from_naive::<G>(&board.to_rows()), board);
        });
    }
    on_every_grid!(check);
}

#[test]
fn cells_are_what_was_put_there() {
    fn check<G: Grid>() {
        let cell = (0..G::CELLS, 0..G::CELL_KINDS as u8);
        for_all((boards::<G>(), cell), |(board, (idx, code))| {
            let changed = board.with_cell(idx, code);
            for (at, found) in changed.cells().enumerate() {
                let expected = if at == idx { code } else { board.cell(at) };
                assert_eq!((found, changed.cell(at)), (expected, expected));
                assert_eq!(changed.number(at), G::number(expected));
            }
            assert_eq!(board.with_cell(idx, 0).put(idx, code), changed);
            assert_eq!(changed.with_cell(idx, board.cell(idx)), board);
        });
    }
    on_every_grid!(check);
}

#[test]
fn the_top_exponent_is_that_of_the_largest_tile() {
    fn check<G: Grid>() {
        assert_eq!(Board::<G>::default().top_exponent(), 0);
        for_all(boards::<G>(), |board| {
            let expected = board.largest().checked_ilog2().unwrap_or(0);
            assert_eq!(board.top_exponent(), expected, "{board:?}");
        });
    }
    on_every_grid!(check);
}

#[test]
fn codes_and_numbers_are_one_to_one() {
    fn check<G: Grid>() {
        let numbers: BTreeSet<i32> = (0..G::CELL_KINDS as u8).map(G::number).collect();
        assert_eq!(numbers.len(), G::CELL_KINDS);
        for number in -200_000..=200_000 {
            let code = G::code(i64::from(number));
            assert_eq!(code.is_some(), numbers.contains(&number), "{number}");
            assert!(code.is_none_or(|code| G::number(code) == number));
        }
        for number in [
            1 << 32,
            (1 << 32) + 2,
            1 << 62,
            i64::MIN,
            i64::MAX,
            -1 << 40,
        ] {
            assert_eq!(G::code(number), None, "{number}");
        }
    }
    on_every_grid!(check);
}

#[test]
fn empty_cells_are_counted_and_chosen() {
    fn check<G: Grid>() {
        let count_and_choose = |board: Board<G>| {
            let expected: Vec<usize> = naive::empty_cells(&board.to_rows())
                .into_iter()
                .map(|(row, col)| row * G::COLS + col)
                .collect();
            assert_eq!(board.n_empty() as usize, expected.len());
            assert_eq!(board.empty_cells().collect::<Vec<_>>(), expected);
            for (nth, &idx) in expected.iter().enumerate() {
                assert_eq!(board.nth_empty(nth as u32), idx, "{nth} of {board:?}");
            }
        };
        for_all(boards::<G>(), count_and_choose);
        // Every set of empty cells, with the largest and least codes.
        let top = G::CELL_KINDS as u8 - 1;
        for filled in 0..1_u32 << G::CELLS {
            let mut board = Board::<G>::default();
            for idx in 0..G::CELLS {
                let code = if idx % 2 == 0 { top } else { 1 };
                board = board.with_cell(idx, code * (filled >> idx & 1) as u8);
            }
            assert_eq!(board.n_empty(), G::CELLS as u32 - filled.count_ones());
            let mut nth = 0;
            for idx in 0..G::CELLS {
                if filled >> idx & 1 == 0 {
                    assert_eq!(board.nth_empty(nth), idx, "{board:?}");
                    nth += 1;
                }
            }
        }
    }
    on_every_grid!(check);
}

#[test]
fn sums_and_largest_tile() {
    fn check<G: Grid>() {
        for_all(boards::<G>(), |board| {
            let rows = board.to_rows();
            assert_eq!(board.largest(), naive::largest(&rows));
            assert_eq!(board.tile_sum(), naive::tile_sum(&rows));
            assert_eq!(board.potential(), naive::potential(&rows));
        });
    }
    on_every_grid!(check);
    for exponent in 1..=17 {
        let tile = 1 << exponent;
        assert_eq!(potential(tile), naive::potential(&vec![vec![tile]]));
    }
    for number in [0, -1, -2, -4] {
        assert_eq!(potential(number), 0);
    }
}

#[test]
fn turns_and_reflections() {
    fn check<G: Grid>() {
        for_all(boards::<G>(), |board| {
            let rows = board.to_rows();
            assert_eq!(board.mirror().to_rows(), naive::mirrored(&rows));
            assert_eq!(board.flip().to_rows(), naive::flipped(&rows));
            assert_eq!(board.transpose().to_rows(), naive::transposed(&rows));
            assert_eq!(board.transpose().transpose(), board);
            let is_square = G::ROWS == G::COLS;
            let turned = board.symmetric_transpose().to_rows();
            if is_square {
                assert_eq!(turned, naive::transposed(&rows));
            } else {
                assert_eq!(turned, rows);
            }
        });
    }
    on_every_grid!(check);
}

#[test]
fn symmetric_boards_share_one_canonical_form() {
    fn check<G: Grid>() {
        for_all(boards::<G>(), |board| {
            let images = board.symmetries();
            assert_eq!(images[0], board);
            let found: BTreeSet<NaiveBoard> = images.iter().map(|image| image.to_rows()).collect();
            let expected = naive::symmetries(&board.to_rows());
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
            for (idx, image) in images.into_iter().enumerate() {
                assert_eq!(image.canonical(), board.canonical());
                if idx < 4 {
                    assert_eq!(images[4 + idx], image.symmetric_transpose());
                }
            }
            assert!(images.contains(&board.canonical()));
            assert_eq!(Some(&board.canonical()), images.iter().min());
        });
    }
    on_every_grid!(check);
}

#[test]
fn lines_are_the_packed_rows() {
    fn check<G: Grid>() {
        for_all(boards::<G>(), |board| {
            for row in 0..G::ROWS {
                let first = row * G::COLS;
                let codes: Vec<u8> = (first..first + G::COLS)
                    .map(|idx| board.cell(idx))
                    .collect();
                assert_eq!(board.line(row), G::pack_line(&codes));
            }
            assert_eq!(board.map_lines(|line| line), board);
            assert_eq!(board.map_lines(|_| 0), Board::default());
            // Every row becomes row 0.
            let copied = board.map_lines(|_| board.line(0)).to_rows();
            assert_eq!(copied, vec![board.to_rows()[0].clone(); G::ROWS]);
        });
    }
    on_every_grid!(check);
}

#[test]
fn selection_and_order() {
    fn check<G: Grid>() {
        for_all((boards::<G>(), boards::<G>()), |(a, b)| {
            assert_eq!(a.select(b, false), a);
            assert_eq!(a.select(b, true), b);
            assert_eq!(a == b, a.to_rows() == b.to_rows());
            assert_eq!(a == b, a.word() == b.word());
        });
    }
    on_every_grid!(check);
}

#[test]
fn narrow_boards_are_the_wide_ones_without_large_tiles() {
    for_all(boards::<Nibbles<4, 4>>(), |narrow: NarrowBoard| {
        let wide = ClassicBoard::from(narrow);
        assert_eq!(wide.to_rows(), narrow.to_rows());
        assert_eq!(wide.to_narrow(), Some(narrow));
    });
    for_all(boards::<Classic>(), |wide: ClassicBoard| {
        assert_eq!(wide.to_narrow().is_some(), wide.largest() <= 32768);
        if let Some(narrow) = wide.to_narrow() {
            assert_eq!(ClassicBoard::from(narrow), wide);
        }
        let bits = wide.word().to_bits();
        assert_eq!(bits >> 64 == 0, wide.word().is_narrow());
        assert_eq!(bits >> 80, 0);
    });
}

#[test]
fn tile_text_reads_back() {
    let mut numbers = vec![0, -1, -2, -4];
    numbers.extend((1..=17).map(|exponent| 1 << exponent));
    let texts: BTreeSet<String> = numbers.iter().map(|&number| tile_text(number)).collect();
    assert_eq!(texts.len(), numbers.len(), "no two tiles look alike");
    for number in numbers {
        assert_eq!(parse_tile(&tile_text(number)), Some(number));
    }
    for_all(any::<String>(), |text| {
        if let Some(number) = parse_tile(&text) {
            let canonical = match text.as_str() {
                "0" | "_" => ".".to_owned(),
                _ => text.replace('×', "x"),
            };
            assert_eq!(tile_text(number), canonical);
        }
    });
}

#[test]
fn words_of_small_boards_are_told_from_others() {
    fn check<G: WordGrid>() {
        for_all(boards::<G>(), |board| {
            assert!(Board::<G>::is_word(board.word()));
            assert_eq!(Board::<G>::of_word(board.word()), board);
            if G::BITS < 64 {
                assert!(!Board::<G>::is_word(board.word() | 1 << G::BITS));
            }
        });
    }
    check::<Mini>();
    check::<Nibbles<2, 4>>();
    check::<Nibbles<4, 4>>();
    check::<Quints<2, 2>>();
    // 1024 is the largest tile of 3x3, AK that of akioi.
    assert!(Board::<Mini>::is_word(10 << 32) && !Board::<Mini>::is_word(11 << 32));
    assert!(Board::<Quints<2, 2>>::is_word(19) && !Board::<Quints<2, 2>>::is_word(20));
}

/// What may spawn decides how large tiles grow, and changes no word.
#[test]
fn grids_of_larger_spawns_have_the_same_words() {
    fn check<G: Grid<Word = u64>, H: Grid<Word = u64>>() {
        for_all(boards::<G>(), |board| {
            let same = from_naive::<H>(&board.to_rows());
            assert_eq!(same.word(), board.word());
            assert_eq!(same.canonical().word(), board.canonical().word());
            assert_eq!(same.transpose().word(), board.transpose().word());
        });
    }
    check::<Mini, FullNibbles<3, 3>>();
    check::<Nibbles<2, 4>, FullNibbles<2, 4>>();
    check::<Nibbles<2, 2, 1>, FullNibbles<2, 2>>();
    // Two tiles 2^S and one more for each other cell.
    let top = |kinds: usize| 1 << (kinds - 1);
    assert_eq!(top(Nibbles::<2, 2, 1>::CELL_KINDS), 16);
    assert_eq!(top(Nibbles::<2, 2>::CELL_KINDS), 32);
    assert_eq!(top(Nibbles::<2, 3, 4>::CELL_KINDS), 512);
    assert_eq!(top(FullNibbles::<1, 1>::CELL_KINDS), 32_768);
    assert_eq!(top(FullNibbles::<4, 4>::CELL_KINDS), 32_768);
    assert_eq!(Nibbles::<4, 4>::CELL_KINDS, FullNibbles::<4, 4>::CELL_KINDS);
}
