//! Intervals by drawing samples from the sample.

use afterstate_play::rng_of_seed;
use rand::RngExt;

use crate::stats::{Interval, quantile};

/// Samples that an interval is drawn from: its ends are then known to about a
/// fiftieth of its width.
const RESAMPLES: usize = 4000;

/// The seed of all intervals: the same games have the same interval.
const SEED: u64 = 0x626f_6f74;

/// The 95 % percentile-bootstrap interval of a statistic of one sample or of
/// several, each of which is drawn anew by itself; none where one of them has
/// fewer than two values.
///
/// *Source*: Efron and Tibshirani, An Introduction to the Bootstrap (1993),
/// chapter 13.
pub fn bootstrap_interval<const N: usize>(
    samples: [&[f64]; N],
    statistic: impl Fn([&[f64]; N]) -> f64,
) -> Option<Interval> {
    if samples.iter().any(|sample| sample.len() < 2) {
        return None;
    }
    let mut drawn = replicates(samples, RESAMPLES, statistic);
    drawn.sort_by(f64::total_cmp);
    Some(Interval {
        low: quantile(&drawn, 0.025),
        high: quantile(&drawn, 0.975),
    })
}

/// The statistic of samples that are drawn from these, with replacement.
fn replicates<const N: usize>(
    samples: [&[f64]; N],
    n: usize,
    statistic: impl Fn([&[f64]; N]) -> f64,
) -> Vec<f64> {
    let mut rng = rng_of_seed(SEED);
    let mut drawn = samples.map(<[f64]>::to_vec);
    (0..n)
        .map(|_| {
            for (sample, drawn) in samples.iter().zip(&mut drawn) {
                for value in drawn {
                    *value = sample[rng.random_range(0..sample.len())];
                }
            }
            statistic(core::array::from_fn(|at| drawn[at].as_slice()))
        })
        .collect()
}

/// The median of values in any order; NaN for none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

#[cfg(test)]
mod tests {
    use super::{bootstrap_interval, median, replicates};
    use crate::moments::Moments;
    use crate::stats::uniforms;

    /// Survival times of treated mice, in days: Efron and Tibshirani (1993),
    /// table 2.1.
    const TREATED: [f64; 7] = [94.0, 197.0, 16.0, 38.0, 99.0, 141.0, 23.0];
    const CONTROL: [f64; 9] = [52.0, 104.0, 146.0, 10.0, 50.0, 31.0, 40.0, 27.0, 46.0];

    fn mean(values: &[f64]) -> f64 {
        Moments::of(values).mean
    }

    /// The same, tables 2.1 and 2.2: means 86.86 and 56.22, standard errors 25.24
    /// and 14.14; for ever more resamples the standard error of the mean comes to
    /// 23.36 and that of the median to 37.83.
    #[test]
    fn standard_errors_of_efron_and_tibshirani() {
        for (sample, expected, error) in
            [(TREATED.as_slice(), 86.86, 25.24), (&CONTROL, 56.22, 14.14)]
        {
            let moments = Moments::of(sample);
            assert!((moments.mean - expected).abs() < 0.005);
            assert!((moments.error() - error).abs() < 0.005);
        }
        let n = 100_000;
        let spread = |statistic: fn(&[f64]) -> f64| {
            let drawn = replicates([&TREATED], n, |[sample]| statistic(sample));
            Moments::of(&drawn).deviation
        };
        // Five standard errors of a standard deviation from so many.
        let margin = |value: f64| 5.0 * value / (2.0 * n as f64).sqrt();
        let of_mean = spread(mean);
        assert!((of_mean - 23.36).abs() < margin(23.36), "{of_mean}");
        let of_median = spread(median);
        assert!((of_median - 37.83).abs() < margin(37.83), "{of_median}");
    }

    /// Of 400 samples of skewed values 95 % should have the true difference in
    /// their interval; with 30 values a little fewer do.
    #[test]
    fn intervals_cover_the_difference() {
        let mut uniform = uniforms(1);
        let mut covered = 0;
        for _ in 0..400 {
            let mut sample =
                |scale: f64| -> Vec<f64> { (0..30).map(|_| scale * uniform().powi(2)).collect() };
            let (one, other) = (sample(6.0), sample(3.0));
            let interval =
                bootstrap_interval([&one, &other], |[one, other]| mean(one) - mean(other))
                    .expect("thirty values");
            covered += u32::from(interval.low <= 1.0 && 1.0 <= interval.high);
        }
        assert!((350..=395).contains(&covered), "{covered} of 400");
    }

    #[test]
    fn the_same_sample_has_the_same_interval() {
        let interval = || bootstrap_interval([&TREATED], |[sample]| median(sample));
        let found = interval().expect("seven values");
        assert_eq!(interval(), Some(found));
        assert!(found.low >= 16.0 && found.high <= 197.0 && found.low < 94.0);
        assert_eq!(
            bootstrap_interval([&[1.0]], |[sample]| median(sample)),
            None
        );
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }
}
