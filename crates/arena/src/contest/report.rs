use core::fmt::Write;

use afterstate_play::contest::Verdict;
use serde::Serialize;

use super::grade::{GradePlan, GradePlayer, Grades};
use super::streams::ErrorOutput;

/// One case as `--json` has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseRecord {
    /// Number of the case, from 1.
    pub case: usize,
    /// The largest tile, M.
    pub largest: i32,
    /// Number of legal slides made.
    pub slides: u32,
    /// Sum of all gains, in points.
    pub score: i64,
    /// The award.
    pub award: u32,
    /// `ok`, or the kind of the fault.
    pub verdict: &'static str,
    /// The number of the slide, from 1, at which the fault was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_slide: Option<u32>,
    /// What the fault was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The end of standard error of a player that committed a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// A grading as `--json` has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GradingRecord {
    /// The built-in agent or the command that was graded.
    pub player: String,
    /// The seed of the grading.
    pub seed: u64,
    /// The cases in order.
    pub cases: Vec<CaseRecord>,
    /// S, the mean award.
    pub s: f64,
    /// The final score, by the power.
    #[serde(rename = "final")]
    pub final_score: f64,
    /// The final score, by the product that one printed statement has.
    pub final_as_printed: f64,
    /// Mean time for a slide in microseconds; null for players in other
    /// processes.
    pub thinking_us_per_slide: Option<f64>,
}

impl GradingRecord {
    /// The record of a finished grading.
    pub fn new(plan: &GradePlan, grades: &Grades) -> GradingRecord {
        let cases = grades.grading.cases().iter().zip(&grades.error_outputs);
        let cases = cases.enumerate().map(|(idx, (case, error_output))| {
            let (at_slide, detail) = match &case.verdict {
                Verdict::Ok => (None, None),
                Verdict::Fault {
                    slide_number,
                    fault,
                } => (Some(*slide_number), Some(fault.detail())),
            };
            CaseRecord {
                case: idx + 1,
                largest: case.largest,
                slides: case.n_slides,
                score: case.score,
                award: case.award(),
                verdict: case.verdict.name(),
                at_slide,
                detail,
                stderr: error_output.as_ref().map(|output| output.text.clone()),
            }
        });
        GradingRecord {
            player: player_name(plan),
            seed: plan.seed,
            cases: cases.collect(),
            s: grades.grading.s(),
            final_score: grades.grading.final_score(),
            final_as_printed: grades.grading.final_as_printed(),
            thinking_us_per_slide: grades.thinking_us_per_slide(),
        }
    }
}

pub(super) fn player_name(plan: &GradePlan) -> String {
    match &plan.player {
        GradePlayer::BuiltIn { agent, .. } => agent.to_string(),
        GradePlayer::Command(player) => player.command.clone(),
    }
}

/// The grading as people read it: a row for each case, what players wrote to
/// standard error where they failed, S and the final score.
pub fn grading_text(plan: &GradePlan, grades: &Grades) -> String {
    let mut text = String::from("case       M   moves  award  verdict\n");
    for (number, case) in (1..).zip(grades.grading.cases()) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{number:>4}  {:>6}  {:>6}  {:>5}  {}",
            case.largest,
            case.n_slides,
            case.award(),
            case.verdict
        );
    }
    text.push('\n');
    push_error_outputs(&mut text, &grades.error_outputs);
    let grading = &grades.grading;
    let _ = write!(
        text,
        "player  {}\nseed    {}\nS       {:.2}\nfinal   {:.2}\n",
        one_line(&player_name(plan)),
        plan.seed,
        grading.s(),
        grading.final_score()
    );
    if let Some(micros) = grades.thinking_us_per_slide() {
        let _ = writeln!(text, "thinking  {}", thinking_text(micros));
    }
    text
}

