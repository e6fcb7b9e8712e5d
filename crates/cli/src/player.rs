//! `afterstate player`: the built-in player for a grader in another process.

use std::io;

use afterstate_arena::{AgentSpec, Shared};
use afterstate_play::contest::{AgentPlayer, ServeError, serve};
use afterstate_rules::{ClassicRules, SpawnSet, Variant};
use anyhow::Context;

use crate::output;

pub(crate) const HELP: &str = "\
Reads `init R1 C1 R2 C2`, `slide`, `generate R C X` and `end M SCORE`, one a line, and answers each `slide` with a \
number: 1 up, 2 right, 3 down, 4 left. One game a process.

Examples:
  printf 'init 0 0 3 3\\nslide\\n' | afterstate player
  afterstate grade --player 'afterstate player --agent greedy'";

/// What `player` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays: NAME[:key=value,...], see `afterstate agents`
    #[arg(long, value_name = "A", default_value = "default")]
    agent: String,
    /// The seed of the agent's own choices, where it has any
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Plays one game.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let spec = AgentSpec::parse(&args.agent, Variant::Contest)?;
    let rules = ClassicRules::new();
    let spawns = SpawnSet::CONTEST
        .on_grid()
        .context("the contest's tiles are those of the classic board")?;
    let shared = Shared::default();
    shared.load(Variant::Contest, &spec)?;
    let agent = shared.agent(&spec, Variant::Contest, rules, &spawns);
    let mut player = AgentPlayer::new(rules, agent, args.seed);
    let mut out = output::standard();
    match serve(&mut player, &mut io::stdin().lock(), &mut out) {
        Ok(()) => Ok(()),
        // As it is: the output tells by itself when nobody reads it any more.
        Err(ServeError::Io(error)) => Err(error.into()),
        Err(error) => Err(error).context("standard input"),
    }
}
