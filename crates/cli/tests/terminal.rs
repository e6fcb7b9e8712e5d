//! `afterstate play` in a real terminal: tmux types, and what is on the screen
//! is looked at. Where there is no tmux these tests say so and do nothing.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long something may take to be seen, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

static N_SERVERS: AtomicU32 = AtomicU32::new(0);

/// A server of tmux of its own, with one window, in which a shell runs.
struct Tmux {
    socket: String,
}

impl Tmux {
    /// A terminal of this size; `None`, and a word why, where there is no tmux.
    fn start(columns: u16, rows: u16) -> Option<Tmux> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: no tmux, which drives the terminal");
            return None;
        }
        let number = N_SERVERS.fetch_add(1, Ordering::Relaxed);
        let socket = format!("afterstate-test-{}-{number}", std::process::id());
        let tmux = Tmux { socket };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let shell = "env -u NO_COLOR LC_ALL=C.UTF-8 PS1='ready$ ' sh";
        let size = ["-x", &columns, "-y", &rows];
        tmux.run(
            &[
                &["-f", "/dev/null", "new-session", "-d"],
                &size[..],
                &[shell],
            ]
            .concat(),
        );
        tmux.wait_for("ready$");
        Some(tmux)
    }

    fn try_run(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        let output = command.args(["-L", &self.socket]).args(args).output();
        output.expect("tmux starts")
    }

    fn run(&self, args: &[&str]) -> String {
        let output = self.try_run(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {args:?}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    /// Types a line for the shell.
    fn command(&self, line: &str) {
        self.run(&["send-keys", "-l", line]);
        self.run(&["send-keys", "Enter"]);
    }

    fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    /// The first screen on which `is_there` is true.
    #[track_caller]
    fn wait_until(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < PATIENCE, "no {what} on\n{screen}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    #[track_caller]
    fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contains(text))
    }

    /// The program's own process.
    fn pid_of_program(&self) -> String {
        let shell = self.run(&["display-message", "-p", "#{pane_pid}"]);
        let output = Command::new("ps")
            .args(["-o", "pid=,comm=", "--ppid", shell.trim()])
            .output()
            .expect("there is ps");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.contains("afterstate"));
        let line = line.unwrap_or_else(|| panic!("no afterstate in\n{text}"));
        line.split_whitespace().next().expect("a number").to_owned()
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill")
            .args([signal, &self.pid_of_program()])
            .status();
        assert!(status.is_ok_and(|status| status.success()));
    }

    /// That the shell has a sane terminal again: it echoes, and edits lines.
    #[track_caller]
    fn assert_sane(&self) {
        self.command(
            "clear; stty -a | tr ' ' '\\n' | grep -c -x -e echo -e icanon | sed s/^/sane=/",
        );
        self.wait_for("sane=2");
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        // A server that has ended by itself cannot be ended.
        self.try_run(&["kill-server"]);
    }
}

