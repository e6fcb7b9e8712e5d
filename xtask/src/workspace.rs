//! What the workspace consists of, as cargo and git tell it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use crate::step;

/// What the names of our packages start with; the rest is the crate's folder.
pub(crate) const PACKAGE_PREFIX: &str = "afterstate-";

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable when it runs us; a binary started by hand falls
    // back on where it was built.
    let own =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let own = PathBuf::from(own);
    own.parent().map_or_else(|| own.clone(), Path::to_path_buf)
}

/// A crate of the workspace, from its manifest.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Package {
    /// The package name, as in `afterstate-rules`.
    pub(crate) name: String,
    /// One sentence on what it is.
    pub(crate) description: Option<String>,
    /// The license expression.
    pub(crate) license: Option<String>,
    /// The path of the README, relative to the manifest.
    pub(crate) readme: Option<PathBuf>,
    /// Keywords for a registry.
    #[serde(default)]
    pub(crate) keywords: Vec<String>,
    /// Categories for a registry.
    #[serde(default)]
    pub(crate) categories: Vec<String>,
    /// The minimal compiler version.
    pub(crate) rust_version: Option<String>,
    /// Where it may be published; empty for nowhere, absent for anywhere.
    pub(crate) publish: Option<Vec<String>>,
    /// Its features.
    #[serde(default)]
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// What it imports.
    #[serde(default)]
    pub(crate) dependencies: Vec<Dependency>,
    /// What is built of it.
    #[serde(default)]
    pub(crate) targets: Vec<Target>,
    /// The path of `Cargo.toml`.
    pub(crate) manifest_path: PathBuf,
}

/// A library, program, test or the like of a crate.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Target {
    /// Its name: of a test, what `cargo test --test` is told.
    pub(crate) name: String,
    /// What it is, as in `test`.
    pub(crate) kind: Vec<String>,
    /// Its first source file.
    pub(crate) src_path: PathBuf,
}

/// A line of a manifest's dependency tables.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Dependency {
    /// The package name of what is imported.
    pub(crate) name: String,
    /// `None`, `dev` or `build`.
    pub(crate) kind: Option<String>,
}

impl Package {
    /// The name of the crate's folder: `rules` for `afterstate-rules`.
    pub(crate) fn short_name(&self) -> &str {
        short_name(&self.name)
    }

    /// The folder of the crate.
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// Whether people may depend on it, and so whether it is packaged.
    pub(crate) fn is_published(&self) -> bool {
        self.publish
            .as_ref()
            .is_none_or(|places| !places.is_empty())
    }
}

/// `name` without our prefix.
pub(crate) fn short_name(name: &str) -> &str {
    name.strip_prefix(PACKAGE_PREFIX).unwrap_or(name)
}

/// All crates of the workspace, by name.
///
/// *Errors*: cargo cannot read the manifests; it has said why.
pub(crate) fn packages() -> anyhow::Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let mut command = step::cargo();
    command.args(["metadata", "--format-version", "1", "--no-deps"]);
    command.stderr(std::process::Stdio::inherit());
    let output = command.output().context("cargo cannot be started")?;
    ensure!(
        output.status.success(),
        "`{}` failed",
        step::shown(&command)
    );
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).context("cargo metadata is not as expected")?;
    let mut packages = metadata.packages;
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

/// Every file that is or would be committed, relative to the root, with `/`
/// between folders, sorted.
///
/// In a tree without git (an exported archive) that is every file which
/// `.gitignore` does not exclude.
///
/// *Errors*: a folder cannot be read, or git does not work although there is a
/// repository.
pub(crate) fn files() -> anyhow::Result<Vec<String>> {
    let root = root();
    let mut files = if root.join(".git").exists() {
        git_files(&root)?
    } else {
        let ignored = std::fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
        walked_files(&root, &ignored)?
    };
    files.retain(|file| root.join(file).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

fn git_files(root: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new("git")
        .current_dir(root)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .output()
        .context("git cannot be started, which lists the files of a checkout")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().next().unwrap_or("it gave no reason");
        bail!("`git ls-files` failed: {first}");
    }
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    Ok(names
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Knows the two forms of pattern that our `.gitignore` uses: `/name` at the
/// root and `*.ending` anywhere.
fn walked_files(root: &Path, gitignore: &str) -> anyhow::Result<Vec<String>> {
    let is_ignored = |name: &str| {
        gitignore.lines().any(|line| match line.strip_prefix('*') {
            Some(ending) => name.ends_with(ending),
            None => line.strip_prefix('/') == Some(name),
        })
    };
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let path = root.join(&folder);
        let entries = std::fs::read_dir(&path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            if is_ignored(&name) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(name);
            } else {
                found.push(name);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_has_this_crate() {
        let packages = packages().expect("cargo metadata works in a workspace");
        let own = packages.iter().find(|package| package.name == "xtask");
        let own = own.expect("xtask is a member");
        assert!(!own.is_published());
        assert!(own.dependencies.iter().any(|dep| dep.name == "clap"));
        assert_eq!(own.folder(), root().join("xtask"));
    }

    #[test]
    fn files_are_found_with_and_without_git() {
        let files = files().expect("the files of the workspace can be listed");
        assert!(files.iter().any(|file| file == "xtask/src/workspace.rs"));
        assert!(!files.iter().any(|file| file.starts_with("target/")));

        let tree = tempfile::tempdir().expect("a folder for the test");
        for file in ["target/a", "kept/b.rs", "kept/c.tmp", "target.md"] {
            let path = tree.path().join(file);
            let folder = path.parent().expect("every file has a folder");
            std::fs::create_dir_all(folder).expect("the folder can be made");
            std::fs::write(path, "").expect("the file can be written");
        }
        let mut walked = walked_files(tree.path(), "/target\n*.tmp\n").expect("the tree exists");
        walked.sort();
        assert_eq!(walked, ["kept/b.rs", "target.md"]);
    }
}
