//! `afterstate ten-moves`: the best score of at most ten slides, 3x3.

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread;

use afterstate_bitboard::Slide;
use afterstate_search::ten_moves::{HORIZON, Solver, Totals, parse_board, solve_all};
use serde::Serialize;

use crate::input;
use crate::output;
use crate::usage;

pub(crate) const HELP: &str = "\
Standard input is nine values, row by row, each 0, 2, 4, 8 or 16. Printed are the largest score and the fewest \
slides to it.

Examples:
  echo 2 2 0 0 0 0 0 0 0 | afterstate ten-moves
  echo 2 2 0 2 2 0 0 0 8 | afterstate ten-moves --trace
  afterstate ten-moves --all";

/// What `ten-moves` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Add a line with one best sequence of slides, divided by blanks; it is empty when no slide is needed
    #[arg(long)]
    trace: bool,
    /// Allow at most N slides
    #[arg(long, value_name = "N", default_value_t = HORIZON, value_parser = usage::count)]
    slides: u32,
    /// Solve all 1,953,125 boards and add up; reads nothing
    #[arg(long, conflicts_with = "trace")]
    all: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Solves one board or all.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.all {
        print_all(args)
    } else {
        print_one(args)
    }
}

#[derive(Serialize)]
struct OneAsJson {
    score: i32,
    moves: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<&'static str>>,
}

fn print_one(args: &Args) -> anyhow::Result<()> {
    let board = parse_board(&input::read_whole()?)?;
    let mut solver = Solver::new();
    let best = solver.solve(board, args.slides);
    let trace: Option<Vec<&str>> = args.trace.then(|| {
        let sequence = solver.best_sequence(board, args.slides);
        sequence.into_iter().map(Slide::name).collect()
    });
    let mut out = output::standard();
    if args.json {
        let one = OneAsJson {
            score: best.score,
            moves: best.slides,
            trace,
        };
        writeln!(out, "{}", serde_json::to_string(&one)?)?;
    } else {
        writeln!(out, "{} {}", best.score, best.slides)?;
        if let Some(trace) = trace {
            writeln!(out, "{}", trace.join(" "))?;
        }
    }
    Ok(out.flush()?)
}

#[derive(Serialize)]
struct AllAsJson {
    boards: u64,
    score: u64,
    moves: u64,
    max: i32,
    by_moves: Vec<u64>,
}

fn print_all(args: &Args) -> anyhow::Result<()> {
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let totals = solve_all(args.slides, threads);
    let all = AllAsJson {
        by_moves: by_moves(&totals, args.slides),
        boards: totals.boards,
        score: totals.score,
        moves: totals.slides,
        max: totals.max,
    };
    let mut out = output::standard();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&all)?)?;
    } else {
        let AllAsJson {
            boards,
            score,
            moves,
            max,
            ..
        } = all;
        writeln!(out, "boards {boards} score {score} moves {moves} max {max}")?;
        for (slides, count) in all.by_moves.iter().enumerate() {
            writeln!(out, "moves {slides}: {count}")?;
        }
    }
    Ok(out.flush()?)
}

/// The counts for 0 to `horizon` slides. Beyond the ten of the task, they end
/// with the last that is not 0: a horizon of a million is not a million lines.
fn by_moves(totals: &Totals, horizon: u32) -> Vec<u64> {
    let mut counts = totals.by_slides.clone();
    let least_len = horizon.min(HORIZON) as usize + 1;
    if counts.len() < least_len {
        counts.resize(least_len, 0);
    }
    counts
}
