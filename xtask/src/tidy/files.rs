//! Rules on single files.

use super::File;
use crate::step::Problem;

/// What may stand at the top of the repository.
const TOP_LEVEL: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitattributes",
    ".github",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "crates",
    "docs",
    "xtask",
];

/// The largest file, in bytes, that is not data.
const MAX_BYTES: usize = 1 << 20;

/// The largest file of data, in bytes: a package with one of them stays below
/// the 10 MiB that a registry takes.
const MAX_DATA_BYTES: usize = 8 << 20;

/// The longest Rust file, in lines, that is not a test.
const MAX_LINES: usize = 800;

/// What no Rust file contains, and why. In two pieces, so that this file does
/// not contain them either.
const FORBIDDEN_IN_RUST: &[(&str, &str)] = &[
    (
        concat!("#[", "ignore"),
        "a test that is too slow goes behind the `slow` feature",
    ),
    (
        concat!("should_", "panic"),
        "return an error and assert on it",
    ),
    (concat!("todo", "!("), "finish it or leave it out"),
    (concat!("unimple", "mented!("), "finish it or leave it out"),
    (concat!("dbg", "!("), "left over from a search for a fault"),
];

/// How paths start that exist on one machine only.
const MACHINE_PATHS: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("/Us", "ers/"),
    concat!("\\Us", "ers\\"),
];

