//! Training: games against itself, many at a time.

use core::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use afterstate_ntuple::{Ends, Network, PatternSet, Stages, TupleGrid, TupleIndex};
use afterstate_play::{game_seed, rng_of_seed};
use afterstate_rules::{Rules, Spawns};

use crate::lane::{Course, Lane, Learning, Step};
use crate::starts::{Restarts, Starts};
use crate::tables::{Method, Tables};
use crate::tally::Tally;

/// What a network learns, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What it looks at.
    pub patterns: PatternSet,
    /// Which boards have weights of their own.
    pub stages: Stages,
    /// How weights follow errors.
    pub method: Method,
    /// The value that every board has at first, in the network's units.
    pub optimism: f32,
    /// What gains and ends are worth.
    pub ends: Ends,
    /// Games that begin in the middle.
    pub restarts: Option<Restarts>,
    /// The seed of all games.
    pub seed: u64,
}

/// Games that a worker plays in turns: while one waits for its weights, the
/// others go on.
const LANES: usize = 2;

/// A network in training.
#[derive(Debug)]
pub struct Trainer<R: Rules> {
    rules: R,
    spawns: Spawns<R::Grid>,
    settings: Settings,
    index: TupleIndex,
    tables: Tables,
    next_game: u64,
    /// For each worker, where its games may begin.
    starts: Vec<Starts<R::Grid>>,
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
            tables
                .weights_mut()
                .fill(settings.optimism / index.n_tuples() as f32);
        }
        Ok(Trainer {
            rules,
            spawns,
            settings,
            index,
            tables,
            next_game: 0,
            starts: Vec::new(),
        })
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

    /// The network so far, for play: weights rounded to the smallest power of two
    /// that lets all of them be counted in 16 bits.
    ///
    /// Boards with tiles above 2 to the power of `top` will be looked at as
    /// downgraded ones.
    ///
    /// *Errors*: the system has not enough memory.
    pub fn network(&self, top: u8) -> std::io::Result<Network<R::Grid>> {
        let weights = self.tables.weights();
        let largest = weights
            .iter()
            .fold(0.0_f32, |most, weight| most.max(weight.abs()));
        let mut unit = 1.0 / 1024.0;
        while largest / unit > f32::from(i16::MAX) {
            unit *= 2.0;
        }
        let Settings {
            patterns,
            stages,
            ends,
            ..
        } = &self.settings;
        let mut network = Network::zeroed(patterns.clone(), stages.clone(), unit, *ends, top)?;
        for (rounded, weight) in network.weights_mut().iter_mut().zip(weights) {
            // Pages of weights that are 0 stay untouched.
            if *weight != 0.0 {
                *rounded = (weight / unit).round() as i16;
            }
        }
        Ok(network)
    }

    /// Plays `n_games` games, restarted ones included, with `n_threads` workers,
    /// and learns from them.
    pub fn train(&mut self, n_games: u64, n_threads: usize) -> Tally {
        self.run(n_games, n_threads, Learning::On)
    }

    /// Plays games from openings without learning.
    pub fn play(&mut self, n_games: u64, n_threads: usize) -> Tally {
        let restarts = self.settings.restarts.take();
        let kept = core::mem::take(&mut self.starts);
        let tally = self.run(n_games, n_threads, Learning::Off);
        self.settings.restarts = restarts;
        self.starts = kept;
        tally
    }

    fn run(&mut self, n_games: u64, n_threads: usize, learning: Learning) -> Tally {
        let restarts = self.settings.restarts;
        self.starts.resize_with(n_threads, || Starts::new(restarts));
        let next = AtomicU64::new(self.next_game);
        let end = self.next_game + n_games;
        self.next_game = end;
        let course = Course {
            rules: self.rules,
            spawns: &self.spawns,
            index: &self.index,
            stages: &self.settings.stages,
            ends: self.settings.ends,
            tables: self.tables.shared(),
            learning,
        };
        let seed = self.settings.seed;
        let mut tally = Tally::default();
        thread::scope(|scope| {
            let workers: Vec<_> = self
                .starts
                .iter_mut()
                .map(|starts| {
                    let (course, next) = (&course, &next);
                    scope.spawn(move || work(course, starts, seed, next, end))
                })
                .collect();
            for worker in workers {
                tally.add(&worker.join().expect("a worker does not panic"));
            }
        });
        tally
    }
}

/// Plays games as long as there are any.
fn work<R: Rules>(
    course: &Course<'_, R>,
    starts: &mut Starts<R::Grid>,
    seed: u64,
    next: &AtomicU64,
    end: u64,
) -> Tally
where
    R::Grid: TupleGrid,
{
    let mut tally = Tally::default();
    let begin = |starts: &Starts<R::Grid>| {
        let idx = next.fetch_add(1, Ordering::Relaxed);
        (idx < end).then(|| {
            let seed = game_seed(seed, "train", "ntuple", idx);
            Lane::begin(course, starts, &mut rng_of_seed(!seed), seed)
        })
    };
    let mut lanes: Vec<Lane<R>> = (0..LANES).map_while(|_| begin(starts)).collect();
    while !lanes.is_empty() {
        let mut idx = 0;
        while idx < lanes.len() {
            match lanes[idx].slide(course, starts, &mut tally) {
                Step::Playing => {
                    lanes[idx].look(course);
                    idx += 1;
                }
                Step::Ended => match begin(starts) {
                    Some(lane) => {
                        lanes[idx] = lane;
                        idx += 1;
                    }
                    None => {
                        lanes.swap_remove(idx);
                    }
                },
            }
        }
    }
    tally
}
