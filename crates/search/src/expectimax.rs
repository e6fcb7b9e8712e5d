//! Expectimax: the player maximizes, chance averages.

use afterstate_bitboard::{Board, Slide};
use afterstate_eval::Evaluator;
use afterstate_rules::{Rules, Spawns};

use crate::cache::Cache;
use crate::values::{Search, SlideValues};

/// How far a search looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Plies; 1 looks at the afterstates of the board's slides only.
    pub depth: u32,
}

/// Expectimax over any rules and evaluator.
///
/// With `depth` plies, the value of a slide is its weighted gain plus the
/// value of its afterstate: at the horizon what the evaluator says, elsewhere
/// the mean over all spawns, by their exact odds, of the best slide's value.
/// Nothing is pruned.
///
/// Afterstates are searched in canonical form, so symmetric boards get the
/// same values to the last bit, with a cache and without.
#[derive(Debug, Clone)]
pub struct Expectimax<R: Rules, E> {
    rules: R,
    spawns: Spawns<R::Grid>,
    /// Probability of each kind of spawn.
    odds: Vec<f64>,
    evaluator: E,
    limits: Limits,
    cache: Option<Cache>,
    n_nodes: u64,
}

impl<R: Rules, E: Evaluator<R::Grid>> Expectimax<R, E> {
    /// A search without a cache.
    ///
    /// *Panics*: when the depth is not from 1 to 255.
    pub fn new(rules: R, spawns: Spawns<R::Grid>, evaluator: E, limits: Limits) -> Self {
        assert!(
            (1..=255).contains(&limits.depth),
            "a search has 1 to 255 plies"
        );
        let total = f64::from(spawns.total());
        let odds = spawns
            .kinds()
            .iter()
            .map(|kind| f64::from(kind.weight) / total)
            .collect();
        Expectimax {
            rules,
            spawns,
            odds,
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

    /// Number of boards looked at so far, afterstates and boards before a
    /// slide together.
    pub fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// The value of an afterstate with `depth` plies still to look at.
    fn chance(&mut self, after: Board<R::Grid>, depth: u32) -> f32 {
        self.n_nodes += 1;
        if self.rules.is_cleared(after) || depth == 0 {
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
        for cell in after.empty_cells() {
            for kind in 0..self.odds.len() {
                let board = after.put(cell, self.spawns.kinds()[kind].code);
                sum += self.odds[kind] * f64::from(self.best(board, depth));
            }
        }
        let value = (sum / f64::from(after.n_empty())) as f32;
        let n_nodes = self.n_nodes - n_before;
        if let Some(cache) = &mut self.cache {
            cache.set(after, depth as u8, value, n_nodes);
        }
        value
    }

    /// The value of the best slide of `board`, or of being over.
    fn best(&mut self, board: Board<R::Grid>, depth: u32) -> f32 {
        self.n_nodes += 1;
        let gain_weight = self.evaluator.gain_weight();
        let mut best = f32::NEG_INFINITY;
        for after in self.rules.apply_all(board).into_iter().flatten() {
            let value = gain_weight * after.gain as f32 + self.chance(after.board, depth - 1);
            best = best.max(value);
        }
        if best == f32::NEG_INFINITY {
            self.evaluator.over_value()
        } else {
            best
        }
    }
}

impl<R: Rules, E: Evaluator<R::Grid>> Search<R::Grid> for Expectimax<R, E> {
    fn values(&mut self, board: Board<R::Grid>) -> SlideValues {
        let gain_weight = self.evaluator.gain_weight();
        let depth = self.limits.depth - 1;
        let mut values = [None; 4];
        let afters = self.rules.apply_all(board);
        for slide in Slide::ALL {
            if let Some(after) = afters[slide.idx()] {
                let future = self.chance(after.board, depth);
                values[slide.idx()] = Some(gain_weight * after.gain as f32 + future);
            }
        }
        SlideValues { values }
    }

    /// Keeps the cache: it never changes a value, only the time one takes.
    fn forget(&mut self) {}
}