/// The command that plays from `folder`.
fn play(folder: &Path, args: &str) -> String {
    format!(
        "{} play --agent greedy --data '{}' {args}; echo status=$?",
        env!("CARGO_BIN_EXE_afterstate"),
        folder.display()
    )
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// The number after `Score` on the screen.
fn score(screen: &str) -> i64 {
    let (_, after) = screen.split_once("Score ").expect("a score is shown");
    let number: String = after.chars().take_while(char::is_ascii_digit).collect();
    number.parse().expect("the score is a number")
}

#[test]
fn all_variants_play_and_quit_at_three_sizes() {
    for (columns, rows) in [(80, 24), (40, 15), (120, 40)] {
        let Some(tmux) = Tmux::start(columns, rows) else {
            return;
        };
        for variant in ["classic", "contest", "akioi", "mini"] {
            let folder = folder();
            tmux.command(&play(
                folder.path(),
                &format!("--variant {variant} --seed 7"),
            ));
            tmux.wait_for("Score 0");
            tmux.keys(&["Up", "Left", "w", "a", "s", "d", "h", "j", "k", "l", "t"]);
            let advised = |screen: &str| screen.contains(": U ") || screen.contains("Hint: ");
            tmux.wait_until("hint", |screen| {
                advised(screen) && !screen.contains("thinking")
            });
            tmux.keys(&["q"]);
            let screen = tmux.wait_for("status=0");
            assert!(screen.contains("seed 7"), "{screen}");
            tmux.assert_sane();
        }
    }
}

#[test]
fn users_f52_a_killed_game_goes_on_and_the_terminal_is_given_back() {
    let Some(tmux) = Tmux::start(80, 24) else {
        return;
    };
    let folder = folder();
    let begin = play(folder.path(), "--variant classic");
    tmux.command(&begin);
    tmux.wait_for("Score 0");
    let mut last = 0;
    for signal in ["-TERM", "-INT", "-HUP", "-KILL"] {
        // Few keys: a game of which nobody thinks has some hundred slides.
        for _ in 0..3 {
            tmux.keys(&["w", "a", "s", "d"]);
        }
        let screen = tmux.wait_until("higher score", |screen| score(screen) > last);
        // Nothing more is typed, so the score stays, and a moment later is kept.
        thread::sleep(Duration::from_millis(500));
        last = score(&tmux.screen()).max(score(&screen));
        tmux.signal(signal);
        if signal == "-KILL" {
            // Nobody gives the terminal back then; the game is there all the same.
            tmux.wait_for("status=137");
            // Enter is no end of a line there.
            tmux.run(&["send-keys", "-l", "stty sane; tput rmcup; clear"]);
            tmux.keys(&["C-j"]);
            tmux.wait_until("prompt", |screen| screen.trim_end() == "ready$");
        } else {
            tmux.wait_for("status=130");
            tmux.assert_sane();
        }
        tmux.command(&begin);
        let screen = tmux.wait_for("The saved game goes on.");
        assert_eq!(score(&screen), last, "{signal}");
    }
    tmux.keys(&["C-c"]);
    tmux.wait_for("status=0");
    tmux.assert_sane();
}

/// Ctrl-Z gives the shell its terminal, `fg` the game. So does whatever sets the
/// terminal back behind the program, as shells do when a signal stops it.
#[test]
fn the_terminal_is_lent_and_taken_again() {
    let Some(tmux) = Tmux::start(80, 24) else {
        return;
    };
    let folder = folder();
    tmux.command(&play(folder.path(), "--variant classic"));
    tmux.wait_for("Score 0");
    // Drawn anew, by the key for it.
    tmux.keys(&["C-l", "C-l"]);
    tmux.keys(&["C-z"]);
    tmux.wait_until("prompt", |screen| screen.trim_end().ends_with("ready$"));
    tmux.assert_sane();
    tmux.command("fg; echo status=$?");
    tmux.wait_for("Score 0");
    let tty = tmux.run(&["display-message", "-p", "#{pane_tty}"]);
    let set_back = Command::new("stty")
        .args(["-F", tty.trim(), "sane"])
        .status();
    assert!(set_back.is_ok_and(|status| status.success()));
    // It is seen within a second; keys of before are lines for nobody.
    tmux.wait_until("higher score", |screen| {
        tmux.keys(&["w", "a", "s", "d"]);
        screen.contains("Score ") && score(screen) > 0
    });
    tmux.keys(&["C-c"]);
    tmux.wait_for("status=0");
    tmux.assert_sane();
}

#[test]
fn users_f59_keys_of_all_sorts_leave_no_marks() {
    let Some(tmux) = Tmux::start(80, 24) else {
        return;
    };
    let folder = folder();
    tmux.command(&play(folder.path(), "--variant mini --seed 3"));
    tmux.wait_for("Score 0");
    // ESC [ A and ESC O A, a lone ESC, and what no key is for.
    tmux.keys(&["-H", "1b", "5b", "41", "1b", "4f", "41", "1b"]);
    tmux.keys(&["F5", "M-x", "é", "Home", "C-x"]);
    // Ten thousand keys at once.
    let many = "wasdhjkl".repeat(1250);
    tmux.run(&["set-buffer", &many]);
    tmux.run(&["paste-buffer"]);
    let screen = tmux.wait_for("Game over");
    assert!(
        !screen.contains("[A") && !screen.contains("wasd hjkl wasd"),
        "{screen}"
    );
    tmux.keys(&["C-c"]);
    tmux.wait_for("status=0");
    tmux.assert_sane();
}

#[test]
fn the_terminal_may_change_its_size() {
    let Some(tmux) = Tmux::start(120, 40) else {
        return;
    };
    let folder = folder();
    tmux.command(&play(folder.path(), "--variant akioi --seed 5"));
    tmux.wait_for("Denial of Judging");
    for (columns, rows, shown) in [
        ("40", "15", "Score "),
        ("27", "6", "Score "),
        ("20", "4", "Too small:"),
        ("80", "24", "Score "),
    ] {
        tmux.run(&["resize-window", "-x", columns, "-y", rows]);
        let screen = tmux.wait_for(shown);
        assert!(!screen.contains("Denial of Judging"), "{screen}");
        // What cannot be seen is not played.
        tmux.keys(&["w", "a"]);
    }
    tmux.keys(&["q"]);
    tmux.wait_for("status=0");
}

#[test]
fn dumb_terminals_get_text_and_others_no_colors_when_unwanted() {
    let Some(tmux) = Tmux::start(80, 40) else {
        return;
    };
    let folder = folder();
    tmux.command(&format!(
        "TERM=dumb {}",
        play(folder.path(), "--variant mini --seed 3")
    ));
    tmux.wait_for("Score 0");
    tmux.command("wasd");
    tmux.command("t");
    tmux.wait_for("values are gains");
    tmux.command("q");
    let screen = tmux.wait_for("status=0");
    assert!(
        !screen.contains('\u{1b}') && !screen.contains("[?1049h"),
        "{screen}"
    );

    for (environment, option) in [("NO_COLOR=1", ""), ("", "--no-color")] {
        let args = format!("--variant mini --seed 3 {option}");
        tmux.command(&format!(
            "clear; {environment} {}",
            play(folder.path(), &args)
        ));
        tmux.wait_for("The saved game goes on.");
        let colored = tmux.run(&["capture-pane", "-p", "-e"]);
        for code in ["\u{1b}[38", "\u{1b}[48", "\u{1b}[3", "\u{1b}[4"] {
            // Underlining is 4 and alone.
            let found = colored.matches(code).count();
            let lines = colored.matches("\u{1b}[4m").count();
            let none = if code == "\u{1b}[4" { lines } else { 0 };
            let default =
                colored.matches("\u{1b}[39").count() + colored.matches("\u{1b}[49").count();
            assert!(found <= none + default, "{code:?} in {colored:?}");
        }
        tmux.keys(&["q"]);
        tmux.wait_for("status=0");
    }
    tmux.command(&format!(
        "clear; {}",
        play(folder.path(), "--variant mini --seed 3")
    ));
    tmux.wait_for("The saved game goes on.");
    assert!(
        tmux.run(&["capture-pane", "-p", "-e"])
            .contains("\u{1b}[48;5;")
    );
    tmux.keys(&["q"]);
    tmux.wait_for("status=0");
}

#[test]
fn one_game_is_played_once_and_a_damaged_one_kept_aside() {
    let Some(tmux) = Tmux::start(100, 24) else {
        return;
    };
    let folder = folder();
    std::fs::write(folder.path().join("mini-game.json"), "{").expect("it can be written");
    let begin = play(folder.path(), "--variant mini");
    tmux.command(&begin);
    tmux.wait_for("was damaged");
    // A second one on another terminal.
    let other = Tmux::start(100, 24).expect("tmux is there");
    other.command(&begin);
    let screen = other.wait_for("status=2");
    assert!(screen.contains("another process"), "{screen}");
    other.assert_sane();
    tmux.keys(&["q"]);
    tmux.wait_for("status=0");
    let aside = folder.path().join("mini-game.damaged-1.json");
    assert_eq!(std::fs::read_to_string(aside).ok().as_deref(), Some("{"));
}

#[test]
fn what_is_no_terminal_gets_one_line() {
    let output = Command::new(env!("CARGO_BIN_EXE_afterstate"))
        .args(["play", "--variant", "mini"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.starts_with("error: standard input is no terminal"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1);
}
