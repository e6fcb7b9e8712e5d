//! Award and final score. RULES section 2.

use super::case::CaseResult;

/// The mean award from which the final score is 0 downward.
const PASS: i64 = 20;

/// The mean award from which the final score is [`FULL_SCORE`].
const FULL: i64 = 92;

/// The best final score.
const FULL_SCORE: f64 = 100.0;

/// The award of a case that was played to its end with this largest tile.
///
/// ```
/// use afterstate_play::contest::award;
///
/// assert_eq!(award(4096), 120);
/// assert_eq!(award(2048), 100);
/// ```
pub const fn award(largest: i32) -> u32 {
    match largest {
        ..=128 => 0,
        129..=256 => 10,
        257..=512 => 35,
        513..=1024 => 60,
        1025..=2048 => 100,
        2049.. => 120,
    }
}

/// The cases of one grading, and what they come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grading {
    cases: Vec<CaseResult>,
}

impl Grading {
    /// A grading of these cases.
    pub fn new(cases: Vec<CaseResult>) -> Grading {
        Grading { cases }
    }

    /// The cases, in the order of their numbers.
    pub fn cases(&self) -> &[CaseResult] {
        &self.cases
    }

    /// S, the mean award; 0 without cases.
    pub fn s(&self) -> f64 {
        let (sum, n) = self.award_sum();
        if n == 0 { 0.0 } else { sum as f64 / n as f64 }
    }

    /// The final score: 0 for S < 20, 4 · 25^((S − 20)/72) below 92, 100 from
    /// there on.
    ///
    /// *Range*: right to nine digits. The last bits of a power depend on the
    /// platform, so it is rounded to the ninth decimal; the bounds of the
    /// three ranges are compared in whole numbers.
    pub fn final_score(&self) -> f64 {
        // 25^x = 5^(2x), which is exact at S = 56, where the exponent is 1.
        self.final_by(|above, range| 4.0 * 5_f64.powf(2.0 * above / range))
    }

    /// The final score if the power in its formula is read as a product, as
    /// one printed statement of the task has it: 100 · (S − 20)/72 in the
    /// middle range.
    pub fn final_as_printed(&self) -> f64 {
        self.final_by(|above, range| 4.0 * 25.0 * above / range)
    }

    /// The three ranges of the final score, with `middle` for the one between.
    /// It is given S − 20 and 72, both times the number of cases.
    fn final_by(&self, middle: impl Fn(f64, f64) -> f64) -> f64 {
        let (sum, n) = self.award_sum();
        if n == 0 || sum < PASS * n {
            0.0
        } else if sum >= FULL * n {
            FULL_SCORE
        } else {
            let value = middle((sum - PASS * n) as f64, ((FULL - PASS) * n) as f64);
            (value * 1e9).round() / 1e9
        }
    }

