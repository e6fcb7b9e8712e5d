//! Every test, and how many there were.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::slurm;
use crate::step::{self, Outcome};
use crate::workspace::{self, Package};

/// How thoroughly to test.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run the long tiers as well (the `slow` feature of the crates that have one)
    #[arg(long)]
    slow: bool,
}

/// The feature that stands for the long tier of a crate.
const SLOW: &str = "slow";

/// What a crate's sources contain when a release build tests more.
const TIER_MARK: &str = concat!("cfg!(", "debug_assertions)");

/// Tests that passed and failed, as the test programs say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    passed: u64,
    failed: u64,
}

/// Runs the tiers one after the other and prints the sum of their counts last.
///
/// *Errors*: the manifests or sources cannot be read, or cargo cannot be
/// started.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut counts = Counts::default();
    let mut outcome = Outcome::Passed;
    for mut command in tiers(&workspace::packages()?, args.slow)? {
        println!("$ {}", step::shown(&command));
        if run_tier(&mut command, &mut counts)? == Outcome::Failed {
            outcome = Outcome::Failed;
        }
    }
    if args.slow && slurm::run_if_installed()? == Outcome::Failed {
        outcome = Outcome::Failed;
        counts.failed += 1;
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    if outcome == Outcome::Failed && counts.failed == 0 {
        eprintln!("error: a test could not be built or ended early, see above");
    }
    Ok(outcome)
}

/// The commands that run every test: all in the debug build; in the release
/// build the crates that set higher limits there; the long tier if `slow`.
///
/// Nothing here is built in the release profile with this crate among it: on
/// some systems a program that is running cannot be written anew.
fn tiers(packages: &[Package], slow: bool) -> anyhow::Result<Vec<Command>> {
    let mut tiers = vec![cargo_test(&["--workspace"])];
    let mut release: Vec<String> = Vec::new();
    for package in packages.iter().filter(|package| package.name != "xtask") {
        if slow && package.features.contains_key(SLOW) {
            release.extend(["--package".to_owned(), package.name.clone()]);
            release.extend(["--features".to_owned(), format!("{}/{SLOW}", package.name)]);
        } else if has_release_tier(package)? {
            release.extend(["--package".to_owned(), package.name.clone()]);
        }
    }
    if !release.is_empty() {
        let mut command = cargo_test(&["--release"]);
        command.args(release);
        tiers.push(command);
    }
    Ok(tiers)
}

fn cargo_test(args: &[&str]) -> Command {
    let mut command = step::cargo();
    command.args(["test", "--no-fail-fast"]).args(args);
    command
}

/// Whether the crate's sources or tests set a limit by the kind of build.
fn has_release_tier(package: &Package) -> anyhow::Result<bool> {
    let mut folders = vec![package.folder().join("src"), package.folder().join("tests")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("{} cannot be read", path.display()))?;
                if text.contains(TIER_MARK) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Runs `command`, passes on what it prints, and adds up its result lines.
fn run_tier(command: &mut Command, counts: &mut Counts) -> anyhow::Result<Outcome> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let stdout = child.stdout.take().context("cargo has no output")?;
    pass_on(BufReader::new(stdout), io::stdout(), counts)?;
    Ok(Outcome::passed_if(child.wait()?.success()))
}

/// Copies line by line, as bytes and not as text, since a failing test may
/// print anything, and adds up the result lines.
fn pass_on(mut from: impl BufRead, mut to: impl Write, counts: &mut Counts) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        if let Some(found) = result_line(&String::from_utf8_lossy(&line)) {
            counts.passed += found.passed;
            counts.failed += found.failed;
        }
        line.clear();
    }
    to.flush()
}

/// The counts in a line like
/// `test result: ok. 5 passed; 0 failed; 0 ignored; ...`.
fn result_line(line: &str) -> Option<Counts> {
    let (_verdict, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = counts.split("; ");
    let mut next = |what| counts.next()?.strip_suffix(what)?.trim().parse().ok();
    Some(Counts {
        passed: next("passed")?,
        failed: next("failed")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; \
                    0 filtered out; finished in 0.52s\n";
        let counts = Counts {
            passed: 12,
            failed: 3,
        };
        assert_eq!(result_line(line), Some(counts));
        for other in ["test result: ok", "test a ... ok", "running 3 tests", ""] {
            assert_eq!(result_line(other), None, "{other}");
        }
    }

    #[test]
    fn output_is_passed_on_and_result_lines_add_up() {
        let output = b"running 5 tests\n\xff\n\
            test result: ok. 5 passed; 0 failed; 0 ignored\n\
            test result: FAILED. 7 passed; 2 failed; 0 ignored\nno newline";
        let mut copy = Vec::new();
        let mut counts = Counts::default();
        pass_on(output.as_slice(), &mut copy, &mut counts).expect("memory can be written");
        assert_eq!(copy, output);
        let expected = Counts {
            passed: 12,
            failed: 2,
        };
        assert_eq!(counts, expected);
    }

    #[test]
    fn the_exit_status_and_the_counts_are_both_taken() {
        let mut counts = Counts::default();
        let mut wrong = cargo_test(&["--package", "no-such-crate"]);
        let outcome = run_tier(wrong.stderr(Stdio::null()), &mut counts);
        assert_eq!(outcome.ok(), Some(Outcome::Failed));
        assert_eq!(counts, Counts::default());
    }

    /// The commands of the tiers when the first crate of the workspace has a
    /// long tier.
    fn shown_tiers(slow: bool) -> Vec<String> {
        let mut package = workspace::packages()
            .expect("cargo metadata works in a workspace")
            .remove(0);
        package.name = "afterstate-first".to_owned();
        package.features.insert(SLOW.to_owned(), Vec::new());
        // No sources, and so no release tier.
        package.manifest_path = workspace::root().join("docs/Cargo.toml");
        tiers(&[package], slow)
            .expect("the sources can be read")
            .iter()
            .map(step::shown)
            .collect()
    }

    #[test]
    fn long_tiers_come_from_the_features() {
        let debug = "cargo test --no-fail-fast --workspace";
        assert_eq!(shown_tiers(false), [debug]);
        let long = "cargo test --no-fail-fast --release --package afterstate-first \
                    --features afterstate-first/slow";
        assert_eq!(shown_tiers(true), [debug, long]);
    }

    #[test]
    fn the_mark_of_a_release_tier_is_found() {
        let tree = tempfile::tempdir().expect("a folder for the test");
        let mut package = workspace::packages()
            .expect("cargo metadata works in a workspace")
            .remove(0);
        package.manifest_path = tree.path().join("Cargo.toml");
        let folder = tree.path().join("tests/perft");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        assert_eq!(has_release_tier(&package).ok(), Some(false));
        std::fs::write(folder.join("main.rs"), format!("if {TIER_MARK} {{}}"))
            .expect("the file can be written");
        assert_eq!(has_release_tier(&package).ok(), Some(true));
    }
}
