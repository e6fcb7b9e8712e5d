//! `grade` and `player` as people run them, and the example players of
//! docs/contest.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_afterstate");

/// Runs the program with `input` on standard input.
fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(PROGRAM)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // The program may end without reading all of it.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("the program writes UTF-8")
}

/// The record of a grading, which must end well.
#[track_caller]
fn graded(args: &[&str]) -> Value {
    let output = run(&[&["grade", "--json"], args].concat(), b"");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    serde_json::from_slice(&output.stdout).expect("--json prints JSON")
}

fn cases(record: &Value) -> &Vec<Value> {
    record["cases"].as_array().expect("cases are a list")
}

/// Asserts that a call is refused with one line that has `words`.
#[track_caller]
fn refused(args: &[&str], input: &[u8], words: &str) {
    let output = run(args, input);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains(words), "{args:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
}

#[test]
fn bad_usage_is_one_line() {
    refused(&["grade", "--cases", "0"], b"", "--cases");
    refused(&["grade", "--cases", "x"], b"", "--cases");
    refused(&["grade", "--seed", "-1"], b"", "-1");
    refused(&["grade", "--time-limit", "0"], b"", "--time-limit");
    refused(&["grade", "--threads", "0"], b"", "--threads");
    refused(&["grade", "--player", ""], b"", "--player");
    refused(
        &["grade", "--player", "x", "--agent", "greedy"],
        b"",
        "--agent",
    );
    refused(&["grade", "--agent", "best"], b"", "`best`: no such agent");
    refused(&["player", "--agent", "best"], b"", "`best`: no such agent");
}

#[test]
fn the_table_has_a_row_for_each_case() {
    let args = ["grade", "--agent", "greedy", "--cases", "7", "--seed", "5"];
    let output = run(&args, b"");
    assert_eq!(output.status.code(), Some(0));
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(lines[0].starts_with("case"), "{lines:?}");
    for (idx, line) in lines[1..8].iter().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], (idx + 1).to_string());
        assert_eq!(words[4], "ok");
    }
    assert_eq!(lines[8], "");
    let summary: Vec<&str> = lines[9..]
        .iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(summary, ["player", "seed", "S", "final", "thinking"]);
}

#[test]
fn the_record_adds_up() {
    let record = graded(&["--agent", "heuristic:depth=1", "--seed", "5"]);
    let cases = cases(&record);
    assert_eq!(cases.len(), 20);
    let mut sum = 0.0;
    for case in cases {
        assert_eq!(case["verdict"], "ok");
        let award = match case["largest"].as_i64() {
            Some(4096..) => 120,
            Some(2048) => 100,
            Some(1024) => 60,
            Some(512) => 35,
            Some(256) => 10,
            _ => 0,
        };
        assert_eq!(case["award"], award);
        sum += f64::from(award);
    }
    let s = sum / 20.0;
    assert_eq!(record["s"], s);
    let (power, product) = match s {
        92.0.. => (100.0, 100.0),
        20.0.. => {
            let share = (s - 20.0) / 72.0;
            (4.0 * 25_f64.powf(share), 100.0 * share)
        }
        _ => (0.0, 0.0),
    };
    let is_near = |key: &str, value: f64| {
        let found = record[key].as_f64().expect("a score is a number");
        assert!((found - value).abs() < 1e-8, "{key}: {found}, not {value}");
    };
    is_near("final", power);
    is_near("final_as_printed", product);
}

/// Seeds 5 to 7 in one run: each as by itself, and totals that add up.
#[test]
fn many_gradings_give_a_distribution() {
    let agent = ["--agent", "heuristic:depth=1", "--cases", "4"];
    let many = graded(&[&agent[..], &["--seed", "5", "--gradings", "3"]].concat());
    let gradings = many["gradings"].as_array().expect("gradings are a list");
    assert_eq!(gradings.len(), 3);
    for (seed, grading) in (5..).zip(gradings) {
        let seed = format!("{seed}");
        let alone = graded(&[&agent[..], &["--seed", &seed]].concat());
        assert_eq!(grading["cases"], alone["cases"]);
        assert_eq!(grading["final"], alone["final"]);
        assert!(alone["thinking_us_per_slide"].as_f64() > Some(0.0));
    }
    let totals = &many["totals"];
    assert_eq!(
        (&totals["gradings"], &totals["cases"]),
        (&3.into(), &12.into())
    );
    let counts = totals["largest"].as_array().expect("counts are a list");
    let sum: u64 = counts
        .iter()
        .filter_map(|count| count["cases"].as_u64())
        .sum();
    assert_eq!(sum, 12);
    assert_eq!(counts[0]["reached"], 12);
    assert!(totals["thinking_us_per_slide"].as_f64() > Some(0.0));

    let args = [&["grade"], &agent[..], &["--gradings", "2"]].concat();
    let output = run(&args, b"");
    let shown = text(&output.stdout);
    assert!(
        shown.contains("\ngradings  2 of 4 cases, 0 faults\n"),
        "{shown}"
    );
    let last = "18446744073709551615";
    refused(
        &["grade", "--gradings", "2", "--seed", last],
        b"",
        "expected a seed of at most 18446744073709551614",
    );
    refused(&["grade", "--gradings", "0"], b"", "--gradings");
}

