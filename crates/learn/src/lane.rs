//! One game in progress, and how it teaches.

use afterstate_bitboard::{Board, Slide};
use afterstate_ntuple::{
    Ends, Indices, MAX_TUPLES, Stages, TupleGrid, TupleIndex, prefetch_all, sums,
};
use afterstate_play::{GameRng, Spawner};
use afterstate_rules::{Rules, Spawns};
use serde::{Deserialize, Serialize};

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
    pub(crate) teacher: Option<Teacher<'a, R::Grid>>,
}

/// What an afterstate is worth, by someone who knows, in the network's units.
pub type Teacher<'a, G> = &'a (dyn Fn(Board<G>) -> f32 + Sync);

/// When games change the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Learning {
    Off,
    When(Order),
}

/// In which order the boards of a game teach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Each as soon as the next slide is chosen.
    Forward,
    /// All after the game, the last one first: how it ended is known at the first
    /// board after one game and not after as many as it has slides.
    ///
    /// *Source*: K. Matsuzaki, Developing a 2048 player with backward temporal
    /// coherence learning and restart (2017).
    Backward,
}

/// Slides between two looks at which segment a game is in.
const SEGMENT_EVERY: u32 = 16;

/// A game as far as it has come: all that is to be known to go on with it.
#[derive(Debug, Clone)]
pub(crate) struct Progress<R: Rules> {
    pub(crate) spawner: Spawner<R::Grid>,
    pub(crate) board: Board<R::Grid>,
    /// The afterstate that the board came from.
    pub(crate) previous: Option<Board<R::Grid>>,
    pub(crate) n_slides: u32,
    pub(crate) score: i64,
    pub(crate) segment: usize,
    pub(crate) from_opening: bool,
    /// With [`Order::Backward`], the afterstates so far and the gain of the slide
    /// to each.
    pub(crate) history: Vec<(Board<R::Grid>, i32)>,
}

/// A game with what it looks at next.
#[derive(Debug)]
pub(crate) struct Lane<R: Rules> {
    pub(crate) game: Progress<R>,
    afters: [Board<R::Grid>; 4],
    indices: Indices,
    previous_indices: [u32; MAX_TUPLES],
}

/// Whether a game goes on.
#[derive(PartialEq, Eq)]
pub(crate) enum Step {
    Playing,
    Ended,
}