/// Everything wrong with `file` by itself.
pub(super) fn problems(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(place_problem(&file.path));
    problems.extend(size_problem(&file.path, file.bytes.len()));
    if let Some(text) = file.text() {
        problems.extend(line_problems(&file.path, text));
        if is_rust(&file.path) {
            problems.extend(length_problem(&file.path, text));
            problems.extend(docs_problem(&file.path, text));
        }
    }
    problems
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

fn is_data(path: &str) -> bool {
    let folders = ["/data/", "/snapshots/", "/baselines/"];
    path.ends_with(".net") || folders.iter().any(|folder| path.contains(folder))
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || is_data(path)
}

fn place_problem(path: &str) -> Option<Problem> {
    let top = path.split('/').next().unwrap_or(path);
    (!TOP_LEVEL.contains(&top)).then(|| {
        Problem::new(
            path,
            format!(
                "`{top}` does not belong at the top of the repository: expected one of {}",
                TOP_LEVEL.join(", ")
            ),
        )
    })
}

fn size_problem(path: &str, n_bytes: usize) -> Option<Problem> {
    let max = if is_data(path) {
        MAX_DATA_BYTES
    } else {
        MAX_BYTES
    };
    (n_bytes > max).then(|| Problem::new(path, format!("{n_bytes} bytes, at most {max}")))
}

fn length_problem(path: &str, text: &str) -> Option<Problem> {
    let n_lines = text.lines().count();
    (n_lines > MAX_LINES && !is_test(path)).then(|| {
        Problem::new(
            path,
            format!("{n_lines} lines, at most {MAX_LINES}: split it"),
        )
    })
}

/// A crate says at its root what it is; a module says it at its top or at what
/// it defines.
fn docs_problem(path: &str, text: &str) -> Option<Problem> {
    if !path.contains("/src/") {
        return None;
    }
    let is_root = path.ends_with("/src/lib.rs")
        || path.ends_with("/src/main.rs")
        || path.contains("/src/bin/");
    let has_own = text
        .lines()
        .any(|line| line.starts_with("//!") || line.starts_with("#![doc"));
    let has_any = || {
        text.lines()
            .any(|line| line.trim_start().starts_with("///"))
    };
    if has_own || (!is_root && has_any()) {
        return None;
    }
    let expected = if is_root {
        "no crate documentation: expected `//!` or `#![doc` lines"
    } else {
        "no documentation: expected `//!` or `///` lines"
    };
    Some(Problem::new(path, expected))
}

fn line_problems(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (idx, line) in text.split('\n').enumerate() {
        let mut add = |message: String| {
            problems.push(Problem::new(format!("{path}:{}", idx + 1), message));
        };
        if line.ends_with('\r') {
            add("ends with CR LF, expected LF".to_owned());
        } else if line.ends_with([' ', '\t']) {
            add("trailing blanks".to_owned());
        }
        if let Some(machine_path) = machine_path(line) {
            add(format!(
                "`{machine_path}` is a path of one machine: make it relative"
            ));
        }
        if is_rust(path) {
            if line.contains('\t') {
                add("a tab, expected blanks".to_owned());
            }
            for (word, why) in FORBIDDEN_IN_RUST {
                if line.contains(word) {
                    add(format!("`{word}`: {why}"));
                }
            }
        }
    }
    if !text.is_empty() && (!text.ends_with('\n') || text.ends_with("\n\n")) {
        problems.push(Problem::new(path, "does not end with exactly one newline"));
    }
    problems
}

/// The start of a machine's path in `line`; the same letters further on in
/// another path or address do not count.
fn machine_path(line: &str) -> Option<&'static str> {
    MACHINE_PATHS.iter().copied().find(|start| {
        line.match_indices(start).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|letter| letter.is_alphanumeric() || "-_.}".contains(letter))
                || start.starts_with('\\')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The complaints about a file.
    fn check(path: &str, text: &str) -> Vec<String> {
        let file = File {
            path: path.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        problems(&file).iter().map(ToString::to_string).collect()
    }

    /// Asserts that there is exactly one complaint, and that it has `words`.
    #[track_caller]
    fn check_one(path: &str, text: &str, words: &str) {
        let found = check(path, text);
        assert!(
            found.len() == 1 && found[0].contains(words),
            "expected one complaint with `{words}`, found {found:?}"
        );
    }

    #[test]
    fn a_clean_file_passes() {
        let text = "//! Words.\n\nfn f() {}\n";
        assert!(check("crates/rules/src/lib.rs", text).is_empty());
        assert!(check("docs/a.md", "").is_empty());
    }

    #[test]
    fn blanks_and_line_ends() {
        check_one("docs/a.md", "one \ntwo\n", "docs/a.md:1: trailing blanks");
        check_one("docs/a.md", "one\n\t\ntwo\n", "docs/a.md:2: trailing");
        check_one("docs/a.md", "one\r\n", "docs/a.md:1: ends with CR LF");
        check_one("docs/a.md", "one", "exactly one newline");
        check_one("docs/a.md", "one\n\n", "exactly one newline");
        check_one("crates/a/tests/a.rs", "fn f() {}\n\tf()\n", "a.rs:2: a tab");
        assert!(check("docs/a.md", "a\tb\n").is_empty());
    }

    #[test]
    fn sizes() {
        let large = format!("{}\n", "a".repeat(MAX_BYTES));
        check_one("docs/a.md", &large, "at most 1048576");
        assert!(check("crates/a/tests/data/a.jsonl", &large).is_empty());
        assert!(check("crates/a/networks/a.net", &large).is_empty());
        let larger = format!("{}\n", "a".repeat(MAX_DATA_BYTES));
        check_one("crates/a/tests/data/a.jsonl", &larger, "at most 8388608");

        let long = "//! Words.\n".repeat(MAX_LINES + 1);
        check_one("crates/a/src/a.rs", &long, "801 lines, at most 800");
        assert!(check("crates/a/tests/a.rs", &long).is_empty());
    }

    #[test]
    fn places() {
        check_one("notes.md", "Words.\n", "`notes.md` does not belong");
        check_one("src/a.md", "Words.\n", "`src` does not belong");
    }

    #[test]
    fn documentation() {
        check_one("crates/a/src/lib.rs", "/// Words.\nfn f() {}\n", "no crate");
        check_one("crates/a/src/a.rs", "// Words.\nfn f() {}\n", "no doc");
        assert!(check("crates/a/src/a.rs", "/// Words.\nfn f() {}\n").is_empty());
        assert!(check("crates/a/tests/a.rs", "fn f() {}\n").is_empty());
    }

    #[test]
    fn forbidden_words() {
        for (word, _) in FORBIDDEN_IN_RUST {
            let text = format!("fn f() {{}}\n{word}\n");
            check_one("crates/a/tests/a.rs", &text, &format!("a.rs:2: `{word}`"));
            assert!(check("docs/a.md", &text).is_empty());
        }
    }

    #[test]
    fn machine_paths() {
        for start in MACHINE_PATHS {
            let text = format!("See {start}someone.\n");
            check_one("docs/a.md", &text, "a path of one machine");
            check_one("docs/a.md", &format!("{start}a\n"), "docs/a.md:1: ");
        }
        let address = format!("https://example.org/a{}b\n", MACHINE_PATHS[0]);
        assert!(check("docs/a.md", &address).is_empty());
    }

    #[test]
    fn files_that_are_not_text_have_a_size_only() {
        let file = File {
            path: "crates/a/data/network.bin".to_owned(),
            bytes: vec![0xff, b' ', b'\n', 0],
        };
        assert_eq!(problems(&file), []);
    }
}
