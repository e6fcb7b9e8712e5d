//! The 3x3 board solved completely: the figures of docs/exact.md.

#[path = "exact/late_boards.rs"]
mod late_boards;
#[path = "exact/support.rs"]
mod support;

use std::io::{BufReader, BufWriter, Seek, Write};

use afterstate_bitboard::{Board, Mini, Nibbles};
use afterstate_rules::{MiniRules, Opening, SpawnSet};
use afterstate_search::exact::{Count, Keep, Objective, Problem, Solution, Table};

use crate::late_boards::{agreeing_late_boards, boards_of_games};
use crate::support::{full_problem, problem, solve_within, solved, table_bytes};

/// Two cores and 6 GiB are allowed; far less is enough.
const MAX_BYTES: u64 = 1 << 30;

fn mini(objective: Objective) -> (Problem<MiniRules>, Solution<Mini>) {
    let problem = problem::<3, 3>(&SpawnSet::STANDARD, objective);
    let solution = solve_within(&problem, MAX_BYTES, Keep::Table).expect("1 GiB is enough");
    (problem, solution)
}

fn count(all: u64, classes: u64) -> Count {
    Count { all, classes }
}

#[test]
fn expected_score() {
    let (problem, solution) = mini(Objective::Score);
    assert_eq!(solution.spilled_bytes(), 0);
    assert_eq!(format!("{:.10}", solution.value()), "5468.4867974103");
    let counts = solution.counts();
    assert_eq!(counts.states(), count(388_921_077, 48_713_519));
    assert_eq!(counts.afterstates, count(251_166_532, 31_431_374));
    assert_eq!(counts.over.classes, 7_388_502);
    let by_sum: Vec<u64> = solution
        .layers()
        .iter()
        .map(|layer| layer.counts.states().classes)
        .collect();
    assert_eq!(
        by_sum[..16],
        [
            8, 22, 43, 79, 143, 218, 330, 477, 692, 938, 1255, 1586, 1990, 2386, 2919, 3410
        ]
    );
    let table = through_a_file(&problem, solution);
    let value = table.value();
    assert_eq!(format!("{value:.10}"), "5468.4867974103");
    assert_eq!(format!("{:.10}", from_two_twos(&table)), "5469.2140701468");
    late_boards_agree(&table);
}

/// The solution as a table that was written and read.
fn through_a_file(problem: &Problem<MiniRules>, solution: Solution<Mini>) -> Table<MiniRules> {
    let mut file = BufWriter::new(tempfile::tempfile().expect("a file for the test"));
    solution
        .write_table(&mut file)
        .and_then(|()| file.flush())
        .expect("the file can be written");
    let mut file = file.into_inner().expect("all is written");
    file.rewind().expect("a file can be read from its start");
    let n_bytes = file.metadata().expect("a file has a length").len();
    let table = Table::read(problem, &mut BufReader::new(file), n_bytes);
    table.expect("the table reads back")
}

/// The mean over the placements of two 2s.
fn from_two_twos(table: &Table<MiniRules>) -> f64 {
    let mut sum = 0.0;
    for first in 0..9 {
        for second in (0..9).filter(|&second| second != first) {
            let board = Board::default().put(first, 1).put(second, 1);
            let values = table.slide_values(board).expect("a board of a game");
            sum += values.into_iter().flatten().fold(0.0, f64::max);
        }
    }
    sum / 72.0
}

/// Boards near the end of games, searched to the end of every line.
fn late_boards_agree(table: &Table<MiniRules>) {
    let boards = boards_of_games(table, 4000);
    let n_complete = agreeing_late_boards(table, &boards, 8);
    assert!(n_complete >= 500, "{n_complete} of {}", boards.len());
}

#[test]
fn probabilities_of_tiles() {
    for (tile, probability) in [
        (128, "0.999999805905"),
        (256, "0.9957096432"),
        (512, "0.7367741770"),
        (1024, "0.0113378801"),
    ] {
        let (_, solution) = mini(Objective::Tile(tile));
        let n_digits = probability.len() - 2;
        assert_eq!(format!("{:.n_digits$}", solution.value()), probability);
    }
}

/// Both shapes have one answer.
#[test]
fn two_by_four() {
    let lying = solved(&problem::<2, 4>(&SpawnSet::STANDARD, Objective::Score));
    let upright = solved(&problem::<4, 2>(&SpawnSet::STANDARD, Objective::Score));
    assert!((lying.value() - upright.value()).abs() < 1e-9);
    assert_eq!(format!("{:.10}", lying.value()), "2641.8730356922");
    assert_eq!(lying.counts(), upright.counts());
    assert_eq!(lying.counts().states(), count(19_920_382, 4_980_767));
    assert_eq!(lying.counts().over.classes, 892_648);
    assert_eq!(lying.counts().afterstates, count(13_625_764, 3_406_686));
    let layers = |solution: &Solution<Nibbles<2, 4>>| solution.layers().to_vec();
    assert_eq!(layers(&lying), upright.layers());
}

/// The longest chain that only 2s make, 2 4 8 … on all cells, times what spawns
/// instead, is what best play gets; and a set of three kinds.
#[test]
fn other_spawns() {
    let only = |tile| SpawnSet::new("one kind", &[(tile, 1)], Opening::TwoSpawned);
    let twos = solved(&problem::<2, 4>(&only(2), Objective::Score));
    assert_eq!(twos.value(), 3076.0);
    let counts = twos.counts();
    assert_eq!(counts.states(), count(3_058_750, 764_857));
    assert_eq!(counts.over.classes, 104_004);
    assert_eq!(counts.afterstates, count(3_072_088, 768_119));
    // The largest spawn of 3x3, hence its largest tiles.
    let largest = full_problem::<3, 3>(&only(128), Objective::Score);
    let largest = solve_within(&largest, MAX_BYTES, Keep::Summary).expect("1 GiB is enough");
    assert_eq!(largest.value(), 64.0 * 7172.0);
    let counts = largest.counts();
    assert_eq!(counts.states(), count(56_119_745, 7_035_334));
    assert_eq!(counts.over.classes, 762_136);
    assert_eq!(counts.afterstates, count(53_704_564, 6_724_897));
    let three = [(2, 8), (4, 1), (8, 1)];
    let three = SpawnSet::new("three kinds", &three, Opening::TwoSpawned);
    let three = solved(&full_problem::<2, 4>(&three, Objective::Score));
    assert_eq!(format!("{:.10}", three.value()), "1528.3048454885");
    let counts = three.counts();
    assert_eq!(counts.states(), count(70_196_918, 17_550_884));
    assert_eq!(counts.over, count(14_802_142, 3_700_973));
    assert_eq!(counts.afterstates, count(39_416_084, 9_854_485));
}

/// Contest spawns, with layers on disk and in memory.
#[test]
fn layers_on_disk_change_nothing() {
    let problem = problem::<2, 4>(&SpawnSet::CONTEST, Objective::Tile(256));
    let expected = table_bytes(&problem);
    let tight = solved(&problem).peak_bytes() / 2;
    let solution = solve_within(&problem, tight, Keep::Table).expect("the rest goes to disk");
    assert!(solution.spilled_bytes() > 0 && solution.peak_bytes() <= tight);
    let mut bytes = Vec::new();
    solution
        .write_table(&mut bytes)
        .expect("memory can be written");
    assert!(bytes == expected);
}
