//! The two passes over a layer: what boards there are, and what they are worth.

use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;

use afterstate_bitboard::{Board, Grid, Slide, WordGrid};
use afterstate_rules::Rules;
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::keys::{Index, Keys, Sink, collect, mixed};
use super::problem::Problem;
use super::solution::Count;

/// Boards of a piece of work.
const CHUNK: usize = 4096;

/// What spawns with this code make of some afterstates.
struct SpawnPiece<'a, G> {
    afters: &'a Keys<G>,
    range: Range<usize>,
    code: u8,
}

/// Which boards are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those at which the game has not ended with the goal.
    Live,
    /// The others.
    Ended,
}

fn ranges(n: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n)
        .step_by(CHUNK)
        .map(move |start| start..(start + CHUNK).min(n))
}

/// Sets of afterstates by the sum of their tiles.
pub(super) type Sets<G> = BTreeMap<u32, Arc<Keys<G>>>;

impl<R: Rules> Problem<R>
where
    R::Grid: WordGrid,
{
    /// The states of a sum: openings, and spawns on afterstates.
    pub(super) fn states(
        &self,
        recent: &Sets<R::Grid>,
        sum: u32,
        starts: &[Board<R::Grid>],
        wanted: Wanted,
    ) -> (Keys<R::Grid>, usize) {
        let none = Keys::none();
        // The openings are a piece of work of their own, without afterstates.
        let mut pieces = vec![SpawnPiece {
            afters: &none,
            range: 0..0,
            code: 0,
        }];
        let mut n_expected = starts.len();
        for kind in self.spawns.kinds() {
            let before = sum.checked_sub(kind.number as u32);
            let Some(afters) = before.and_then(|before| recent.get(&before)) else {
                continue;
            };
            n_expected += 3 * afters.len();
            pieces.extend(ranges(afters.len()).map(|range| SpawnPiece {
                afters,
                range,
                code: kind.code,
            }));
        }
        collect(&pieces, n_expected, |piece, sink| {
            if piece.code == 0 {
                for &board in starts {
                    self.push(board, wanted, sink);
                }
            }
            piece.afters.for_each(piece.range.clone(), |_, after| {
                for nth in 0..after.n_empty() {
                    let board = after.put(after.nth_empty(nth), piece.code);
                    self.push(board, wanted, sink);
                }
            });
        })
    }

    /// The afterstates of all slides.
    pub(super) fn afters(&self, states: &Keys<R::Grid>, wanted: Wanted) -> (Keys<R::Grid>, usize) {
        let pieces: Vec<Range<usize>> = ranges(states.len()).collect();
        collect(&pieces, 3 * states.len(), |range, sink| {
            states.for_each(range.clone(), |_, board| {
                for after in self.rules.afters(board) {
                    if after != board {
                        self.push(after, wanted, sink);
                    }
                }
            });
        })
    }

    #[inline(always)]
    fn push(&self, board: Board<R::Grid>, wanted: Wanted, sink: &mut Sink) {
        if self.is_ended(board) == (wanted == Wanted::Ended) {
            sink.push(board);
        }
    }

    /// How many boards of a sum have the goal, and how many of them are
    /// afterstates.
    pub(super) fn goals(
        &self,
        recent: &Sets<R::Grid>,
        sum: u32,
        starts: &[Board<R::Grid>],
        states: &Keys<R::Grid>,
    ) -> (Count, Count) {
        if !self.has_goal() {
            return (Count::default(), Count::default());
        }
        let (slid, _) = self.afters(states, Wanted::Ended);
        let (spawned, _) = self.states(recent, sum, starts, Wanted::Ended);
        let all = [&slid, &spawned];
        let (both, _) = collect::<R::Grid, _>(&all, slid.len() + spawned.len(), |keys, sink| {
            keys.for_each(0..keys.len(), |_, board| sink.push(board));
        });
        (count(&both), count(&slid))
    }

    /// The value of a board before a slide, from its layer.
    #[inline(always)]
    pub(super) fn value_of(&self, board: Board<R::Grid>, layer: &Valued<R::Grid>) -> f64 {
        if self.is_ended(board) {
            self.ended_value()
        } else {
            layer.value(board)
        }
    }

    /// The values of afterstates: means over the spawns.
    pub(super) fn after_values(
        &self,
        sum: u32,
        afters: &Keys<R::Grid>,
        above: &BTreeMap<u32, Valued<R::Grid>>,
    ) -> (Vec<f64>, Count) {
        let total = f64::from(self.spawns.total());
        let none = Valued::none();
        let kinds: Vec<(u8, f64, &Valued<R::Grid>)> = self
            .spawns
            .kinds()
            .iter()
            .map(|kind| {
                let layer = above.get(&(sum + kind.number as u32)).unwrap_or(&none);
                (kind.code, f64::from(kind.weight) / total, layer)
            })
            .collect();
        let value = |after: Board<R::Grid>| {
            let n_empty = after.n_empty();
            let mut mean = 0.0;
            for &(code, odds, layer) in &kinds {
                let mut sum = 0.0;
                for nth in 0..n_empty {
                    let board = after.put(after.nth_empty(nth), code);
                    sum += self.value_of(board, layer);
                }
                mean += odds * sum;
            }
            mean / f64::from(n_empty)
        };
        let mut values = vec![0.0; afters.len()];
        let all = values
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, values)| {
                let first = chunk * CHUNK;
                let mut n_all = 0;
                afters.for_each(first..first + values.len(), |idx, after| {
                    values[idx - first] = value(after);
                    n_all += n_images(after);
                });
                n_all
            })
            .sum();
        let classes = afters.len() as u64;
        (values, Count { all, classes })
    }

    /// The values of states, best slides, and how many are playing and over.
    pub(super) fn state_values(
        &self,
        states: &Keys<R::Grid>,
        afters: &Valued<R::Grid>,
    ) -> (Vec<f64>, [Count; 2]) {
        let rules = self.rules;
        let gain_weight = self.gain_weight();
        let value = |board: Board<R::Grid>| {
            let mut best = None;
            let slid = rules.afters(board);
            for slide in Slide::ALL {
                let after = slid[slide.idx()];
                if after != board {
                    let gain = gain_weight * f64::from(rules.gain(board, slide));
                    let value = gain + self.value_of(after, afters);
                    best = Some(best.map_or(value, |best: f64| best.max(value)));
                }
            }
            best
        };
        let mut values = vec![0.0; states.len()];
        let counts = values
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, values)| {
                let first = chunk * CHUNK;
                let mut counts = [Count::default(); 2];
                states.for_each(first..first + values.len(), |idx, board| {
                    let best = value(board);
                    values[idx - first] = best.unwrap_or(0.0);
                    counts[usize::from(best.is_none())] += Count {
                        all: n_images(board),
                        classes: 1,
                    };
                });
                counts
            })
            .reduce(
                || [Count::default(); 2],
                |mut a, b| {
                    a[0] += b[0];
                    a[1] += b[1];
                    a
                },
            );
        (values, counts)
    }
}

