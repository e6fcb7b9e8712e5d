//! Whether every crate that people may depend on can be packaged.

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::step::{self, Outcome};
use crate::workspace;

/// Packages all published crates together and builds each from its package;
/// nothing is uploaded.
///
/// Cargo lends the packages to each other as if they were in a registry, which
/// is what makes this work before the first one is published. Test crates that
/// are imported by path alone, without a version, stay out of the packages.
///
/// *Errors*: the manifests cannot be read, or cargo cannot be started.
pub(crate) fn run() -> anyhow::Result<Outcome> {
    let folder = new_folder()?;
    let mut command = step::cargo();
    command.arg("package").arg("--target-dir").arg(&folder);
    for package in workspace::packages()? {
        if package.is_published() {
            command.args(["--package", &package.name]);
        }
    }
    // At a desk, one wants to know before the commit.
    if std::env::var_os("CI").is_none() {
        command.arg("--allow-dirty");
    }
    println!("$ {}", step::shown(&command));
    let outcome = step::run(&mut command)?;
    // Absent when cargo found fault with the manifests before building.
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("{} cannot be removed", folder.display()))?;
    }
    Ok(outcome)
}

/// A folder that no earlier run had.
///
/// Cargo unpacks and builds what comes from a registry once for each version,
/// and tells registries apart by their path. In the same folder, a crate that
/// has changed since would be built against its neighbors as they were then.
fn new_folder() -> anyhow::Result<PathBuf> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the clock stands before 1970")?;
    let name = format!("package-{}", now.as_nanos());
    Ok(workspace::root().join("target").join(name))
}
