//! One game in progress, and how it teaches.

use afterstate_bitboard::{Board, Slide};
use afterstate_ntuple::{
    Ends, Indices, MAX_TUPLES, Stages, TupleGrid, TupleIndex, prefetch_all, sums,
};
use afterstate_play::{GameRng, Spawner};
use afterstate_rules::{Rules, Spawns};

use crate::starts::Starts;
use crate::tables::Shared;
use crate::tally::Tally;

/// What all lanes of a run have in common.
pub(crate) struct Course<'a, R: Rules> {
    pub(crate) rules: R,
    pub(crate) spawns: &'a Spawns<R::Grid>,
    pub(crate) index: &'a TupleIndex,
    pub(crate) stages: &'a Stages,
    pub(crate) ends: Ends,
    pub(crate) tables: Shared<'a>,
    pub(crate) learning: Learning,
}

/// Whether games change the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Learning {
    On,
    Off,
}

/// Slides between two looks at which segment a game is in.
const SEGMENT_EVERY: u32 = 16;

pub(crate) struct Lane<R: Rules> {
    spawner: Spawner<R::Grid>,
    board: Board<R::Grid>,
    n_slides: u32,
    score: i64,
    segment: usize,
    from_opening: bool,
    afters: [Board<R::Grid>; 4],
    indices: Indices,
    has_previous: bool,
    previous_indices: [u32; MAX_TUPLES],
}

/// Whether a game goes on.
#[derive(PartialEq, Eq)]
pub(crate) enum Step {
    Playing,
    Ended,
}

impl<R: Rules> Lane<R>
where
    R::Grid: TupleGrid,
{
    /// A game with this seed, from `start` or from an opening.
    pub(crate) fn begin(
        course: &Course<'_, R>,
        starts: &Starts<R::Grid>,
        rng: &mut GameRng,
        seed: u64,
    ) -> Lane<R> {
        let mut spawner = Spawner::new(course.spawns, seed);
        let drawn = starts.draw(rng);
        let board = drawn.unwrap_or_else(|| {
            let opening = spawner.opening();
            opening.iter().fold(Board::default(), |board, spawned| {
                board.put(spawned.cell, spawned.code)
            })
        });
        let mut lane = Lane {
            spawner,
            board,
            n_slides: 0,
            score: 0,
            segment: starts.segment(board),
            from_opening: drawn.is_none(),
            afters: [board; 4],
            indices: Indices::default(),
            has_previous: false,
            previous_indices: [0; MAX_TUPLES],
        };
        lane.look(course);
        lane
    }

    /// Makes the four afterstates and asks for their weights.
    #[inline(always)]
    pub(crate) fn look(&mut self, course: &Course<'_, R>) {
        self.afters = course.rules.afters(self.board);
        let stages = course.stages.of_all(&self.afters);
        course.index.of(&self.afters, stages, &mut self.indices);
        prefetch_all(course.tables.weights, &self.indices);
    }

    /// Chooses a slide, learns from it, slides and lets a tile spawn.
    #[inline(always)]
    pub(crate) fn slide(
        &mut self,
        course: &Course<'_, R>,
        pool: &mut Starts<R::Grid>,
        tally: &mut Tally,
    ) -> Step {
        let values = sums(course.tables.weights, &self.indices);
        let mut best: Option<(f32, usize, i32)> = None;
        for slide in Slide::ALL {
            let lane = slide.idx();
            let after = self.afters[lane];
            if after == self.board {
                continue;
            }
            let gain = course.rules.gain(self.board, slide);
            let future = if course.rules.is_cleared(after) {
                course.ends.cleared
            } else {
                values[lane]
            };
            let value = course.ends.gain_weight * gain as f32 + future;
            if best.is_none_or(|(highest, ..)| value > highest) {
                best = Some((value, lane, gain));
            }
        }
        let Some((value, lane, gain)) = best else {
            self.learn(course, 0.0);
            self.count(tally, 0);
            return Step::Ended;
        };
        self.learn(course, value);
        let after = self.afters[lane];
        self.score += i64::from(gain);
        self.n_slides += 1;
        if course.rules.is_cleared(after) {
            self.board = after;
            self.count(tally, 1);
            return Step::Ended;
        }
        if course.learning == Learning::On {
            self.has_previous = true;
            for (kept, row) in self.previous_indices.iter_mut().zip(self.indices.rows()) {
                *kept = row[lane] as u32;
            }
            course.tables.prefetch_errors(&self.previous_indices);
        }
        let spawned = self.spawner.spawn(after);
        self.board = after.put(spawned.cell, spawned.code);
        if self.n_slides.is_multiple_of(SEGMENT_EVERY) {
            let segment = pool.segment(self.board);
            if segment > self.segment {
                self.segment = segment;
                pool.keep(segment, self.board);
            }
        }
        Step::Playing
    }

    /// Moves the value of the afterstate before towards `target`.
    #[inline(always)]
    fn learn(&self, course: &Course<'_, R>, target: f32) {
        if self.has_previous {
            course.tables.update(&self.previous_indices, target);
        }
    }

    #[cold]
    fn count(&self, tally: &mut Tally, n_cleared: u64) {
        tally.n_slides += u64::from(self.n_slides);
        if !self.from_opening {
            tally.n_restarted += 1;
            return;
        }
        tally.n_games += 1;
        tally.score += self.score;
        tally.score_squares += u128::from(self.score.unsigned_abs()).pow(2);
        tally.largest[self.board.top_exponent() as usize] += 1;
        tally.n_cleared += n_cleared;
    }
}
