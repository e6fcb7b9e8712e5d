//! Many games, in parallel and on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use afterstate_arena::{
    AgentSpec, Folder, FolderError, Plan, Shard, Shared, Summary, run_games, text_table,
};
use afterstate_rules::Variant;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::step::{self, Outcome};
use crate::usage::{self, NumberError};

/// The exit status of a process that an interrupt has ended, by convention.
pub(crate) const INTERRUPTED: i32 = 130;

/// Which games to play, and where the results go.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// classic, contest, akioi or mini (repeatable) [default: all]
    #[arg(long, value_name = "V")]
    variant: Vec<Variant>,
    /// NAME[:key=value,…], see `afterstate agents` (repeatable) [default: the
    /// variant's default agent and two weaker ones]
    #[arg(long, value_name = "A")]
    agent: Vec<String>,
    /// Games of each variant and agent
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = parse_games)]
    games: u64,
    /// The tournament's seed: the same seed is the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Worker threads; results do not depend on them [default: one for each core]
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Folder of the results, which must hold none [default: out/run-0001, or
    /// the next number that is free]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run of this folder; only --threads, --table
    /// and --json go with it
    #[arg(long, value_name = "DIR", conflicts_with_all =
        ["variant", "agent", "games", "seed", "out", "shard", "transcripts"])]
    resume: Option<PathBuf>,
    /// Play part I of N of the games
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Write each game down slide by slide, under `transcripts` in the folder:
    /// `afterstate replay FILE` steps through one
    #[arg(long)]
    transcripts: bool,
    /// Judge the slides of mini by this table, which `afterstate exact --variant
    /// mini --table FILE` wrote: share that is optimal, mean loss
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

fn parse_games(text: &str) -> Result<u64, NumberError> {
    usage::number(text, 1, Plan::MAX_GAMES)
}

pub(crate) fn parse_seed(text: &str) -> Result<u64, NumberError> {
    usage::number(text, 0, u64::MAX)
}

pub(crate) fn parse_threads(text: &str) -> Result<usize, NumberError> {
    usage::number(text, 1, 1024).map(|threads| threads as usize)
}

/// Plays the games and prints a table.
///
/// *Errors*: arguments that name nothing, a folder that holds another run or
/// cannot be written.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let threads = usage::threads_or_cores(args.threads);
    let shared = match &args.table {
        Some(path) => Shared::default().with_judge(path)?,
        None => Shared::default(),
    };
    let folder = open(args, &shared, threads)?;
    let path = folder.path().to_owned();
    let n_games = folder.plan().n_games();
    let bar = progress_bar(folder.n_finished(), n_games);
    let stop = stop_on_interrupt()?;
    let played = run_games(folder, &shared, threads, &stop, |progress| {
        bar.set_position(progress.finished);
        bar.set_message(format!("{} {}", progress.variant, progress.agent));
    });
    bar.finish_and_clear();
    let resume = format!("cargo xtask tournament --resume {}", quoted(&path));
    let (summary, complete) = played.with_context(|| format!("stopped; to go on: {resume}"))?;
    if !complete {
        eprintln!(
            "interrupted: {} of {n_games} games are in {}; to go on: {resume}",
            summary.n_games(),
            path.display(),
        );
        std::process::exit(INTERRUPTED);
    }
    print_results(&summary, &path, args.json)?;
    Ok(Outcome::Passed)
}

/// The folder that the arguments name, with what is to be played into it.
fn open(args: &Args, shared: &Shared, threads: usize) -> anyhow::Result<Folder> {
    if let Some(path) = &args.resume {
        return Ok(Folder::resume(path, Folder::stored_plan(path)?)?);
    }
    let entries = entries(args)?;
    for (variant, agent) in &entries {
        // Before there is a folder of a run that cannot be played.
        shared.load(*variant, agent)?;
    }
    let plan = Plan::new(entries, args.games, args.seed, args.shard)?;
    let create = if args.transcripts {
        Folder::create_with_transcripts
    } else {
        Folder::create
    };
    if let Some(path) = &args.out {
        return Ok(create(path, plan, threads)?);
    }
    loop {
        match create(&free_folder(), plan.clone(), threads) {
            // Another run, begun at the same time, was faster.
            Err(FolderError::Occupied { .. } | FolderError::Busy { .. }) => {}
            other => return Ok(other?),
        }
    }
}

/// A flag that an interrupt sets; a second one ends the process at once, since
/// a deep search may take long to come to its slide. Finished games are on disk
/// in either case.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_now = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if stop_now.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(stop)
}

/// A path as one types it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |ch: char| ch.is_alphanumeric() || "/\\.-_:+,~".contains(ch);
    if text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// The variants and agents that the arguments name.
fn entries(args: &Args) -> anyhow::Result<Vec<(Variant, AgentSpec)>> {
    let variants: &[Variant] = match args.variant.as_slice() {
        [] => &Variant::ALL,
        named => named,
    };
    let mut entries = Vec::new();
    for &variant in variants {
        if args.agent.is_empty() {
            entries.extend(AgentSpec::usual(variant).map(|agent| (variant, agent)));
        }
        for agent in &args.agent {
            entries.push((variant, AgentSpec::parse(agent, variant)?));
        }
    }
    Ok(entries)
}

/// The first of out/run-0001, out/run-0002, … that does not exist.
fn free_folder() -> PathBuf {
    (1..)
        .map(|number| PathBuf::from(format!("out/run-{number:04}")))
        .find(|path| !path.exists())
        .expect("some number is free")
}

/// A bar on standard error, and none where that is not a terminal.
fn progress_bar(n_finished: u64, n_games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{elapsed_precise} {wide_bar} {pos}/{len} games, {eta} left  {msg}",
    )
    .expect("the template is well formed");
    let bar = ProgressBar::new(n_games)
        .with_style(style)
        .with_position(n_finished);
    // What an earlier run has played tells nothing of the speed of this one.
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// The table or the summary on standard output.
pub(crate) fn print_results(summary: &Summary, path: &Path, json: bool) -> anyhow::Result<()> {
    let text = if json {
        serde_json::to_string_pretty(summary)? + "\n"
    } else {
        format!(
            "{}\n{} games, seed {}, in {}\n",
            text_table(summary),
            summary.n_games(),
            summary.run.seed,
            path.display()
        )
    };
    step::print(&text)
}
