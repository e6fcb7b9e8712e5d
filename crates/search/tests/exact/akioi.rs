//! Akioi on 2x2, where boards come back.

use core::sync::atomic::AtomicBool;
use std::collections::BTreeMap;

use afterstate_bitboard::{Nibbles, Quints};
use afterstate_rules::{AkioiRules, Opening, SpawnSet};
use afterstate_search::exact::{
    Count, CyclicSolution, Objective, Problem, SolveError, solve_cyclic,
};
use afterstate_testkit::{NaiveBoard, NaiveRules, empty_board, largest, spawned, symmetries};

use crate::support::{problem, solved};

const RESIDUAL: f64 = 1e-12;

fn akioi(set: &SpawnSet, objective: Objective) -> CyclicSolution {
    let rules = AkioiRules::<Quints<2, 2>>::on_grid();
    let problem = Problem::new(rules, set, objective).expect("akioi has these tiles");
    solve_cyclic(&problem, RESIDUAL, &AtomicBool::new(false)).expect("nobody stops it")
}

/// The boards at which games go on or are over, and the afterstates among
/// them, with what leads where, by number; `None` is the end of the game by a
/// tile.
#[derive(Default)]
struct NaiveGraph {
    state_at: BTreeMap<NaiveBoard, usize>,
    after_at: BTreeMap<NaiveBoard, usize>,
    /// Gain and afterstate of each slide of a state.
    slides: Vec<Vec<(f64, Option<usize>)>>,
    /// Probability and state of each spawn on an afterstate.
    spawns: Vec<Odds>,
}

/// Probabilities of states, by number.
type Odds = Vec<(f64, Option<usize>)>;

fn odds(board: &NaiveBoard, weights: &[(i32, u32)]) -> Vec<(f64, NaiveBoard)> {
    let mut list = Vec::new();
    for &(tile, weight) in weights {
        for next in spawned(board, &[tile]) {
            list.push((f64::from(weight), next));
        }
    }
    let total: f64 = list.iter().map(|(weight, _)| weight).sum();
    list.into_iter()
        .map(|(weight, next)| (weight / total, next))
        .collect()
}

fn openings(weights: &[(i32, u32)]) -> Vec<(f64, NaiveBoard)> {
    let mut list = Vec::new();
    for (first, board) in odds(&empty_board(2, 2), weights) {
        for (second, opening) in odds(&board, weights) {
            list.push((first * second, opening));
        }
    }
    list
}

impl NaiveGraph {
    /// All that games come to, and the odds of the openings.
    fn new(weights: &[(i32, u32)], goal: i32) -> (NaiveGraph, Odds) {
        let mut graph = NaiveGraph::default();
        let mut left = Vec::new();
        let starts = openings(weights);
        let starts = graph.numbered(starts, goal, &mut left);
        while let Some(board) = left.pop() {
            let mut slides = Vec::new();
            for (_, after, gain) in NaiveRules::Akioi.afterstates(&board) {
                if largest(&after) >= goal {
                    slides.push((gain as f64, None));
                    continue;
                }
                let n_afters = graph.after_at.len();
                let at = *graph.after_at.entry(after.clone()).or_insert(n_afters);
                if at == n_afters {
                    let spawns = graph.numbered(odds(&after, weights), goal, &mut left);
                    graph.spawns.push(spawns);
                }
                slides.push((gain as f64, Some(at)));
            }
            let at = graph.state_at[&board];
            graph.slides[at] = slides;
        }
        (graph, starts)
    }

    /// Gives numbers to boards; new ones are left to look at.
    fn numbered(
        &mut self,
        boards: Vec<(f64, NaiveBoard)>,
        goal: i32,
        left: &mut Vec<NaiveBoard>,
    ) -> Odds {
        let mut numbered = Vec::new();
        for (odds, board) in boards {
            if largest(&board) >= goal {
                numbered.push((odds, None));
                continue;
            }
            let n_states = self.state_at.len();
            let at = *self.state_at.entry(board.clone()).or_insert(n_states);
            if at == n_states {
                self.slides.push(Vec::new());
                left.push(board);
            }
            numbered.push((odds, Some(at)));
        }
        numbered
    }
}

