//! `afterstate replay`: games that a tournament wrote down.

use std::io::{self, Write};
use std::path::PathBuf;

use afterstate_arena::{Replay, ReplayedBoard, replay};
use afterstate_bitboard::tile_text;
use serde::Serialize;

use crate::output;

pub(crate) const HELP: &str = "\
`cargo xtask tournament --transcripts` writes each game down. This checks one by the rules, and its tiles by its seed, \
and shows its boards one after the other. Boards are numbered by the slides before them: the opening is board 0.

Examples:
  afterstate replay out/run-0001/transcripts/mini-0-0123456789abcdef.bin
  afterstate replay game.bin --from 100 --to 110
  afterstate replay game.bin --check
  afterstate replay game.bin --json | head";

/// What `replay` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A transcript
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The first board to show
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// The last board to show [default: the last one of the game]
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// Only check the game and say how it ended
    #[arg(long, conflicts_with_all = ["from", "to"])]
    check: bool,
    /// Print a line of JSON for each board, and one for the game
    #[arg(long)]
    json: bool,
}

/// Checks a game and shows its boards.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = replay(&args.file)?;
    let last = args.to.unwrap_or(game.moves);
    if !args.check && (args.from > game.moves || last < args.from) {
        anyhow::bail!(
            "--from {} --to {last}: no board, expected a range within 0 to {}",
            args.from,
            game.moves
        );
    }
    let mut out = output::standard();
    let shown = game.boards.iter().skip(args.from);
    let n_shown = if args.check { 0 } else { last - args.from + 1 };
    for board in shown.take(n_shown) {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(board)?)?;
        } else {
            print_board(&mut out, board)?;
        }
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&Checked { game: &game })?)?;
    } else {
        print_game(&mut out, &game)?;
    }
    Ok(out.flush()?)
}

/// The last line of JSON.
#[derive(Serialize)]
struct Checked<'a> {
    game: &'a Replay,
}

fn print_board(out: &mut impl Write, board: &ReplayedBoard) -> io::Result<()> {
    writeln!(out, "board {}, score {}", board.ply, board.score)?;
    let texts = board.board.iter().flatten().map(|&tile| tile_text(tile));
    let width = texts.map(|text| text.len()).max().unwrap_or(1);
    for row in &board.board {
        let cells = row
            .iter()
            .map(|&tile| format!("{:>width$}", tile_text(tile)));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(" "))?;
    }
    if let (Some(slide), Some(gain)) = (board.slide, board.gain) {
        write!(out, "{slide}, gain {gain}")?;
        if let Some(spawn) = &board.spawn {
            let (row, column) = (spawn.row + 1, spawn.column + 1);
            let tile = tile_text(spawn.tile);
            write!(out, ", then {tile} in row {row}, column {column}")?;
        }
        writeln!(out, "\n")?;
    }
    Ok(())
}

fn print_game(out: &mut impl Write, game: &Replay) -> io::Result<()> {
    writeln!(
        out,
        "{} with {} spawns, seed {}: {} slides, score {}, largest {}, {}; by the rules and the seed",
        game.variant,
        game.spawn_set,
        game.seed,
        game.moves,
        game.score,
        tile_text(game.largest),
        game.outcome
    )
}
