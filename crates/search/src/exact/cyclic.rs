//! Games in which a board can come back.

use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::{BTreeMap, BTreeSet};

use afterstate_bitboard::{Board, WordGrid};
use afterstate_rules::Rules;

use super::passes::n_images;
use super::problem::Problem;
use super::solution::{Count, Counts, SolveError};

/// What [`solve_cyclic`] finds.
#[derive(Debug, Clone, PartialEq)]
pub struct CyclicSolution {
    /// The value of best play from the opening.
    pub value: f64,
    /// Numbers of boards.
    pub counts: Counts,
    /// The largest change of any value in the last sweep.
    pub residual: f64,
    /// Number of sweeps.
    pub sweeps: u32,
}

/// Solves a problem by value iteration: all boards are valued from their
/// successors again and again, each by the newest values of the others, until
/// no value changes by more than `residual`.
///
/// That ends, since every spawn has a chance to lead on towards the end of the
/// game whatever is played.
///
/// ```
/// use core::sync::atomic::AtomicBool;
///
/// use afterstate_bitboard::Quints;
/// use afterstate_rules::{AkioiRules, SpawnSet};
/// use afterstate_search::exact::{Objective, Problem, solve_cyclic};
///
/// let rules = AkioiRules::<Quints<2, 2>>::on_grid();
/// let problem = Problem::new(rules, &SpawnSet::GUIDE, Objective::Tile(8))?;
/// let solution = solve_cyclic(&problem, 1e-12, &AtomicBool::new(false))?;
/// assert!(solution.value > 0.99 && solution.value < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// *Cost*: the graph of all boards is in memory, some hundred bytes for each; for
/// boards of four cells.
///
/// *Errors*: being told to stop.
pub fn solve_cyclic<R: Rules>(
    problem: &Problem<R>,
    residual: f64,
    stop: &AtomicBool,
) -> Result<CyclicSolution, SolveError>
where
    R::Grid: WordGrid,
{
    let go_on = || match stop.load(Ordering::Relaxed) {
        true => Err(SolveError::Stopped),
        false => Ok(()),
    };
    let mut graph = Graph::new(problem);
    // Grows while it is walked.
    let mut at = 0;
    while at < graph.states.len() {
        graph.expand(at);
        at += 1;
        if at.is_multiple_of(4096) {
            go_on()?;
        }
    }
    let mut sweeps = 0;
    loop {
        go_on()?;
        let change = graph.sweep();
        sweeps += 1;
        if change <= residual {
            return Ok(CyclicSolution {
                value: graph.opening_value(),
                counts: graph.counts(),
                residual: change,
                sweeps,
            });
        }
    }
}

/// All boards, with what they lead to.
struct Graph<'a, R: Rules>
where
    R::Grid: WordGrid,
{
    problem: &'a Problem<R>,
    states: Vec<State<R::Grid>>,
    state_at: BTreeMap<Board<R::Grid>, usize>,
    afters: Vec<After<R::Grid>>,
    after_at: BTreeMap<Board<R::Grid>, usize>,
    ended_states: BTreeSet<Board<R::Grid>>,
    ended_afters: BTreeSet<Board<R::Grid>>,
}

/// A board before a slide.
struct State<G: WordGrid> {
    board: Board<G>,
    /// Gain and afterstate of each slide.
    slides: Vec<(f64, Next)>,
    value: f64,
}

struct After<G: WordGrid> {
    board: Board<G>,
    /// Probability and state of each spawn.
    spawns: Vec<(f64, Next)>,
}

/// What a board leads to.
#[derive(Clone, Copy)]
enum Next {
    /// The board with this number.
    At(usize),
    /// The end of the game, other than by there being no legal slide.
    Ended,
}

