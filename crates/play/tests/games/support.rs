//! What several of the modules need.

use afterstate_bitboard::{Board, Grid};
use afterstate_play::GameResult;
use afterstate_rules::{
    AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet, Spawns, Variant,
};
use afterstate_testkit::{NaiveBoard, NaiveRules};

/// One way to play: rules, their twin, and spawns.
pub(crate) struct Case<R: Rules> {
    pub(crate) variant: Variant,
    pub(crate) rules: R,
    pub(crate) naive: NaiveRules,
    pub(crate) set: SpawnSet,
}

impl<R: Rules> Case<R> {
    pub(crate) fn spawns(&self) -> Spawns<R::Grid> {
        spawns(&self.set)
    }

    /// What a message says of the case.
    pub(crate) fn name(&self) -> String {
        let bits = 8 * size_of::<Board<R::Grid>>();
        format!("{} {} on {bits} bits", self.variant, self.set.name())
    }
}

pub(crate) fn spawns<G: Grid>(set: &SpawnSet) -> Spawns<G> {
    set.on_grid().expect("the set fits the grid")
}

/// What a test does with every case.
pub(crate) trait Check {
    fn check<R: Rules>(&mut self, case: &Case<R>);
}

pub(crate) fn classic() -> Case<ClassicRules> {
    Case {
        variant: Variant::Classic,
        rules: ClassicRules::new(),
        naive: NaiveRules::CLASSIC,
        set: SpawnSet::STANDARD,
    }
}

pub(crate) fn contest() -> Case<ClassicRules> {
    Case {
        variant: Variant::Contest,
        set: SpawnSet::CONTEST,
        ..classic()
    }
}

pub(crate) fn narrow() -> Case<NarrowRules> {
    Case {
        variant: Variant::Classic,
        rules: NarrowRules::on_grid(),
        naive: NaiveRules::Classic { top: 32_768 },
        set: SpawnSet::STANDARD,
    }
}

pub(crate) fn akioi(set: SpawnSet) -> Case<AkioiRules> {
    Case {
        variant: Variant::Akioi,
        rules: AkioiRules::new(),
        naive: NaiveRules::Akioi,
        set,
    }
}

pub(crate) fn mini() -> Case<MiniRules> {
    Case {
        variant: Variant::Mini,
        rules: MiniRules::on_grid(),
        naive: NaiveRules::MINI,
        set: SpawnSet::STANDARD,
    }
}

/// Every variant on every board it is played on, with every spawn set.
pub(crate) fn for_all(check: &mut impl Check) {
    check.check(&classic());
    check.check(&contest());
    check.check(&narrow());
    check.check(&akioi(SpawnSet::GUIDE));
    check.check(&akioi(SpawnSet::LIVE));
    check.check(&mini());
}

/// A board from its text, rows divided by ` / `.
pub(crate) fn board<G: Grid>(text: &str) -> Board<G> {
    match text.replace(" / ", "\n").parse() {
        Ok(board) => board,
        Err(error) => panic!("{text}: {error}"),
    }
}

/// The largest number of the board; 0 where there is none.
pub(crate) fn largest(rows: &NaiveBoard) -> i32 {
    afterstate_testkit::largest(rows)
}

/// Asserts that counts are those of events with these expected counts, by
/// Pearson's test: the statistic must lie below the critical value of the
/// chi-square distribution at 0.1 %, for one degree of freedom fewer than
/// there are counts.
///
/// The critical value is Wilson and Hilferty's approximation with the normal
/// quantile 3.0902, at most 1 % off from 5 degrees on: 34.5 at 13 degrees, 173.6
/// at 119.
pub(crate) fn assert_chi_square(counts: &[u64], expected: &[f64], what: &str) {
    assert_eq!(counts.len(), expected.len());
    assert!(expected.iter().all(|&count| count >= 5.0), "{what}");
    let degrees = (counts.len() - 1) as f64;
    let spread = 2.0 / (9.0 * degrees);
    let critical = degrees * (1.0 - spread + 3.0902 * spread.sqrt()).powi(3);
    let terms = counts.iter().zip(expected);
    let statistic: f64 = terms
        .map(|(&count, &expected)| (count as f64 - expected).powi(2) / expected)
        .sum();
    assert!(
        statistic < critical,
        "{what}: {statistic} is not below {critical}: {counts:?}"
    );
}

/// Mean and variance of the mean.
pub(crate) fn mean_of(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (n - 1.0) / n)
}

/// How many standard errors the means of two samples lie apart.
pub(crate) fn z_score(first: (f64, f64), second: (f64, f64)) -> f64 {
    (first.0 - second.0) / (first.1 + second.1).sqrt()
}

/// Scores of results.
pub(crate) fn mean_score(results: &[GameResult]) -> (f64, f64) {
    mean_of(results.iter().map(|result| result.score as f64))
}

/// Slides of results.
pub(crate) fn mean_slides(results: &[GameResult]) -> (f64, f64) {
    mean_of(results.iter().map(|result| f64::from(result.n_slides)))
}
