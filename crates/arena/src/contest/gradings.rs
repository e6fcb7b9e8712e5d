//! Many gradings of one player, and what they come to together.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::time::Duration;

use afterstate_play::contest::Verdict;
use serde::Serialize;

use super::grade::{GradePlan, Grades, us_per_slide};
use super::report::{GradingRecord, one_line, player_name, thinking_text};
use crate::stats::{Interval, quantile, wilson_interval};

/// How many cases ended with a largest tile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseCount {
    /// The largest tile, M.
    pub largest: i32,
    /// Cases that ended with exactly this one.
    pub cases: u64,
    /// Cases that ended with this one or a larger one.
    pub reached: u64,
    /// Their share of all cases, 0 to 1.
    pub reached_share: f64,
    /// Wilson interval of that share, 95 %.
    pub reached_wilson95: Interval,
}

/// What many gradings come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GradingTotals {
    /// Number of gradings.
    pub gradings: usize,
    /// Number of cases of all gradings.
    pub cases: u64,
    /// Cases that a fault ended.
    pub faults: u64,
    /// Slides of all cases.
    pub slides: u64,
    /// Cases by their largest tile, ascending, without tiles that no case ended
    /// with.
    pub largest: Vec<CaseCount>,
    /// Gradings with the full final score.
    pub full_scores: usize,
    /// Mean of the final scores.
    pub final_mean: f64,
    /// Quantiles of the final score at 0, 0.25, 0.5, 0.75 and 1.
    pub final_quartiles: [f64; 5],
    /// Mean time for a slide in microseconds; null for players in other
    /// processes.
    pub thinking_us_per_slide: Option<f64>,
}

impl GradingTotals {
    /// The totals of finished gradings.
    pub fn new(gradings: &[Grades]) -> GradingTotals {
        let results = || gradings.iter().flat_map(|grades| grades.grading.cases());
        let mut by_tile: BTreeMap<i32, u64> = BTreeMap::new();
        for case in results() {
            *by_tile.entry(case.largest).or_default() += 1;
        }
        let n_cases = by_tile.values().sum();
        let mut reached = n_cases;
        let counts = by_tile.into_iter().filter_map(|(largest, cases)| {
            let count = CaseCount {
                largest,
                cases,
                reached,
                reached_share: reached as f64 / n_cases as f64,
                reached_wilson95: wilson_interval(reached, n_cases)?,
            };
            reached -= cases;
            Some(count)
        });
        let mut finals: Vec<f64> = gradings.iter().map(|g| g.grading.final_score()).collect();
        finals.sort_by(f64::total_cmp);
        let slides = results().map(|case| u64::from(case.n_slides)).sum();
        let thinking: Option<Duration> = gradings.iter().map(|grades| grades.thinking).sum();
        GradingTotals {
            gradings: gradings.len(),
            cases: n_cases,
            faults: results().filter(|case| case.verdict != Verdict::Ok).count() as u64,
            slides,
            largest: counts.collect(),
            full_scores: finals.iter().filter(|&&score| score >= 100.0).count(),
            final_mean: finals.iter().sum::<f64>() / finals.len() as f64,
            final_quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&finals, share)),
            thinking_us_per_slide: us_per_slide(thinking, slides),
        }
    }
}

/// Many gradings as `--json` has them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GradingsRecord {
    /// Each grading, in the order of their seeds.
    pub gradings: Vec<GradingRecord>,
    /// What they come to together.
    pub totals: GradingTotals,
}

impl GradingsRecord {
    /// The record of finished gradings of a plan.
    pub fn new(plan: &GradePlan, gradings: &[Grades]) -> GradingsRecord {
        let record = |(idx, grades)| GradingRecord::new(&plan.nth(idx), grades);
        GradingsRecord {
            gradings: (0..).zip(gradings).map(record).collect(),
            totals: GradingTotals::new(gradings),
        }
    }
}

