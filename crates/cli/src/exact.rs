//! `afterstate exact`: a small board solved completely.

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_arena::exact::{ExactError, ExactPlan, ExactReport, solve_exact};
use afterstate_rules::{SpawnSet, Variant};
use afterstate_search::exact::{Count, Objective, Progress};
use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::output;
use crate::usage;

pub(crate) const HELP: &str = "\
A state is a board before a slide, an afterstate one after a slide; `classes` counts symmetric boards once. Boards \
that can be solved: 1x2 to 3x3, 1x4 and 2x4, also turned; 2x2 with the rules of akioi. 3x3 takes some 10 to 30 s and \
half a GiB, more where more kinds of tile spawn. Spawns may be of any tiles that cannot merge beyond 32768: up to 128 on \
3x3, 4096 on 2x2. With --table the values of all afterstates are written, 377 MB for 3x3, for `--agent exact:file=FILE`.

Examples:
  afterstate exact --variant mini --rows 2 --cols 3
  afterstate exact --variant mini --rows 2 --spawns 2:0.8,4:0.1,8:0.1
  afterstate exact --variant mini --objective tile:512 --json
  afterstate exact --variant mini --table mini.table";

/// What `exact` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rules and spawns: classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
    /// Rows of the board [default: 3 for mini, 2 for others]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=4))]
    rows: Option<u32>,
    /// Columns of the board [default: as many as rows]
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..=4))]
    cols: Option<u32>,
    /// score, or tile:N for the probability of making N
    #[arg(long, value_name = "O", default_value_t = Objective::Score)]
    objective: Objective,
    /// What the game spawns: standard, contest, guide or live, or
    /// TILE:WEIGHT,... like 2:0.8,4:0.1,8:0.1 [default: the variant's own]
    #[arg(long, value_name = "SET")]
    spawns: Option<SpawnSet>,
    /// Write the values of all afterstates to FILE
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Most memory for boards and values, in MiB; what does not fit goes to a
    /// scratch file
    #[arg(long, value_name = "MIB", default_value_t = 4096,
        value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Folder of the scratch file [default: the system's for temporary files]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Worker threads; results do not depend on them [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Solves a board and prints what there is to it.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let plan = plan(args);
    let stop = Arc::new(AtomicBool::new(false));
    let stop_now = Arc::clone(&stop);
    ctrlc::set_handler(move || stop_now.store(true, Ordering::Relaxed))?;
    let bar = progress_bar();
    let outcome = solve_exact(&plan, &stop, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    let report = match outcome {
        Ok(report) => report,
        Err(ExactError::Stopped) => {
            eprintln!("interrupted; nothing was written");
            std::process::exit(usage::INTERRUPTED);
        }
        Err(error) => bail!(error),
    };
    let mut out = output::standard();
    if args.json {
        let as_json = ReportAsJson::new(&plan, &report);
        writeln!(out, "{}", serde_json::to_string(&as_json)?)?;
    } else {
        print_readable(&mut out, &plan, &report)?;
    }
    Ok(out.flush()?)
}

fn plan(args: &Args) -> ExactPlan {
    let own_rows = match args.variant {
        Variant::Mini => 3,
        Variant::Classic | Variant::Contest | Variant::Akioi => 2,
    };
    let rows = args.rows.unwrap_or(own_rows);
    let n_cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    ExactPlan {
        variant: args.variant,
        rows,
        cols: args.cols.unwrap_or(rows),
        spawns: match &args.spawns {
            Some(spawns) => spawns.clone(),
            None => args.variant.spawn_sets().swap_remove(0),
        },
        objective: args.objective,
        threads: args.threads.map_or_else(n_cores, usize::from),
        max_bytes: u64::from(args.memory) << 20,
        scratch_folder: args.scratch.clone().unwrap_or_else(std::env::temp_dir),
        table: args.table.clone(),
    }
}

/// A bar on standard error, and none where that is not a terminal.
fn progress_bar() -> ProgressBar {
    ProgressBar::no_length().with_style(
        ProgressStyle::with_template("{elapsed_precise} {spinner} {msg}")
            .expect("the template is well formed"),
    )
}

fn show(bar: &ProgressBar, progress: Progress) {
    match progress {
        Progress::Enumerating { sum, states } => {
            bar.set_message(format!("enumerating: tile sum {sum}, {states} states"));
            bar.tick();
        }
        Progress::Valuing { states, of } => {
            if bar.length().is_none() {
                let style = ProgressStyle::with_template(
                    "{elapsed_precise} {wide_bar} {pos}/{len} states valued, {eta} left",
                );
                bar.set_style(style.expect("the template is well formed"));
                bar.set_length(of);
                bar.reset_eta();
            }
            bar.set_position(states);
        }
    }
}

#[derive(Serialize)]
struct ReportAsJson {
    variant: &'static str,
    rows: u32,
    cols: u32,
    spawns: String,
    objective: String,
    value: f64,
    states: States,
    afterstates: CountAsJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    spilled_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    residual: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweeps: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table_bytes: Option<u64>,
}

#[derive(Serialize)]
struct States {
    playing: CountAsJson,
    over: CountAsJson,
    goal: CountAsJson,
    total: CountAsJson,
}

#[derive(Serialize)]
struct CountAsJson {
    all: u64,
    classes: u64,
}

impl From<Count> for CountAsJson {
    fn from(count: Count) -> CountAsJson {
        CountAsJson {
            all: count.all,
            classes: count.classes,
        }
    }
}

impl ReportAsJson {
    fn new(plan: &ExactPlan, report: &ExactReport) -> ReportAsJson {
        let counts = &report.counts;
        ReportAsJson {
            variant: plan.variant.name(),
            rows: plan.rows,
            cols: plan.cols,
            spawns: plan.spawns.name().to_owned(),
            objective: plan.objective.to_string(),
            value: report.value,
            states: States {
                playing: counts.playing.into(),
                over: counts.over.into(),
                goal: counts.goal.into(),
                total: counts.states().into(),
            },
            afterstates: counts.afterstates.into(),
            memory_bytes: report.peak_bytes,
            spilled_bytes: report.spilled_bytes,
            residual: report.iteration.map(|(residual, _)| residual),
            sweeps: report.iteration.map(|(_, sweeps)| sweeps),
            table_bytes: report.table_bytes,
        }
    }
}

fn print_readable(
    out: &mut impl Write,
    plan: &ExactPlan,
    report: &ExactReport,
) -> std::io::Result<()> {
    let (rows, cols, spawns) = (plan.rows, plan.cols, plan.spawns.name());
    writeln!(
        out,
        "{}, {rows}x{cols}, spawns {spawns}, objective {}\n",
        plan.variant, plan.objective
    )?;
    let counts = &report.counts;
    writeln!(out, "{:16} {:>12} {:>14}", "", "all", "up to symmetry")?;
    for (name, count) in [
        ("states", counts.states()),
        ("  playing", counts.playing),
        ("  over", counts.over),
        ("  goal reached", counts.goal),
        ("afterstates", counts.afterstates),
    ] {
        writeln!(out, "{name:16} {:>12} {:>14}", count.all, count.classes)?;
    }
    match plan.objective {
        Objective::Score => writeln!(
            out,
            "\nexpected score from the opening: {:.10}",
            report.value
        )?,
        Objective::Tile(tile) => writeln!(
            out,
            "\nprobability of {tile} from the opening: {:.12}",
            report.value
        )?,
    }
    if let Some((residual, sweeps)) = report.iteration {
        writeln!(
            out,
            "by {sweeps} sweeps, the last of which changed nothing by more than {residual:.1e}"
        )?;
    }
    if let Some(bytes) = report.peak_bytes {
        write!(out, "memory: {} MiB", bytes.div_ceil(1 << 20))?;
        match report.spilled_bytes {
            0 => writeln!(out)?,
            bytes => writeln!(out, ", and {} MiB on disk", bytes.div_ceil(1 << 20))?,
        }
    }
    if let (Some(path), Some(bytes)) = (&plan.table, report.table_bytes) {
        writeln!(out, "table: {} ({bytes} bytes)", path.display())?;
    }
    Ok(())
}
