//! Whether every crate that people may depend on can be packaged.

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
    let mut command = step::cargo();
    command.arg("package");
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
    step::run(&mut command)
}
