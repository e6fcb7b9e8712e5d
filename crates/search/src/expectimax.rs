//! Expectimax: the player maximizes, chance averages.

use afterstate_bitboard::{Board, Slide};
use afterstate_eval::Evaluator;
use afterstate_rules::{Rules, Spawns};

use crate::cache::Cache;
use crate::limits::Limits;
use crate::values::{Search, SlideValues};

/// Expectimax over any rules and evaluator.
///
/// The value of a slide is what the evaluator pays for it, by its gain or by a
/// rise of the largest tile, plus the value of its afterstate: at the horizon
/// what the evaluator says, elsewhere the mean over all spawns, by their exact
/// odds, of the best slide's value. [`Limits`] say how far it looks and what it
/// leaves out; by themselves they leave out nothing.
///
/// Afterstates are searched in canonical form, so symmetric boards get the
/// same values to the last bit, with a cache and without.
#[derive(Debug, Clone)]
pub struct Expectimax<R: Rules, E> {
    rules: R,
    kinds: Vec<Kind>,
    evaluator: E,
    limits: Limits,
    cache: Option<Cache>,
    n_nodes: u64,
    gain_weight: f32,
    rise_weight: f32,
    over_value: f32,
    cleared_value: f32,
}

/// A spawning tile as the search needs it.
#[derive(Debug, Clone, Copy)]
struct Kind {
    code: u8,
    odds: f64,
    /// Its odds when rare kinds are left out; 0 for those.
    odds_without_rare: f64,
}

/// Kinds with less of the weight than this are rare.
const RARE: f64 = 0.25;

/// The way from the root to a node.
#[derive(Debug, Clone, Copy)]
struct Way {
    probability: f32,
    rare_spawns_left: u32,
}

/// When to give up a search that deepens ply by ply.
struct Budget<'a> {
    n_nodes: u64,
    is_over: &'a mut dyn FnMut() -> bool,
    /// Node count at which to ask again.
    next_check: u64,
    given_up: bool,
}

/// Nodes between two questions to the clock that was handed in.
const CHECK_EVERY: u64 = 4096;

impl Budget<'_> {
    #[inline(always)]
    fn spent(&mut self, n_nodes: u64) -> bool {
        if n_nodes < self.next_check {
            return self.given_up;
        }
        self.next_check = n_nodes + CHECK_EVERY;
        self.given_up |= n_nodes > self.n_nodes || (self.is_over)();
        // A node limit is kept to the node, so that it is reproducible.
        self.next_check = self.next_check.min(self.n_nodes.saturating_add(1));
        self.given_up
    }
}

fn kinds_of<R: Rules>(spawns: &Spawns<R::Grid>) -> Vec<Kind> {
    let total = f64::from(spawns.total());
    let odds = |weight: u32| f64::from(weight) / total;
    let is_rare = |weight: u32| odds(weight) < RARE;
    let common: f64 = spawns
        .kinds()
        .iter()
        .filter(|kind| !is_rare(kind.weight))
        .map(|kind| odds(kind.weight))
        .sum();
    let kind = |weight: u32, code: u8| Kind {
        code,
        odds: odds(weight),
        odds_without_rare: match is_rare(weight) {
            // Where all are rare none is.
            true if common == 0.0 => odds(weight),
            true => 0.0,
            false => odds(weight) / common,
        },
    };
    spawns
        .kinds()
        .iter()
        .map(|spawn| kind(spawn.weight, spawn.code))
        .collect()
}

impl<R: Rules, E: Evaluator<R::Grid>> Expectimax<R, E> {
    /// A search without a cache.
    ///
    /// *Panics*: when the depth is not from 1 to 255.
    pub fn new(rules: R, spawns: &Spawns<R::Grid>, evaluator: E, limits: Limits) -> Self {
        assert!(
            (1..=255).contains(&limits.depth.most()),
            "a search has 1 to 255 plies"
        );
        Expectimax {
            rules,
            kinds: kinds_of::<R>(spawns),
            gain_weight: evaluator.gain_weight(),
            rise_weight: evaluator.rise_weight(),
            over_value: evaluator.over_value(),
            cleared_value: evaluator.cleared_value(),
            evaluator,
            limits,
            cache: None,
            n_nodes: 0,
        }
    }

    /// The same search with a cache of 2^`bits` entries of 16 bytes.
    #[must_use]
    pub fn with_cache(mut self, bits: u32) -> Self {
        self.cache = Some(Cache::new(bits));
        self
    }

