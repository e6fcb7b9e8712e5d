//! Criterion benches, those that count instructions, and two revisions side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use afterstate_arena::mean_ratio;
use anyhow::{Context, bail};

use crate::criterion::{self, Measured};
use crate::instructions;
use crate::step::{self, Outcome};
use crate::usage::{self, NumberError};
use crate::workspace;

/// The package with the benches against published crates.
const PEER: &str = "afterstate-peer";

/// Where criterion is told to put what it measures.
const HOME_VARIABLE: &str = "CRITERION_HOME";

/// Which benches to run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run those against published crates, side by side with ours
    #[arg(long)]
    peer: bool,
    /// Count the instructions of searches with callgrind instead of timing
    /// anything; skipped, with a line that says why, where its tools are missing
    #[arg(long, conflicts_with_all = ["peer", "against"])]
    instructions: bool,
    /// Compare with this git revision: both are run in turn, and ratios shown
    #[arg(long, value_name = "REV")]
    against: Option<String>,
    /// The revision that is compared [default: what is here, committed or not]
    #[arg(long, value_name = "REV", requires = "against")]
    revision: Option<String>,
    /// How many times both are run
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = parse_rounds,
        requires = "against")]
    rounds: u64,
    /// Run only benches with this in their name
    filter: Option<String>,
}

fn parse_rounds(text: &str) -> Result<u64, NumberError> {
    usage::number(text, 2, 100)
}

/// Runs the benches; each asserts what it computes. A table to paste comes last.
///
/// *Errors*: cargo or git cannot be started, or there is no such revision.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.instructions {
        return instructions::run(args.filter.as_deref());
    }
    if let Some(old) = &args.against {
        return compare(args, old);
    }
    let tree = Tree::here();
    let outcome = tree.run(args, &[])?;
    if outcome == Outcome::Passed {
        let results = criterion::collect(&tree.results)?;
        step::print(&format!("\n{}", criterion::table(&results)))?;
    }
    Ok(outcome)
}

/// A state of the sources, with where its builds and results go.
struct Tree {
    name: String,
    sources: PathBuf,
    /// None for the target folder of all other work.
    builds: Option<PathBuf>,
    results: PathBuf,
}

impl Tree {
    fn here() -> Tree {
        let root = workspace::root();
        Tree {
            name: "here".to_owned(),
            results: root.join("target/bench/here"),
            builds: None,
            sources: root,
        }
    }

    /// A revision, checked out under `target/bench`.
    fn of(revision: &str) -> anyhow::Result<Tree> {
        let commit = git(&[
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{revision}^{{commit}}"),
        ])
        .with_context(|| format!("no revision `{revision}`, expected a commit, branch or tag"))?;
        let short = commit.get(..12).unwrap_or(&commit);
        let folder = workspace::root().join("target/bench").join(short);
        let sources = folder.join("sources");
        if !sources.exists() {
            let path = sources.to_string_lossy();
            git(&["worktree", "prune"])?;
            git(&["worktree", "add", "--quiet", "--detach", &path, &commit])?;
        }
        Ok(Tree {
            name: revision.to_owned(),
            builds: Some(folder.join("target")),
            results: folder.join("results"),
            sources,
        })
    }

    /// Runs its benches into an empty folder of results.
    fn run(&self, args: &Args, more: &[&str]) -> anyhow::Result<Outcome> {
        if self.results.exists() {
            fs::remove_dir_all(&self.results)
                .with_context(|| self.results.display().to_string())?;
        }
        let mut command = self.cargo(args);
        command
            .arg("--")
            .arg("--noplot")
            .args(more)
            .args(&args.filter);
        step::run(&mut command)
    }

    fn build(&self, args: &Args) -> anyhow::Result<Outcome> {
        step::run(self.cargo(args).arg("--no-run"))
    }

    fn cargo(&self, args: &Args) -> Command {
        let mut command = step::cargo();
        command.current_dir(&self.sources);
        command.env(HOME_VARIABLE, &self.results);
        command.envs(self.builds.iter().map(|path| ("CARGO_TARGET_DIR", path)));
        // Not `--benches`: that would run unit tests too, which do not know
        // criterion's arguments.
        command.args(["bench", "--bench", "*"]);
        if args.peer {
            command.args(["--package", PEER]);
        } else {
            command.args(["--workspace", "--exclude", PEER]);
        }
        command
    }
}

