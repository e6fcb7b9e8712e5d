//! Which crate may import what. The table of ARCHITECTURE, once as data, against
//! the manifests.

use std::fs;

use crate::step::{self, Outcome, Problem};
use crate::workspace::{self, Package};

/// What one crate may import.
struct Layer {
    name: &'static str,
    /// Crates of the workspace.
    own: &'static [&'static str],
    /// Crates of others.
    external: &'static [&'static str],
}

/// From the bottom up: a crate names only crates above its own line.
const LAYERS: &[Layer] = &[
    Layer {
        name: "testkit",
        own: &[],
        external: &[],
    },
    Layer {
        name: "bitboard",
        own: &[],
        external: &[],
    },
    Layer {
        name: "rules",
        own: &["bitboard"],
        external: &[],
    },
    Layer {
        name: "eval",
        own: &["bitboard"],
        external: &[],
    },
    Layer {
        name: "ntuple",
        own: &["bitboard", "eval"],
        external: &[
            "bincode",
            "ruzstd",
            "serde",
            // Entropy coding.
            "constriction",
            // Tables on large pages, without unsafe code of our own.
            "memmap2",
            "zerocopy",
            // Checksums.
            "twox-hash",
            // Indices of four boards at once.
            "wide",
        ],
    },
    Layer {
        name: "networks-classic",
        own: &[],
        external: &[],
    },
    Layer {
        name: "networks",
        own: &["eval", "networks-classic"],
        external: &[],
    },
    Layer {
        name: "search",
        own: &["bitboard", "rules", "eval"],
        // Gungraun is optional, for the bench that counts instructions.
        external: &["gungraun", "rayon"],
    },
    Layer {
        name: "play",
        own: &["bitboard", "rules", "eval", "search"],
        external: &["rand", "rand_xoshiro", "serde", "bincode"],
    },
    Layer {
        name: "learn",
        own: &["bitboard", "rules", "ntuple", "play"],
        external: &["bincode", "rand", "serde", "twox-hash", "zerocopy"],
    },
    Layer {
        name: "peer",
        own: &["rules", "play"],
        external: &[],
    },
    Layer {
        name: "arena",
        own: &[
            "bitboard", "rules", "eval", "search", "ntuple", "networks", "play", "learn",
        ],
        external: &[
            "rand",
            "rand_xoshiro",
            "rayon",
            "serde",
            "serde_json",
            "bincode",
            // Quantiles for the intervals of means and rates.
            "statrs",
            // Process groups of players in other processes.
            "rustix",
            // Checksums of networks and tables.
            "twox-hash",
        ],
    },
    Layer {
        name: "web",
        own: &["bitboard", "rules", "arena"],
        external: &[
            // The server: routes, connections, its threads.
            "axum",
            "hyper",
            "hyper-util",
            "tokio",
            // The database, with SQLite's own source.
            "rusqlite",
            "serde",
            "serde_json",
            // Tokens of visitors: random, and hashed.
            "getrandom",
            "sha2",
        ],
    },
    Layer {
        name: "tui",
        own: &["bitboard", "rules", "play", "arena"],
        external: &[
            // Signals, so that the terminal is given back.
            "ctrlc",
            // The folder that the system has for data of programs.
            "etcetera",
            // Seeds of games that nobody can foresee.
            "getrandom",
            // Drawing on terminals, and their keys.
            "crossterm",
            "ratatui",
            // Stops the process at Ctrl-Z; sees that a terminal is gone.
            "rustix",
            "serde",
            "serde_json",
        ],
    },
    Layer {
        name: "cli",
        own: &[
            "bitboard", "rules", "eval", "ntuple", "networks", "search", "play", "arena", "web",
            "tui",
        ],
        external: &[
            "anyhow",
            "clap",
            "ctrlc",
            "indicatif",
            "rayon",
            "serde",
            "serde_json",
        ],
    },
    Layer {
        name: "xtask",
        own: &[
            "bitboard", "rules", "eval", "ntuple", "networks", "search", "play", "learn", "arena",
        ],
        external: &[
            "anyhow",
            "clap",
            "cmaes",
            "ctrlc",
            "indicatif",
            "serde",
            "serde_json",
        ],
    },
];