    /// Makes what comes independent of earlier boards, where they could have
    /// left their mark.
    fn begin(&mut self) {
        // Values found under pruning depend on the way they were reached, and
        // a node limit counts what the cache saves.
        let leaves_marks = !self.limits.is_exact() || self.limits.max_nodes.is_some();
        if let Some(cache) = self.cache.as_mut().filter(|_| leaves_marks) {
            cache.next_generation();
        }
    }

    fn searched(
        &mut self,
        board: Board<R::Grid>,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> SlideValues {
        let way = Way {
            probability: 1.0,
            rare_spawns_left: self.limits.max_rare_spawns,
        };
        let mut values = [None; 4];
        if self.rules.is_cleared(board) {
            // The game has ended: no slide is worth anything.
            return SlideValues { values };
        }
        let afters = self.rules.afters(board);
        let batch = self.batch(&afters, depth);
        for slide in Slide::ALL {
            let after = afters[slide.idx()];
            if after != board {
                let future = if self.rules.is_cleared(after) {
                    // To clear now is better than to be sure of clearing later:
                    // a search that took them for equal could wait for ever.
                    self.n_nodes += 1;
                    self.cleared_value.next_up()
                } else if let Some(values) = &batch {
                    self.n_nodes += 1;
                    values[slide.idx()]
                } else {
                    self.chance(after, depth - 1, way, budget)
                };
                values[slide.idx()] = Some(self.reward(board, after, slide) + future);
            }
        }
        SlideValues { values }
    }

    /// The values of afterstates at the horizon, from an evaluator that finds them
    /// together; `None` from others, and above the horizon.
    #[inline(always)]
    fn batch(&self, afters: &[Board<R::Grid>; 4], depth: u32) -> Option<[f32; 4]> {
        (E::BATCHED && depth == 1).then(|| self.evaluator.values(afters))
    }

    /// What a slide pays at once.
    #[inline(always)]
    fn reward(&self, board: Board<R::Grid>, after: Board<R::Grid>, slide: Slide) -> f32 {
        let mut reward = 0.0;
        if self.gain_weight != 0.0 {
            reward += self.gain_weight * self.rules.gain(board, slide) as f32;
        }
        if self.rise_weight != 0.0 {
            // No slide takes the largest tile away.
            let rise = after.top_exponent() - board.top_exponent();
            reward += self.rise_weight * rise as f32;
        }
        reward
    }

    /// The value of an afterstate with `depth` plies still to look at.
    fn chance(
        &mut self,
        after: Board<R::Grid>,
        depth: u32,
        way: Way,
        budget: &mut Budget<'_>,
    ) -> f32 {
        self.n_nodes += 1;
        if self.rules.is_cleared(after) {
            return self.cleared_value;
        }
        if depth == 0 || way.probability < self.limits.min_probability {
            return self.evaluator.value(after);
        }
        let after = after.canonical();
        if let Some(value) = self
            .cache
            .as_ref()
            .and_then(|cache| cache.get(after, depth as u8))
        {
            return value;
        }
        let n_before = self.n_nodes;
        let mut sum = 0.0;
        let n_empty = after.n_empty();
        for nth in 0..n_empty {
            let cell = after.nth_empty(nth);
            for idx in 0..self.kinds.len() {
                let kind = self.kinds[idx];
                let (odds, rare_spawns_left) = match way.rare_spawns_left {
                    0 => (kind.odds_without_rare, 0),
                    left if kind.odds_without_rare == 0.0 => (kind.odds, left - 1),
                    left => (kind.odds, left),
                };
                if odds == 0.0 {
                    continue;
                }
                let way = Way {
                    probability: way.probability * odds as f32 / n_empty as f32,
                    rare_spawns_left,
                };
                let board = after.put(cell, kind.code);
                sum += odds * f64::from(self.best(board, depth, way, budget));
            }
            if budget.spent(self.n_nodes) {
                return 0.0;
            }
        }
        let value = (sum / f64::from(n_empty)) as f32;
        let n_nodes = self.n_nodes - n_before;
        if let Some(cache) = &mut self.cache {
            cache.set(after, depth as u8, value, n_nodes);
        }
        value
    }

    /// The value of the best slide of `board`, or of being over.
    #[inline]
    fn best(
        &mut self,
        board: Board<R::Grid>,
        depth: u32,
        way: Way,
        budget: &mut Budget<'_>,
    ) -> f32 {
        self.n_nodes += 1;
        let mut best = f32::NEG_INFINITY;
        let afters = self.rules.afters(board);
        let batch = self.batch(&afters, depth);
        for slide in Slide::ALL {
            let after = afters[slide.idx()];
            if after == board {
                continue;
            }
            let value = if depth == 1 && !self.rules.is_cleared(after) {
                self.n_nodes += 1;
                match &batch {
                    Some(values) => values[slide.idx()],
                    None => self.evaluator.value(after),
                }
            } else {
                self.chance(after, depth - 1, way, budget)
            };
            best = best.max(self.reward(board, after, slide) + value);
        }
        if best == f32::NEG_INFINITY {
            self.over_value
        } else {
            best
        }
    }
}

impl<R: Rules, E: Evaluator<R::Grid>> Search<R::Grid> for Expectimax<R, E> {
    /// As [`Expectimax`] says; under a limit in nodes, what
    /// [`Search::values_until`] gives without a clock.
    fn values(&mut self, board: Board<R::Grid>) -> SlideValues {
        if self.limits.max_nodes.is_some() {
            return self.values_until(board, &mut || false);
        }
        // Without a budget there is nothing to deepen for.
        self.begin();
        let mut never = || false;
        let mut budget = Budget {
            n_nodes: u64::MAX,
            is_over: &mut never,
            next_check: u64::MAX,
            given_up: false,
        };
        self.searched(board, self.limits.depth.plies(board), &mut budget)
    }

