//! Figures of docs/exact.md for boards that are solved in no time; those of 3x3
//! are in the long tier (`exact_mini.rs`).

use afterstate_bitboard::{FullNibbles, Nibbles, WordGrid};
use afterstate_rules::{Opening, SpawnSet, ValueGrid};
use afterstate_search::exact::{Count, Objective, Solution};

use crate::support::{full_problem, problem, solved};

fn standard<const R: usize, const C: usize>(objective: Objective) -> Solution<Nibbles<R, C>>
where
    Nibbles<C, R>: ValueGrid,
{
    solved(&problem::<R, C>(&SpawnSet::STANDARD, objective))
}

fn count(all: u64, classes: u64) -> Count {
    Count { all, classes }
}

#[test]
fn two_by_two() {
    let solution = standard::<2, 2>(Objective::Score);
    assert_eq!(format!("{:.10}", solution.value()), "66.9641494571");
    let counts = solution.counts();
    assert_eq!(counts.states(), count(662, 110));
    assert_eq!(counts.afterstates, count(464, 67));
    assert_eq!(counts.over.classes, 36);
    assert_eq!(counts.goal, count(0, 0));
    let for_16 = standard::<2, 2>(Objective::Tile(16));
    assert_eq!(format!("{:.12}", for_16.value()), "0.962511253750");
    let for_32 = standard::<2, 2>(Objective::Tile(32));
    assert_eq!(format!("{:.12}", for_32.value()), "0.082887289072");
    // jdlm.info counts boards that are alive and short of the goal.
    assert_eq!(for_32.counts().playing.classes, 57);
    assert_eq!(for_32.counts().over.classes, 18);
}

#[test]
fn two_by_three_and_three_by_two() {
    fn check<const R: usize, const C: usize>()
    where
        Nibbles<C, R>: ValueGrid,
    {
        let solution = standard::<R, C>(Objective::Score);
        assert_eq!(format!("{:.10}", solution.value()), "480.2582717760");
        let counts = solution.counts();
        assert_eq!(counts.states(), count(85_844, 21_752));
        assert_eq!(counts.afterstates, count(59_038, 14_883));
        assert_eq!(counts.over.classes, 4_484);
        let for_64 = standard::<R, C>(Objective::Tile(64));
        assert_eq!(format!("{:.9}", for_64.value()), "0.939263692");
        let for_128 = standard::<R, C>(Objective::Tile(128));
        assert_eq!(format!("{:.9}", for_128.value()), "0.056992160");
    }
    check::<2, 3>();
    check::<3, 2>();
}

fn states_by_sum<G: WordGrid>(solution: &Solution<G>) -> Vec<u64> {
    let layers = solution.layers().iter();
    layers.map(|layer| layer.counts.states().classes).collect()
}

#[test]
fn states_by_sum_of_tiles() {
    let solution = standard::<2, 2>(Objective::Score);
    assert_eq!(solution.layers()[0].sum, 4);
    assert_eq!(
        states_by_sum(&solution)[..16],
        [2, 3, 4, 5, 7, 5, 4, 3, 6, 6, 6, 4, 5, 3, 2, 2]
    );
}

/// The score from two spawned tiles; states, over, and afterstates.
fn check_set<const R: usize, const C: usize>(
    weights: &[(i32, u32)],
    value: &str,
    expected: [Count; 3],
) where
    FullNibbles<C, R>: ValueGrid,
{
    let set = SpawnSet::new("own", weights, Opening::TwoSpawned);
    let solution = solved(&full_problem::<R, C>(&set, Objective::Score));
    assert_eq!(format!("{:.10}", solution.value()), value);
    let counts = solution.counts();
    let found = [counts.states(), counts.over, counts.afterstates];
    assert_eq!(found, expected);
}

