//! `afterstate play`: the game in a terminal.

use std::path::PathBuf;

use afterstate_arena::AgentSpec;
use afterstate_rules::Variant;
use afterstate_tui::{Config, Ending, NoColor};

use crate::usage;

pub(crate) const HELP: &str = "\
Arrow keys, wasd or hjkl slide; t shows the best slide and what each is worth; space plays by itself, + and - faster and \
slower, . makes one such slide; u is undo, r a new game, ? help and q the end. The game is kept and goes on the next time. \
The record is the best score without undo and automatic play. Where TERM is dumb, keys are typed in lines.

Examples:
  afterstate play --variant akioi
  afterstate play --variant mini --agent heuristic:depth=5 --seed 7
  afterstate play --variant classic --data games --no-color";

/// The largest seed: every reader of JSON keeps it exactly.
const MAX_SEED: u64 = (1 << 53) - 1;

/// What `play` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rules: classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
    /// Who gives hints and plays by itself: NAME[:key=value,...], see `afterstate agents`
    #[arg(long, value_name = "A", default_value = "default")]
    agent: String,
    /// The seed of the game: the same seed and slides are the same game
    #[arg(long, value_name = "S", value_parser = seed)]
    seed: Option<u64>,
    /// The folder for the saved game and the record [default: the system's for data of programs]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Draw without colors, as with NO_COLOR in the environment
    #[arg(long)]
    no_color: bool,
}

fn seed(text: &str) -> Result<u64, usage::NumberError> {
    usage::number_to(text, MAX_SEED)
}

/// Plays until the player quits.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let config = Config {
        variant: args.variant,
        agent: AgentSpec::parse(&args.agent, args.variant)?,
        seed: args.seed,
        data: args.data.clone(),
        no_color: match args.no_color {
            true => NoColor::Wanted,
            false => NoColor::Unsaid,
        },
    };
    match afterstate_tui::play(&config)? {
        Ending::Quit => Ok(()),
        Ending::Stopped => std::process::exit(usage::INTERRUPTED),
    }
}
