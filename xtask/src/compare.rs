//! Two agents, side by side, and a test whether one is weaker.

use std::fmt::Write as _;
use std::time::Duration;

use afterstate_arena::{
    AgentSpec, Answer, Comparison, ErrorRates, Interval, Plan, Question, Shard, Shared, Verdict,
    compare,
};
use afterstate_rules::Variant;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::step::{self, Outcome};
use crate::tournament::{INTERRUPTED, parse_seed, parse_threads, stop_on_interrupt};
use crate::usage::{self, NumberError};

/// Which agents, and what to decide about them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
    /// Twice: the agent that is looked at, and the one that it is compared with
    #[arg(long, value_name = "A", required = true)]
    agent: Vec<String>,
    /// Give both agents this time for each slide, in milliseconds, in place of
    /// limits of their own
    #[arg(long, value_name = "MS")]
    ms: Option<u32>,
    /// Games of each agent; with --margin the most
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = parse_games)]
    games: u64,
    /// Test whether the first agent's mean is less than this many percent below
    /// the other's, and stop as soon as that is decided
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    margin: Option<f64>,
    /// How often a weaker agent may be accepted, and one that is as strong
    /// rejected
    #[arg(long, value_name = "RATE", default_value_t = 0.05, value_parser = parse_rate)]
    error_rate: f64,
    /// The seed of the games, as in a tournament
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Worker threads; results do not depend on them [default: one for each core]
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Print the comparison as JSON
    #[arg(long)]
    json: bool,
}

fn parse_games(text: &str) -> Result<u64, NumberError> {
    usage::number(text, 2, Plan::MAX_GAMES)
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent: Option<f64> = text.parse().ok();
    percent
        .filter(|percent| (0.01..=100.0).contains(percent))
        .ok_or_else(|| "expected a number from 0.01 to 100".to_owned())
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate: Option<f64> = text.parse().ok();
    rate.filter(|rate| (0.0001..=0.4).contains(rate))
        .ok_or_else(|| "expected a number from 0.0001 to 0.4".to_owned())
}

/// Plays the games and prints what they say. A question that was not answered
/// by accepting the first agent is a failed check.
///
/// *Errors*: agents that are none, or the same.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let [one, other] = agents(args)?;
    let shared = Shared::default();
    let plan = Plan::new(
        vec![(args.variant, one.clone()), (args.variant, other.clone())],
        args.games,
        args.seed,
        Shard::WHOLE,
    )?;
    let question = args.margin.map(|percent| Question {
        margin_share: percent / 100.0,
        rates: ErrorRates {
            accept_wrongly: args.error_rate,
            reject_wrongly: args.error_rate,
        },
    });
    let threads = usage::threads_or_cores(args.threads);
    let bar = progress_bar(args.games);
    let stop = stop_on_interrupt()?;
    let first = plan.position_of(args.variant, &one);
    let first = first.context("the agent is in the plan")?;
    let watch = |n_games| bar.set_position(n_games);
    let compared = compare(&plan, first, question, &shared, threads, &stop, watch)?;
    bar.finish_and_clear();
    let Some(comparison) = compared else {
        eprintln!("interrupted: nothing is kept of a comparison");
        std::process::exit(INTERRUPTED);
    };
    let text = if args.json {
        serde_json::to_string_pretty(&comparison)? + "\n"
    } else {
        table(&comparison)
    };
    step::print(&text)?;
    let verdict = comparison.answer.map(|answer| answer.verdict);
    Ok(Outcome::passed_if(
        verdict.is_none_or(|verdict| verdict == Verdict::Accept),
    ))
}

fn agents(args: &Args) -> anyhow::Result<[AgentSpec; 2]> {
    let [one, other] = args.agent.as_slice() else {
        bail!(
            "--agent is given {} times, expected twice",
            args.agent.len()
        );
    };
    let parse = |text: &str| -> anyhow::Result<AgentSpec> {
        let spec = AgentSpec::parse(text, args.variant)?;
        match args.ms {
            None => Ok(spec),
            Some(ms) => Ok(spec.at_time(ms, args.variant)?),
        }
    };
    Ok([parse(one)?, parse(other)?])
}

fn progress_bar(n_games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} games each")
        .expect("the template is well formed");
    let bar = ProgressBar::new(n_games).with_style(style);
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// The comparison as text.
fn table(comparison: &Comparison) -> String {
    let mut text = String::new();
    let width = comparison
        .agents
        .iter()
        .map(|entry| entry.agent.len())
        .max();
    let width = width.unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "{:<width$}  games       mean     ± 95 %     median  µs/slide",
        "agent"
    );
    for (entry, us) in comparison.agents.iter().zip(comparison.us_per_slide) {
        let half = entry
            .mean_t95
            .map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
        let median = entry.quartiles.map_or(0.0, |quartiles| quartiles[2]);
        let _ = writeln!(
            text,
            "{:<width$}  {:>5} {:>10.0} {half:>10.0} {median:>10.0}  {us:>8.2}",
            entry.agent,
            entry.games,
            entry.mean.unwrap_or(0.0),
        );
    }
    let shown = |interval: Interval| format!("{:.0} to {:.0}", interval.low, interval.high);
    let _ = writeln!(
        text,
        "\nfirst less second, 95 % intervals\nmeans    {:>10.0}   Welch's t {}, bootstrap {}\n\
         medians  {:>10.0}   bootstrap {}",
        comparison.difference.mean,
        shown(comparison.difference.welch_t95),
        shown(comparison.difference_bootstrap95),
        comparison.median_difference,
        shown(comparison.median_difference_bootstrap95),
    );
    if let Some(answer) = &comparison.answer {
        let _ = writeln!(text, "\n{}", sentence(answer, comparison.agents[0].games));
    }
    if comparison
        .agents
        .iter()
        .any(|entry| entry.machine_dependent)
    {
        text.push_str("\ngames depend on the speed of the machine, not on the seed alone\n");
    }
    text
}

fn sentence(answer: &Answer, n_games: u64) -> String {
    format!(
        "{}: weaker by less than {} % ({:.0} points)? after {n_games} of at most {} games of each; \
         log ratio {:.2}, rejected at {:.2}, accepted at {:.2} \
         (a weaker one is accepted in {} of tests, an equal one rejected in {})",
        answer.verdict,
        // As it was typed, to four digits after the point.
        (1e6 * answer.question.margin_share).round() / 1e4,
        answer.margin,
        answer.cap,
        answer.log_ratio,
        answer.reject_at,
        answer.accept_at,
        answer.question.rates.accept_wrongly,
        answer.question.rates.reject_wrongly,
    )
}
