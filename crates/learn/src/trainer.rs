//! Training: games against itself, many at a time.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use afterstate_ntuple::{Ends, Network, PatternSet, Stages, TupleGrid, TupleIndex};
use afterstate_play::{game_seed, rng_of_seed};
use afterstate_rules::{Rules, Spawns};

use crate::lane::{Course, Lane, Learning, Order, Progress, Step, Teacher};
use crate::starts::{Restarts, Starts};
use crate::tables::{Method, Tables};
use crate::tally::Tally;

/// What a network learns, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What it looks at.
    pub patterns: PatternSet,
    /// Which boards have weights of their own.
    pub stages: Stages,
    /// How weights follow errors.
    pub method: Method,
    /// In which order boards teach.
    pub order: Order,
    /// The value that every board has at first, in the network's units.
    pub optimism: f32,
    /// What gains and ends are worth.
    pub ends: Ends,
    /// Games that begin in the middle.
    pub restarts: Option<Restarts>,
    /// The seed of all games.
    pub seed: u64,
    /// Games of a round. All of a round are over before the next begins.
    pub round_games: u64,
    /// Workers. One gives the same weights every time; more of them change each
    /// other's weights in whatever order they get to it.
    pub n_threads: usize,
}

/// What becomes of the weights of training in a network for play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finish {
    /// How many to keep: those whose errors add up to the most, whatever their
    /// signs. `None` for all. Needs temporal coherence, which counts errors.
    pub keep: Option<usize>,
    /// What weights are rounded to multiples of, or twice that, and so on, until
    /// all fit into 16 bits; `None` for as small a power of two as fits.
    pub unit: Option<f32>,
    /// Boards with tiles above 2 to the power of this will be looked at as
    /// downgraded ones.
    pub top: u8,
}

/// Games that a worker plays in turns: while one waits for its weights, the
/// others go on.
const LANES: usize = 2;

/// A network in training.
#[derive(Debug)]
pub struct Trainer<R: Rules> {
    pub(crate) rules: R,
    pub(crate) spawns: Spawns<R::Grid>,
    pub(crate) settings: Settings,
    pub(crate) index: TupleIndex,
    pub(crate) tables: Tables,
    /// Rounds that are over.
    pub(crate) n_rounds: u64,
    /// The number of the next game to begin.
    pub(crate) next_game: u64,
    /// What the weights had learned before, if it was not nothing.
    pub(crate) origin: Option<String>,
    pub(crate) workers: Vec<Worker<R>>,
}

/// What a worker has in hand.
#[derive(Debug)]
pub(crate) struct Worker<R: Rules> {
    pub(crate) starts: Starts<R::Grid>,
    pub(crate) games: Vec<Progress<R>>,
    /// Of this round.
    pub(crate) tally: Tally,
}

