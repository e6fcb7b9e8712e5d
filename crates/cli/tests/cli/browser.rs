//! The page in a real browser: `play.mjs` beside this file, which a server
//! started here is handed to.
//!
//! It takes node, Chromium, and `playwright-core` in `target/browser`, which
//! `.ci/run` installs. Where one is missing nothing is tried, and the test says
//! so where everybody sees it.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::Process;

/// Where Debian and others put the browser.
const BROWSERS: &[&str] = &["/usr/bin/chromium", "/usr/bin/chromium-browser"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The browser, or what is missing.
fn browser() -> Result<&'static str, String> {
    let node = Command::new("node").arg("--version").output();
    if !node.is_ok_and(|output| output.status.success()) {
        return Err("there is no node".to_owned());
    }
    let library = "target/browser/node_modules/playwright-core";
    if !root().join(library).is_dir() {
        return Err(format!("there is no {library}"));
    }
    let found = BROWSERS.iter().find(|path| Path::new(path).exists());
    found
        .copied()
        .ok_or_else(|| "there is no Chromium".to_owned())
}

/// Plays by keys and swipes at three sizes and in both languages, to the end and
/// onto the leaderboard, with the server killed and started in between.
#[test]
fn the_page_works_in_a_browser() {
    let browser = match browser() {
        Ok(browser) => browser,
        Err(missing) => {
            // Not by `eprintln`, which is shown of failed tests alone.
            let line = format!("skipped: the page in a browser, since {missing} (see .ci/run)\n");
            let _ = io::stderr().write_all(line.as_bytes());
            return;
        }
    };
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut server = Process::start_at("127.0.0.1:0", folder.path());
    let addr = server.addr.to_string();
    let mut script = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/play.mjs"))
        .arg(root().join("target/browser"))
        .args([browser, &format!("http://{addr}/")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let mut to_script = script.stdin.take().expect("it is piped");
    let from_script = BufReader::new(script.stdout.take().expect("it is piped"));
    for line in from_script.lines() {
        let line = line.expect("node writes text");
        println!("{line}");
        if line == "restart the server" {
            server.kill();
            server = Process::start_at(&addr, folder.path());
            to_script.write_all(b"done\n").expect("the script reads");
        }
    }
    assert!(script.wait().expect("the script ends").success());
}