/// Many gradings as people read them: a row for each, then all cases together.
pub fn gradings_text(plan: &GradePlan, gradings: &[Grades]) -> String {
    let mut text = String::from("  seed  least M  faults       S   final\n");
    for (idx, grades) in (0..).zip(gradings) {
        let cases = grades.grading.cases();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>6}  {:>7}  {:>6}  {:>6.2}  {:>6.2}",
            plan.nth(idx).seed,
            cases.iter().map(|case| case.largest).min().unwrap_or(0),
            cases
                .iter()
                .filter(|case| case.verdict != Verdict::Ok)
                .count(),
            grades.grading.s(),
            grades.grading.final_score()
        );
    }
    let totals = GradingTotals::new(gradings);
    text.push_str("\n     M   cases  this or more       95 %\n");
    for count in &totals.largest {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let interval = count.reached_wilson95;
        let _ = writeln!(
            text,
            "{:>6}  {:>6}  {:>10} %  {} to {} %",
            count.largest,
            count.cases,
            percent(count.reached_share),
            percent(interval.low),
            percent(interval.high)
        );
    }
    let [least, _, median, _, most] = totals.final_quartiles;
    let _ = write!(
        text,
        "\nplayer    {}\ngradings  {} of {} cases, {} faults\n\
         final     mean {:.2}, least {least:.2}, median {median:.2}, most {most:.2}; {} of {} full\n",
        one_line(&player_name(plan)),
        totals.gradings,
        plan.n_cases,
        totals.faults,
        totals.final_mean,
        totals.full_scores,
        totals.gradings,
    );
    if let Some(micros) = totals.thinking_us_per_slide {
        let _ = writeln!(text, "thinking  {}", thinking_text(micros));
    }
    text
}

#[cfg(test)]
mod tests {
    use afterstate_play::contest::{CaseResult, Excerpt, Fault, Grading};

    use super::*;
    use crate::agent_spec::AgentSpec;
    use crate::contest::GradePlayer;
    use afterstate_rules::Variant;

    fn example() -> (GradePlan, [Grades; 2]) {
        let case = |largest, verdict| CaseResult {
            largest,
            n_slides: 500,
            score: 20_000,
            verdict,
        };
        let fault = Verdict::Fault {
            slide_number: 501,
            fault: Fault::Malformed {
                answer: Excerpt::new(b"left"),
            },
        };
        let grades = |cases: Vec<CaseResult>| Grades {
            error_outputs: vec![None; cases.len()],
            grading: Grading::new(cases),
            thinking: Some(Duration::from_micros(50_000)),
        };
        let plan = GradePlan {
            player: GradePlayer::BuiltIn {
                agent: AgentSpec::parse("greedy", Variant::Contest).expect("an agent"),
                time_limit: None,
            },
            n_cases: 2,
            seed: 9,
            n_threads: 1,
        };
        let gradings = [
            grades(vec![case(2048, Verdict::Ok), case(4096, Verdict::Ok)]),
            grades(vec![case(2048, fault), case(512, Verdict::Ok)]),
        ];
        (plan, gradings)
    }

    #[test]
    fn totals_add_up() {
        let (plan, gradings) = example();
        let totals = GradingTotals::new(&gradings);
        assert_eq!((totals.gradings, totals.cases, totals.faults), (2, 4, 1));
        assert_eq!((totals.slides, totals.full_scores), (2000, 1));
        let counts = totals.largest.iter();
        let counts: Vec<_> = counts
            .map(|count| {
                (
                    count.largest,
                    count.cases,
                    count.reached,
                    count.reached_share,
                )
            })
            .collect();
        assert_eq!(
            counts,
            [(512, 1, 4, 1.0), (2048, 2, 3, 0.75), (4096, 1, 1, 0.25)]
        );
        assert_eq!(totals.final_quartiles[0], 0.0, "S = 17.5");
        assert_eq!(totals.final_quartiles[4], 100.0);
        assert_eq!(totals.final_mean, 50.0);
        assert_eq!(totals.thinking_us_per_slide, Some(50.0));

        let record = GradingsRecord::new(&plan, &gradings);
        let seeds: Vec<u64> = record.gradings.iter().map(|grading| grading.seed).collect();
        assert_eq!(seeds, [9, 10]);
        let mut one_untimed = gradings;
        one_untimed[1].thinking = None;
        assert_eq!(GradingTotals::new(&one_untimed).thinking_us_per_slide, None);
    }

    #[test]
    fn the_text_has_a_row_for_each_grading() {
        let (plan, gradings) = example();
        let expected = "  seed  least M  faults       S   final
     9     2048       0  110.00  100.00
    10      512       1   17.50    0.00

     M   cases  this or more       95 %
   512       1       100.0 %  51.0 to 100.0 %
  2048       2        75.0 %  30.1 to 95.4 %
  4096       1        25.0 %  4.6 to 69.9 %

player    greedy
gradings  2 of 2 cases, 1 faults
final     mean 50.00, least 0.00, median 50.00, most 100.00; 1 of 2 full
thinking  50.0 µs a slide
";
        assert_eq!(gradings_text(&plan, &gradings), expected);
    }
}
