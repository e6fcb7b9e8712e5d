//! Many games, in parallel and on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_arena::{AgentSpec, Folder, Plan, Progress, Shard, Summary, run_games, text_table};
use afterstate_rules::Variant;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::step::Outcome;

/// The exit status of a process that an interrupt has ended, by convention.
const INTERRUPTED: i32 = 130;

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
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// The tournament's seed: the same seed is the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Worker threads; results do not depend on them [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder of the results, which must hold none [default: out/run-0001, or
    /// the next number that is free]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run of this folder
    #[arg(long, value_name = "DIR", conflicts_with_all =
        ["variant", "agent", "games", "seed", "out", "shard"])]
    resume: Option<PathBuf>,
    /// Play part I of N of the games
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Plays the games and prints a table.
///
/// *Errors*: arguments that name nothing, a folder that holds another run or
/// cannot be written.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
        usize::from,
    );
    let (plan, folder) = match &args.resume {
        Some(path) => {
            let run = Folder::read_run(path)?;
            let plan = Plan::from_run_file(&run)
                .with_context(|| path.join("run.json").display().to_string())?;
            let folder = Folder::resume(path, &plan.run_file(threads))?;
            (plan, folder)
        }
        None => {
            let plan = Plan::new(entries(args)?, args.games, args.seed, args.shard)?;
            let path = args.out.clone().unwrap_or_else(free_folder);
            let folder = Folder::create(&path, plan.run_file(threads))?;
            (plan, folder)
        }
    };
    let path = folder.path().to_owned();
    let stop = Arc::new(AtomicBool::new(false));
    let stop_now = Arc::clone(&stop);
    ctrlc::set_handler(move || stop_now.store(true, Ordering::Relaxed))?;
    let bar = progress_bar(plan.n_games());
    let (summary, complete) = run_games(&plan, folder, threads, &stop, |progress: &Progress| {
        bar.set_position(progress.finished);
        bar.set_message(format!("{} {}", progress.last.0, progress.last.1));
    })?;
    bar.finish_and_clear();
    if !complete {
        eprintln!(
            "interrupted: {} of {} games are in {}; to go on: cargo xtask tournament --resume {}",
            summary.n_games(),
            plan.n_games(),
            path.display(),
            path.display()
        );
        std::process::exit(INTERRUPTED);
    }
    print_results(&summary, &path, args.json)?;
    Ok(Outcome::Passed)
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
fn progress_bar(n_games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{elapsed_precise} {wide_bar} {pos}/{len} games, {eta} left  {msg}",
    )
    .expect("the template is well formed");
    ProgressBar::new(n_games).with_style(style)
}

fn print_results(summary: &Summary, path: &Path, json: bool) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(summary)?);
        return Ok(());
    }
    print!("{}", text_table(summary));
    println!(
        "\n{} games, seed {}, in {}",
        summary.n_games(),
        summary.run.seed,
        path.display()
    );
    Ok(())
}
