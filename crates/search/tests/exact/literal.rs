//! The same values and counts by recursion over the naive rules, board by
//! board, without symmetry, layers or packed words.

use std::collections::{BTreeMap, BTreeSet};

use afterstate_bitboard::{FullNibbles, Nibbles};
use afterstate_rules::{Opening, SpawnSet, ValueGrid};
use afterstate_search::exact::{Count, Objective};
use afterstate_testkit::{NaiveBoard, NaiveRules, empty_board, largest, spawned, symmetries};

use crate::support::{full_problem, problem, solved, table_bytes};

const RULES: NaiveRules = NaiveRules::Classic { top: i32::MAX };

/// Values of boards met so far.
struct Literal<'a> {
    weights: &'a [(i32, u32)],
    objective: Objective,
    states: BTreeMap<NaiveBoard, f64>,
    afters: BTreeMap<NaiveBoard, f64>,
    over: BTreeSet<NaiveBoard>,
    goal: BTreeSet<NaiveBoard>,
    goal_afters: BTreeSet<NaiveBoard>,
}

impl Literal<'_> {
    fn has_goal(&self, board: &NaiveBoard) -> bool {
        matches!(self.objective, Objective::Tile(number) if largest(board) >= number)
    }

    fn state(&mut self, board: &NaiveBoard) -> f64 {
        if self.has_goal(board) {
            self.goal.insert(board.clone());
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
        if best.is_none() {
            self.over.insert(board.clone());
        }
        let value = best.unwrap_or(0.0);
        self.states.insert(board.clone(), value);
        value
    }

    fn after(&mut self, board: &NaiveBoard) -> f64 {
        if self.has_goal(board) {
            self.goal.insert(board.clone());
            self.goal_afters.insert(board.clone());
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

/// How many boards, and how many that are the least of their images: a set of
/// all boards of games has the images of each.
fn count<'a>(boards: impl Iterator<Item = &'a NaiveBoard>) -> Count {
    let mut count = Count::default();
    for board in boards {
        let is_least = symmetries(board)[0] == *board;
        count += Count {
            all: 1,
            classes: u64::from(is_least),
        };
    }
    count
}

fn own(name: &str, weights: &[(i32, u32)]) -> SpawnSet {
    SpawnSet::new(name, weights, Opening::TwoSpawned)
}

/// Sets without tiles above 4.
fn small_sets() -> Vec<SpawnSet> {
    vec![
        SpawnSet::STANDARD,
        SpawnSet::CONTEST,
        own("twos", &[(2, 1)]),
        own("fours", &[(4, 5)]),
        own("even", &[(4, 1), (2, 1)]),
    ]
}

/// Sets with larger tiles: of three kinds, with sums left out between, without
/// 2s, of one kind, and with an opening that no spawn makes.
fn large_sets() -> Vec<SpawnSet> {
    vec![
        own("three kinds", &[(2, 8), (4, 1), (8, 1)]),
        own("half of 16", &[(2, 1), (16, 1)]),
        own("no twos", &[(8, 7), (4, 3)]),
        own("eights", &[(8, 3)]),
        SpawnSet::new("from 16s", &[(2, 3), (4, 1)], Opening::TwoOf(16)),
    ]
}

fn check<const R: usize, const C: usize>(set: &SpawnSet, objective: Objective)
where
    FullNibbles<C, R>: ValueGrid,
    Nibbles<C, R>: ValueGrid,
{
    let mut literal = Literal {
        weights: set.weights(),
        objective,
        states: BTreeMap::new(),
        afters: BTreeMap::new(),
        over: BTreeSet::new(),
        goal: BTreeSet::new(),
        goal_afters: BTreeSet::new(),
    };
    let expected = literal.opening(R, C, set.opening());
    let full = full_problem::<R, C>(set, objective);
    let solution = solved(&full);
    let what = format!("{R}x{C}, {}, {objective}", set.name());
    let error = (solution.value() - expected).abs();
    assert!(error <= 1e-12 * expected.max(1.0), "{what}: {error}");
    let counts = solution.counts();
    let mut alive = counts.playing;
    alive += counts.over;
    assert_eq!(alive, count(literal.states.keys()), "{what}");
    assert_eq!(counts.over, count(literal.over.iter()), "{what}");
    assert_eq!(counts.goal, count(literal.goal.iter()), "{what}");
    let mut afterstates = count(literal.afters.keys());
    afterstates += count(literal.goal_afters.iter());
    assert_eq!(counts.afterstates, afterstates, "{what}");
    if set.largest() <= 4 {
        // The grid without larger tiles has the same words.
        let small = problem::<R, C>(set, objective);
        assert!(table_bytes(&small) == table_bytes(&full), "{what}");
    }
}

#[test]
fn two_by_two() {
    for set in [small_sets(), large_sets()].concat() {
        check::<2, 2>(&set, Objective::Score);
        let largest_made = set.largest().max(4) << 3;
        for number in (1..).map(|k| 1 << k).take_while(|&k| k <= largest_made) {
            check::<2, 2>(&set, Objective::Tile(number));
        }
    }
}

#[test]
fn lines() {
    for set in [small_sets(), large_sets()].concat() {
        check::<1, 4>(&set, Objective::Score);
        check::<3, 1>(&set, Objective::Tile(8));
    }
    let largest = own("largest", &[(16_384, 1), (2, 1)]);
    check::<1, 2>(&largest, Objective::Score);
    check::<1, 2>(&largest, Objective::Tile(32_768));
}

#[test]
fn two_by_three() {
    for set in small_sets() {
        check::<2, 3>(&set, Objective::Tile(16));
    }
    for set in large_sets() {
        check::<2, 3>(&set, Objective::Tile(32));
    }
    check::<3, 2>(&SpawnSet::CONTEST, Objective::Tile(32));
    if !cfg!(debug_assertions) {
        check::<2, 3>(&SpawnSet::STANDARD, Objective::Score);
        check::<2, 3>(&SpawnSet::STANDARD, Objective::Tile(128));
        for set in large_sets() {
            check::<2, 3>(&set, Objective::Score);
        }
    }
}