impl<'a, R: Rules> Graph<'a, R>
where
    R::Grid: WordGrid,
{
    fn new(problem: &'a Problem<R>) -> Graph<'a, R> {
        let mut graph = Graph {
            problem,
            states: Vec::new(),
            state_at: BTreeMap::new(),
            afters: Vec::new(),
            after_at: BTreeMap::new(),
            ended_states: BTreeSet::new(),
            ended_afters: BTreeSet::new(),
        };
        for (board, _) in problem.openings().boards {
            graph.state(board);
        }
        graph
    }

    /// The number of a state, a new one if it is met for the first time.
    fn state(&mut self, board: Board<R::Grid>) -> Next {
        let board = board.canonical();
        if self.problem.is_ended(board) {
            self.ended_states.insert(board);
            return Next::Ended;
        }
        let states = &mut self.states;
        Next::At(*self.state_at.entry(board).or_insert_with(|| {
            states.push(State {
                board,
                slides: Vec::new(),
                value: 0.0,
            });
            states.len() - 1
        }))
    }

    /// Finds what state number `at` leads to.
    fn expand(&mut self, at: usize) {
        let board = self.states[at].board;
        let slid = self.problem.rules.apply_all(board);
        for after in slid.into_iter().flatten() {
            let gain = self.problem.gain_weight() * f64::from(after.gain);
            let next = self.after(after.board.canonical());
            self.states[at].slides.push((gain, next));
        }
    }

    fn after(&mut self, board: Board<R::Grid>) -> Next {
        if self.problem.is_ended(board) {
            self.ended_afters.insert(board);
            return Next::Ended;
        }
        if let Some(&at) = self.after_at.get(&board) {
            return Next::At(at);
        }
        let total = f64::from(self.problem.spawns.total()) * f64::from(board.n_empty());
        let mut spawns = Vec::new();
        for cell in board.empty_cells() {
            for kind in self.problem.spawns.kinds() {
                let next = self.state(board.put(cell, kind.code));
                spawns.push((f64::from(kind.weight) / total, next));
            }
        }
        self.after_at.insert(board, self.afters.len());
        self.afters.push(After { board, spawns });
        Next::At(self.afters.len() - 1)
    }

    fn next_value(&self, next: Next) -> f64 {
        match next {
            Next::At(at) => self.states[at].value,
            Next::Ended => self.problem.ended_value(),
        }
    }

    fn after_value(&self, next: Next) -> f64 {
        match next {
            Next::At(at) => {
                let spawns = self.afters[at].spawns.iter();
                spawns
                    .map(|&(odds, next)| odds * self.next_value(next))
                    .sum()
            }
            Next::Ended => self.problem.ended_value(),
        }
    }

    /// Values every state anew, those found last first, and returns the largest
    /// change.
    fn sweep(&mut self) -> f64 {
        let mut largest = 0.0_f64;
        for at in (0..self.states.len()).rev() {
            let slides = self.states[at].slides.iter();
            let values = slides.map(|&(gain, next)| gain + self.after_value(next));
            // Over where there is no slide.
            let value = values.reduce(f64::max).unwrap_or(0.0);
            largest = largest.max((value - self.states[at].value).abs());
            self.states[at].value = value;
        }
        largest
    }

    fn opening_value(&self) -> f64 {
        let openings = self.problem.openings();
        let boards = openings.boards.iter();
        let values: Vec<f64> = boards
            .map(|(board, _)| {
                let at = self.state_at.get(board);
                self.next_value(at.map_or(Next::Ended, |&at| Next::At(at)))
            })
            .collect();
        openings.mean(&values)
    }

    fn counts(&self) -> Counts {
        let states = self.states.iter();
        let (over, playing): (Vec<_>, Vec<_>) = states.partition(|state| state.slides.is_empty());
        let goal: BTreeSet<_> = self.ended_states.union(&self.ended_afters).collect();
        let mut afterstates = count(self.afters.iter().map(|after| after.board));
        afterstates += count(self.ended_afters.iter().copied());
        Counts {
            playing: count(playing.into_iter().map(|state| state.board)),
            over: count(over.into_iter().map(|state| state.board)),
            goal: count(goal.into_iter().copied()),
            afterstates,
        }
    }
}

fn count<G: WordGrid>(boards: impl Iterator<Item = Board<G>>) -> Count {
    let mut count = Count::default();
    for board in boards {
        count += Count {
            all: n_images(board),
            classes: 1,
        };
    }
    count
}
