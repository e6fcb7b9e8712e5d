//! Statistics of results.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A two-sided 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The sample mean, and its 95 % interval by Student's t: none for fewer than
/// two values.
///
/// Values are summed in order: the same values in another order may differ in
/// the last digits.
pub fn mean_interval(values: &[f64]) -> (f64, Option<Interval>) {
    let n = values.len() as f64;
    if values.is_empty() {
        return (f64::NAN, None);
    }
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 {
        return (mean, None);
    }
    let half = deviation(values, mean) / n.sqrt() * t_quantile(n - 1.0);
    (
        mean,
        Some(Interval {
            low: mean - half,
            high: mean + half,
        }),
    )
}

/// The sample standard deviation, with n − 1; 0 for fewer than two values.
pub(crate) fn deviation(values: &[f64], mean: f64) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

fn t_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .expect("degrees of freedom are positive")
        .inverse_cdf(0.975)
}

/// The 95 % interval of a probability by Wilson's score, of `hits` among `n`
/// tries; none for no tries.
///
/// *Source*: Wilson, Probable inference, the law of succession, and
/// statistical inference (1927).
pub fn wilson_interval(hits: u64, n: u64) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let tries = n as f64;
    let share = hits as f64 / tries;
    let spread = 1.0 + Z * Z / tries;
    let center = (share + Z * Z / (2.0 * tries)) / spread;
    let half = Z / spread * (share * (1.0 - share) / tries + Z * Z / (4.0 * tries * tries)).sqrt();
    // No hit, or nothing but hits, is exactly the end of the scale.
    let low = if hits == 0 { 0.0 } else { center - half };
    let high = if hits == n { 1.0 } else { center + half };
    Some(Interval { low, high })
}

/// The quantile of sorted values, by linear interpolation between order
/// statistics (Hyndman and Fan's type 7); NaN for none.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = position.floor();
    let part = position - below;
    let low = sorted[below as usize];
    let high = sorted[(below as usize + 1).min(last)];
    low + (high - low) * part
}

#[cfg(test)]
mod tests {
    use super::{mean_interval, quantile, wilson_interval};

    fn near(a: f64, b: f64, margin: f64) -> bool {
        (a - b).abs() <= margin
    }

    /// Student's own sleep data (1908), drug 2 less drug 1: mean 1.58, and the
    /// interval 0.7001 to 2.4599 that R's `t.test` prints for it.
    #[test]
    fn t_interval_of_the_sleep_data() {
        let gains = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let (mean, interval) = mean_interval(&gains);
        let interval = interval.expect("ten values have an interval");
        assert!(near(mean, 1.58, 1e-12));
        assert!(near(interval.low, 0.700_114_2, 1e-6), "{interval:?}");
        assert!(near(interval.high, 2.459_885_8, 1e-6), "{interval:?}");
    }

    /// Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    #[test]
    fn wilson_intervals_of_newcombe() {
        for (hits, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson_interval(hits, n).expect("there were tries");
            assert!(near(interval.low, low, 5e-5), "{hits} of {n}: {interval:?}");
            assert!(
                near(interval.high, high, 5e-5),
                "{hits} of {n}: {interval:?}"
            );
        }
        assert_eq!(wilson_interval(0, 0), None);
        assert_eq!(wilson_interval(5, 5).expect("there were tries").high, 1.0);
    }

    #[test]
    fn quantiles_interpolate() {
        let sorted = [1.0, 2.0, 3.0, 10.0];
        assert_eq!(quantile(&sorted, 0.5), 2.5);
        assert_eq!(quantile(&sorted, 0.0), 1.0);
        assert_eq!(quantile(&sorted, 1.0), 10.0);
        assert_eq!(quantile(&sorted, 0.25), 1.75);
        assert_eq!(quantile(&[7.0], 0.5), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn few_values_have_no_interval() {
        assert!(mean_interval(&[]).0.is_nan());
        assert_eq!(mean_interval(&[3.0]), (3.0, None));
    }
}
