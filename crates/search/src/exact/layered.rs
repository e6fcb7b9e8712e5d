//! Enumeration by sums of tiles, and values from the last sum back.

use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::BTreeMap;
use std::sync::Arc;

use afterstate_bitboard::{Board, Grid, WordGrid};
use afterstate_rules::Rules;

use super::keys::Keys;
use super::passes::{Sets, Valued, Wanted};
use super::problem::Problem;
use super::solution::{
    Count, Counts, Keep, LayerCounts, Progress, Resources, Solution, SolveError, ValuedLayer,
};
use super::store::{Store, Stored};
use super::table_file::Header;

/// Solves a problem in which every slide keeps the sum of the tiles, as in the
/// classic rules.
///
/// The work is done by the threads of the rayon pool that this is called in; the
/// result does not depend on their number, to the last bit.
///
/// ```
/// use core::sync::atomic::AtomicBool;
///
/// use afterstate_bitboard::Nibbles;
/// use afterstate_rules::{ClassicRules, SpawnSet};
/// use afterstate_search::exact::{Keep, Objective, Problem, Resources, solve};
///
/// let rules = ClassicRules::<Nibbles<2, 2>>::on_grid();
/// let problem = Problem::new(rules, &SpawnSet::STANDARD, Objective::Score)?;
/// let resources = Resources {
///     max_bytes: 1 << 20,
///     scratch: None,
///     stop: &AtomicBool::new(false),
///     watch: &mut |_| {},
/// };
/// let solution = solve(&problem, resources, Keep::Summary)?;
/// assert_eq!(format!("{:.10}", solution.value()), "66.9641494571");
/// assert_eq!(solution.counts().states().classes, 110);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// *Cost*: 3x3 has 49 million states up to symmetry and takes some 10 s on two
/// cores, with less than 1 GiB.
///
/// *Errors*: too little memory, a scratch file that fails, being told to stop.
///
/// *Panics*: when the rules are not such, as akioi's: see
/// [`super::solve_cyclic`].
pub fn solve<R: Rules>(
    problem: &Problem<R>,
    resources: Resources<'_>,
    keep: Keep,
) -> Result<Solution<R::Grid>, SolveError>
where
    R::Grid: WordGrid,
{
    assert!(R::GAIN_IS_POTENTIAL, "slides keep the sum of the tiles");
    let mut solver = Solver {
        problem,
        store: Store::new(resources.max_bytes, resources.scratch),
        keep,
        stop: resources.stop,
        watch: resources.watch,
        n_states: 0,
    };
    let layers = solver.enumerate()?;
    solver.value(layers)
}

struct Solver<'a, R: Rules> {
    problem: &'a Problem<R>,
    store: Store,
    keep: Keep,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(Progress),
    n_states: u64,
}

/// The boards of one sum of tiles at which the game goes on or is over; those
/// with the goal are only counted.
struct Layer<G: WordGrid> {
    sum: u32,
    states: Stored<Keys<G>>,
    afters: Stored<Keys<G>>,
    goal: Count,
    goal_afters: Count,
}