    /// The sum of the awards, and the number of cases.
    fn award_sum(&self) -> (i64, i64) {
        let sum = self.cases.iter().map(|case| i64::from(case.award())).sum();
        let n = i64::try_from(self.cases.len()).expect("cases fit in memory");
        (sum, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Excerpt, Fault, Verdict};
    use proptest::prelude::*;

    #[test]
    fn awards_at_every_bound() {
        let expected = [
            (0, 0),
            (2, 0),
            (64, 0),
            (128, 0),
            (256, 10),
            (512, 35),
            (1024, 60),
            (2048, 100),
            (4096, 120),
            (8192, 120),
            (131_072, 120),
        ];
        for (largest, points) in expected {
            assert_eq!(award(largest), points, "M = {largest}");
        }
    }

    /// A grading whose cases end with these largest tiles.
    fn grading(tiles: &[(i32, usize)]) -> Grading {
        let case = |&(largest, n): &(i32, usize)| {
            let case = CaseResult {
                largest,
                n_slides: 500,
                score: 0,
                verdict: Verdict::Ok,
            };
            vec![case; n]
        };
        Grading::new(tiles.iter().flat_map(case).collect())
    }

    #[track_caller]
    fn check(tiles: &[(i32, usize)], s: f64, final_score: f64, as_printed: f64) {
        let grading = grading(tiles);
        assert_eq!(grading.s(), s);
        assert_eq!(grading.final_score(), final_score, "the power");
        assert_eq!(grading.final_as_printed(), as_printed, "the product");
    }

    #[test]
    fn final_scores_at_every_bound() {
        check(&[], 0.0, 0.0, 0.0);
        check(&[(128, 20)], 0.0, 0.0, 0.0);
        // 395/20, 400/20 and 405/20: around S = 20.
        check(&[(512, 11), (256, 1), (128, 8)], 19.75, 0.0, 0.0);
        check(&[(2048, 4), (128, 16)], 20.0, 4.0, 0.0);
        check(
            &[(1024, 1), (512, 9), (256, 3), (128, 7)],
            20.25,
            4.044_957_377,
            0.347_222_222,
        );
        // 56 = 1120/20.
        check(&[(2048, 10), (4096, 1), (128, 9)], 56.0, 20.0, 50.0);
        // 1835/20 and 1840/20: around S = 92.
        check(
            &[(4096, 12), (2048, 3), (512, 1), (1024, 1), (128, 3)],
            91.75,
            98.888_557_456,
            99.652_777_778,
        );
        check(&[(4096, 12), (2048, 4), (128, 4)], 92.0, 100.0, 100.0);
        check(&[(2048, 20)], 100.0, 100.0, 100.0);
        check(&[(4096, 20)], 120.0, 100.0, 100.0);
    }

    #[test]
    fn the_bounds_are_exact_for_any_number_of_cases() {
        for n in [1, 3, 7, 49, 1000] {
            // Five cases of which one is worth 100 have a mean of 20.
            let at = grading(&[(2048, n), (64, 4 * n)]);
            assert_eq!((at.s(), at.final_score()), (20.0, 4.0));
            let below = grading(&[(2048, n), (64, 4 * n + 1)]);
            assert!(below.s() < 20.0);
            assert_eq!((below.final_score(), below.final_as_printed()), (0.0, 0.0));

            // 23 cases of 100 among 25 have a mean of 92.
            let at = grading(&[(2048, 23 * n), (64, 2 * n)]);
            assert_eq!((at.s(), at.final_score()), (92.0, 100.0));
            let below = grading(&[(2048, 23 * n), (64, 2 * n + 1)]);
            assert!(below.s() < 92.0);
            assert!(below.final_score() < 100.0, "{}", below.final_score());
            assert!(below.final_as_printed() < 100.0);
        }
    }

    #[test]
    fn a_fault_is_worth_nothing() {
        let case = CaseResult {
            largest: 4096,
            n_slides: 3000,
            score: 40_000,
            verdict: Verdict::Fault {
                slide_number: 3001,
                fault: Fault::OutOfRange {
                    answer: Excerpt::new(b"0"),
                },
            },
        };
        assert_eq!(case.award(), 0);
        assert_eq!(Grading::new(vec![case; 20]).final_score(), 0.0);
    }

    proptest! {
        #[test]
        fn final_scores_rise_with_awards(tiles in proptest::collection::vec(6_u32..14, 1..40)) {
            let largest = |exponent: &u32| (1 << exponent, 1);
            let lower = grading(&tiles.iter().map(largest).collect::<Vec<_>>());
            let raised: Vec<_> = tiles.iter().map(|exponent| (1 << (exponent + 1), 1)).collect();
            let higher = grading(&raised);
            prop_assert!(lower.final_score() <= higher.final_score());
            prop_assert!(lower.final_as_printed() <= higher.final_as_printed());
            prop_assert!((0.0..=100.0).contains(&lower.final_score()));
        }
    }
}
