//! Every test, and how many there were.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
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

/// The commands that run every test: all in the debug build; in the release build
/// those that set higher limits there, and no others, each of which would be linked
/// anew; the long tier if `slow`.
///
/// Nothing here is built in the release profile with this crate among it: on
/// some systems a program that is running cannot be written anew.
fn tiers(packages: &[Package], slow: bool) -> anyhow::Result<Vec<Command>> {
    let mut tiers = vec![cargo_test(&["--workspace"])];
    let mut release: Vec<String> = Vec::new();
    let mut long: Vec<String> = Vec::new();
    for package in packages.iter().filter(|package| package.name != "xtask") {
        let own = ["--package".to_owned(), package.name.clone()];
        if slow && package.features.contains_key(SLOW) {
            long.extend(own);
            long.extend(["--features".to_owned(), format!("{}/{SLOW}", package.name)]);
            continue;
        }
        let targets = release_targets(package)?;
        if !targets.is_empty() {
            release.extend(own);
            release.extend(targets);
        }
    }
    for args in [release, long] {
        if !args.is_empty() {
            let mut command = cargo_test(&["--release"]);
            command.args(args);
            tiers.push(command);
        }
    }
    Ok(tiers)
}

fn cargo_test(args: &[&str]) -> Command {
    let mut command = step::cargo();
    command.args(["test", "--no-fail-fast"]).args(args);
    command
}

/// The arguments for cargo that name the targets of a crate whose tests set a limit by
/// the kind of build.
fn release_targets(package: &Package) -> anyhow::Result<Vec<String>> {
    let mut args = Vec::new();
    for target in &package.targets {
        let is = |kind: &str| target.kind.iter().any(|each| each == kind);
        let of_target = match is("test") {
            true => vec!["--test".to_owned(), target.name.clone()],
            false if is("lib") => vec!["--lib".to_owned()],
            false => continue,
        };
        // A test of one file has others beside it that are none of it.
        let is_alone = is("test") && !target.src_path.ends_with("main.rs");
        let has_mark = match target.src_path.parent() {
            Some(folder) if !is_alone => mentions_tier(folder)?,
            _ => mentions_tier(&target.src_path)?,
        };
        if has_mark {
            args.extend(of_target);
        }
    }
    Ok(args)
}

/// Whether a source file, or one in a folder, has the [`TIER_MARK`].
fn mentions_tier(path: &Path) -> anyhow::Result<bool> {
    let failed = || format!("{} cannot be read", path.display());
    if !path.is_dir() {
        let is_source = path.extension().is_some_and(|ending| ending == "rs");
        return Ok(is_source
            && fs::read_to_string(path)
                .with_context(failed)?
                .contains(TIER_MARK));
    }
    for entry in fs::read_dir(path).with_context(failed)? {
        if mentions_tier(&entry?.path())? {
            return Ok(true);
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
    use crate::workspace::Target;

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
        // And so no release tier.
        package.targets.clear();
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
    fn what_has_the_mark_of_a_release_tier_is_found() {
        let tree = tempfile::tempdir().expect("a folder for the test");
        let mut package = workspace::packages()
            .expect("cargo metadata works in a workspace")
            .remove(0);
        let target = |kind: &str, name: &str, path: &str| Target {
            name: name.to_owned(),
            kind: vec![kind.to_owned()],
            src_path: tree.path().join(path),
        };
        package.targets = vec![
            target("lib", "afterstate_first", "src/lib.rs"),
            target("test", "perft", "tests/perft/main.rs"),
            target("test", "slides", "tests/slides.rs"),
            target("bench", "slides", "benches/slides.rs"),
        ];
        let write = |path: &str, text: &str| {
            let path = tree.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("the file can be written");
        };
        let mark = format!("if {TIER_MARK} {{}}");
        for path in ["src/lib.rs", "tests/perft/main.rs", "tests/slides.rs"] {
            write(path, "");
        }
        write("benches/slides.rs", &mark);
        assert_eq!(release_targets(&package).ok(), Some(vec![]));
        write("tests/perft/deep/counts.rs", &mark);
        let perft = ["--test", "perft"].map(str::to_owned);
        assert_eq!(release_targets(&package).ok(), Some(perft.to_vec()));
        write("src/lines.rs", &mark);
        write("tests/slides.rs", &mark);
        let all = ["--lib", "--test", "perft", "--test", "slides"].map(str::to_owned);
        assert_eq!(release_targets(&package).ok(), Some(all.to_vec()));
        fs::remove_file(tree.path().join("tests/slides.rs")).expect("it can be removed");
        assert!(release_targets(&package).is_err());
    }
}
