//! Every line of every grid in both directions, and whole boards.

use afterstate_bitboard::{
    Akioi, Board, Classic, FullNibbles, Grid, LineStore, LineTable, Nibbles, Quints,
};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, ValueGrid};
use afterstate_testkit::NaiveRules;

use crate::support::{Draws, assert_twins};

/// Calls `f` with the codes of every line of `length` cells of `G`.
fn for_each_line<G: Grid>(length: usize, mut f: impl FnMut(&[u8])) {
    let n_lines = G::CELL_KINDS.pow(length as u32);
    for number in 0..n_lines {
        let mut rest = number;
        let mut codes = Vec::with_capacity(length);
        for _ in 0..length {
            codes.push((rest % G::CELL_KINDS) as u8);
            rest /= G::CELL_KINDS;
        }
        f(&codes);
    }
}

/// The numbers in the cells of a packed line.
fn unpacked<G: Grid>(line: usize) -> Vec<i32> {
    Board::<G>::default()
        .map_lines(|_| line)
        .to_rows()
        .remove(0)
}

/// Compares a table with the twin on every line; returns how many there are.
fn check_table<G: Grid>(table: &LineTable<G>, naive: NaiveRules) -> usize {
    let mut n_lines = 0;
    for_each_line::<G>(G::COLS, |codes| {
        n_lines += 1;
        let line = G::pack_line(codes);
        let mut numbers: Vec<i32> = codes.iter().map(|&code| G::number(code)).collect();
        let (expected, gain) = naive.slide_line(&numbers);
        let lines = table.towards(false);
        assert_eq!(unpacked::<G>(lines.after(line)), expected, "{numbers:?}");
        assert_eq!(i64::from(lines.gain(line)), gain, "{numbers:?}");

        numbers.reverse();
        let (mut expected, gain) = naive.slide_line(&numbers);
        expected.reverse();
        let lines = table.towards(true);
        assert_eq!(unpacked::<G>(lines.after(line)), expected, "{numbers:?}");
        assert_eq!(i64::from(lines.gain(line)), gain, "{numbers:?}");
    });
    n_lines
}

fn classic_tables<G: ValueGrid>(n_lines: usize)
where
    G::Transposed: ValueGrid,
{
    let naive = naive::<G>();
    let rules = ClassicRules::<G>::on_grid();
    assert_eq!(check_table(rules.rows(), naive), n_lines);
    if G::ROWS != G::COLS {
        check_table(rules.columns(), naive);
    }
}

/// Classic rules up to the largest tile of `G`.
fn naive<G: Grid>() -> NaiveRules {
    let top = G::number(G::CELL_KINDS as u8 - 1);
    NaiveRules::Classic { top }
}

#[test]
fn every_classic_line() {
    classic_tables::<Classic>(104_976);
}

#[test]
fn every_akioi_line() {
    let rules = AkioiRules::new();
    assert_eq!(check_table(rules.rows(), NaiveRules::Akioi), 160_000);
    assert_eq!(check_table(rules.columns(), NaiveRules::Akioi), 160_000);
}

#[test]
fn every_line_of_small_akioi() {
    let rules = AkioiRules::<Quints<2, 3>>::on_grid();
    assert_eq!(check_table(rules.rows(), NaiveRules::Akioi), 8_000);
    assert_eq!(check_table(rules.columns(), NaiveRules::Akioi), 400);
}

#[test]
fn every_mini_line() {
    classic_tables::<Nibbles<3, 3>>(1331);
}

#[test]
fn every_line_of_small_grids() {
    classic_tables::<Nibbles<2, 2>>(36);
    classic_tables::<Nibbles<2, 3>>(512);
    classic_tables::<Nibbles<3, 2>>(64);
    classic_tables::<Nibbles<2, 4>>(10_000);
    classic_tables::<Nibbles<4, 2>>(100);
    classic_tables::<Nibbles<3, 4>>(14 * 14 * 14 * 14);
    classic_tables::<Nibbles<4, 3>>(14 * 14 * 14);
    classic_tables::<FullNibbles<2, 4>>(65536);
    classic_tables::<FullNibbles<4, 2>>(256);
    classic_tables::<FullNibbles<3, 3>>(4096);
}