/// What git prints, without the end of the line.
fn git(args: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    command.args(args).current_dir(workspace::root());
    let output = command.output().context("git cannot be started")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", args.join(" "), said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Short runs, of which there are many: what disturbs one disturbs the next of the
/// other revision as well.
const SHORT: [&str; 6] = [
    "--warm-up-time",
    "0.5",
    "--measurement-time",
    "1",
    "--sample-size",
    "20",
];

/// Runs two trees in turn, the first one first every other time.
fn compare(args: &Args, old: &str) -> anyhow::Result<Outcome> {
    let trees = [
        Tree::of(old)?,
        match &args.revision {
            Some(revision) => Tree::of(revision)?,
            None => Tree::here(),
        },
    ];
    for tree in &trees {
        if tree.build(args)? == Outcome::Failed {
            bail!("{}: its benches cannot be built", tree.name);
        }
    }
    let mut rounds = Vec::new();
    for round in 0..args.rounds {
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut results = [BTreeMap::new(), BTreeMap::new()];
        for at in order {
            let tree = &trees[at];
            println!("== round {} of {}: {}", round + 1, args.rounds, tree.name);
            if tree.run(args, &SHORT)? == Outcome::Failed {
                bail!("{}: a bench failed", tree.name);
            }
            results[at] = criterion::collect(&tree.results)?;
        }
        rounds.push(results);
    }
    let names = [trees[0].name.as_str(), trees[1].name.as_str()];
    step::print(&format!("\n{}", ratios(names, &rounds)))?;
    Ok(Outcome::Passed)
}

/// The table of a comparison: of benches that both revisions have.
fn ratios(names: [&str; 2], rounds: &[[BTreeMap<String, Measured>; 2]]) -> String {
    let [old, new] = names;
    let mut text = format!("| bench | {old} | {new} | ratio | 95 % interval |\n");
    text.push_str("|---|---|---|---|---|\n");
    let benches = rounds.first().map(|round| round[0].keys());
    for bench in benches.into_iter().flatten() {
        let pairs = rounds
            .iter()
            .filter_map(|[old, new]| Some((new.get(bench)?.median, old.get(bench)?.median)));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        let Some((ratio, interval)) = mean_ratio(&pairs) else {
            continue;
        };
        let (new, old) = pairs[0];
        let _ = writeln!(
            text,
            "| {bench} | {} | {} | {ratio:.3} | {:.3} to {:.3} |",
            criterion::time(old),
            criterion::time(new),
            interval.low,
            interval.high
        );
    }
    let n = rounds.len();
    let _ = writeln!(
        text,
        "\ntimes of the first of {n} rounds; mean ratios of all by Student's t, below 1 is faster"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_that_is_none_is_named() {
        let Err(error) = Tree::of("no-such-revision") else {
            panic!("there is no such revision");
        };
        assert!(
            error
                .to_string()
                .starts_with("no revision `no-such-revision`, expected")
        );
    }

    #[test]
    fn benches_of_both_revisions_are_compared() {
        let measured = |names: &[(&str, f64)]| -> BTreeMap<String, Measured> {
            let pairs = names.iter();
            pairs
                .map(|&(name, ns)| (name.to_owned(), Measured::exactly(ns)))
                .collect()
        };
        let rounds = [
            [
                measured(&[("a", 100.0), ("gone", 1.0)]),
                measured(&[("a", 50.0), ("new", 1.0)]),
            ],
            [
                measured(&[("a", 200.0), ("gone", 1.0)]),
                measured(&[("a", 100.0), ("new", 1.0)]),
            ],
        ];
        let table = ratios(["v1", "here"], &rounds);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[0], "| bench | v1 | here | ratio | 95 % interval |");
        assert_eq!(
            lines[2],
            "| a | 100.00 ns | 50.00 ns | 0.500 | 0.500 to 0.500 |"
        );
        assert_eq!(lines[3], "");
        assert!(lines[4].starts_with("times of the first of 2 rounds"));
    }
}
