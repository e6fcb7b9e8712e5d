//! Figures of docs/exact.md for boards that are solved in no time; those of 3x3
//! are in the long tier (`exact_mini.rs`).

use afterstate_bitboard::{Nibbles, WordGrid};
use afterstate_rules::{SpawnSet, ValueGrid};
use afterstate_search::exact::{Count, Objective, Solution};

use crate::support::{problem, solved};

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
