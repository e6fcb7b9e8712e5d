//! How much one sample's mean is above another's.

use serde::{Deserialize, Serialize};

use crate::moments::Moments;
use crate::stats::{Interval, t_quantile};

/// A difference of means, with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The first mean less the second.
    pub mean: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Degrees of freedom of the distribution that the interval is from.
    pub freedom: f64,
    /// 95 % interval by Welch's t: the two spreads may differ.
    pub welch_t95: Interval,
}

impl Difference {
    /// The difference between the means of two samples; none where one has fewer
    /// than two values.
    ///
    /// *Source*: Welch, The generalization of "Student's" problem when several
    /// different population variances are involved (1947).
    pub fn new(one: &Moments, other: &Moments) -> Option<Difference> {
        if one.n < 2 || other.n < 2 {
            return None;
        }
        let mean = one.mean - other.mean;
        let squares = [one, other].map(|sample| sample.error().powi(2));
        let square = squares[0] + squares[1];
        let part = |at: usize, n: u64| squares[at].powi(2) / (n - 1) as f64;
        // Without any spread there is nothing to be uncertain of.
        let freedom = if square > 0.0 {
            square.powi(2) / (part(0, one.n) + part(1, other.n))
        } else {
            (one.n + other.n - 2) as f64
        };
        let half = square.sqrt() * t_quantile(freedom);
        Some(Difference {
            mean,
            error: square.sqrt(),
            freedom,
            welch_t95: Interval {
                low: mean - half,
                high: mean + half,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Difference;
    use crate::moments::Moments;

    /// Student's sleep data (1908) as R has them: `t.test(extra ~ group, data =
    /// sleep)` prints df = 17.776 and the interval -3.3654832 to 0.2054832.
    #[test]
    fn welch_interval_of_the_sleep_data() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let difference = Difference::new(&Moments::of(&first), &Moments::of(&second));
        let difference = difference.expect("ten values each");
        assert!((difference.mean + 1.58).abs() < 1e-12);
        assert!((difference.freedom - 17.776).abs() < 5e-4, "{difference:?}");
        let interval = difference.welch_t95;
        assert!((interval.low + 3.365_483_2).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 0.205_483_2).abs() < 1e-6, "{interval:?}");
    }

    /// With the same number and spread on both sides Welch's freedom is that of
    /// the pooled test, 2 (n − 1).
    #[test]
    fn equal_spreads_pool() {
        let moments = |mean| Moments {
            n: 8,
            mean,
            deviation: 3.0,
        };
        let difference = Difference::new(&moments(10.0), &moments(4.0)).expect("eight values");
        assert!((difference.freedom - 14.0).abs() < 1e-9);
        assert!((difference.error - 1.5).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_spread_has_a_point() {
        let same = Moments::of(&[5.0, 5.0, 5.0]);
        let difference = Difference::new(&same, &same).expect("three values");
        assert_eq!(
            (difference.welch_t95.low, difference.welch_t95.high),
            (0.0, 0.0)
        );
        assert_eq!(Difference::new(&Moments::of(&[5.0]), &same), None);
    }
}
