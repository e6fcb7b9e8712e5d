#![doc = include_str!("../README.md")]

mod agents;
mod exact;
mod grade;
mod hint;
mod input;
mod networks;
mod output;
mod play;
mod player;
mod replay;
mod serve;
mod slide;
mod ten_moves;
mod usage;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Play, solve and grade 2048: classic, contest, akioi and mini
#[derive(Parser)]
#[command(name = "afterstate", version, arg_required_else_help = false)]
#[command(
    after_help = "Example:\n  echo 2 2 0 0 0 0 0 0 0 | afterstate ten-moves\n\n\
    Exit status: 0 success, 1 a check failed, 2 bad input or usage, 130 interrupted.\n\
    `afterstate COMMAND --help` has an example for every command."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// To add a command: a `mod` line above, a variant with its example here, an
/// arm in [`run`].
#[derive(Subcommand)]
enum Command {
    /// Make slides: lines of JSON in, the same lines with what becomes of the board out
    #[command(after_help = slide::HELP)]
    Slide(slide::Args),
    /// Find the best score of ten slides on a 3x3 board without spawns
    #[command(after_help = ten_moves::HELP)]
    TenMoves(ten_moves::Args),
    /// Grade a player of the contest, built in or of your own
    #[command(after_help = grade::HELP)]
    Grade(grade::Args),
    /// Play one game of the contest in the line protocol, for a grader
    #[command(after_help = player::HELP)]
    Player(player::Args),
    /// Play in a terminal, with hints and automatic play
    #[command(after_help = play::HELP)]
    Play(play::Args),
    /// Check and show a game that a tournament wrote down
    #[command(after_help = replay::HELP)]
    Replay(replay::Args),
    /// Value the slides of a board and say which is best
    #[command(after_help = hint::HELP)]
    Hint(hint::Args),
    /// Solve a small board completely: the value of best play
    #[command(after_help = exact::HELP)]
    Exact(exact::Args),
    /// Serve the games to browsers, with a leaderboard
    #[command(after_help = serve::HELP)]
    Serve(serve::Args),
    /// List the agents that can be named, with their keys and defaults
    #[command(after_help = agents::HELP)]
    Agents(agents::Args),
    /// List the embedded networks, or say what is in a file
    #[command(after_help = networks::HELP)]
    Networks(networks::Args),
}

/// Runs a command.
///
/// *Errors*: bad input or a failing file, for one line on standard error and
/// exit status 2. Whatever was printed before stays printed.
fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Slide(args) => slide::run(args),
        Command::TenMoves(args) => ten_moves::run(args),
        Command::Grade(args) => grade::run(args),
        Command::Player(args) => player::run(args),
        Command::Play(args) => play::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Hint(args) => hint::run(args),
        Command::Exact(args) => exact::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Agents(args) => agents::run(args),
        Command::Networks(args) => networks::run(args),
    }
}

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => run(&cli.command),
        Err(error) => usage::show(&error),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done when this cannot be written either.
            usage::print_error(&format!("{error:#}"));
            ExitCode::from(usage::BAD_INPUT)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn arguments_are_declared_consistently() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            let example = format!("afterstate {}", command.get_name());
            assert!(
                help.is_some_and(|help| help.contains("Example") && help.contains(&example)),
                "the help of `{}` has no example `{example}`",
                command.get_name()
            );
        }
    }
}
