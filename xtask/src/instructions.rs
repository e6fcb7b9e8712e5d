//! The instructions of searches, counted by callgrind.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::step::{self, Outcome};
use crate::workspace;

/// The program that runs benches under valgrind. It must be of the version of
/// the library that is linked into them.
const RUNNER: &str = "gungraun-runner";

/// Where the bench's library looks for it.
const RUNNER_VARIABLE: &str = "GUNGRAUN_RUNNER";

/// Builds the bench and runs it, or says in a line why it cannot be run here.
///
/// *Errors*: cargo cannot be started, or the lock file cannot be read.
pub(crate) fn run(filter: Option<&str>) -> anyhow::Result<Outcome> {
    count(filter, Missing::Install)
}

/// The same for CI, which does not spend minutes on building the runner.
///
/// *Errors*: as [`run`].
pub(crate) fn run_if_installed() -> anyhow::Result<Outcome> {
    count(None, Missing::Say)
}

/// What to do where the runner is not installed yet.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Install,
    Say,
}

fn count(filter: Option<&str>, missing: Missing) -> anyhow::Result<Outcome> {
    let runner = match runner(missing)? {
        Ok(runner) => runner,
        Err(why) => {
            println!("instructions are not counted: {why}");
            // What is not run is at least looked at.
            return step::run(cargo_on_bench("check").arg("--quiet"));
        }
    };
    let mut command = cargo_on_bench("bench");
    command.env(RUNNER_VARIABLE, &runner);
    command.arg("--").args(filter);
    println!(
        "$ {RUNNER_VARIABLE}={} {}",
        runner.display(),
        step::shown(&command)
    );
    step::run(&mut command)
}

fn cargo_on_bench(verb: &str) -> Command {
    let mut command = step::cargo();
    command.args([verb, "--package", "afterstate-search"]);
    command.args(["--features", "instructions", "--bench", "instructions"]);
    command
}

/// The runner, installed under `target` if need be; or why there is none.
fn runner(missing: Missing) -> anyhow::Result<Result<PathBuf, String>> {
    if !answers("valgrind") {
        return Ok(Err("there is no valgrind".to_owned()));
    }
    if let Some(given) = std::env::var_os(RUNNER_VARIABLE) {
        return Ok(Ok(PathBuf::from(given)));
    }
    let path = workspace::root().join("Cargo.lock");
    let lock =
        fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let version = locked_version(&lock, "gungraun").context("gungraun is in no lock file")?;
    let root = workspace::root().join("target/tools");
    let runner = root.join("bin").join(RUNNER);
    let installed = fs::read_to_string(root.join(".crates.toml")).unwrap_or_default();
    if installed.contains(&format!("\"{RUNNER} {version} ")) && runner.exists() {
        return Ok(Ok(runner));
    }
    if missing == Missing::Say {
        let how = "cargo xtask bench --instructions";
        return Ok(Err(format!(
            "no {RUNNER} {version} yet, `{how}` installs it"
        )));
    }
    let mut install = step::cargo();
    // Unoptimized, since the runner only starts others and reads what they
    // count: it is built in a third of the time.
    install.args(["install", RUNNER, "--debug", "--locked"]);
    install.args(["--version", version, "--root"]);
    install.arg(&root);
    println!("$ {}", step::shown(&install));
    Ok(match step::run(&mut install)? {
        Outcome::Passed => Ok(runner),
        Outcome::Failed => Err(format!("{RUNNER} {version} cannot be installed")),
    })
}

/// Whether there is such a program.
fn answers(program: impl AsRef<OsStr>) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The version of a package in the text of a lock file.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    let version = lines.next()?.strip_prefix("version = \"")?;
    version.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::{answers, locked_version};

    #[test]
    fn versions_are_found() {
        let lock = "[[package]]\nname = \"a-b\"\nversion = \"1.0.0\"\n\n\
            [[package]]\nname = \"a\"\nversion = \"0.20.3\"\nsource = \"x\"\n";
        assert_eq!(locked_version(lock, "a"), Some("0.20.3"));
        assert_eq!(locked_version(lock, "a-b"), Some("1.0.0"));
        assert_eq!(locked_version(lock, "b"), None);
    }

    #[test]
    fn a_missing_program_does_not_answer() {
        assert!(answers(
            std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
        ));
        assert!(!answers("no-such-program"));
    }
}