/// Sweeps until hardly anything changes, all new values from old ones.
fn naive_value(set: &SpawnSet, objective: Objective) -> (f64, NaiveGraph) {
    // Making a 65536 ends the game.
    let (goal, ended_value) = match objective {
        Objective::Score => (65_536, 0.0),
        Objective::Tile(number) => (number, 1.0),
    };
    let (graph, starts) = NaiveGraph::new(set.weights(), goal);
    let mut values = vec![0.0; graph.slides.len()];
    let mean = |values: &[f64], odds: &Odds| -> f64 {
        let value = |at: Option<usize>| at.map_or(ended_value, |at| values[at]);
        odds.iter().map(|&(odds, at)| odds * value(at)).sum()
    };
    loop {
        let value = |slides: &Vec<(f64, Option<usize>)>| {
            let slides = slides.iter().map(|&(gain, at)| {
                let points = if objective == Objective::Score {
                    gain
                } else {
                    0.0
                };
                points + at.map_or(ended_value, |at| mean(&values, &graph.spawns[at]))
            });
            slides.reduce(f64::max).unwrap_or(0.0)
        };
        let newer: Vec<f64> = graph.slides.iter().map(value).collect();
        let changes = newer.iter().zip(&values).map(|(a, b)| (a - b).abs());
        let change = changes.fold(0.0, f64::max);
        values = newer;
        if change < 1e-9 {
            return (mean(&values, &starts), graph);
        }
    }
}

fn classes<'a>(boards: impl Iterator<Item = &'a NaiveBoard>) -> Count {
    let mut count = Count::default();
    for board in boards {
        count.all += 1;
        count.classes += u64::from(symmetries(board)[0] == *board);
    }
    count
}

fn check(set: &SpawnSet, objective: Objective) -> CyclicSolution {
    let (expected, graph) = naive_value(set, objective);
    let solution = akioi(set, objective);
    let what = format!("{}, {objective}", set.name());
    let error = (solution.value - expected).abs();
    assert!(error < 1e-8 * expected.max(1.0), "{what}: {error}");
    assert!(solution.residual <= RESIDUAL, "{what}");
    let mut alive = solution.counts.playing;
    alive += solution.counts.over;
    assert_eq!(alive, classes(graph.state_at.keys()), "{what}");
    if objective == Objective::Score {
        let mut afters = solution.counts.afterstates;
        // Those with a 65536 are counted, and are all the goals there are.
        afters.all -= solution.counts.goal.all;
        afters.classes -= solution.counts.goal.classes;
        assert_eq!(afters, classes(graph.after_at.keys()));
        assert!(solution.counts.goal.classes > 0);
    }
    solution
}

#[test]
fn two_by_two_is_as_by_the_naive_rules() {
    let guide = check(&SpawnSet::GUIDE, Objective::Score);
    assert!(guide.sweeps > 2, "boards come back");
    for number in [4, 16, 128] {
        check(&SpawnSet::GUIDE, Objective::Tile(number));
    }
    if !cfg!(debug_assertions) {
        check(&SpawnSet::LIVE, Objective::Score);
    }
}

/// Where no board comes back, both ways of solving agree, and akioi without
/// multipliers is classic.
#[test]
fn without_multipliers_it_is_classic() {
    let set = SpawnSet::new("standard", &[(2, 9), (4, 1)], Opening::TwoSpawned);
    for objective in [Objective::Score, Objective::Tile(16)] {
        let classic = problem::<2, 2>(&set, objective);
        let layered = solved(&classic);
        let cyclic = akioi(&set, objective);
        assert!((layered.value() - cyclic.value).abs() < 1e-11);
        assert_eq!(layered.counts(), cyclic.counts);
        let stop = AtomicBool::new(false);
        let same = solve_cyclic(&classic, RESIDUAL, &stop).expect("nobody stops it");
        assert_eq!(same, cyclic);
    }
    let wide = problem::<2, 3>(&set, Objective::Score);
    let same = solve_cyclic(&wide, RESIDUAL, &AtomicBool::new(false)).expect("nobody stops it");
    let layered = solved::<afterstate_rules::ClassicRules<Nibbles<2, 3>>>(&wide);
    assert!((layered.value() - same.value).abs() < 1e-10);
    assert_eq!(layered.counts(), same.counts);
}

#[test]
fn it_can_be_stopped() {
    let rules = AkioiRules::<Quints<2, 2>>::on_grid();
    let problem = Problem::new(rules, &SpawnSet::GUIDE, Objective::Score).expect("a problem");
    let stopped = solve_cyclic(&problem, RESIDUAL, &AtomicBool::new(true));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
}
