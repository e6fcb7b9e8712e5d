//! The same values and counts by recursion over the naive rules, board by
//! board, without symmetry, layers or packed words.

use std::collections::BTreeMap;

use afterstate_bitboard::Nibbles;
use afterstate_rules::{Opening, SpawnSet, ValueGrid};
use afterstate_search::exact::Objective;
use afterstate_testkit::{NaiveBoard, NaiveRules, empty_board, largest, spawned};

use crate::support::{problem, solved};

const RULES: NaiveRules = NaiveRules::Classic { top: i32::MAX };

/// Values of boards met so far.
struct Literal<'a> {
    weights: &'a [(i32, u32)],
    objective: Objective,
    states: BTreeMap<NaiveBoard, f64>,
    afters: BTreeMap<NaiveBoard, f64>,
    n_over: u64,
}

impl Literal<'_> {
    fn has_goal(&self, board: &NaiveBoard) -> bool {
        matches!(self.objective, Objective::Tile(number) if largest(board) >= number)
    }

    fn state(&mut self, board: &NaiveBoard) -> f64 {
        if self.has_goal(board) {
            return 1.0;
        }
        if let Some(&value) = self.states.get(board) {
            return value;
        }
        let mut best = None;
        for (_, after, gain) in RULES.afterstates(board) {
            let points = match self.objective {
                Objective::Score => gain as f64,
                Objective::Tile(_) => 0.0,
            };
            let value = points + self.after(&after);
            best = Some(best.map_or(value, |best: f64| best.max(value)));
        }
        self.n_over += u64::from(best.is_none());
        let value = best.unwrap_or(0.0);
        self.states.insert(board.clone(), value);
        value
    }

    fn after(&mut self, board: &NaiveBoard) -> f64 {
        if self.has_goal(board) {
            return 1.0;
        }
        if let Some(&value) = self.afters.get(board) {
            return value;
        }
        let value = self.mean_over_spawns(board, self.weights);
        self.afters.insert(board.clone(), value);
        value
    }

    fn mean_over_spawns(&mut self, board: &NaiveBoard, weights: &[(i32, u32)]) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for &(tile, weight) in weights {
            for next in spawned(board, &[tile]) {
                sum += f64::from(weight) * self.state(&next);
                total += f64::from(weight);
            }
        }
        sum / total
    }

    fn opening(&mut self, n_rows: usize, n_cols: usize, opening: Opening) -> f64 {
        let kinds = match opening {
            Opening::TwoSpawned => self.weights.to_vec(),
            Opening::TwoOf(tile) => vec![(tile, 1)],
        };
        let board = empty_board(n_rows, n_cols);
        let mut total = (0.0, 0.0);
        for &(first, weight) in &kinds {
            for next in spawned(&board, &[first]) {
                let value = self.mean_over_spawns(&next, &kinds);
                total.0 += f64::from(weight) * value;
                total.1 += f64::from(weight);
            }
        }
        total.0 / total.1
    }
}

fn sets() -> Vec<SpawnSet> {
    let own = |name, weights: &[_]| SpawnSet::new(name, weights, Opening::TwoSpawned);
    vec![
        SpawnSet::STANDARD,
        SpawnSet::CONTEST,
        own("twos", &[(2, 1)]),
        own("fours", &[(4, 5)]),
        own("even", &[(4, 1), (2, 1)]),
    ]
}

fn check<const R: usize, const C: usize>(set: &SpawnSet, objective: Objective)
where
    Nibbles<C, R>: ValueGrid,
{
    let mut literal = Literal {
        weights: set.weights(),
        objective,
        states: BTreeMap::new(),
        afters: BTreeMap::new(),
        n_over: 0,
    };
    let expected = literal.opening(R, C, set.opening());
    let solution = solved(&problem::<R, C>(set, objective));
    let what = format!("{R}x{C}, {}, {objective}", set.name());
    let error = (solution.value() - expected).abs();
    assert!(error <= 1e-12 * expected.max(1.0), "{what}: {error}");
    let counts = solution.counts();
    let n_alive = counts.playing.all + counts.over.all;
    assert_eq!(n_alive, literal.states.len() as u64, "{what}");
    assert_eq!(counts.over.all, literal.n_over, "{what}");
    if objective == Objective::Score {
        assert_eq!(
            counts.afterstates.all,
            literal.afters.len() as u64,
            "{what}"
        );
    }
}

#[test]
fn two_by_two() {
    for set in sets() {
        for objective in [
            Objective::Score,
            Objective::Tile(4),
            Objective::Tile(8),
            Objective::Tile(16),
            Objective::Tile(32),
        ] {
            check::<2, 2>(&set, objective);
        }
    }
}

#[test]
fn lines() {
    for set in sets() {
        check::<1, 4>(&set, Objective::Score);
        check::<3, 1>(&set, Objective::Tile(8));
    }
}

#[test]
fn two_by_three() {
    for set in sets() {
        check::<2, 3>(&set, Objective::Tile(16));
    }
    check::<3, 2>(&SpawnSet::CONTEST, Objective::Tile(32));
    if !cfg!(debug_assertions) {
        check::<2, 3>(&SpawnSet::STANDARD, Objective::Score);
        check::<2, 3>(&SpawnSet::STANDARD, Objective::Tile(128));
    }
}
