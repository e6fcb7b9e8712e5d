//! `afterstate grade`: the contest's cases for a player, and its score.

use core::num::NonZero;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use afterstate_arena::contest::{
    DEFAULT_TIME_LIMIT, GradePlan, GradePlayer, GradingRecord, GradingsRecord, PlayerCommand,
    grade_many, grading_text, gradings_text,
};
use afterstate_arena::{AgentSpec, Shared};
use afterstate_rules::Variant;
use anyhow::ensure;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;
use crate::usage;

pub(crate) const HELP: &str = "\
A player is a program in any language: docs/contest has one in C++ and one in Python. Each case is one game with \
one process of the player. A wrong answer, an answer that is late and a crash end a case with award 0; the verdict \
says what happened at which slide. The exit status is 0 whatever the verdicts are.

Examples:
  afterstate grade
  afterstate grade --player 'python3 docs/contest/example.py' --cases 5 --time-limit 1000
  afterstate grade --agent greedy --json
  afterstate grade --gradings 50 --threads 1";

/// What `grade` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A player in another process: a command for the shell, which speaks the
    /// line protocol [default: the built-in player]
    #[arg(long, value_name = "COMMAND", conflicts_with = "agent",
        value_parser = clap::builder::NonEmptyStringValueParser::new())]
    player: Option<String>,
    /// The agent of the built-in player: NAME[:key=value,...], see `afterstate
    /// agents`
    #[arg(long, value_name = "A", default_value = "default")]
    agent: String,
    /// Number of cases
    #[arg(long, value_name = "N", default_value_t = 20,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    cases: u32,
    /// The seed: the same seed is the same cases, whoever plays them
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of gradings, of this seed and those after it, with the
    /// distribution of their cases and scores
    #[arg(long, value_name = "K", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    gradings: u32,
    /// Milliseconds for each answer; the first includes the start of the
    /// player's process [default: 10000 for players in other processes, no
    /// limit for the built-in one]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=86_400_000))]
    time_limit: Option<u32>,
    /// Cases at a time; results do not depend on them, unless the player is
    /// short of time [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Plays the cases and prints what they come to.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let plan = plan(args)?;
    let shared = Shared::default();
    if let GradePlayer::BuiltIn { agent, .. } = &plan.player {
        shared.load(Variant::Contest, agent)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let stop_now = Arc::clone(&stop);
    ctrlc::set_handler(move || stop_now.store(true, Ordering::Relaxed))?;
    let n_cases = u64::from(plan.n_cases) * u64::from(args.gradings);
    let bar = progress_bar(n_cases);
    let gradings = grade_many(&shared, &plan, args.gradings, &stop, |_| bar.inc(1));
    let n_played = bar.position();
    bar.finish_and_clear();
    let Some(gradings) = gradings else {
        // Players are in process groups of their own, so that the interrupt did
        // not reach them; they have been ended by now.
        eprintln!("interrupted after {n_played} of {n_cases} cases");
        std::process::exit(usage::INTERRUPTED);
    };
    let mut out = output::standard();
    match (gradings.as_slice(), args.json) {
        ([grades], true) => {
            let record = GradingRecord::new(&plan, grades);
            writeln!(out, "{}", serde_json::to_string(&record)?)?;
        }
        ([grades], false) => out.write_all(grading_text(&plan, grades).as_bytes())?,
        (gradings, true) => {
            let record = GradingsRecord::new(&plan, gradings);
            writeln!(out, "{}", serde_json::to_string(&record)?)?;
        }
        (gradings, false) => out.write_all(gradings_text(&plan, gradings).as_bytes())?,
    }
    Ok(out.flush()?)
}

fn plan(args: &Args) -> anyhow::Result<GradePlan> {
    let most = u64::MAX - u64::from(args.gradings - 1);
    ensure!(
        args.seed <= most,
        "--seed {} with --gradings {}: expected a seed of at most {most}",
        args.seed,
        args.gradings
    );
    let time_limit = args
        .time_limit
        .map(|limit_ms| Duration::from_millis(u64::from(limit_ms)));
    let player = match &args.player {
        Some(command) => GradePlayer::Command(PlayerCommand {
            command: command.clone(),
            time_limit: time_limit.unwrap_or(DEFAULT_TIME_LIMIT),
        }),
        None => GradePlayer::BuiltIn {
            agent: AgentSpec::parse(&args.agent, Variant::Contest)?,
            time_limit,
        },
    };
    let n_cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    Ok(GradePlan {
        player,
        n_cases: args.cases,
        seed: args.seed,
        n_threads: args.threads.map_or_else(n_cores, usize::from),
    })
}

/// A bar on standard error, and none where that is not a terminal.
fn progress_bar(n_cases: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} cases, {eta} left")
            .expect("the template is well formed");
    ProgressBar::new(n_cases).with_style(style)
}