/// Number of different boards that are symmetric to a canonical one.
#[inline(always)]
pub(super) fn n_images<G: Grid>(board: Board<G>) -> u64 {
    // Each image comes up as often as the board itself does.
    let n_same = board
        .symmetries()
        .into_iter()
        .filter(|&image| image == board)
        .count();
    8 / n_same as u64
}

fn count<G: WordGrid>(keys: &Keys<G>) -> Count {
    let mut all = 0;
    keys.for_each(0..keys.len(), |_, board| all += n_images(board));
    Count {
        all,
        classes: keys.len() as u64,
    }
}

/// Boards with their values.
pub(super) struct Valued<G> {
    pub(super) keys: Arc<Keys<G>>,
    index: Index,
    pub(super) values: Vec<f64>,
}

impl<G: WordGrid> Valued<G> {
    pub(super) fn new(keys: Arc<Keys<G>>, values: Vec<f64>) -> Valued<G> {
        Valued {
            index: Index::new(&keys),
            keys,
            values,
        }
    }

    fn none() -> Valued<G> {
        Valued::new(Arc::new(Keys::none()), Vec::new())
    }

    #[inline(always)]
    fn value(&self, board: Board<G>) -> f64 {
        let number = mixed(board.canonical());
        self.values[self.index.position(&self.keys, number)]
    }

    pub(super) fn bytes(&self) -> u64 {
        self.keys.bytes() + self.index.bytes() + 8 * self.values.len() as u64
    }
}