impl<R: Rules> Trainer<R>
where
    R::Grid: TupleGrid,
{
    /// A network that knows nothing.
    ///
    /// *Errors*: the system has not enough memory.
    pub fn new(
        rules: R,
        spawns: Spawns<R::Grid>,
        settings: Settings,
    ) -> std::io::Result<Trainer<R>> {
        let index = TupleIndex::new::<R::Grid>(&settings.patterns);
        let n_weights = index.n_weights() * settings.stages.n_stages();
        let mut tables = Tables::zeroed(n_weights, index.n_tuples(), settings.method)?;
        if settings.optimism != 0.0 {
            tables.fill(settings.optimism / index.n_tuples() as f32);
        }
        let worker = || Worker {
            starts: Starts::new(settings.restarts),
            games: Vec::new(),
            tally: Tally::default(),
        };
        Ok(Trainer {
            rules,
            spawns,
            index,
            tables,
            n_rounds: 0,
            next_game: 0,
            origin: None,
            workers: (0..settings.n_threads).map(|_| worker()).collect(),
            settings,
        })
    }

    /// What it learns, and how.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Rounds that are over.
    pub fn n_rounds(&self) -> u64 {
        self.n_rounds
    }

    /// What the weights had learned before training began, and for how long;
    /// `None` for nothing.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// The weights so far.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The weights so far, to write.
    pub fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }

    /// Where the tuples lie.
    pub fn index(&self) -> &TupleIndex {
        &self.index
    }

    /// The network so far, for play, its weights rounded and the least used left
    /// out as `finish` says.
    ///
    /// *Errors*: the system has not enough memory.
    pub fn network(&self, finish: Finish) -> std::io::Result<Network<R::Grid>> {
        let weights = self.tables.weights();
        let least = finish
            .keep
            .map_or(0.0, |keep| self.least_change(keep, finish.top));
        let largest = weights
            .iter()
            .fold(0.0_f32, |most, weight| most.max(weight.abs()));
        let mut unit = finish.unit.unwrap_or(1.0 / 1024.0);
        while largest / unit > f32::from(i16::MAX) {
            unit *= 2.0;
        }
        let Settings {
            patterns,
            stages,
            ends,
            ..
        } = &self.settings;
        let (patterns, stages) = (patterns.clone(), stages.clone());
        let mut network = Network::zeroed(patterns, stages, unit, *ends, finish.top)?;
        let errors = self.tables.errors();
        for (idx, rounded) in network.weights_mut().iter_mut().enumerate() {
            let is_kept = least == 0.0 || errors[idx][1] >= least && self.is_seen(idx, finish.top);
            // Pages of weights that are 0 stay untouched.
            if weights[idx] != 0.0 && is_kept {
                *rounded = (weights[idx] / unit).round() as i16;
            }
        }
        Ok(network)
    }

    /// Whether a board as it is seen with this `top` may have the weight `idx`. A board
    /// whose tiles have no gap keeps its larger ones, but hardly any game has one.
    fn is_seen(&self, idx: usize, top: u8) -> bool {
        let mut codes = self.index.codes(idx);
        codes.all(|code| R::Grid::is_seen(code, top))
    }

    /// The accumulated change that the `keep` most changed weights have at least that
    /// boards as seen with this `top` have; 0 where there are not that many or where it
    /// is not known.
    fn least_change(&self, keep: usize, top: u8) -> f32 {
        let errors = self.tables.errors();
        let mut changes: Vec<f32> = errors
            .iter()
            .enumerate()
            .filter(|&(idx, &[_, absolute])| absolute > 0.0 && self.is_seen(idx, top))
            .map(|(_, &[_, absolute])| absolute)
            .collect();
        match changes.len().checked_sub(keep) {
            None | Some(0) => 0.0,
            Some(n_left_out) => *changes.select_nth_unstable_by(n_left_out, f32::total_cmp).1,
        }
    }

    /// Plays a round of games and learns from them; returns what happened in it.
    /// `None` when it was stopped: then the next call goes on with the round as
    /// if nothing had happened.
    pub fn round(&mut self, stop: &AtomicBool) -> Option<Tally> {
        self.round_by(None, stop)
    }

    /// [`Trainer::round`] with a teacher: all afterstates of each board of a game
    /// learn what the teacher says of them, and not what the network makes of the
    /// next one. Games are still the network's own, so that it is told about its own
    /// mistakes.
    ///
    /// *Source*: S. Ross, G. Gordon and D. Bagnell, A reduction of imitation learning
    /// and structured prediction to no-regret online learning (2011).
    pub fn taught_round(
        &mut self,
        teacher: Teacher<'_, R::Grid>,
        stop: &AtomicBool,
    ) -> Option<Tally> {
        self.round_by(Some(teacher), stop)
    }

    fn round_by(
        &mut self,
        teacher: Option<Teacher<'_, R::Grid>>,
        stop: &AtomicBool,
    ) -> Option<Tally> {
        let end = (self.n_rounds + 1) * self.settings.round_games;
        let next = AtomicU64::new(self.next_game);
        let seed = self.settings.seed;
        let learning = Learning::When(self.settings.order);
        let (course, workers) = self.parts(learning, teacher);
        run(&course, workers, seed, &next, end, stop);
        self.next_game = next.into_inner().min(end);
        if self.workers.iter().any(|worker| !worker.games.is_empty()) || self.next_game < end {
            return None;
        }
        self.n_rounds += 1;
        let mut tally = Tally::default();
        for worker in &mut self.workers {
            tally.add(&core::mem::take(&mut worker.tally));
        }
        Some(tally)
    }

    /// Plays games from openings without learning, those of the seeds of
    /// training that are still to come.
    pub fn play(&mut self, n_games: u64) -> Tally {
        let mut workers: Vec<Worker<R>> = (0..self.settings.n_threads)
            .map(|_| Worker {
                starts: Starts::new(None),
                games: Vec::new(),
                tally: Tally::default(),
            })
            .collect();
        let next = AtomicU64::new(self.next_game);
        let end = self.next_game + n_games;
        let seed = self.settings.seed;
        let (course, _) = self.parts(Learning::Off, None);
        run(
            &course,
            &mut workers,
            seed,
            &next,
            end,
            &AtomicBool::new(false),
        );
        let mut tally = Tally::default();
        for worker in &workers {
            tally.add(&worker.tally);
        }
        tally
    }

    fn parts<'a>(
        &'a mut self,
        learning: Learning,
        teacher: Option<Teacher<'a, R::Grid>>,
    ) -> (Course<'a, R>, &'a mut [Worker<R>]) {
        let course = Course {
            rules: self.rules,
            spawns: &self.spawns,
            index: &self.index,
            stages: &self.settings.stages,
            ends: self.settings.ends,
            tables: self.tables.shared(),
            learning,
            teacher,
        };
        (course, &mut self.workers)
    }
}