#[test]
fn the_player_speaks_the_protocol() {
    let game = "init 0 0 0 1\nslide\ngenerate 3 3 2\nslide\nend 4 4\n";
    let output = run(&["player", "--agent", "greedy"], game.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    assert!(text(&output.stdout).starts_with("2\n"));
    let with_cr = game.replace('\n', "\r\n");
    let again = run(&["player", "--agent", "greedy"], with_cr.as_bytes());
    assert_eq!(again.stdout, output.stdout);

    refused(
        &["player"],
        b"hello\n",
        "standard input: line 1: `hello`, expected init",
    );
    refused(
        &["player"],
        b"init 0 0 0 1\nslide\nslide\n",
        "standard input: line 3: `slide`: out of turn, expected generate",
    );
}

/// What only a Unix shell can be told.
#[cfg(unix)]
mod unix {
    use std::path::{Path, PathBuf};
    use std::time::{Duration, Instant};

    use super::*;

    fn shell(command: &str) -> Output {
        Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::null())
            .output()
            .expect("a Unix system has sh")
    }

    #[test]
    fn the_built_in_player_is_the_same_through_pipes() {
        for agent in ["greedy", "heuristic:depth=1"] {
            let player = format!("'{PROGRAM}' player --agent {agent}");
            let piped = graded(&["--player", &player, "--cases", "4", "--threads", "2"]);
            let built_in = graded(&["--agent", agent, "--cases", "4", "--threads", "1"]);
            assert_eq!(piped["cases"], built_in["cases"]);
        }
    }

    #[test]
    fn failing_cases_are_no_failure_of_the_grader() {
        let record = graded(&["--player", "echo oh no >&2; exit 3"]);
        assert_eq!(cases(&record).len(), 20);
        for case in cases(&record) {
            assert_eq!(case["verdict"], "exited");
            assert_eq!(case["at_slide"], 1);
            assert_eq!(case["detail"], "exit status: 3");
            assert_eq!(case["stderr"], "oh no\n");
            assert_eq!(case["award"], 0);
        }
        assert_eq!(record["final"], 0.0);

        let args = ["grade", "--player", "./no/such/player", "--cases", "3"];
        let output = run(&args, b"");
        assert_eq!(output.status.code(), Some(0));
        let shown = text(&output.stdout);
        assert!(
            shown.contains("standard error of cases 1, 2, 3:\n"),
            "{shown}"
        );
        let verdict = "exited at slide 1: exit status: 127";
        assert_eq!(shown.matches(verdict).count(), 3, "{shown}");
    }

    /// A run that is cut off used to get full credit elsewhere.
    #[test]
    fn users_c27_no_award_for_a_tile_before_a_time_out() {
        // Any game that is still played at slide 1500 has its 2048 by then.
        let player = format!(
            "'{PROGRAM}' player --agent default | while read -r slide; do \
             n=$((${{n:-0}} + 1)); [ $n -le 1500 ] || sleep 300; echo $slide; done"
        );
        let limit = ["--time-limit", "5000"];
        let record = graded(&[&["--player", &player, "--cases", "3"][..], &limit].concat());
        let late: Vec<&Value> = cases(&record)
            .iter()
            .filter(|case| case["verdict"] == "time")
            .collect();
        assert!(!late.is_empty(), "{record}");
        for case in late {
            assert_eq!(case["at_slide"], 1501);
            assert!(case["largest"].as_i64() >= Some(2048), "{case}");
            assert_eq!(case["award"], 0);
        }
    }

    #[test]
    fn many_threads_make_nobody_late() {
        let player = format!("'{PROGRAM}' player --agent greedy");
        let args = ["--player", &player, "--cases", "64", "--threads", "32"];
        let record = graded(&[&args[..], &["--time-limit", "2000"]].concat());
        for case in cases(&record) {
            assert_eq!(case["verdict"], "ok");
        }
    }

    #[test]
    fn an_interrupt_ends_players_and_grader() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let groups = folder.path().join("groups");
        // A shell that is started in a process group of its own has its number.
        let player = format!("echo $$ >> '{}'; sleep 300 & sleep 300", groups.display());
        let grader = Command::new(PROGRAM)
            .args(["grade", "--player", &player])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let started = || std::fs::read_to_string(&groups).unwrap_or_default();
        wait_until("a player starts", || started().ends_with('\n'));
        shell(&format!("kill -INT {}", grader.id()));
        let output = grader.wait_with_output().expect("the grader ends");
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(text(&output.stderr), "interrupted after 0 of 20 cases\n");
        for group in started().lines() {
            let is_gone = || !shell(&format!("kill -0 -{group}")).status.success();
            wait_until("the players are gone", is_gone);
        }
    }

    fn wait_until(what: &str, is_so: impl Fn() -> bool) {
        let started = Instant::now();
        while !is_so() {
            assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn example_folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/contest")
    }

    /// Runs the command of the README that starts with `start`, as `--json`, in
    /// a copy of docs/contest; `None` where `tool` is missing.
    fn documented(tool: &str, start: &str) -> Option<Value> {
        if !shell(&format!("{tool} --version")).status.success() {
            eprintln!("SKIPPED: there is no {tool} for the example of docs/contest");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        for entry in example_folder().read_dir().expect("the examples are there") {
            let entry = entry.expect("the examples can be listed");
            std::fs::copy(entry.path(), folder.path().join(entry.file_name()))
                .expect("an example can be copied");
        }
        let readme = std::fs::read_to_string(example_folder().join("README.md"))
            .expect("the examples are explained");
        let command = readme
            .lines()
            .find(|line| line.starts_with(start))
            .expect("the command is documented");
        let programs = Path::new(PROGRAM)
            .parent()
            .expect("the program is in a folder");
        let output = Command::new("sh")
            .args(["-c", &format!("PATH=\"$1:$PATH\"; {command} --json"), "sh"])
            .arg(programs)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .expect("a Unix system has sh");
        assert_eq!(text(&output.stderr), "");
        assert!(output.status.success());
        Some(serde_json::from_slice(&output.stdout).expect("--json prints JSON"))
    }

    #[track_caller]
    fn check_example(record: &Value, n_cases: usize) {
        assert_eq!(cases(record).len(), n_cases);
        for case in cases(record) {
            assert_eq!(case["verdict"], "ok", "{case}");
            assert!(case["slides"].as_i64() > Some(50), "{case}");
        }
    }

    /// A terminal that changes its size, also to nothing, while the bar of
    /// progress is shown on it.
    #[test]
    fn users_c34_a_grading_outlives_resizes() {
        let script = "\
import fcntl, os, pty, select, struct, sys, termios, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
sizes = [(24, 80), (1, 1), (0, 0), (5, 9), (500, 1000)]
n_resizes = 0
shown = b''
while True:
    size = sizes[n_resizes % len(sizes)]
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', *size, 0, 0))
    n_resizes += 1
    if not select.select([terminal], [], [], 0.01)[0]:
        continue
    try:
        new = os.read(terminal, 65536)
    except OSError:
        break
    if not new:
        break
    shown += new
_, status = os.waitpid(pid, 0)
print(n_resizes > 3, b'cases' in shown, b'final' in shown, os.waitstatus_to_exitcode(status))
";
        let works = "import os; os.waitstatus_to_exitcode(0)";
        if !shell(&format!("python3 -c '{works}'")).status.success() {
            eprintln!("SKIPPED: there is no python3 of version 3.9 to make a terminal");
            return;
        }
        let output = Command::new("python3")
            .args(["-c", script, PROGRAM, "grade"])
            .args(["--agent", "heuristic:depth=1", "--cases", "200"])
            .stdin(Stdio::null())
            .output()
            .expect("there is a python3");
        assert_eq!(text(&output.stderr), "");
        assert_eq!(text(&output.stdout), "True True True 0\n");
    }

    #[test]
    fn the_example_in_cpp_is_graded_by_the_documented_command() {
        if let Some(record) = documented("g++", "g++ ") {
            check_example(&record, 20);
        }
    }

    #[test]
    fn the_example_in_python_is_graded_by_the_documented_command() {
        if let Some(record) = documented("python3", "afterstate grade --player 'python3") {
            check_example(&record, 5);
        }
    }
}
