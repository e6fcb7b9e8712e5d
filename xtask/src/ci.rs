//! Everything that CI runs.

use anyhow::bail;
use clap::CommandFactory;

use crate::step::{self, Outcome, StepResult};
use crate::workspace;
use crate::{Cli, instructions, package, slurm};

/// Which steps to run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Show the steps instead of running them
    #[arg(long)]
    list: bool,
    /// Run only this step (repeatable)
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
}

/// One thing to check, by the command that a person would type for it.
struct Step {
    name: &'static str,
    checks: &'static str,
    action: Action,
}

enum Action {
    /// `cargo` with arguments, and an environment variable to set.
    Cargo(
        &'static [&'static str],
        Option<(&'static str, &'static str)>,
    ),
    /// A command of this program. It is left out where there is no such
    /// command, and `--list` and the final table say so.
    Xtask(&'static str),
    /// What takes more than one command line.
    Call(fn() -> anyhow::Result<Outcome>),
}

/// In order, the fast ones first. To have CI run something else, add a line.
const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        checks: "formatting",
        action: Action::Cargo(&["fmt", "--all", "--check"], None),
    },
    Step {
        name: "layers",
        checks: "who imports whom",
        action: Action::Xtask("layers"),
    },
    Step {
        name: "tidy",
        checks: "the repository's own rules",
        action: Action::Xtask("tidy"),
    },
    Step {
        name: "clippy",
        checks: "lints, warnings denied",
        action: Action::Cargo(
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
            None,
        ),
    },
    Step {
        name: "doc",
        checks: "documentation, warnings denied",
        action: Action::Cargo(
            &["doc", "--workspace", "--no-deps"],
            Some(("RUSTDOCFLAGS", "-D warnings")),
        ),
    },
    Step {
        name: "test",
        checks: "every test, debug and release tiers",
        action: Action::Xtask("test"),
    },
    Step {
        name: "fingerprint",
        checks: "perft, node counts and moves as committed",
        action: Action::Xtask("fingerprint"),
    },
    Step {
        name: "snapshot",
        checks: "transcripts and texts as committed",
        action: Action::Xtask("snapshot"),
    },
    Step {
        name: "benches",
        checks: "every bench once, for the result it asserts",
        action: Action::Cargo(&["test", "--workspace", "--benches", "--quiet"], None),
    },
    Step {
        name: "instructions",
        checks: "the bench that counts instructions builds, and runs where it can",
        action: Action::Call(instructions::run_if_installed),
    },
    Step {
        name: "slurm",
        checks: "a tournament on a real cluster of one node, where slurm is installed",
        action: Action::Call(slurm::run_if_installed),
    },
    Step {
        name: "alone",
        checks: "each crate builds by itself, tests included",
        action: Action::Call(each_crate_alone),
    },
    Step {
        name: "package",
        checks: "each published crate packages and builds from its package",
        action: Action::Call(package::run),
    },
];

/// Runs the steps, all of them even if one fails, and prints a table last.
///
/// *Errors*: a step that does not exist is asked for.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let steps = chosen(&args.only)?;
    if args.list {
        for step in steps {
            let absent = if step.exists() {
                ""
            } else {
                " (no such command yet)"
            };
            println!("{:<12} {}{absent}", step.name, step.checks);
        }
        return Ok(Outcome::Passed);
    }
    let mut results = Vec::new();
    for step in steps.iter().filter(|step| step.exists()) {
        println!("\n== {}: {}", step.name, step.checks);
        let result = StepResult::of(step.name, || step.run());
        println!("== {result}");
        results.push(result);
    }
    println!("\nstep         result     time");
    for result in &results {
        println!("{result}");
    }
    for step in steps.iter().filter(|step| !step.exists()) {
        println!("{:<12} absent", step.name);
    }
    Ok(summary(&results))
}

fn chosen(only: &[String]) -> anyhow::Result<Vec<&'static Step>> {
    for name in only {
        if !STEPS.iter().any(|step| step.name == name) {
            let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            bail!("no step `{name}`: expected one of {}", names.join(", "));
        }
    }
    Ok(STEPS
        .iter()
        .filter(|step| only.is_empty() || only.iter().any(|name| name == step.name))
        .collect())
}

fn summary(results: &[StepResult]) -> Outcome {
    let failed: Vec<&str> = results
        .iter()
        .filter(|result| result.outcome == Outcome::Failed)
        .map(|result| result.name)
        .collect();
    if failed.is_empty() {
        println!("ci: {} steps, none failed", results.len());
    } else {
        println!(
            "ci: {} steps, {} failed: {}",
            results.len(),
            failed.len(),
            failed.join(", ")
        );
    }
    Outcome::passed_if(failed.is_empty())
}

impl Step {
    fn exists(&self) -> bool {
        match self.action {
            Action::Xtask(name) => Cli::command().find_subcommand(name).is_some(),
            Action::Cargo(..) | Action::Call(_) => true,
        }
    }

    fn run(&self) -> anyhow::Result<Outcome> {
        match self.action {
            Action::Cargo(args, env) => {
                let mut command = step::cargo();
                command.args(args).envs(env);
                println!("$ {}", step::shown(&command));
                step::run(&mut command)
            }
            Action::Xtask(name) => {
                println!("$ cargo xtask {name}");
                step::run(&mut step::xtask(name)?)
            }
            Action::Call(call) => call(),
        }
    }
}

/// In a build of the whole workspace a crate gets features that another one
/// asked for; people who depend on one crate do not have those.
fn each_crate_alone() -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Passed;
    for package in workspace::packages()? {
        let mut command = step::cargo();
        command.args(["check", "--all-targets", "--package", &package.name]);
        println!("$ {}", step::shown(&command));
        if step::run(&mut command)? == Outcome::Failed {
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_chosen_by_name_in_the_order_of_the_list() {
        let only = ["tidy".to_owned(), "fmt".to_owned()];
        let names: Vec<&str> = chosen(&only)
            .expect("both steps exist")
            .iter()
            .map(|step| step.name)
            .collect();
        assert_eq!(names, ["fmt", "tidy"]);
        assert_eq!(chosen(&[]).expect("all steps exist").len(), STEPS.len());
    }

    #[test]
    fn a_step_that_does_not_exist_is_named_with_those_that_do() {
        let Err(error) = chosen(&["clipy".to_owned()]) else {
            panic!("there is no such step");
        };
        let text = error.to_string();
        assert!(text.starts_with("no step `clipy`: expected one of fmt, "));
    }

    #[test]
    fn one_failed_step_fails_all() {
        let good = StepResult::of("good", || Ok(Outcome::Passed));
        assert_eq!(summary(&[good]), Outcome::Passed);
        let good = StepResult::of("good", || Ok(Outcome::Passed));
        let bad = StepResult::of("bad", || Ok(Outcome::Failed));
        assert_eq!(summary(&[bad, good]), Outcome::Failed);
    }
}
