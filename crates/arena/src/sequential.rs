//! A test that ends as soon as it can.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::moments::Moments;

/// How often a sequential test may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ErrorRates {
    /// Probability of accepting what should be rejected.
    pub accept_wrongly: f64,
    /// Probability of rejecting what should be accepted.
    pub reject_wrongly: f64,
}

impl ErrorRates {
    /// The log-likelihood ratios at which a test rejects and accepts.
    ///
    /// *Source*: Wald, Sequential Tests of Statistical Hypotheses (1945). The true
    /// rates are about the stated ones, and rather below.
    pub fn bounds(self) -> (f64, f64) {
        let reject = self.reject_wrongly / (1.0 - self.accept_wrongly);
        let accept = (1.0 - self.reject_wrongly) / self.accept_wrongly;
        (reject.ln(), accept.ln())
    }
}

/// What a sequential test says after some games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Not weaker by the margin.
    Accept,
    /// Weaker.
    Reject,
    /// More games have to be played.
    PlayOn,
    /// All games that there are were played, and nothing was decided.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Accept => "accept",
            Verdict::Reject => "reject",
            Verdict::PlayOn => "play on",
            Verdict::Undecided => "undecided",
        })
    }
}

/// Whether the mean of a sample is no more than a margin below that of another.
///
/// Wald's probability ratio test of two hypotheses on the difference of the means:
/// that it is −margin, where accepting would be wrong, and that it is 0, where
/// rejecting would be. Spreads are those of the samples so far, so that it needs
/// [`NonInferiority::LEAST`] values of each; both may have any number of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonInferiority {
    /// In the unit of the values, above 0.
    pub margin: f64,
    /// How often the test may be wrong.
    pub rates: ErrorRates,
}

impl NonInferiority {
    /// Values of each sample before which nothing is said: the spread is not known
    /// well enough.
    pub const LEAST: u64 = 16;

    /// The logarithm of how much likelier the samples are when the means are equal
    /// than when the first is the margin below.
    pub fn log_ratio(&self, one: &Moments, other: &Moments) -> f64 {
        let square = one.error().powi(2) + other.error().powi(2);
        let difference = one.mean - other.mean;
        let excess = self.margin * (difference + self.margin / 2.0);
        if square > 0.0 {
            excess / square
        } else {
            // Nothing spreads, so that there is no doubt.
            excess.signum() * f64::INFINITY
        }
    }

