//! A tournament on a real cluster of one node.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::step::{self, Outcome};
use crate::workspace;

/// What the cluster consists of, and the shell that its scripts are for.
const PROGRAMS: [&str; 6] = [
    "bash",
    "munged",
    "sbatch",
    "scontrol",
    "slurmctld",
    "slurmd",
];

/// Runs the test of the cluster, or says in a line why it cannot be run here.
///
/// *Errors*: the script cannot be started.
pub(crate) fn run_if_installed() -> anyhow::Result<Outcome> {
    if let Some(why) = why_not() {
        println!("slurm is not tested: {why}");
        return Ok(Outcome::Passed);
    }
    let mut command = Command::new(workspace::root().join("xtask/slurm/test.sh"));
    command.env("XTASK", std::env::current_exe()?);
    command.current_dir(workspace::root()).stdin(Stdio::null());
    println!("$ xtask/slurm/test.sh");
    step::run(&mut command)
}

/// What is missing here, if anything is.
fn why_not() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return Some("it is for Linux".to_owned());
    }
    let missing: Vec<&str> = PROGRAMS
        .into_iter()
        .filter(|program| !is_installed(program))
        .collect();
    if !missing.is_empty() {
        return Some(format!("there is no {}", missing.join(", ")));
    }
    let user = Command::new("id").arg("-u").output().ok()?;
    (user.stdout != b"0\n").then(|| "it wants root".to_owned())
}

/// Whether a program is where programs of the system are.
fn is_installed(program: &str) -> bool {
    [
        "/usr/sbin",
        "/usr/bin",
        "/sbin",
        "/bin",
        "/usr/local/sbin",
        "/usr/local/bin",
    ]
    .iter()
    .any(|folder| Path::new(folder).join(program).exists())
}

#[cfg(test)]
mod tests {
    use super::is_installed;

    #[cfg(unix)]
    #[test]
    fn programs_are_looked_for() {
        assert!(is_installed("sh"));
        assert!(!is_installed("no-such-program"));
    }
}