/// Crates of the table that need not exist yet. ARCHITECTURE may name them.
const PLANNED: &[&str] = &[];

/// What tests and benches may import beside what their crate may.
const FOR_TESTS: Layer = Layer {
    name: "tests",
    own: &["testkit"],
    external: &[
        "criterion",
        "proptest",
        "rand",
        "rand_xoshiro",
        "serde_json",
        "tempfile",
        // The published crate that the benches compare us with.
        "akioi-2048",
    ],
};

/// Crates in which a result may depend on nothing but the input.
const PURE: &[&str] = &["bitboard", "rules", "eval", "search"];

/// What the `clippy.toml` of a pure crate has to disallow.
const IMPURE: &[&str] = &[
    "std::time::Instant::now",
    "std::time::SystemTime::now",
    "std::collections::HashMap",
    "std::collections::HashSet",
    "std::hash::RandomState",
    "rand::rng",
    "rand::random",
];

/// Prints every import that the table does not allow.
///
/// *Errors*: the manifests cannot be read.
pub(crate) fn run() -> anyhow::Result<Outcome> {
    let packages = workspace::packages()?;
    let looked_at = format!("{} crates", packages.len());
    for name in PLANNED.iter().filter(|name| exists(&packages, name)) {
        println!("note: `{name}` exists, so it can go from PLANNED in xtask/src/layers.rs");
    }
    Ok(step::report("layers", &looked_at, &problems(&packages)))
}

/// Whether a page may name the crate `name` although it does not exist.
pub(crate) fn is_planned(name: &str) -> bool {
    PLANNED.contains(&name)
}

fn exists(packages: &[Package], name: &str) -> bool {
    packages.iter().any(|package| package.short_name() == name)
}

fn problems(packages: &[Package]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in packages {
        match LAYERS
            .iter()
            .find(|layer| layer.name == package.short_name())
        {
            Some(layer) => problems.extend(forbidden_imports(package, layer)),
            None => problems.push(Problem::new(
                &package.name,
                "not in the table of layers (LAYERS in xtask/src/layers.rs)",
            )),
        }
        if PURE.contains(&package.short_name()) {
            problems.extend(missing_bans(package));
        }
    }
    for layer in LAYERS {
        if !exists(packages, layer.name) && !is_planned(layer.name) {
            problems.push(Problem::new(
                layer.name,
                "in the table of layers, but not in the workspace",
            ));
        }
    }
    problems
}

fn forbidden_imports(package: &Package, layer: &Layer) -> Vec<Problem> {
    let allows = |layer: &Layer, name: &str| {
        layer.own.contains(&workspace::short_name(name)) || layer.external.contains(&name)
    };
    package
        .dependencies
        .iter()
        .filter_map(|dependency| {
            let name = dependency.name.as_str();
            let kind = dependency.kind.as_deref();
            let (allowed, section) = match kind {
                None => (allows(layer, name), "dependencies"),
                Some("dev") => (
                    allows(layer, name) || allows(&FOR_TESTS, name),
                    "dev-dependencies",
                ),
                Some(_) => (false, "build-dependencies"),
            };
            (!allowed).then(|| {
                Problem::new(
                    &package.name,
                    format!("`{name}` in [{section}]: {}", accepted(layer, kind)),
                )
            })
        })
        .collect()
}

fn accepted(layer: &Layer, kind: Option<&str>) -> String {
    let tables: &[&Layer] = match kind {
        None => &[layer],
        Some("dev") => &[layer, &FOR_TESTS],
        Some(_) => return "no crate here has a build script".to_owned(),
    };
    let own = tables.iter().flat_map(|layer| layer.own.iter());
    let external = tables.iter().flat_map(|layer| layer.external.iter());
    let names: Vec<&str> = own.chain(external).copied().collect();
    if names.is_empty() {
        return "only the standard library is allowed".to_owned();
    }
    format!("allowed are {}", names.join(", "))
}

