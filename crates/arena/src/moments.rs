//! Mean and spread of samples, and quantiles of counted ones.

use std::collections::BTreeMap;

use crate::stats::{Interval, t_quantile};

/// Number, mean and standard deviation of a sample: all that an interval by
/// Student's t needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Number of values.
    pub n: u64,
    /// The sample mean; NaN for no value.
    pub mean: f64,
    /// The sample standard deviation, with n − 1; 0 for fewer than two values.
    pub deviation: f64,
}

impl Moments {
    /// Those of values, which are summed in order: the same values in another
    /// order may differ in the last digits.
    pub fn of(values: &[f64]) -> Moments {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if values.len() < 2 {
            0.0
        } else {
            (squares / (n - 1.0)).sqrt()
        };
        Moments {
            n: values.len() as u64,
            mean: if values.is_empty() { f64::NAN } else { mean },
            deviation,
        }
    }

    /// Those of whole numbers that are counted, reckoned without rounding up to
    /// the last step.
    ///
    /// *Range*: numbers of at most 2^31 in a sample of at most 2^31 of them, so
    /// that no sum exceeds 128 bits.
    pub fn of_counts(counts: &BTreeMap<i64, u64>) -> Moments {
        let n: u64 = counts.values().sum();
        if n == 0 {
            return Moments::of(&[]);
        }
        let terms = counts
            .iter()
            .map(|(&value, &count)| (i128::from(value), i128::from(count)));
        let sum: i128 = terms.clone().map(|(value, count)| value * count).sum();
        let squares: i128 = terms.map(|(value, count)| value * value * count).sum();
        let total = i128::from(n);
        let spread = (total * squares - sum * sum) as f64;
        let deviation = if n < 2 {
            0.0
        } else {
            (spread / (n as f64 * (n - 1) as f64)).sqrt()
        };
        Moments {
            n,
            mean: sum as f64 / n as f64,
            deviation,
        }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation / (self.n as f64).sqrt()
    }

    /// The 95 % interval of the mean by Student's t; none for fewer than two
    /// values.
    pub fn mean_interval(&self) -> Option<Interval> {
        if self.n < 2 {
            return None;
        }
        let half = self.error() * t_quantile(self.n as f64 - 1.0);
        Some(Interval {
            low: self.mean - half,
            high: self.mean + half,
        })
    }
}

/// Moments of values that come one by one.
///
/// *Source*: Welford, Note on a method for calculating corrected sums of squares
/// and products (1962).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RunningMoments {
    n: u64,
    mean: f64,
    squares: f64,
}

impl RunningMoments {
    /// Adds a value.
    pub(crate) fn add(&mut self, value: f64) {
        self.n += 1;
        let from_mean = value - self.mean;
        self.mean += from_mean / self.n as f64;
        self.squares += from_mean * (value - self.mean);
    }

    /// The moments of the values so far.
    pub(crate) fn moments(&self) -> Moments {
        let deviation = match self.n {
            0 | 1 => 0.0,
            n => (self.squares / (n - 1) as f64).sqrt(),
        };
        Moments {
            n: self.n,
            mean: if self.n == 0 { f64::NAN } else { self.mean },
            deviation,
        }
    }
}

/// As [`crate::quantile`] of the numbers that are counted.
pub(crate) fn quantile_of_counts(counts: &BTreeMap<i64, u64>, share: f64) -> f64 {
    let n: u64 = counts.values().sum();
    let Some(last) = n.checked_sub(1) else {
        return f64::NAN;
    };
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = position.floor();
    let low = order_statistic(counts, below as u64);
    let high = order_statistic(counts, (below as u64 + 1).min(last));
    low + (high - low) * (position - below)
}

/// The number with this many, counted, before it.
fn order_statistic(counts: &BTreeMap<i64, u64>, mut rank: u64) -> f64 {
    for (&value, &count) in counts {
        match rank.checked_sub(count) {
            Some(left) => rank = left,
            None => return value as f64,
        }
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Moments, RunningMoments, quantile_of_counts};
    use crate::stats::quantile;

    fn counted(values: &[i64]) -> BTreeMap<i64, u64> {
        let mut counts = BTreeMap::new();
        for &value in values {
            *counts.entry(value).or_default() += 1;
        }
        counts
    }

    /// NIST's StRD data set NumAcc1 (three values around ten million), which loses
    /// its digits in sums of squares of floats: mean 10000002, deviation 1.
    #[test]
    fn moments_of_nist_numacc1() {
        let values = [10_000_001, 10_000_003, 10_000_002];
        let floats = values.map(|value| value as f64);
        let mut running = RunningMoments::default();
        floats.iter().for_each(|&value| running.add(value));
        for moments in [
            Moments::of_counts(&counted(&values)),
            Moments::of(&floats),
            running.moments(),
        ] {
            assert_eq!((moments.n, moments.mean), (3, 10_000_002.0));
            assert!((moments.deviation - 1.0).abs() < 1e-12, "{moments:?}");
        }
    }

    /// Three ways to the same moments, and two to the same quantiles.
    #[test]
    fn counts_are_the_values() {
        let mut state = 7_u64;
        for n in [1, 2, 3, 10, 1000] {
            let mut values: Vec<i64> = (0..n)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    (state >> 40) as i64 % 50_000 - 700
                })
                .collect();
            let counts = counted(&values);
            let floats: Vec<f64> = values.iter().map(|&value| value as f64).collect();
            let mut running = RunningMoments::default();
            floats.iter().for_each(|&value| running.add(value));
            let exact = Moments::of_counts(&counts);
            for other in [Moments::of(&floats), running.moments()] {
                assert_eq!(other.n, exact.n);
                assert!((other.mean - exact.mean).abs() < 1e-6, "{n}");
                assert!((other.deviation - exact.deviation).abs() < 1e-6, "{n}");
            }
            values.sort_unstable();
            let sorted: Vec<f64> = values.iter().map(|&value| value as f64).collect();
            for share in [0.0, 0.1, 0.25, 0.5, 0.9, 1.0] {
                assert_eq!(quantile_of_counts(&counts, share), quantile(&sorted, share));
            }
        }
        assert!(Moments::of_counts(&counted(&[])).mean.is_nan());
        assert!(quantile_of_counts(&counted(&[]), 0.5).is_nan());
    }

    /// The largest sums that a tournament can come to: all games with the highest
    /// score there is, but one.
    #[test]
    fn a_billion_large_scores_are_summed_exactly() {
        let counts = BTreeMap::from([(3_932_100, 999_999_999), (3_932_096, 1)]);
        let moments = Moments::of_counts(&counts);
        assert!((moments.mean - 3_932_100.0).abs() < 1e-6);
        let expected = 4.0 / 1e9_f64.sqrt();
        assert!(
            (moments.deviation / expected - 1.0).abs() < 1e-6,
            "{moments:?}"
        );
    }
}
