//! Criterion benches, and the one that counts instructions.

use crate::instructions;
use crate::step::{self, Outcome};

/// The package with the benches against published crates.
const PEER: &str = "afterstate-peer";

/// Which benches to run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run those against published crates, side by side with ours
    #[arg(long)]
    peer: bool,
    /// Count the instructions of searches with callgrind instead of timing
    /// anything; skipped, with a line that says why, where its tools are missing
    #[arg(long, conflicts_with = "peer")]
    instructions: bool,
    /// Run only benches with this in their name
    filter: Option<String>,
}

/// Runs the benches; each asserts what it computes.
///
/// *Errors*: cargo cannot be started.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.instructions {
        return instructions::run(args.filter.as_deref());
    }
    let mut command = step::cargo();
    // Not `--benches`: that would run unit tests too, which do not know
    // criterion's arguments.
    command.args(["bench", "--bench", "*"]);
    if args.peer {
        command.args(["--package", PEER]);
    } else {
        command.args(["--workspace", "--exclude", PEER]);
    }
    command.arg("--").arg("--noplot").args(&args.filter);
    step::run(&mut command)
}
