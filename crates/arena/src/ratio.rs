//! How many times as long one of two things takes.

use crate::moments::Moments;
use crate::stats::Interval;

/// The mean ratio of the first to the second of each pair, and its 95 % interval
/// by Student's t; none for fewer than two pairs.
///
/// Logarithms are averaged, so that twice as long and half as long cancel out.
///
/// *Range*: all values above 0.
pub fn mean_ratio(pairs: &[(f64, f64)]) -> Option<(f64, Interval)> {
    let logarithms: Vec<f64> = pairs
        .iter()
        .map(|(one, other)| (one / other).ln())
        .collect();
    let moments = Moments::of(&logarithms);
    let interval = moments.mean_interval()?;
    Some((
        moments.mean.exp(),
        Interval {
            low: interval.low.exp(),
            high: interval.high.exp(),
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::mean_ratio;

    /// By hand: ratios 2 and 8 have the geometric mean 4; their logarithms to base
    /// 2 are 1 and 3, with the standard error 1, and t is 12.706 for one degree of
    /// freedom.
    #[test]
    fn ratios_are_averaged_by_their_logarithms() {
        let (ratio, interval) = mean_ratio(&[(2.0, 1.0), (4.0, 0.5)]).expect("two pairs");
        assert!((ratio - 4.0).abs() < 1e-12);
        assert!((interval.low.log2() - (2.0 - 12.706_205)).abs() < 1e-4);
        assert!((interval.high.log2() - (2.0 + 12.706_205)).abs() < 1e-4);
        let turned = mean_ratio(&[(1.0, 2.0), (0.5, 4.0)]).expect("two pairs");
        assert!((turned.0 - 0.25).abs() < 1e-12);
        assert_eq!(mean_ratio(&[(1.0, 2.0)]), None);
    }
}
