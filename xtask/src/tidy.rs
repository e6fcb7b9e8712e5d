//! The repository's own rules, those that no other tool checks.

mod files;
mod manifests;
mod pages;

use std::fs;

use anyhow::Context;

use crate::step::{self, Outcome, Problem};
use crate::workspace;

/// A file of the repository.
struct File {
    /// Relative to the root, with `/` between folders.
    path: String,
    bytes: Vec<u8>,
}

impl File {
    /// The contents, unless the file is not text.
    fn text(&self) -> Option<&str> {
        let text = str::from_utf8(&self.bytes).ok()?;
        (!text.contains('\0')).then_some(text)
    }
}

/// Prints every broken rule.
///
/// *Errors*: a file cannot be read, or cargo or git do not work.
pub(crate) fn run() -> anyhow::Result<Outcome> {
    let (n_files, problems) = problems()?;
    Ok(step::report("tidy", &format!("{n_files} files"), &problems))
}

/// The number of files looked at, and what is wrong with them.
fn problems() -> anyhow::Result<(usize, Vec<Problem>)> {
    let root = workspace::root();
    let mut files = Vec::new();
    for path in workspace::files()? {
        let bytes = fs::read(root.join(&path)).with_context(|| format!("{path} cannot be read"))?;
        files.push(File { path, bytes });
    }
    let packages = workspace::packages()?;

    let mut problems: Vec<Problem> = files.iter().flat_map(files::problems).collect();
    problems.extend(manifests::problems(&packages));
    problems.extend(pages::problems(&files, &packages)?);
    Ok((files.len(), problems))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let (n_files, problems) = problems().expect("the repository can be read");
        assert!(n_files > 20, "only {n_files} files were looked at");
        assert_eq!(problems, []);
    }
}