impl<R: Rules> Progress<R> {
    /// The beginning of a game with this seed, from a kept board or an opening.
    pub(crate) fn begin(
        spawns: &Spawns<R::Grid>,
        starts: &Starts<R::Grid>,
        rng: &mut GameRng,
        seed: u64,
    ) -> Progress<R> {
        let mut spawner = Spawner::new(spawns, seed);
        let kept = starts.draw(rng);
        let board = kept.unwrap_or_else(|| {
            spawner
                .opening()
                .iter()
                .fold(Board::default(), |board, tile| {
                    board.put(tile.cell, tile.code)
                })
        });
        Progress {
            spawner,
            board,
            previous: None,
            n_slides: 0,
            score: 0,
            segment: starts.segment(board),
            from_opening: kept.is_none(),
            history: Vec::new(),
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

impl<R: Rules> Lane<R>
where
    R::Grid: TupleGrid,
{
    /// The game, looked at.
    pub(crate) fn new(course: &Course<'_, R>, game: Progress<R>) -> Lane<R> {
        let mut lane = Lane {
            afters: [game.board; 4],
            indices: Indices::default(),
            previous_indices: [0; MAX_TUPLES],
            game,
        };
        if let Some(previous) = lane.game.previous {
            lane.index(course, &[previous; 4]);
            lane.keep_indices(0);
        }
        lane.look(course);
        lane
    }

    #[inline(always)]
    fn index(&mut self, course: &Course<'_, R>, boards: &[Board<R::Grid>; 4]) {
        let stages = course.stages.of_all(boards);
        course.index.of(boards, stages, &mut self.indices);
    }

    #[inline(always)]
    fn keep_indices(&mut self, lane: usize) {
        for (kept, row) in self.previous_indices.iter_mut().zip(self.indices.rows()) {
            *kept = row[lane] as u32;
        }
    }

    /// Makes the four afterstates and asks for their weights.
    #[inline(always)]
    pub(crate) fn look(&mut self, course: &Course<'_, R>) {
        let afters = course.rules.afters(self.game.board);
        self.index(course, &afters);
        self.afters = afters;
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
        let Some((value, lane, gain)) = self.best(course) else {
            self.learn(course, 0.0);
            self.look_back(course, 0.0);
            self.game.count(tally, 0);
            return Step::Ended;
        };
        self.learn(course, value);
        self.be_taught(course);
        let after = self.afters[lane];
        self.game.score += i64::from(gain);
        self.game.n_slides += 1;
        if course.rules.is_cleared(after) {
            self.game.board = after;
            self.look_back(course, value);
            self.game.count(tally, 1);
            return Step::Ended;
        }
        match course.learning {
            Learning::Off => {}
            Learning::When(Order::Forward) => {
                self.game.previous = Some(after);
                self.keep_indices(lane);
                course.tables.prefetch_errors(&self.previous_indices);
            }
            Learning::When(Order::Backward) => self.game.history.push((after, gain)),
        }
        let spawned = self.game.spawner.spawn(after);
        self.game.board = after.put(spawned.cell, spawned.code);
        if self.game.n_slides.is_multiple_of(SEGMENT_EVERY) {
            let segment = pool.segment(self.game.board);
            if segment > self.game.segment {
                self.game.segment = segment;
                pool.keep(segment, self.game.board);
            }
        }
        Step::Playing
    }

    /// The value of the best slide, its number and its gain; `None` when none is
    /// legal.
    #[inline(always)]
    fn best(&self, course: &Course<'_, R>) -> Option<(f32, usize, i32)> {
        let values = sums(course.tables.weights, &self.indices);
        let mut best: Option<(f32, usize, i32)> = None;
        for slide in Slide::ALL {
            let lane = slide.idx();
            let after = self.afters[lane];
            if after == self.game.board {
                continue;
            }
            let gain = course.rules.gain(self.game.board, slide);
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
        best
    }

    /// Moves the value of the afterstate before towards `target`, if nobody knows
    /// better.
    #[inline(always)]
    fn learn(&self, course: &Course<'_, R>, target: f32) {
        if self.game.previous.is_some() && course.teacher.is_none() {
            course.tables.update(&self.previous_indices, target);
        }
    }

    /// Moves the values of all afterstates towards what a teacher says of them, if
    /// there is one: also of those that were not chosen, which may be the better
    /// ones.
    #[inline(always)]
    fn be_taught(&mut self, course: &Course<'_, R>) {
        let Some(teacher) = course.teacher else {
            return;
        };
        for lane in 0..4 {
            if self.afters[lane] != self.game.board {
                self.keep_indices(lane);
                let value = teacher(self.afters[lane]);
                course.tables.update(&self.previous_indices, value);
            }
        }
    }

    /// Learns from all boards of a game that ended worth `end`, the last one
    /// first.
    #[inline(never)]
    fn look_back(&mut self, course: &Course<'_, R>, end: f32) {
        let history = core::mem::take(&mut self.game.history);
        let mut target = end;
        // Four boards are indexed at once, and their weights asked for while the
        // four before are at work.
        let mut blocks = history.rchunks(4).map(|block| {
            let boards = core::array::from_fn(|lane| block[lane.min(block.len() - 1)].0);
            self.index(course, &boards);
            prefetch_all(course.tables.weights, &self.indices);
            let mut columns = [[0; MAX_TUPLES]; 4];
            for (tuple, row) in self.indices.rows().iter().enumerate() {
                for (column, &idx) in columns.iter_mut().zip(row) {
                    column[tuple] = idx as u32;
                }
            }
            for column in &columns {
                course.tables.prefetch_errors(column);
            }
            (block, columns)
        });
        let mut current = blocks.next();
        while let Some((block, columns)) = current {
            current = blocks.next();
            for ((_, gain), indices) in block.iter().zip(&columns).rev() {
                course.tables.update(indices, target);
                target = course.ends.gain_weight * *gain as f32 + course.tables.sum(indices);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use afterstate_bitboard::Akioi;
    use afterstate_ntuple::PatternSet;
    use afterstate_rules::{AkioiRules, SpawnSet};

    use super::*;
    use crate::tables::{Method, Tables};

    /// A game that is cleared ends with what that is worth, and the boards before
    /// learn it.
    #[test]
    fn a_cleared_game_is_learned_backwards_too() {
        let patterns = PatternSet::parse::<Akioi>("2x4").expect("a name");
        let index = TupleIndex::new::<Akioi>(&patterns);
        let method = Method::Td { rate: 1.0 };
        let mut tables =
            Tables::zeroed(index.n_weights(), index.n_tuples(), method).expect("memory");
        let spawns = SpawnSet::GUIDE.on_grid().expect("akioi has these tiles");
        let course = Course {
            rules: AkioiRules::new(),
            spawns: &spawns,
            index: &index,
            stages: &Stages::default(),
            ends: Ends {
                gain_weight: 0.0,
                cleared: 1000.0,
            },
            tables: tables.shared(),
            learning: Learning::When(Order::Backward),
            teacher: None,
        };
        let board: Board<Akioi> = "32768 32768 2 4 8 16 32 64 2 4 8 16 32 64 . 256"
            .parse()
            .expect("a board");
        let mut starts = Starts::new(None);
        let mut tally = Tally::default();
        let mut game = Progress::<AkioiRules>::begin(
            &spawns,
            &starts,
            &mut afterstate_play::rng_of_seed(1),
            1,
        );
        game.board = board;
        game.history.push((board, 4));
        let mut lane = Lane::new(&course, game);
        assert!(matches!(
            lane.slide(&course, &mut starts, &mut tally),
            Step::Ended
        ));
        assert_eq!(tally.n_cleared, 1);
        let mut indices = Indices::default();
        index.of(&[board; 4], [0; 4], &mut indices);
        let column: Vec<u32> = indices.rows().iter().map(|row| row[0] as u32).collect();
        let value = course.tables.sum(&column);
        assert!(value >= 999.0, "{value}");
    }
}
