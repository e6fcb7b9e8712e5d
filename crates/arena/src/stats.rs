//! Statistics of results.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::moments::Moments;

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
    let moments = Moments::of(values);
    (moments.mean, moments.mean_interval())
}

/// The 97.5 % quantile of Student's distribution, to six digits.
///
/// *Source*: for many degrees of freedom the expansion of Abramowitz and
/// Stegun, 26.7.5: the general inversion loses digits there.
pub(crate) fn t_quantile(freedom: f64) -> f64 {
    if freedom < 100.0 {
        return StudentsT::new(0.0, 1.0, freedom)
            .expect("degrees of freedom are positive")
            .inverse_cdf(0.975);
    }
    let square = Z * Z;
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    Z * (1.0 + (first + (second + third / freedom) / freedom) / freedom)
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

/// Numbers from 0 to 1 for tests, from a linear congruential generator.
#[cfg(test)]
pub(crate) fn uniforms(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{mean_interval, quantile, t_quantile, uniforms, wilson_interval};

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

    /// Fisher and Yates' table III and the like, to five digits after the point.
    #[test]
    fn t_quantiles_of_the_tables() {
        for (freedom, quantile) in [
            (1.0, 12.706_205),
            (2.0, 4.302_65),
            (3.0, 3.182_45),
            (5.0, 2.570_58),
            (10.0, 2.228_14),
            (19.0, 2.093_02),
            (30.0, 2.042_27),
            (60.0, 2.000_30),
            (99.0, 1.984_22),
            (120.0, 1.979_93),
            (999.0, 1.962_34),
            (1e4, 1.960_20),
            (1e6, 1.959_97),
            (1e9, 1.959_96),
            // From the series above 100 and from the inversion below it.
            (100.0, 1.983_97),
            (99.999_999, 1.983_97),
        ] {
            let computed = t_quantile(freedom);
            assert!(near(computed, quantile, 6e-6), "{freedom}: {computed}");
        }
    }

    /// Of 4,000 samples of ten values from a skewed distribution like that of
    /// scores, about 95 % have the true mean in their interval.
    #[test]
    fn t_intervals_cover_the_mean() {
        let mut uniform = uniforms(1);
        let mut covered = 0;
        for _ in 0..4000 {
            // The sum of three squares of uniform numbers has the mean 1.
            let mut value = || (0..3).map(|_| uniform().powi(2)).sum::<f64>();
            let sample: Vec<f64> = (0..10).map(|_| value()).collect();
            let interval = mean_interval(&sample).1.expect("ten values");
            covered += u32::from(interval.low <= 1.0 && 1.0 <= interval.high);
        }
        // Five standard errors around 95 %, and a little for the skew.
        assert!((3700..=3880).contains(&covered), "{covered} of 4000");
    }

    /// Exactly, by the binomial distribution: over all shares Wilson's interval
    /// holds the true one in 95 % of samples on the average, and nowhere in
    /// much fewer but near the ends.
    #[test]
    fn wilson_intervals_cover_the_share() {
        let n = 40;
        let mut total = 0.0;
        for step in 1..100 {
            let share = f64::from(step) / 100.0;
            let mut probability = (1.0 - share).powi(n);
            let mut covered = 0.0;
            for hits in 0..=n {
                let interval = wilson_interval(hits as u64, n as u64).expect("tries");
                if interval.low <= share && share <= interval.high {
                    covered += probability;
                }
                probability *= f64::from(n - hits) / f64::from(hits + 1) * share / (1.0 - share);
            }
            assert!(covered > 0.85, "{share}: {covered}");
            total += covered;
        }
        assert!(near(total / 99.0, 0.953, 0.005), "{}", total / 99.0);
    }
}
