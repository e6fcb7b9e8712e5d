#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::support::{file, text};

/// Every command in the README, run by the shell, prints what is written below
/// it.
#[test]
fn the_readme_shows_real_output() {
    let readme = file("crates/cli/README.md");
    let mut n_commands = 0;
    for block in readme.split("```text\n").skip(1) {
        let (block, _) = block.split_once("```").expect("the block ends");
        let block = format!("\n{block}");
        for session in block.split("\n$ ").skip(1) {
            let (command, expected) = session.split_once('\n').expect("a command and its output");
            assert_eq!(
                shell(command).trim_end(),
                expected.trim_end(),
                "$ {command}"
            );
            n_commands += 1;
        }
    }
    assert!(n_commands > 5, "the README has examples");
}

/// What `command` prints when the program is on the path.
fn shell(command: &str) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_afterstate"))
        .parent()
        .expect("it is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .env("PATH", format!("{}:{path}", folder.display()))
        .output()
        .expect("there is a shell");
    assert_eq!(text(&output.stderr), "", "$ {command}");
    text(&output.stdout)
}