impl<R: Rules> Solver<'_, R>
where
    R::Grid: WordGrid,
{
    fn go_on(&self) -> Result<(), SolveError> {
        if self.stop.load(Ordering::Relaxed) {
            Err(SolveError::Stopped)
        } else {
            Ok(())
        }
    }

    /// The layers, in ascending order of sums.
    fn enumerate(&mut self) -> Result<Vec<Layer<R::Grid>>, SolveError> {
        let mut openings: BTreeMap<u32, Vec<Board<R::Grid>>> = BTreeMap::new();
        for (board, _) in self.problem.openings().boards {
            openings.entry(sum_of(board)).or_default().push(board);
        }
        let last_opening = openings.keys().next_back().copied().unwrap_or(0);
        let max_spawn = self.problem.spawns.max_number() as u32;
        let mut layers = Vec::new();
        // Afterstates of the sums that one spawn can lead on from.
        let mut recent: Sets<R::Grid> = BTreeMap::new();
        // All tiles are even.
        for sum in (2..).step_by(2) {
            if sum > last_opening && recent.is_empty() {
                break;
            }
            self.go_on()?;
            let starts = openings.remove(&sum).unwrap_or_default();
            layers.extend(self.layer(sum, &mut recent, &starts)?);
            recent.retain(|&old, _| old + max_spawn >= sum + 2);
            (self.watch)(Progress::Enumerating {
                sum,
                states: self.n_states,
            });
        }
        Ok(layers)
    }

    /// The boards of one sum, where there are any. Their afterstates go to the
    /// recent ones.
    fn layer(
        &mut self,
        sum: u32,
        recent: &mut Sets<R::Grid>,
        starts: &[Board<R::Grid>],
    ) -> Result<Option<Layer<R::Grid>>, SolveError> {
        let (states, n_states_taken) = self.problem.states(recent, sum, starts, Wanted::Live);
        let (afters, n_afters_taken) = self.problem.afters(&states, Wanted::Live);
        let n_taken = n_states_taken.max(n_afters_taken);
        let bytes = 8 * n_taken as u64 + states.bytes() + 2 * afters.bytes();
        self.store.work_with(bytes + unstored_bytes(recent))?;
        let (goal, goal_afters) = self.problem.goals(recent, sum, starts, &states);
        self.n_states += states.len() as u64;
        if states.len() == 0 && goal.classes == 0 {
            return Ok(None);
        }
        let afters = Arc::new(afters);
        if afters.len() > 0 {
            recent.insert(sum, Arc::clone(&afters));
        }
        Ok(Some(Layer {
            sum,
            states: self.store.keep(Arc::new(states))?,
            afters: self.store.keep(afters)?,
            goal,
            goal_afters,
        }))
    }

    /// Values all layers and drops them.
    fn value(mut self, layers: Vec<Layer<R::Grid>>) -> Result<Solution<R::Grid>, SolveError> {
        let max_spawn = self.problem.spawns.max_number() as u32;
        let openings = self.problem.openings();
        let mut opening_values = vec![0.0; openings.boards.len()];
        // States of the sums that one spawn can lead to.
        let mut above: BTreeMap<u32, Valued<R::Grid>> = BTreeMap::new();
        let mut counts = Vec::with_capacity(layers.len());
        let mut valued = Vec::new();
        let mut n_done = 0;
        for layer in layers.into_iter().rev() {
            self.go_on()?;
            let sum = layer.sum;
            above.retain(|&higher, _| higher <= sum + max_spawn);
            let (layer_counts, afters) = self.value_layer(layer, &mut above)?;
            counts.push(layer_counts);
            valued.extend(afters);
            let states = &above[&sum];
            for (value, (board, _)) in opening_values.iter_mut().zip(&openings.boards) {
                if sum_of(*board) == sum {
                    *value = self.problem.value_of(*board, states);
                }
            }
            n_done += states.values.len() as u64;
            (self.watch)(Progress::Valuing {
                states: n_done,
                of: self.n_states,
            });
        }
        counts.reverse();
        Ok(Solution {
            header: Header::new(self.problem),
            value: openings.mean(&opening_values),
            layers: counts,
            valued,
            store: self.store,
        })
    }

    /// Values a layer from those above, to which its states are added. Its
    /// afterstates are kept where a table is wanted.
    fn value_layer(
        &mut self,
        layer: Layer<R::Grid>,
        above: &mut BTreeMap<u32, Valued<R::Grid>>,
    ) -> Result<Outcome<R::Grid>, SolveError> {
        let sum = layer.sum;
        let afters = self.store.take(layer.afters)?;
        let states = self.store.take(layer.states)?;
        let (after_values, n_afters) = self.problem.after_values(sum, &afters, above);
        let afters = Valued::new(afters, after_values);
        let (values, [playing, over]) = self.problem.state_values(&states, &afters);
        let states = Valued::new(states, values);
        let others: u64 = above.values().map(Valued::bytes).sum();
        self.store
            .work_with(others + states.bytes() + afters.bytes())?;
        above.insert(sum, states);
        let mut afterstates = n_afters;
        afterstates += layer.goal_afters;
        let counts = LayerCounts {
            sum,
            counts: Counts {
                playing,
                over,
                goal: layer.goal,
                afterstates,
            },
        };
        if self.keep == Keep::Summary {
            return Ok((counts, None));
        }
        let valued = ValuedLayer {
            sum,
            n_afters: n_afters.classes,
            afters: self.store.keep(afters.keys)?,
            values: self.store.keep(Arc::new(afters.values))?,
        };
        Ok((counts, Some(valued)))
    }
}

/// Bytes of the sets that are not in the memory of the store: of layers on disk.
/// A large spawn leads on from many sums, which all have to be at hand.
fn unstored_bytes<G: WordGrid>(recent: &Sets<G>) -> u64 {
    let unstored = recent.values().filter(|keys| Arc::strong_count(keys) == 1);
    unstored.map(|keys| keys.bytes()).sum()
}

/// The numbers of boards of a layer, and its afterstates where they are wanted.
type Outcome<G> = (LayerCounts, Option<ValuedLayer<G>>);

fn sum_of<G: Grid>(board: Board<G>) -> u32 {
    u32::try_from(board.tile_sum()).expect("the tiles of a small board add up to less than 2^32")
}
