//! Rules on the pages: they name all crates, and no crate or command that does
//! not exist.

use std::collections::BTreeSet;

use anyhow::{Context, ensure};
use clap::CommandFactory;

use super::File;
use crate::Cli;
use crate::layers;
use crate::step::{self, Problem};
use crate::workspace::{PACKAGE_PREFIX, Package};

const ARCHITECTURE: &str = "docs/ARCHITECTURE.md";
const CHANGELOG: &str = "docs/CHANGELOG.md";

/// The pages that have to be there.
const PAGES: &[&str] = &[
    "README.md",
    ARCHITECTURE,
    CHANGELOG,
    "docs/CONTRIBUTING.md",
    "docs/RULES.md",
];

/// The heading above the table of crates in ARCHITECTURE.
const CRATES_HEADING: &str = "## Crates";

/// The heading in CHANGELOG under which a change is entered.
const UNRELEASED_HEADING: &str = "## Unreleased";

/// The commands of a program; `None` where the program is not built yet.
struct Commands {
    xtask: BTreeSet<String>,
    afterstate: Option<BTreeSet<String>>,
}

/// Everything wrong with the pages.
///
/// *Errors*: the program cannot be asked for its commands.
pub(super) fn problems(files: &[File], packages: &[Package]) -> anyhow::Result<Vec<Problem>> {
    let crates: BTreeSet<&str> = packages.iter().map(Package::short_name).collect();
    let commands = Commands {
        xtask: Cli::command()
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect(),
        afterstate: match crates.contains("cli") {
            true => Some(program_commands()?),
            false => None,
        },
    };
    let mut problems = missing_pages(files);
    for file in files.iter().filter(|file| is_page(&file.path)) {
        let Some(text) = file.text() else { continue };
        problems.extend(command_problems(&file.path, text, &commands));
        if file.path != CHANGELOG {
            problems.extend(ghost_problems(&file.path, text, &crates));
        }
        match file.path.as_str() {
            ARCHITECTURE => problems.extend(table_problems(text, &crates)),
            CHANGELOG => problems.extend(changelog_problem(text)),
            _ => (),
        }
    }
    Ok(problems)
}

fn is_page(path: &str) -> bool {
    path.ends_with(".md")
        && (path.starts_with("docs/") || path.rsplit('/').next() == Some("README.md"))
}

fn missing_pages(files: &[File]) -> Vec<Problem> {
    PAGES
        .iter()
        .filter(|page| !files.iter().any(|file| file.path == **page))
        .map(|page| Problem::new(*page, "missing"))
        .collect()
}

fn changelog_problem(text: &str) -> Option<Problem> {
    let has_heading = text.lines().any(|line| line == UNRELEASED_HEADING);
    (!has_heading).then(|| Problem::new(CHANGELOG, format!("no section `{UNRELEASED_HEADING}`")))
}

/// Crates that the table of ARCHITECTURE leaves out, or has and we have not.
fn table_problems(text: &str, crates: &BTreeSet<&str>) -> Vec<Problem> {
    let rows: BTreeSet<&str> = text
        .lines()
        .skip_while(|line| *line != CRATES_HEADING)
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let missing = crates.difference(&rows).map(|name| {
        Problem::new(
            ARCHITECTURE,
            format!("crate `{name}` has no row in the table under `{CRATES_HEADING}`"),
        )
    });
    let ghosts = rows
        .difference(crates)
        .filter(|name| !layers::is_planned(name))
        .map(|name| {
            Problem::new(
                ARCHITECTURE,
                format!("the table under `{CRATES_HEADING}` has `{name}`, which is no crate"),
            )
        });
    missing.chain(ghosts).collect()
}

/// Names of the forms `crates/NAME` and `afterstate-NAME` that are no crate.
fn ghost_problems(path: &str, text: &str, crates: &BTreeSet<&str>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        for prefix in ["crates/", PACKAGE_PREFIX] {
            for (at, _) in line.match_indices(prefix) {
                let name = leading_name(&line[at + prefix.len()..]);
                let is_known = name.is_empty() || crates.contains(name) || layers::is_planned(name);
                if !is_known {
                    problems.push(Problem::new(
                        format!("{path}:{}", idx + 1),
                        format!("`{prefix}{name}` is no crate here"),
                    ));
                }
            }
        }
    }
    problems
}

/// The letters, digits and hyphens that `text` starts with.
fn leading_name(text: &str) -> &str {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    text[..end].trim_end_matches('-')
}

fn command_problems(path: &str, text: &str, commands: &Commands) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line, code) in code_of(text) {
        for (program, name) in commands_in(code) {
            let known = match program {
                Program::Xtask => Some(&commands.xtask),
                Program::Afterstate => commands.afterstate.as_ref(),
            };
            if let Some(known) = known
                && !known.contains(name)
            {
                let all: Vec<&str> = known.iter().map(String::as_str).collect();
                problems.push(Problem::new(
                    format!("{path}:{line}"),
                    format!(
                        "`{} {name}` is no command: expected one of {}",
                        program.name(),
                        all.join(", ")
                    ),
                ));
            }
        }
    }
    problems
}

/// The code in a page, with line numbers: the lines of fenced blocks, and what
/// stands between backticks. Rust has doctests instead.
fn code_of(text: &str) -> Vec<(usize, &str)> {
    let mut code = Vec::new();
    let mut fence: Option<bool> = None;
    for (idx, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                None => Some(language.starts_with("rust")),
                Some(_) => None,
            };
            continue;
        }
        match fence {
            Some(is_rust) if !is_rust => code.push((idx + 1, line)),
            Some(_) => (),
            None => {
                // Every second piece lies between two backticks.
                let pieces = line.split('`').skip(1).step_by(2);
                code.extend(pieces.map(|piece| (idx + 1, piece)));
            }
        }
    }
    code
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Xtask,
    Afterstate,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Program::Xtask => "cargo xtask",
            Program::Afterstate => "afterstate",
        }
    }
}

