//! Networks, by games against themselves.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterstate_arena::{TrainPlan, TrainProgress, checkpoint_path, train};
use afterstate_eval::Objective;
use afterstate_learn::{Order, Preset};
use afterstate_rules::Variant;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::step::{self, Outcome};
use crate::tournament::{INTERRUPTED, parse_seed, parse_threads, quoted, stop_on_interrupt};
use crate::usage::{self, NumberError};

/// What to train, and where it goes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
    /// quick (some 2 minutes on two cores), standard (three quarters of an hour)
    /// or strong (up to eight hours)
    #[arg(long, value_name = "P", default_value = "quick")]
    preset: Preset,
    /// What to play for: score, for the contest also largest, for akioi also clear
    #[arg(long, value_name = "O", default_value = "score", value_parser = parse_objective)]
    objective: Objective,
    /// What the network looks at, by name (4x6, 8x6) or as lists of cells (0123,4567)
    /// [default: what the preset says]
    #[arg(long, value_name = "P", conflicts_with = "resume")]
    patterns: Option<String>,
    /// The file of the network; beside it come a checkpoint and the learning
    /// curve (.checkpoint, .csv)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games in all, restarted ones included [default: what the preset says]
    #[arg(long, value_name = "N", value_parser = parse_games)]
    games: Option<u64>,
    /// Worker threads; one gives the same network every time [default: one for
    /// each core]
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Go on from a checkpoint, with the settings that it was begun with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["threads", "seed"])]
    resume: Option<PathBuf>,
    /// Begin with what is in a checkpoint of another training on the same board, like
    /// classic for the contest
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    from: Option<PathBuf>,
    /// Learn the exact values of the mini game, from the table that `afterstate exact
    /// --variant mini --table FILE` wrote
    #[arg(long, value_name = "FILE", conflicts_with = "backward")]
    teacher: Option<PathBuf>,
    /// Learn from each game after its end, from the last board to the first
    #[arg(long, conflicts_with = "resume")]
    backward: bool,
    /// Keep only so many weights: those that changed most
    #[arg(long, value_name = "N", value_parser = parse_keep)]
    keep: Option<usize>,
    /// Round weights to multiples of this, in points [default: as fine as 16 bits
    /// allow]
    #[arg(long, value_name = "U", value_parser = parse_unit)]
    unit: Option<f32>,
}

fn parse_games(text: &str) -> Result<u64, NumberError> {
    usage::number(text, 1, 1_000_000_000_000)
}

fn parse_keep(text: &str) -> Result<usize, NumberError> {
    usage::number(text, 1, 1 << 32).map(|keep| keep as usize)
}

fn parse_unit(text: &str) -> Result<f32, &'static str> {
    let unit = text.parse().ok();
    unit.filter(|unit: &f32| unit.is_finite() && *unit > 0.0)
        .ok_or("expected a number above 0")
}

fn parse_objective(text: &str) -> Result<Objective, &'static str> {
    let named = Objective::ALL.into_iter().find(|each| each.name() == text);
    named.ok_or("expected score, largest or clear")
}

/// Trains, shows how it goes, and writes the network.
///
/// *Errors*: files that cannot be read or written, a checkpoint of something
/// else.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let plan = TrainPlan {
        variant: args.variant,
        objective: args.objective,
        preset: args.preset,
        n_games: args.games,
        n_threads: usage::threads_or_cores(args.threads),
        seed: args.seed,
        patterns: args.patterns.clone(),
        order: match args.backward {
            true => Order::Backward,
            false => Order::Forward,
        },
        keep: args.keep,
        unit: args.unit,
        out: args.out.clone(),
        resume: args.resume.clone(),
        from: args.from.clone(),
        teacher: args.teacher.clone(),
    };
    let mut curve = Curve::open(&args.out.with_extension("csv"), args.resume.is_some())?;
    let bar = progress_bar();
    let stop = stop_on_interrupt()?;
    let mut complaint = None;
    let finished = train(&plan, &stop, &mut |progress| {
        bar.set_length(progress.n_rounds.1);
        bar.set_position(progress.n_rounds.0);
        bar.set_message(message(&progress));
        if let Err(error) = curve.add(&progress) {
            complaint.get_or_insert(error);
        }
    })?;
    bar.finish_and_clear();
    if let Some(error) = complaint {
        return Err(error).context("the learning curve could not be written");
    }
    let checkpoint = checkpoint_path(&args.out);
    if !finished {
        let teacher = args.teacher.as_ref();
        let teacher =
            teacher.map_or_else(String::new, |path| format!(" --teacher {}", quoted(path)));
        eprintln!(
            "interrupted; to go on: cargo xtask train --variant {} --objective {} --preset {} --out {} --resume {}{teacher}",
            args.variant,
            args.objective.name(),
            args.preset,
            quoted(&args.out),
            quoted(&checkpoint)
        );
        std::process::exit(INTERRUPTED);
    }
    let n_bytes = std::fs::metadata(&args.out)?.len();
    step::print(&format!("{}: {n_bytes} bytes\n", args.out.display()))?;
    Ok(Outcome::Passed)
}

fn message(progress: &TrainProgress<'_>) -> String {
    let tally = progress.tally;
    let rate =
        |exponent: usize| format!("{} in {:.1} %", 1 << exponent, 100.0 * tally.rate(exponent));
    let reached = (1..20).rev().find(|&exponent| tally.rate(exponent) >= 0.1);
    format!(
        "mean {:.0}, {}, {:.2} M slides/s",
        tally.mean_score(),
        rate(reached.unwrap_or(1)),
        tally.n_slides as f64 / progress.seconds / 1e6
    )
}

fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{elapsed_precise} {wide_bar} {pos}/{len} rounds, {eta} left  {msg}",
    )
    .expect("the template is well formed");
    let bar = ProgressBar::new(1).with_style(style);
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// What happened round by round, as comma-separated values.
struct Curve {
    file: File,
}

impl Curve {
    /// A new one, or the one that is there where training goes on.
    fn open(path: &Path, goes_on: bool) -> anyhow::Result<Curve> {
        let mut options = File::options();
        options
            .create(true)
            .write(true)
            .append(goes_on)
            .truncate(!goes_on);
        let open = || -> std::io::Result<Curve> {
            let mut file = options.open(path)?;
            if file.metadata()?.len() == 0 {
                let tiles: Vec<String> =
                    TILES.map(|exponent| (1 << exponent).to_string()).collect();
                writeln!(
                    file,
                    "round,games,restarted,slides,mean,cleared,{},seconds",
                    tiles.join(",")
                )?;
            }
            Ok(Curve { file })
        };
        open().with_context(|| path.display().to_string())
    }

    fn add(&mut self, progress: &TrainProgress<'_>) -> std::io::Result<()> {
        let tally = progress.tally;
        let rates: Vec<String> = TILES
            .map(|exponent| format!("{:.5}", tally.rate(exponent)))
            .collect();
        writeln!(
            self.file,
            "{},{},{},{},{:.1},{},{},{:.3}",
            progress.n_rounds.0,
            tally.n_games,
            tally.n_restarted,
            tally.n_slides,
            tally.mean_score(),
            tally.n_cleared,
            rates.join(","),
            progress.seconds
        )
    }
}

/// The exponents of the tiles whose rates a curve has.
const TILES: core::ops::RangeInclusive<usize> = 9..=17;