/// Other spawns: agreeing with the literal recursion of `literal.rs`, which has
/// these sets among its own.
#[test]
fn other_spawns() {
    let three = [(2, 8), (4, 1), (8, 1)];
    let counts = [count(1564, 250), count(522, 93), count(860, 122)];
    check_set::<2, 2>(&three, "62.5191703203", counts);
    let states = count(251_431, 63_528);
    let counts = [states, count(61_236, 15_578), count(139_680, 35_157)];
    check_set::<2, 3>(&three, "359.6522435595", counts);
    let half = [(2, 1), (16, 1)];
    let counts = [count(1822, 280), count(794, 131), count(1192, 165)];
    check_set::<2, 2>(&half, "75.6685066223", counts);
    let states = count(332_458, 83_775);
    let counts = [states, count(105_998, 26_816), count(221_542, 55_651)];
    check_set::<2, 3>(&half, "306.5417878205", counts);
    let no_twos = [(4, 3), (8, 7)];
    let counts = [count(662, 110), count(186, 36), count(464, 67)];
    check_set::<2, 2>(&no_twos, "121.2189839945", counts);
    let states = count(85_844, 21_752);
    let counts = [states, count(17_504, 4484), count(59_038, 14_883)];
    check_set::<2, 3>(&no_twos, "726.4341457772", counts);
}

/// With tiles 2^k times as large, games are the same and gain as many times as
/// much.
#[test]
fn larger_spawns_of_the_same_kinds() {
    let scaled = |factor: i32| {
        let weights = [(2 * factor, 9), (4 * factor, 1)];
        let set = SpawnSet::new("scaled", &weights, Opening::TwoSpawned);
        solved(&full_problem::<2, 3>(&set, Objective::Score))
    };
    let standard = standard::<2, 3>(Objective::Score);
    for factor in [1, 2, 8, 256] {
        let solution = scaled(factor);
        let value = solution.value() / f64::from(factor);
        assert!((value - standard.value()).abs() < 1e-10, "{value}");
        assert_eq!(solution.counts(), standard.counts());
    }
}

/// Where only 2s spawn, best play always gets to the longest chain: 2 4 8 … on
/// all cells.
#[test]
fn only_twos() {
    let chain = |n_cells: i32| (1..=n_cells).map(|k| f64::from((k - 1) << k)).sum::<f64>();
    assert_eq!((chain(4), chain(6)), (68.0, 516.0));
    let counts = [count(182, 32), count(40, 9), count(196, 29)];
    check_set::<2, 2>(&[(2, 1)], "68.0000000000", counts);
    let counts = [count(17_307, 4407), count(2786, 723), count(17_924, 4529)];
    check_set::<2, 3>(&[(2, 1)], "516.0000000000", counts);
}

/// One line of cells: solved by hand. On two cells, the opening is full; only
/// 2 2 and 4 4 merge, and nothing can after the spawn that follows, unless it
/// is the same tile again.
#[test]
fn two_cells() {
    let solution = standard::<1, 2>(Objective::Score);
    // 2 2 gives 4 and then 4 2 or 4 4; 4 4 gives 8 and then nothing.
    let from_twos = 4.0 + 0.1 * 8.0;
    let expected = 0.81 * from_twos + 0.01 * 8.0;
    assert!((solution.value() - expected).abs() < 1e-12);
    let upright = standard::<2, 1>(Objective::Score);
    assert_eq!(upright.value(), solution.value());
    assert_eq!(upright.counts(), solution.counts());
}

/// A goal that the opening has already, and one that hardly any does.
#[test]
fn goals_at_the_edge() {
    let reached = standard::<2, 2>(Objective::Tile(2));
    assert_eq!(reached.value(), 1.0);
    assert_eq!(reached.counts().playing, count(0, 0));
    assert!(reached.counts().goal.all > 0);
    assert_eq!(reached.counts().states(), reached.counts().goal);
    // All cells in a chain 16 8 4 4: the largest tile there can be.
    let largest = standard::<2, 2>(Objective::Tile(32)).value();
    assert!(largest > 0.0 && largest < 0.1);
}