    /// Deepens ply by ply until the limits are reached or `is_over` says so;
    /// the values are those of the deepest search that was finished. Depth 1
    /// always is.
    fn values_until(
        &mut self,
        board: Board<R::Grid>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> SlideValues {
        let plies = self.limits.depth.plies(board);
        let max_nodes = self.limits.max_nodes.unwrap_or(u64::MAX);
        let mut budget = Budget {
            n_nodes: self.n_nodes.saturating_add(max_nodes),
            is_over,
            next_check: u64::MAX,
            given_up: false,
        };
        self.begin();
        let mut values = self.searched(board, 1, &mut budget);
        budget.next_check = 0;
        for depth in 2..=plies {
            let deeper = self.searched(board, depth, &mut budget);
            if budget.spent(self.n_nodes) {
                break;
            }
            values = deeper;
        }
        values
    }

    fn forget(&mut self) {
        self.begin();
    }

    fn n_nodes(&self) -> u64 {
        self.n_nodes
    }
}

#[cfg(test)]
mod tests {
    use afterstate_bitboard::{Akioi, AkioiBoard, Board, Slide};
    use afterstate_eval::Evaluator;
    use afterstate_rules::{AkioiRules, SpawnSet};

    use super::Expectimax;
    use crate::limits::Limits;
    use crate::values::Search;

    /// The probability of clearing, as far as the search sees.
    struct Clearing;

    impl Evaluator<Akioi> for Clearing {
        fn value(&self, _after: Board<Akioi>) -> f32 {
            0.0
        }

        fn over_value(&self) -> f32 {
            0.0
        }

        fn cleared_value(&self) -> f32 {
            1.0
        }

        fn gain_weight(&self) -> f32 {
            0.0
        }
    }

    #[test]
    fn clears_now_rather_than_surely_later() {
        let spawns = SpawnSet::GUIDE.on_grid().expect("akioi has these tiles");
        let mut search = Expectimax::new(AkioiRules::new(), &spawns, Clearing, Limits::to_depth(2));
        let board: AkioiBoard = ". . . . 32768 32768 . . . . . . . . . ."
            .parse()
            .expect("a board");
        let values = search.values(board);
        // Nothing can come between the two before the next slide.
        assert_eq!(values.of(Slide::Up), Some(1.0));
        assert!(values.of(Slide::Left) > Some(1.0));
        assert_eq!(values.best(), Some(Slide::Right));
    }

    #[test]
    fn a_cleared_board_has_no_slides_to_value() {
        let spawns = SpawnSet::GUIDE.on_grid().expect("akioi has these tiles");
        let mut search = Expectimax::new(AkioiRules::new(), &spawns, Clearing, Limits::to_depth(1));
        let board: AkioiBoard = "65536 2 . . . . . . . . . . . . . ."
            .parse()
            .expect("a board");
        assert_eq!(search.values(board).values, [None; 4]);
    }
}
