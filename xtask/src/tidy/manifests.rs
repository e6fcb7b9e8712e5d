//! Rules on the manifests: what people who depend on a crate need to know.

use crate::step::Problem;
use crate::workspace::Package;

/// What is missing in the manifests.
pub(super) fn problems(packages: &[Package]) -> Vec<Problem> {
    packages.iter().flat_map(manifest_problems).collect()
}

fn manifest_problems(package: &Package) -> Vec<Problem> {
    let mut wanted = vec![
        ("description", package.description.is_some()),
        ("license", package.license.as_deref() == Some("MIT")),
        ("rust-version", package.rust_version.is_some()),
        ("readme", package.readme.is_some()),
    ];
    if package.is_published() {
        wanted.push(("keywords", !package.keywords.is_empty()));
        wanted.push(("categories", !package.categories.is_empty()));
    }
    let mut problems: Vec<Problem> = wanted
        .into_iter()
        .filter(|(_, is_there)| !is_there)
        .map(|(key, _)| Problem::new(&package.name, format!("no `{key}` in its Cargo.toml")))
        .collect();
    if let Some(readme) = &package.readme
        && !package.folder().join(readme).is_file()
    {
        problems.push(Problem::new(
            &package.name,
            format!("its readme `{}` does not exist", readme.display()),
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    /// The complaints about a good manifest after `spoil`.
    fn check(spoil: impl FnOnce(&mut Package)) -> Vec<String> {
        let mut package = workspace::packages()
            .expect("cargo metadata works in a workspace")
            .into_iter()
            .find(|package| package.name == "afterstate-rules")
            .expect("the rules are a crate");
        spoil(&mut package);
        manifest_problems(&package)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn each_missing_key_is_found() {
        assert!(check(|_| ()).is_empty());
        let found = check(|package| {
            package.description = None;
            package.license = None;
            package.rust_version = None;
            package.readme = None;
            package.keywords.clear();
            package.categories.clear();
        });
        let keys = [
            "description",
            "license",
            "rust-version",
            "readme",
            "keywords",
            "categories",
        ];
        let expected = keys.map(|key| format!("afterstate-rules: no `{key}` in its Cargo.toml"));
        assert_eq!(found, expected);
    }

    #[test]
    fn only_what_is_published_needs_keywords() {
        let found = check(|package| {
            package.publish = Some(Vec::new());
            package.keywords.clear();
            package.categories.clear();
        });
        assert!(found.is_empty());
    }

    #[test]
    fn a_readme_that_is_not_there_is_found() {
        let found = check(|package| package.readme = Some("READ.md".into()));
        assert_eq!(
            found,
            ["afterstate-rules: its readme `READ.md` does not exist"]
        );
    }
}
