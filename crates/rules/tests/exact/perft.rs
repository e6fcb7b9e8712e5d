//! Path counts of the files `tests/data/<variant>.perft`, derived by the
//! tables and by the twin's walk over single paths.
//!
//! A file has the spawn set, then positions with, for each depth, the number
//! of ways to an afterstate and to a board of the last ply. To write the counts
//! of new positions, where both ways agree on them:
//!
//! ```text
//! AFTERSTATE_BLESS_PERFT=1 cargo test --release -p afterstate-rules perft::bless
//! ```

use std::fmt::Write;
use std::path::PathBuf;

use afterstate_bitboard::{Board, Grid};
use afterstate_rules::{
    AkioiRules, ClassicRules, MiniRules, NarrowRules, PerftCounts, Rules, SpawnSet, Spawns,
    Variant, perft,
};
use afterstate_testkit::{NaiveRules, PathCounts, count_paths};

use crate::support::board;

/// Most boards counted by the tables and walked to by the twin.
struct Limits {
    table: u64,
    twin: u64,
}

const LIMITS: Limits = if cfg!(debug_assertions) {
    Limits {
        table: 300_000,
        twin: 30_000,
    }
} else {
    Limits {
        table: u64::MAX,
        twin: u64::MAX,
    }
};

/// One count of a file.
struct Entry<G: Grid> {
    set: String,
    board: Board<G>,
    depth: u32,
    counts: Option<PathCounts>,
}

fn path(variant: Variant) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    folder.join(format!("{variant}.perft"))
}

/// The entries of a file, each with the number of its line.
fn entries<G: Grid>(text: &str) -> Vec<(usize, Entry<G>)> {
    let mut entries = Vec::new();
    let mut set = String::new();
    let mut position = Board::default();
    for (at, line) in text.lines().enumerate() {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "" | "#" => {}
            "set" => rest.clone_into(&mut set),
            "board" => position = board(rest),
            "perft" => {
                let numbers: Vec<u64> = rest
                    .split(' ')
                    .map(|number| number.parse().expect("a number"))
                    .collect();
                let counts = numbers.get(1..).filter(|counts| counts.len() == 2);
                entries.push((
                    at,
                    Entry {
                        set: set.clone(),
                        board: position,
                        depth: u32::try_from(numbers[0]).expect("a depth"),
                        counts: counts.map(|counts| PathCounts {
                            afterstates: counts[0],
                            boards: counts[1],
                        }),
                    },
                ));
            }
            _ => panic!("line {}: `{key}` is no key", at + 1),
        }
    }
    entries
}

fn by_table<R: Rules>(rules: R, entry: &Entry<R::Grid>) -> PathCounts {
    let counts: PerftCounts = perft(rules, &spawns(&entry.set), entry.board, entry.depth);
    PathCounts {
        afterstates: counts.afterstates,
        boards: counts.boards,
    }
}

fn by_twin<G: Grid>(naive: NaiveRules, entry: &Entry<G>) -> PathCounts {
    let spawns: Spawns<G> = spawns(&entry.set);
    let tiles: Vec<i32> = spawns.kinds().iter().map(|kind| kind.number).collect();
    count_paths(naive, &tiles, &entry.board.to_rows(), entry.depth)
}

fn spawns<G: Grid>(name: &str) -> Spawns<G> {
    let set = SpawnSet::ALL.into_iter().find(|set| set.name() == name);
    let set = set.expect("the file names one of the sets");
    set.on_grid().expect("the set fits the variant's grid")
}

fn check<R: Rules>(rules: R, naive: NaiveRules, variant: Variant) {
    let text = std::fs::read_to_string(path(variant)).expect("the file is in the repository");
    let (mut n_by_table, mut n_by_twin) = (0, 0);
    for (at, entry) in entries::<R::Grid>(&text) {
        let line = at + 1;
        let expected = entry.counts.expect("an entry has two counts");
        if expected.boards <= LIMITS.table {
            n_by_table += 1;
            assert_eq!(by_table(rules, &entry), expected, "{variant}, line {line}");
        }
        if expected.boards <= LIMITS.twin {
            n_by_twin += 1;
            assert_eq!(by_twin(naive, &entry), expected, "{variant}, line {line}");
        }
    }
    assert!(n_by_twin >= 10 && n_by_table >= n_by_twin);
}

fn bless<R: Rules>(rules: R, naive: NaiveRules, variant: Variant) {
    let text = std::fs::read_to_string(path(variant)).expect("the file is in the repository");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (at, entry) in entries::<R::Grid>(&text) {
        let counts = by_table(rules, &entry);
        assert_eq!(by_twin(naive, &entry), counts, "{variant}, line {}", at + 1);
        let line = &mut lines[at];
        line.clear();
        let (afterstates, boards) = (counts.afterstates, counts.boards);
        write!(line, "perft {} {afterstates} {boards}", entry.depth).expect("a string grows");
    }
    std::fs::write(path(variant), lines.join("\n") + "\n").expect("the file can be written");
}

#[test]
fn bless_when_asked_to() {
    if std::env::var_os("AFTERSTATE_BLESS_PERFT").is_some() {
        let classic = ClassicRules::new();
        bless(classic, NaiveRules::CLASSIC, Variant::Classic);
        bless(classic, NaiveRules::CLASSIC, Variant::Contest);
        bless(AkioiRules::new(), NaiveRules::Akioi, Variant::Akioi);
        bless(MiniRules::on_grid(), NaiveRules::MINI, Variant::Mini);
    }
}

#[test]
fn classic() {
    check(ClassicRules::new(), NaiveRules::CLASSIC, Variant::Classic);
}

#[test]
fn contest() {
    check(ClassicRules::new(), NaiveRules::CLASSIC, Variant::Contest);
}

#[test]
fn akioi() {
    check(AkioiRules::new(), NaiveRules::Akioi, Variant::Akioi);
}

#[test]
fn mini() {
    check(MiniRules::on_grid(), NaiveRules::MINI, Variant::Mini);
}

/// The contest's boards have no tile that the narrow layout lacks.
#[test]
fn contest_on_the_narrow_board() {
    check(
        NarrowRules::on_grid(),
        NaiveRules::CLASSIC,
        Variant::Contest,
    );
}

#[test]
fn no_ply_has_one_board() {
    let board: Board<afterstate_bitboard::Mini> = board("2 2 . / . . . / . . .");
    let counts = perft(MiniRules::on_grid(), &spawns("standard"), board, 0);
    assert_eq!((counts.afterstates, counts.boards), (0, 1));
}