    /// What the samples so far say, of which no more than `cap` values of the
    /// first are to be had.
    pub fn verdict(&self, one: &Moments, other: &Moments, cap: u64) -> Verdict {
        let at_the_end = one.n >= cap;
        if one.n.min(other.n) >= NonInferiority::LEAST {
            let (reject, accept) = self.rates.bounds();
            let ratio = self.log_ratio(one, other);
            if ratio >= accept {
                return Verdict::Accept;
            }
            if ratio <= reject {
                return Verdict::Reject;
            }
        }
        if at_the_end {
            Verdict::Undecided
        } else {
            Verdict::PlayOn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorRates, NonInferiority, Verdict};
    use crate::moments::{Moments, RunningMoments};
    use crate::stats::uniforms;

    const RATES: ErrorRates = ErrorRates {
        accept_wrongly: 0.05,
        reject_wrongly: 0.05,
    };

    /// NIST/SEMATECH e-Handbook of Statistical Methods, sequential sampling plans:
    /// for shares of 0.01 and 0.10 with errors 0.05 and 0.10 one accepts below
    /// −0.939 + 0.0397 n defects and rejects above 1.205 + 0.0397 n.
    #[test]
    fn bounds_of_nist_sequential_sampling() {
        let rates = ErrorRates {
            accept_wrongly: 0.05,
            reject_wrongly: 0.10,
        };
        let (low, high) = rates.bounds();
        let (few, many) = (0.01_f64, 0.10_f64);
        let of_defect = (many / few).ln() - ((1.0 - many) / (1.0 - few)).ln();
        let slope = ((1.0 - few) / (1.0 - many)).ln() / of_defect;
        assert!(
            (low / of_defect + 0.939).abs() < 5e-4,
            "{}",
            low / of_defect
        );
        assert!(
            (high / of_defect - 1.205).abs() < 5e-4,
            "{}",
            high / of_defect
        );
        assert!((slope - 0.0397).abs() < 5e-5, "{slope}");
    }

    /// By hand: means 9 and 10, variances of the means 0.25 + 0.25, margin 4.
    #[test]
    fn the_ratio_is_that_of_normal_densities() {
        let moments = |mean| Moments {
            n: 16,
            mean,
            deviation: 2.0,
        };
        let test = NonInferiority {
            margin: 4.0,
            rates: RATES,
        };
        let found = test.log_ratio(&moments(9.0), &moments(10.0));
        // Log densities of a difference of −1 with variance 0.5 around 0 and −4.
        let log_density = |around: f64| -(-1.0 - around).powi(2) / (2.0 * 0.5);
        let expected = log_density(0.0) - log_density(-4.0);
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// How many of `n` tests end with each verdict, when the first sample's mean
    /// is this far above the other's; and the mean number of games.
    fn ends(n: u32, shift: f64, cap: u64) -> ([u32; 3], f64) {
        let test = NonInferiority {
            margin: 0.1,
            rates: RATES,
        };
        // Spread as scores are: the standard deviation is nine tenths of the mean.
        let mut uniform = uniforms(99);
        let mut score = || uniform().powi(2);
        let mut counts = [0; 3];
        let mut n_games = 0;
        for _ in 0..n {
            let mut samples = [RunningMoments::default(); 2];
            loop {
                samples[0].add(score() + shift);
                samples[1].add(score());
                let [one, other] = samples.map(|sample| sample.moments());
                let at = match test.verdict(&one, &other, cap) {
                    Verdict::PlayOn => continue,
                    Verdict::Accept => 0,
                    Verdict::Reject => 1,
                    Verdict::Undecided => 2,
                };
                counts[at] += 1;
                n_games += one.n;
                break;
            }
        }
        (counts, n_games as f64 / f64::from(n))
    }

    /// Of 2,000 tests on either hypothesis no more are wrong than was stated, and
    /// three standard errors; they end sooner than a test of fixed size with these
    /// rates would, which needs 2 (2 · 1.645 · 0.298 / 0.1)² = 192 games.
    #[test]
    fn error_rates_are_kept() {
        let most = 100 + 30;
        let (weaker, n_weaker) = ends(2000, -0.1, u64::MAX);
        assert!(weaker[0] <= most, "{weaker:?}");
        let (equal, n_equal) = ends(2000, 0.0, u64::MAX);
        assert!(equal[1] <= most, "{equal:?}");
        assert!(n_weaker < 150.0 && n_equal < 150.0, "{n_weaker} {n_equal}");
        let (stronger, _) = ends(200, 0.1, u64::MAX);
        assert_eq!(stronger[0], 200);
        let (far, n_far) = ends(200, -0.5, u64::MAX);
        assert_eq!(far[1], 200);
        assert!(n_far < 20.0, "{n_far}");
    }

    #[test]
    fn at_the_cap_it_is_undecided() {
        let (counts, n_games) = ends(200, -0.05, 30);
        assert!(counts[2] > 100, "{counts:?}");
        assert!(n_games <= 30.0);
        let moments = |n| Moments {
            n,
            mean: 1.0,
            deviation: 0.0,
        };
        let test = NonInferiority {
            margin: 0.1,
            rates: RATES,
        };
        let verdict = |n, cap| test.verdict(&moments(n), &moments(n), cap);
        let least = NonInferiority::LEAST;
        assert_eq!(verdict(least - 1, 100), Verdict::PlayOn);
        assert_eq!(verdict(least - 1, least - 1), Verdict::Undecided);
        assert_eq!(verdict(least, 100), Verdict::Accept);
    }
}