#[test]
fn every_narrow_line() {
    classic_tables::<Nibbles<4, 4>>(65536);
    // And it is the wide line wherever no two 32768 merge.
    let wide = ClassicRules::new();
    let narrow = NarrowRules::on_grid();
    let mut n_same = 0;
    for_each_line::<Nibbles<4, 4>>(4, |codes| {
        for end in [false, true] {
            let wide_lines = wide.rows().towards(end);
            let narrow_lines = narrow.rows().towards(end);
            let wide_after = unpacked::<Classic>(wide_lines.after(Classic::pack_line(codes)));
            // Two 32768 meet: only empty cells lie between them.
            let tiles: Vec<u8> = codes.iter().copied().filter(|&code| code != 0).collect();
            let meet = tiles.windows(2).any(|pair| pair == [15, 15]);
            assert_eq!(wide_after.contains(&65536), meet, "{codes:?}");
            if meet {
                continue;
            }
            n_same += 1;
            let line = Nibbles::<4, 4>::pack_line(codes);
            assert_eq!(
                unpacked::<Nibbles<4, 4>>(narrow_lines.after(line)),
                wide_after
            );
            let gain = wide_lines.gain(Classic::pack_line(codes));
            assert_eq!(narrow_lines.gain(line), gain, "{wide_after:?}");
        }
    });
    assert!(n_same > 120_000, "{n_same} of 131072 lines are the same");
}

#[test]
fn every_board_of_the_smallest_grids() {
    fn check<G: ValueGrid>(n_boards: usize)
    where
        G::Transposed: ValueGrid,
    {
        let naive = naive::<G>();
        let rules = ClassicRules::<G>::on_grid();
        let mut n_seen = 0;
        for_each_line::<G>(G::CELLS, |codes| {
            n_seen += 1;
            let mut board = Board::default();
            for (idx, &code) in codes.iter().enumerate() {
                board = board.with_cell(idx, code);
            }
            assert_twins(rules, naive, board);
        });
        assert_eq!(n_seen, n_boards);
    }
    check::<Nibbles<1, 1>>(3);
    check::<Nibbles<1, 4>>(1296);
    check::<Nibbles<4, 1>>(1296);
    check::<Nibbles<2, 2>>(1296);
    if !cfg!(debug_assertions) {
        check::<Nibbles<2, 3>>(262_144);
        check::<Nibbles<3, 2>>(262_144);
    }
}

#[test]
fn whole_boards_of_every_grid() {
    fn check<R: Rules>(rules: R, naive: NaiveRules) {
        let mut draws = Draws(R::Grid::CELLS as u64);
        for round in 0..2000 {
            assert_twins(rules, naive, draws.board(2 + round % 5));
        }
    }
    check(ClassicRules::new(), NaiveRules::CLASSIC);
    check(AkioiRules::new(), NaiveRules::Akioi);
    check(MiniRules::on_grid(), NaiveRules::MINI);
    check(NarrowRules::on_grid(), naive::<Nibbles<4, 4>>());
    check(
        ClassicRules::<Nibbles<2, 3>>::on_grid(),
        naive::<Nibbles<2, 3>>(),
    );
    check(
        ClassicRules::<Nibbles<3, 2>>::on_grid(),
        naive::<Nibbles<3, 2>>(),
    );
    check(
        ClassicRules::<Nibbles<2, 4>>::on_grid(),
        naive::<Nibbles<2, 4>>(),
    );
    check(
        ClassicRules::<Nibbles<4, 2>>::on_grid(),
        naive::<Nibbles<4, 2>>(),
    );
    check(
        ClassicRules::<Nibbles<3, 4>>::on_grid(),
        naive::<Nibbles<3, 4>>(),
    );
    check(
        ClassicRules::<Nibbles<4, 3>>::on_grid(),
        naive::<Nibbles<4, 3>>(),
    );
}

/// With other tiles around it, whichever row or column the line lies in.
#[test]
fn every_akioi_line_in_every_row_and_column() {
    let rules = AkioiRules::new();
    let mut draws = Draws(1);
    for_each_line::<Akioi>(4, |codes| {
        // One line in sixteen in debug builds; the tables have been compared on
        // all of them above.
        if cfg!(debug_assertions) && draws.below(16) > 0 {
            return;
        }
        let at = draws.below(4) as usize;
        let mut board: Board<Akioi> = draws.board(3);
        for (col, &code) in codes.iter().enumerate() {
            board = board.with_cell(4 * at + col, code);
        }
        assert_twins(rules, NaiveRules::Akioi, board);
        assert_twins(rules, NaiveRules::Akioi, board.transpose());
    });
}