/// What a slide took, with three digits or more.
pub(super) fn thinking_text(micros: f64) -> String {
    let digits = match micros {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    format!("{micros:.digits$} µs a slide")
}

/// Adds each different output once, with the cases that it came from.
fn push_error_outputs(text: &mut String, outputs: &[Option<ErrorOutput>]) {
    let mut seen: Vec<(&ErrorOutput, Vec<usize>)> = Vec::new();
    for (number, output) in (1..).zip(outputs) {
        let Some(output) = output else { continue };
        match seen.iter_mut().find(|(known, _)| *known == output) {
            Some((_, numbers)) => numbers.push(number),
            None => seen.push((output, vec![number])),
        }
    }
    for (output, numbers) in seen {
        let cases: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let word = if cases.len() == 1 { "case" } else { "cases" };
        let _ = write!(text, "standard error of {word} {}", cases.join(", "));
        if output.n_dropped > 0 {
            let _ = write!(text, " (without its first {} bytes)", output.n_dropped);
        }
        text.push_str(":\n");
        for line in output.text.lines() {
            let _ = writeln!(text, "    {}", one_line(line));
        }
        text.push('\n');
    }
}

/// `text` without anything that would upset a terminal.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => line.push(letter),
            _ if letter.is_control() => line.extend(letter.escape_default()),
            _ => line.push(letter),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent_spec::AgentSpec;
    use crate::contest::PlayerCommand;
    use afterstate_play::contest::{CaseResult, Excerpt, Fault, Grading};
    use afterstate_rules::Variant;
    use std::time::Duration;

    fn example() -> (GradePlan, Grades) {
        let case = |largest, n_slides, verdict| CaseResult {
            largest,
            n_slides,
            score: 20_000,
            verdict,
        };
        let fault = |slide_number| Verdict::Fault {
            slide_number,
            fault: Fault::Malformed {
                answer: Excerpt::new(b"left"),
            },
        };
        let error_output = Some(ErrorOutput {
            text: "oh \u{1b}[31mno\nreally".to_owned(),
            n_dropped: 7,
        });
        let plan = GradePlan {
            player: GradePlayer::Command(PlayerCommand {
                command: "./player\n--fast".to_owned(),
                time_limit: Duration::from_secs(1),
            }),
            n_cases: 4,
            seed: 3,
            n_threads: 1,
        };
        let grades = Grades {
            grading: Grading::new(vec![
                case(2048, 950, Verdict::Ok),
                case(16, 20, fault(21)),
                case(1024, 510, Verdict::Ok),
                case(4, 0, fault(1)),
            ]),
            error_outputs: vec![None, error_output.clone(), None, error_output],
            thinking: None,
        };
        (plan, grades)
    }

    #[test]
    fn the_text_has_a_row_for_each_case() {
        let (plan, grades) = example();
        let expected = "\
case       M   moves  award  verdict
   1    2048     950    100  ok
   2      16      20      0  malformed at slide 21: `left`, expected 1, 2, 3 or 4 alone on a line
   3    1024     510     60  ok
   4       4       0      0  malformed at slide 1: `left`, expected 1, 2, 3 or 4 alone on a line

standard error of cases 2, 4 (without its first 7 bytes):
    oh \\u{1b}[31mno
    really

player  ./player\\n--fast
seed    3
S       40.00
final   9.78
";
        assert_eq!(grading_text(&plan, &grades), expected);
    }

    #[test]
    fn thinking_is_told_of_the_built_in_player() {
        let (mut plan, mut grades) = example();
        plan.player = GradePlayer::BuiltIn {
            agent: AgentSpec::parse("greedy", Variant::Contest).expect("an agent"),
            time_limit: None,
        };
        // 950 + 20 + 510 + 0 slides.
        grades.thinking = Some(Duration::from_micros(74_000));
        let text = grading_text(&plan, &grades);
        assert!(
            text.ends_with("final   9.78\nthinking  50.0 µs a slide\n"),
            "{text}"
        );
        let record = GradingRecord::new(&plan, &grades);
        assert_eq!(record.thinking_us_per_slide, Some(50.0));
        for (micros, expected) in [(0.123, "0.12"), (12.34, "12.3"), (1234.5, "1234")] {
            assert_eq!(thinking_text(micros), format!("{expected} µs a slide"));
        }
    }

    #[test]
    fn the_record_has_both_readings() {
        let (plan, grades) = example();
        let record = GradingRecord::new(&plan, &grades);
        let json = serde_json::to_value(&record).expect("a record has only text keys");
        assert_eq!(json["s"], 40.0);
        assert_eq!(json["final"], 9.780_851_392);
        assert_eq!(json["final_as_printed"], 27.777_777_778);
        assert_eq!(
            json["cases"][0],
            serde_json::json!({
                "case": 1, "largest": 2048, "slides": 950, "score": 20_000, "award": 100,
                "verdict": "ok",
            })
        );
        assert_eq!(
            json["cases"][1],
            serde_json::json!({
                "case": 2, "largest": 16, "slides": 20, "score": 20_000, "award": 0,
                "verdict": "malformed", "at_slide": 21,
                "detail": "`left`, expected 1, 2, 3 or 4 alone on a line",
                "stderr": "oh \u{1b}[31mno\nreally",
            })
        );
    }
}