/// Has all workers play until game number `end`.
fn run<R: Rules>(
    course: &Course<'_, R>,
    workers: &mut [Worker<R>],
    seed: u64,
    next: &AtomicU64,
    end: u64,
    stop: &AtomicBool,
) where
    R::Grid: TupleGrid,
{
    let next_seed = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < end).then(|| game_seed(seed, "train", "ntuple", number))
    };
    match workers {
        [worker] => work(course, worker, &next_seed, stop),
        workers => thread::scope(|scope| {
            for worker in workers {
                let next_seed = &next_seed;
                scope.spawn(move || work(course, worker, next_seed, stop));
            }
        }),
    }
}

/// Steps of all lanes between two looks at whether to stop.
const STOP_EVERY: u32 = 1024;

/// Plays games as long as there are any, and until told to stop.
fn work<R: Rules>(
    course: &Course<'_, R>,
    worker: &mut Worker<R>,
    next_seed: &dyn Fn() -> Option<u64>,
    stop: &AtomicBool,
) where
    R::Grid: TupleGrid,
{
    let Worker {
        starts,
        games,
        tally,
    } = worker;
    let begin = |starts: &Starts<R::Grid>| {
        let seed = next_seed()?;
        let rng = &mut rng_of_seed(!seed);
        Some(Progress::begin(course.spawns, starts, rng, seed))
    };
    let mut lanes: Vec<Lane<R>> = games
        .drain(..)
        .map(|game| Lane::new(course, game))
        .collect();
    while lanes.len() < LANES
        && let Some(game) = begin(starts)
    {
        lanes.push(Lane::new(course, game));
    }
    let mut countdown = STOP_EVERY;
    while !lanes.is_empty() {
        countdown -= 1;
        if countdown == 0 {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            countdown = STOP_EVERY;
        }
        let mut idx = 0;
        while idx < lanes.len() {
            match lanes[idx].slide(course, starts, tally) {
                Step::Playing => {
                    lanes[idx].look(course);
                    idx += 1;
                }
                Step::Ended => match begin(starts) {
                    Some(game) => {
                        lanes[idx] = Lane::new(course, game);
                        idx += 1;
                    }
                    None => {
                        lanes.swap_remove(idx);
                    }
                },
            }
        }
    }
    games.extend(lanes.into_iter().map(|lane| lane.game));
}
