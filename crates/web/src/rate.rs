//! Token buckets: how often one visitor or one address may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use crate::config::Rate;

/// Keys above which those that have all their tokens are forgotten.
const MANY: usize = 10_000;

/// A bucket for each key.
pub(crate) struct Buckets<K> {
    rate: Rate,
    levels: Mutex<HashMap<K, Level>>,
}

#[derive(Clone, Copy)]
struct Level {
    tokens: f64,
    at_ms: i64,
}

impl Level {
    /// The level as it has become by `now_ms`.
    fn at(self, now_ms: i64, rate: Rate) -> Level {
        // A clock that was set back gives nothing, and takes nothing.
        let elapsed_s = (now_ms - self.at_ms).max(0) as f64 / 1000.0;
        Level {
            tokens: (self.tokens + elapsed_s * rate.per_second).min(rate.burst),
            at_ms: now_ms,
        }
    }
}

impl<K: Eq + Hash> Buckets<K> {
    pub(crate) fn new(rate: Rate) -> Buckets<K> {
        Buckets {
            rate,
            levels: Mutex::default(),
        }
    }

    /// Whether `key` may go on once more now. If not, nothing is taken.
    pub(crate) fn take(&self, key: K, now_ms: i64) -> bool {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if levels.len() >= MANY {
            levels.retain(|_, level| level.at(now_ms, self.rate).tokens < self.rate.burst);
        }
        let full = Level {
            tokens: self.rate.burst,
            at_ms: now_ms,
        };
        let level = levels.entry(key).or_insert(full);
        *level = level.at(now_ms, self.rate);
        let is_allowed = level.tokens >= 1.0;
        if is_allowed {
            level.tokens -= 1.0;
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        burst: 3.0,
        per_second: 2.0,
    };

    #[test]
    fn a_burst_and_then_the_rate() {
        let buckets = Buckets::new(RATE);
        let taken = |at_ms| (0..10).filter(|_| buckets.take(1, at_ms)).count();
        assert_eq!(taken(0), 3);
        assert_eq!(taken(499), 0);
        assert_eq!(taken(500), 1);
        assert_eq!(taken(1500), 2);
        assert_eq!(taken(60_000), 3);
        // The clock goes back: what was there stays, and nothing comes.
        assert_eq!(taken(0), 0);
    }

    #[test]
    fn keys_do_not_share() {
        let buckets = Buckets::new(RATE);
        assert_eq!((0..10).filter(|_| buckets.take("a", 0)).count(), 3);
        assert!(buckets.take("b", 0));
    }

    #[test]
    fn memory_is_bounded_by_those_who_came_lately() {
        let buckets = Buckets::new(RATE);
        for key in 0..(3 * MANY) {
            buckets.take(key, key as i64);
        }
        let levels = buckets.levels.lock().expect("no thread failed");
        assert!(levels.len() <= MANY, "{} keys", levels.len());
    }
}