/// The commands of our programs that a line of code names.
///
/// The program's name is a word of the rules as well, so it counts only where a
/// shell would take it for a program: at the start, after a pipe or `&&`, or
/// after `cargo`.
fn commands_in(code: &str) -> Vec<(Program, &str)> {
    let words: Vec<&str> = code.split_whitespace().collect();
    let mut found = Vec::new();
    for (idx, pair) in words.windows(2).enumerate() {
        let before = idx.checked_sub(1).map(|idx| words[idx]);
        let program = match pair[0] {
            "xtask" if before == Some("cargo") => Program::Xtask,
            "afterstate" if matches!(before, None | Some("cargo" | "|" | "&&" | "$")) => {
                Program::Afterstate
            }
            _ => continue,
        };
        if pair[1].starts_with(|letter: char| letter.is_ascii_lowercase()) {
            let name = leading_name(pair[1]);
            found.push((program, name));
        }
    }
    found
}

/// The commands of `afterstate`, as its help lists them.
fn program_commands() -> anyhow::Result<BTreeSet<String>> {
    let mut command = step::cargo();
    // The build that tests need as well, and that takes less.
    command.args(["run", "--quiet"]);
    command.args(["--package", "afterstate-cli", "--bin", "afterstate"]);
    command.args(["--", "--help"]);
    command.stderr(std::process::Stdio::inherit());
    let output = command.output().context("cargo cannot be started")?;
    ensure!(
        output.status.success(),
        "`{}` failed",
        step::shown(&command)
    );
    Ok(listed_commands(&String::from_utf8_lossy(&output.stdout)))
}

fn listed_commands(help: &str) -> BTreeSet<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .map(|line| leading_name(line).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(problems: Vec<Problem>) -> Vec<String> {
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn pages_that_are_missing_are_found() {
        let file = |path: &&str| File {
            path: (*path).to_owned(),
            bytes: Vec::new(),
        };
        let all: Vec<File> = PAGES.iter().map(file).collect();
        assert_eq!(missing_pages(&all), []);
        assert_eq!(shown(missing_pages(&all[1..])), ["README.md: missing"]);
    }

    #[test]
    fn a_changelog_without_a_place_for_changes_is_found() {
        assert_eq!(changelog_problem("# Changes\n\n## Unreleased\n"), None);
        assert!(changelog_problem("# Changes\n\n## 0.1.0\n").is_some());
    }

    #[test]
    fn the_table_of_crates_is_compared_both_ways() {
        let crates = BTreeSet::from(["rules", "xtask"]);
        let page = |rows: &str| format!("# A\n\n{CRATES_HEADING}\n\n{rows}\n## Next\n| `odd` |\n");
        assert_eq!(
            table_problems(&page("| `rules` | a |\n| `xtask` | b |\n"), &crates),
            []
        );
        assert_eq!(
            shown(table_problems(&page("| `rules` |\n"), &crates)),
            ["docs/ARCHITECTURE.md: crate `xtask` has no row in the table under `## Crates`"]
        );
        let ghost = page("| `rules` |\n| `xtask` |\n| `ghost` |\n");
        assert_eq!(
            shown(table_problems(&ghost, &crates)),
            ["docs/ARCHITECTURE.md: the table under `## Crates` has `ghost`, which is no crate"]
        );
    }

    #[test]
    fn ghost_crates_in_prose_are_found() {
        let crates = BTreeSet::from(["rules"]);
        let text = "See `crates/rules/src` and afterstate-rules.\n\
                    See `crates/<name>` and afterstate.\nSee crates/old and `afterstate-old`.\n";
        assert_eq!(
            shown(ghost_problems("docs/A.md", text, &crates)),
            [
                "docs/A.md:3: `crates/old` is no crate here",
                "docs/A.md:3: `afterstate-old` is no crate here",
            ]
        );
    }

    #[test]
    fn commands_that_do_not_exist_are_found() {
        let commands = Commands {
            xtask: BTreeSet::from(["test".to_owned()]),
            afterstate: Some(BTreeSet::from(["ten-moves".to_owned()])),
        };
        let text = "\
Run `cargo xtask test --slow`, `afterstate ten-moves` or `cargo xtask COMMAND`.
The afterstate slides; `slide board` and `xtask odd` are no commands either.
Run `cargo xtask tset`.
```
$ echo 2 2 0 | cargo afterstate ten-move --all
cargo xtask test && afterstate slid
```
```rust
afterstate none
```
";
        let expected = [
            "docs/A.md:3: `cargo xtask tset` is no command: expected one of test",
            "docs/A.md:5: `afterstate ten-move` is no command: expected one of ten-moves",
            "docs/A.md:6: `afterstate slid` is no command: expected one of ten-moves",
        ];
        assert_eq!(
            shown(command_problems("docs/A.md", text, &commands)),
            expected
        );
    }

    #[test]
    fn commands_are_read_from_a_help_text() {
        let help = "About\n\nUsage: afterstate <COMMAND>\n\nCommands:\n  slide      Slides\n\
                    \x20            and more\n  ten-moves  Solves\n\nOptions:\n  -h, --help\n";
        let expected = BTreeSet::from(["slide".to_owned(), "ten-moves".to_owned()]);
        assert_eq!(listed_commands(help), expected);
    }
}
