//! Work on the repository, as `cargo xtask COMMAND`: one file, one command.
//!
//! The crate knows no rules of any game and does no arithmetic on results; it
//! starts what other crates and cargo do and reports how it went. Start reading
//! at [`Command`].

mod bench;
mod ci;
mod committed;
mod compare;
mod criterion;
mod fingerprint;
mod instructions;
mod layers;
mod merge;
mod package;
mod slurm;
mod snapshot;
mod step;
mod test;
mod tidy;
mod tournament;
mod train;
mod tune;
mod usage;
mod workspace;

use std::process::ExitCode;

use anyhow::anyhow;
use clap::{Parser, Subcommand};

use crate::step::Outcome;
use crate::usage::Answer;

/// The exit status for bad input or usage.
const BAD_INPUT: u8 = 2;

/// Work on the repository
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
#[command(after_help = "Example:\n  cargo xtask test\n\n\
    Exit status: 0 success, 1 a check failed, 2 bad input or usage, 130 interrupted.\n\
    `cargo xtask COMMAND --help` has an example for every command.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// To add a command: a `mod` line above, a variant with its example here, an
/// arm in [`run`].
#[derive(Subcommand)]
enum Command {
    /// Play many games in parallel and sum them up
    #[command(after_help = "Examples:\n  cargo xtask tournament\n  \
        cargo xtask tournament --variant mini --agent greedy --agent heuristic:depth=2 \
        --games 1000 --out out/mini\n  cargo xtask tournament --resume out/mini")]
    Tournament(tournament::Args),
    /// Compare two agents, and test whether the first is weaker
    #[command(after_help = "Examples:\n  \
        cargo xtask compare --variant mini --agent heuristic:depth=2 --agent heuristic:depth=1\n  \
        cargo xtask compare --variant mini --agent heuristic:depth=2 --agent heuristic:depth=3 \
        --margin 5 --games 4000\n  \
        cargo xtask compare --variant classic --agent ntuple --agent heuristic --ms 1\n\n\
        Exit status with --margin: 0 accepted, 1 rejected or undecided.")]
    Compare(compare::Args),
    /// Join the shards of a tournament to what one run of the whole writes
    #[command(after_help = "Example:\n  \
        cargo xtask tournament --variant mini --shard 1/2 --out out/1\n  \
        cargo xtask tournament --variant mini --shard 2/2 --out out/2\n  \
        cargo xtask merge out/1 out/2 --out out/whole")]
    Merge(merge::Args),
    /// Train a network by games against itself
    #[command(after_help = "Examples:\n  \
        cargo xtask train --variant classic --preset quick --out classic.net\n  \
        cargo xtask train --variant akioi --objective clear --preset standard --out clear.net\n  \
        cargo xtask train --variant classic --preset quick --out classic.net \
        --resume classic.net.checkpoint")]
    Train(train::Args),
    /// Tune the weights of the heuristic by CMA-ES
    #[command(after_help = "Example:\n  cargo xtask tune --variant mini --depth 2 --games 100")]
    Tune(tune::Args),
    /// Run the criterion benches, count instructions, or compare two revisions
    #[command(after_help = "Examples:\n  cargo xtask bench\n  \
        cargo xtask bench playouts\n  cargo xtask bench --peer\n  \
        cargo xtask bench --instructions\n  \
        cargo xtask bench playouts --against HEAD~3 --rounds 10")]
    Bench(bench::Args),
    /// Compare perft, node counts and moves with what is committed
    #[command(after_help = "Examples:\n  cargo xtask fingerprint\n  \
        cargo xtask fingerprint --bless")]
    Fingerprint(committed::Args),
    /// Compare games written out with what is committed
    #[command(after_help = "Examples:\n  cargo xtask snapshot\n  \
        cargo xtask snapshot --bless")]
    Snapshot(committed::Args),
    /// Compare every crate's dependencies with the table of layers
    #[command(after_help = "Example:\n  cargo xtask layers")]
    Layers,
    /// Check the repository's own rules: files, manifests, pages, commands they name
    #[command(after_help = "Example:\n  cargo xtask tidy")]
    Tidy,
    /// Run every test and count them
    #[command(after_help = "Examples:\n  cargo xtask test\n  cargo xtask test --slow")]
    Test(test::Args),
    /// Run everything that CI runs, and show all that fails
    #[command(
        after_help = "Examples:\n  cargo xtask ci\n  cargo xtask ci --list\n  \
        cargo xtask ci --only clippy --only doc"
    )]
    Ci(ci::Args),
}

fn run(command: &Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Tournament(args) => tournament::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Train(args) => train::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Fingerprint(args) => fingerprint::run(args),
        Command::Snapshot(args) => snapshot::run(args),
        Command::Layers => layers::run(),
        Command::Tidy => tidy::run(),
        Command::Test(args) => test::run(args),
        Command::Ci(args) => ci::run(args),
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(&cli.command),
        Err(error) => match usage::answer(&error) {
            Answer::Help(text) => step::print(&text).map(|()| Outcome::Passed),
            Answer::Complaint(complaint) => Err(anyhow!(complaint)),
        },
    };
    match outcome {
        Ok(Outcome::Passed) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {}", usage::on_one_line(&format!("{error:#}")));
            ExitCode::from(BAD_INPUT)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn arguments_are_declared_consistently() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            let example = format!("cargo xtask {}", command.get_name());
            assert!(
                help.is_some_and(|help| help.contains(&example)),
                "the help of `{}` has no example `{example}`",
                command.get_name()
            );
        }
    }
}