fn missing_bans(package: &Package) -> Vec<Problem> {
    let path = package.folder().join("clippy.toml");
    let place = format!("crates/{}/clippy.toml", package.short_name());
    let Ok(text) = fs::read_to_string(&path) else {
        return vec![Problem::new(
            place,
            "missing: it keeps clocks, random seeds and hash order out of the crate",
        )];
    };
    unbanned(&text)
        .into_iter()
        .map(|path| Problem::new(&place, format!("does not disallow `{path}`")))
        .collect()
}

fn unbanned(clippy_toml: &str) -> Vec<&'static str> {
    let lines: Vec<&str> = clippy_toml
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    let is_banned = |path: &str| {
        let entry = format!("path = \"{path}\"");
        lines.iter().any(|line| line.contains(&entry))
    };
    IMPURE
        .iter()
        .copied()
        .filter(|path| !is_banned(path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    #[test]
    fn the_workspace_keeps_to_the_table() {
        let packages = workspace::packages().expect("cargo metadata works in a workspace");
        assert_eq!(problems(&packages), []);
    }

    #[test]
    fn the_table_has_no_arrow_upward() {
        for (idx, layer) in LAYERS.iter().enumerate() {
            for own in layer.own {
                assert!(
                    LAYERS[..idx].iter().any(|below| below.name == *own),
                    "{} names {own}, which is not below it",
                    layer.name
                );
                assert_ne!(*own, "testkit", "{} is not a test", layer.name);
            }
        }
    }

    /// The complaint about `name` imported by the crate `importer`.
    fn complaint(importer: &str, name: &str, kind: Option<&str>) -> Option<String> {
        let mut package = workspace::packages()
            .expect("cargo metadata works in a workspace")
            .remove(0);
        package.name = format!("{}{importer}", workspace::PACKAGE_PREFIX);
        package.dependencies = vec![Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
        }];
        let layer = LAYERS.iter().find(|layer| layer.name == importer);
        let layer = layer.expect("the crate is in the table");
        let mut found = forbidden_imports(&package, layer);
        found.pop().map(|problem| problem.to_string())
    }

    #[test]
    fn planted_imports_are_found() {
        assert_eq!(
            complaint("rules", "rand", None).as_deref(),
            Some("afterstate-rules: `rand` in [dependencies]: allowed are bitboard")
        );
        assert_eq!(
            complaint("bitboard", "afterstate-rules", None).as_deref(),
            Some(
                "afterstate-bitboard: `afterstate-rules` in [dependencies]: \
                 only the standard library is allowed"
            )
        );
        assert!(complaint("rules", "afterstate-testkit", None).is_some());
        assert!(complaint("rules", "afterstate-search", Some("dev")).is_some());
        assert!(complaint("rules", "cc", Some("build")).is_some());
        assert!(complaint("arena", "clap", None).is_some());

        assert_eq!(complaint("rules", "afterstate-bitboard", None), None);
        assert_eq!(complaint("rules", "afterstate-testkit", Some("dev")), None);
        assert_eq!(complaint("bitboard", "proptest", Some("dev")), None);
    }

    #[test]
    fn a_strange_crate_is_found() {
        let mut packages = workspace::packages().expect("cargo metadata works in a workspace");
        packages[0].name = "afterstate-stranger".to_owned();
        let found = problems(&packages);
        assert!(
            found
                .iter()
                .any(|problem| problem.to_string().contains("stranger: not in the table"))
        );
    }

    #[test]
    fn a_ban_that_is_missing_is_found() {
        let all: String = IMPURE
            .iter()
            .map(|path| format!("    {{ path = \"{path}\" }},\n"))
            .collect();
        assert!(unbanned(&all).is_empty());
        let less = all.replace("std::time::Instant::now", "std::time::Instant::elapsed");
        assert_eq!(unbanned(&less), ["std::time::Instant::now"]);
        let commented = all.replace("    {", "#   {");
        assert_eq!(unbanned(&commented).len(), IMPURE.len());
    }
}
