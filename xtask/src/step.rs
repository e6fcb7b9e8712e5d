//! Running cargo, and one line on how it went.

use std::fmt;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::workspace;

/// How a check ended. That it could not be made at all is an error instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to complain about.
    Passed,
    /// Something was found, and shown.
    Failed,
}

impl Outcome {
    /// [`Outcome::Passed`] if `passed`.
    pub(crate) fn passed_if(passed: bool) -> Outcome {
        if passed {
            Outcome::Passed
        } else {
            Outcome::Failed
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Passed => "ok",
            Outcome::Failed => "FAILED",
        })
    }
}

/// Prints `text` on standard output. That whoever reads it has seen enough, as
/// `head` does, is no fault.
///
/// *Errors*: standard output cannot be written.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// One broken rule of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// File, with a line where there is one, or crate.
    place: String,
    /// What is wrong there and what would be accepted.
    message: String,
}

impl Problem {
    /// `message` about `place`.
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Prints what a check found, and one line with what it looked at.
pub(crate) fn report(check: &str, looked_at: &str, problems: &[Problem]) -> Outcome {
    for problem in problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("{check}: {looked_at}, no problem"),
        1 => println!("{check}: {looked_at}, 1 problem"),
        n => println!("{check}: {looked_at}, {n} problems"),
    }
    Outcome::passed_if(problems.is_empty())
}

/// The cargo that started us, in the root of the workspace, without standard
/// input: nothing run here may wait for somebody to type.
pub(crate) fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(workspace::root()).stdin(Stdio::null());
    command
}

/// Another command of this program, as a process of its own.
///
/// *Errors*: the system does not tell where this program is.
pub(crate) fn xtask(command: &str) -> anyhow::Result<Command> {
    let program = std::env::current_exe().context("this program cannot be found")?;
    let mut process = Command::new(program);
    process
        .arg(command)
        .current_dir(workspace::root())
        .stdin(Stdio::null());
    Ok(process)
}

/// Runs `command`, its output shown as it comes.
///
/// *Errors*: the program cannot be started.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<Outcome> {
    let status = command
        .status()
        .with_context(|| format!("{} cannot be started", shown(command)))?;
    Ok(Outcome::passed_if(status.success()))
}

/// `command` as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let mut words = vec![program_name(command)];
    words.extend(
        command
            .get_args()
            .map(|arg| arg.to_string_lossy().into_owned()),
    );
    words.join(" ")
}

fn program_name(command: &Command) -> String {
    let path = std::path::Path::new(command.get_program());
    path.file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// How a named step went and what it took.
#[derive(Debug)]
pub(crate) struct StepResult {
    /// The name of the step.
    pub(crate) name: &'static str,
    /// How it ended.
    pub(crate) outcome: Outcome,
    elapsed: Duration,
}

impl StepResult {
    /// Runs a step and times it. A step that cannot be run has failed, and why
    /// is shown, so that the steps after it still run.
    pub(crate) fn of(
        name: &'static str,
        step: impl FnOnce() -> anyhow::Result<Outcome>,
    ) -> StepResult {
        let start = Instant::now();
        let outcome = step().unwrap_or_else(|error| {
            eprintln!("error: {name}: {error:#}");
            Outcome::Failed
        });
        StepResult {
            name,
            outcome,
            elapsed: start.elapsed(),
        }
    }
}

impl fmt::Display for StepResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<12} {:<7} {:>7.1} s",
            self.name,
            self.outcome,
            self.elapsed.as_secs_f64()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_cannot_run_has_failed() {
        let result = StepResult::of("odd", || Err(anyhow::anyhow!("no such thing")));
        assert_eq!(result.outcome, Outcome::Failed);
        assert!(result.to_string().contains("FAILED"));
    }

    #[test]
    fn the_exit_status_is_the_outcome() {
        let mut right = cargo();
        right.args(["locate-project"]).stdout(Stdio::null());
        assert_eq!(run(&mut right).ok(), Some(Outcome::Passed));
        let mut wrong = cargo();
        wrong.args(["locate-project", "--no-such-option"]);
        wrong.stderr(Stdio::null());
        assert_eq!(run(&mut wrong).ok(), Some(Outcome::Failed));
    }
}
