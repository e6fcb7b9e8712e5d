//! The `tournament` command as a process: arguments, output, exit status,
//! interrupts and kills.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The command in a folder of its own, so that the default place of results is
/// of the test.
fn tournament(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.current_dir(folder).arg("tournament");
    command.args(args.split_whitespace());
    command
}

fn output(folder: &Path, args: &str) -> Output {
    tournament(folder, args)
        .output()
        .expect("the program is there")
}

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("output is UTF-8")
}

fn games(folder: &Path) -> String {
    fs::read_to_string(folder.join("games.jsonl")).expect("the results are there")
}

/// The standard output of a command that ends well and says nothing else.
#[track_caller]
fn stdout_of(folder: &Path, args: &str) -> String {
    let output = output(folder, args);
    assert_eq!(text(&output.stderr), "", "{args}");
    assert_eq!(output.status.code(), Some(0), "{args}");
    text(&output.stdout).to_owned()
}

/// The one line with which a command refuses bad input.
#[track_caller]
fn complaint_of(folder: &Path, args: &str) -> String {
    let output = output(folder, args);
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {complaint}");
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(
        complaint.starts_with("error: ") && complaint.ends_with('\n'),
        "{complaint}"
    );
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint.trim_end().to_owned()
}

#[test]
fn a_table_and_a_folder() {
    let temp = temp();
    let args = "--variant mini --variant akioi --agent greedy --agent random \
        --games 5 --seed 9 --threads 2 --out some/where";
    let table = stdout_of(temp.path(), args);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("akioi   games  mean"), "{table}");
    assert!(lines[1].starts_with("greedy      5  "), "{table}");
    assert!(lines[4].starts_with("mini    games  mean"), "{table}");
    assert_eq!(
        *lines.last().expect("lines"),
        "20 games, seed 9, in some/where"
    );
    let folder = temp.path().join("some/where");
    assert_eq!(games(&folder).lines().count(), 20);
    let complaint = complaint_of(temp.path(), args);
    assert_eq!(
        complaint,
        "error: some/where: holds a run already, expected a new folder or --resume"
    );
    assert_eq!(stdout_of(temp.path(), "--resume some/where"), table);
}

/// Row 67 of the users' reports, how to run it: the command alone, without a
/// folder or a seed to think of. One variant and one game here, since the full
/// run takes its two minutes.
#[test]
fn row_67_the_command_alone_finds_its_place() {
    let temp = temp();
    for run in ["out/run-0001", "out/run-0002"] {
        let table = stdout_of(temp.path(), "--variant mini --games 1");
        assert!(
            table.ends_with(&format!("3 games, seed 1, in {run}\n")),
            "{table}"
        );
        let agents: Vec<String> = games(&temp.path().join(run))
            .lines()
            .map(|line| {
                let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
                game["agent"].as_str().expect("a name").to_owned()
            })
            .collect();
        assert_eq!(agents, ["greedy", "heuristic:depth=3", "random"]);
    }
}

/// Row 20: the default seed is printed and stored.
#[test]
fn users_b20_the_seed_is_told_and_stored() {
    let temp = temp();
    let args = "--variant mini --agent random --games 2";
    let table = stdout_of(temp.path(), &format!("{args} --out a"));
    assert!(table.contains("seed 1, in a"), "{table}");
    let run = fs::read_to_string(temp.path().join("a/run.json")).expect("it is written");
    assert!(run.contains("\"seed\": 1,"), "{run}");
    stdout_of(temp.path(), &format!("{args} --out b --seed 1"));
    assert_eq!(games(&temp.path().join("a")), games(&temp.path().join("b")));
}

#[test]
fn json_is_the_summary() {
    let temp = temp();
    let args = "--variant contest --agent greedy --games 3 --out a --json";
    let json = stdout_of(temp.path(), args);
    let stored = fs::read_to_string(temp.path().join("a/summary.json")).expect("written");
    assert_eq!(json, stored);
    let summary: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(summary["entries"][0]["games"], 3);
    assert_eq!(stdout_of(temp.path(), "--resume a --json"), json);
}

/// Row 25: many more threads than cores.
#[test]
fn users_b25_threads_beyond_the_cores_change_nothing() {
    let temp = temp();
    let args = "--variant mini --agent heuristic:depth=1 --games 40";
    for threads in [1, 32, 1024] {
        stdout_of(
            temp.path(),
            &format!("{args} --threads {threads} --out {threads}"),
        );
    }
    let expected = games(&temp.path().join("1"));
    assert_eq!(expected.lines().count(), 40);
    assert_eq!(games(&temp.path().join("32")), expected);
    assert_eq!(games(&temp.path().join("1024")), expected);
}

#[test]
fn bad_arguments_are_one_line_with_what_would_be_accepted() {
    let temp = temp();
    fs::write(temp.path().join("file"), "").expect("a temporary file");
    let number = "expected a whole number from ";
    for (args, expected) in [
        (
            "--games x",
            "'--games <N>': expected a whole number from 1 to 1000000000",
        ),
        ("--games 0", number),
        ("--games -1", "'-1'"),
        ("--games", "'--games <N>'"),
        (
            "--seed 18446744073709551616",
            "from 0 to 18446744073709551615",
        ),
        (
            "--threads 0",
            "'--threads <T>': expected a whole number from 1 to 1024",
        ),
        ("--threads 1025", number),
        (
            "--variant 4x4",
            "'--variant <V>': expected classic, contest, akioi or mini",
        ),
        (
            "--agent best",
            "agent `best`: no such agent, expected random, greedy",
        ),
        ("--agent heuristic:depth=99", "`99`, expected 1 to 12"),
        (
            "--variant mini --variant mini",
            "agent greedy is named twice for mini",
        ),
        (
            "--shard 3/2",
            "'--shard <I/N>': expected I/N with I from 1 to N",
        ),
        ("--gamse 3", "a similar argument exists: '--games'"),
        (
            "mini",
            "unexpected argument 'mini' found; usage: cargo xtask tournament",
        ),
        ("--resume a --games 3", "cannot be used with '--games <N>'"),
        (
            "--resume a --shard 1/2",
            "cannot be used with '--shard <I/N>'",
        ),
        (
            "--resume nowhere",
            "nowhere: holds no run, expected the folder of one",
        ),
        ("--resume file", "file: is a file, expected a folder"),
        ("--out file", "file: is a file, expected a folder"),
        (
            "--out file/below",
            "file/below: cannot be read or written: ",
        ),
        (
            "--games 1 --games 2",
            "'--games <N>' cannot be used multiple times",
        ),
    ] {
        let complaint = complaint_of(temp.path(), args);
        assert!(
            complaint.contains(expected),
            "{complaint:?} lacks {expected:?}"
        );
    }
    let left: Vec<_> = fs::read_dir(temp.path()).expect("it is there").collect();
    assert_eq!(left.len(), 1, "no folder is begun: {left:?}");
}

#[test]
fn no_command_and_no_such_command_are_one_line() {
    for (args, expected) in [
        (
            &[][..],
            "no command is given, expected one of those that `cargo xtask --help` lists",
        ),
        (&["tournamnet"], "a similar subcommand exists: 'tournament'"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = command.args(args).output().expect("the program is there");
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(
            complaint.starts_with("error: ") && complaint.contains(expected),
            "{complaint}"
        );
    }
}

/// The help that is asked for goes to standard output, whole.
#[test]
fn help_is_help() {
    let help = stdout_of(Path::new("."), "--help");
    for part in [
        "Usage: cargo xtask tournament [OPTIONS]",
        "--variant <V>",
        "--agent <A>",
        "--games <N>",
        "[default: 40]",
        "--seed <S>",
        "--threads <T>",
        "--out <DIR>",
        "--resume <DIR>",
        "--shard <I/N>",
        "--json",
        "cargo xtask tournament --resume out/mini",
    ] {
        assert!(help.contains(part), "{help} lacks {part}");
    }
}

/// What only a system with signals can do.
#[cfg(unix)]
mod signals {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// Long enough for an interrupt, and soon over.
    const RUN: &str = "--variant mini --variant classic --agent heuristic:depth=1 \
        --agent greedy --games 150 --seed 4 --threads 2";

    fn begin(folder: &Path, args: &str) -> Child {
        tournament(folder, args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is there")
    }

    fn journal(folder: &Path) -> String {
        fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default()
    }

    /// Waits until the journal has more lines than that; false when the process
    /// ends before.
    fn wait_for_games(child: &mut Child, folder: &Path, more_than: usize) -> bool {
        let patience = Instant::now();
        loop {
            if journal(folder).lines().count() > more_than {
                return true;
            }
            if child.try_wait().expect("our child").is_some() {
                return false;
            }
            assert!(patience.elapsed() < Duration::from_secs(60), "it hangs");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn send(signal: &str, child: &Child) {
        let status = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("every unix has kill");
        assert!(status.success());
    }

    fn undisturbed(folder: &Path) -> String {
        stdout_of(folder, &format!("{RUN} --out undisturbed"));
        games(&folder.join("undisturbed"))
    }

    #[test]
    fn an_interrupt_keeps_the_games_and_says_how_to_go_on() {
        let temp = temp();
        let expected = undisturbed(temp.path());
        for (signal, name) in [("-INT", "a"), ("-TERM", "with blank")] {
            let folder = temp.path().join(name);
            let mut command = tournament(temp.path(), RUN);
            command.args(["--out", name]);
            let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("the program is there");
            assert!(wait_for_games(&mut child, &folder, 2), "it is too short");
            send(signal, &child);
            let output = child.wait_with_output().expect("our child");
            assert_eq!(output.status.code(), Some(130), "{output:?}");
            assert_eq!(text(&output.stdout), "");
            let said = text(&output.stderr);
            assert_eq!(said.lines().count(), 1, "{said}");
            let so_far = games(&folder);
            let n_games = so_far.lines().count();
            assert!((3..600).contains(&n_games));
            assert!(so_far.lines().all(|line| expected.contains(line)));
            let told = format!("interrupted: {n_games} of 600 games are in {name}; to go on: ");
            assert!(said.starts_with(&told), "{said}");
            // The command works as it is printed, typed into a shell.
            let (_, resume) = said.trim_end().split_once("to go on: ").expect("a command");
            let arguments = resume.strip_prefix("cargo xtask ").expect("our command");
            let status = Command::new("sh")
                .current_dir(temp.path())
                .args([
                    "-c",
                    &format!("\"$0\" {arguments}"),
                    env!("CARGO_BIN_EXE_xtask"),
                ])
                .stdout(Stdio::null())
                .status()
                .expect("every unix has a shell");
            assert!(status.success());
            assert_eq!(games(&folder), expected);
        }
    }

    #[test]
    fn two_processes_do_not_play_one_run() {
        let temp = temp();
        let folder = temp.path().join("a");
        let args = "--variant mini --agent random --games 1000000000 --out a";
        let mut child = begin(temp.path(), args);
        assert!(wait_for_games(&mut child, &folder, 0));
        let busy = complaint_of(temp.path(), "--resume a");
        assert_eq!(
            busy,
            "error: a: another process is playing this run, expected to be alone"
        );
        assert!(complaint_of(temp.path(), "--out a").contains("holds a run already"));
        child.kill().expect("our child");
        let status = child.wait().expect("our child");
        assert_eq!(status.signal(), Some(9));
    }

    /// Row 16: kill at ten moments, resume, and the file is that of a run that
    /// nobody disturbed. Row 26 with it: no half line, and no game is lost that
    /// was on disk.
    #[test]
    fn users_b16_killed_ten_times_the_games_are_the_same() {
        let temp = temp();
        let expected = undisturbed(temp.path());
        let folder = temp.path().join("a");
        let mut n_kills = 0;
        let mut moment = 12_345_u64;
        for attempt in 0..10 {
            let before = journal(&folder);
            let args = match attempt {
                0 => format!("{RUN} --out a"),
                _ => "--resume a --threads 2".to_owned(),
            };
            let mut child = begin(temp.path(), &args);
            if wait_for_games(&mut child, &folder, before.lines().count()) {
                moment = moment
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                std::thread::sleep(Duration::from_micros(moment >> 52));
            }
            child.kill().expect("our child");
            let status = child.wait().expect("our child");
            n_kills += u32::from(status.signal() == Some(9));
            let after = journal(&folder);
            assert!(
                after.starts_with(&before) || status.success(),
                "games are lost"
            );
            assert!(after.is_empty() || after.ends_with('\n'), "half a line");
        }
        assert!(n_kills >= 5, "only {n_kills} of 10 met a run");
        stdout_of(temp.path(), "--resume a");
        assert_eq!(games(&folder), expected);
        assert!(!folder.join("journal.jsonl").exists());
    }

    /// A disk that is full in the midst of a run, imitated by a limit to the
    /// size of files: one line, and the run goes on where there is room.
    #[test]
    fn a_full_disk_is_one_line_and_costs_no_game() {
        let temp = temp();
        let expected = undisturbed(temp.path());
        let limited = "trap '' XFSZ; ulimit -f 16; exec \"$@\"";
        let output = Command::new("sh")
            .current_dir(temp.path())
            .args([
                "-c",
                limited,
                "sh",
                env!("CARGO_BIN_EXE_xtask"),
                "tournament",
            ])
            .args(RUN.split_whitespace())
            .args(["--out", "a"])
            .output()
            .expect("every unix has a shell");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = text(&output.stderr);
        assert_eq!(said.lines().count(), 1, "{said}");
        let told = "error: stopped; to go on: cargo xtask tournament --resume a: \
            a/journal.jsonl: cannot be read or written: ";
        assert!(said.starts_with(told), "{said}");
        let folder = temp.path().join("a");
        let n_kept = journal(&folder).matches('\n').count();
        assert!(n_kept > 10, "{n_kept}");
        let table = stdout_of(temp.path(), "--resume a");
        assert!(table.contains("600 games"), "{table}");
        assert_eq!(games(&folder), expected);
    }

    /// The most memory that a run of so many games takes, in kibibytes.
    #[cfg(target_os = "linux")]
    fn peak_of(folder: &Path, games: u32) -> u64 {
        let args =
            format!("--variant mini --agent random --games {games} --threads 2 --out {games}");
        let mut child = begin(folder, &args);
        let mut peak = 0;
        while child.try_wait().expect("our child").is_none() {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
            let line = |status: &str| {
                let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
                line.split_whitespace().nth(1)?.parse::<u64>().ok()
            };
            peak = peak.max(status.ok().and_then(|text| line(&text)).unwrap_or(0));
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().expect("our child");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(
            super::games(&folder.join(games.to_string()))
                .lines()
                .count(),
            games as usize
        );
        peak
    }

    /// Ten times the games in the same memory: none of them is kept. A game that
    /// were kept would take 64 bytes, all together 11 MiB.
    #[cfg(target_os = "linux")]
    #[test]
    fn memory_does_not_grow_with_the_games() {
        let temp = temp();
        let (few, many) = (peak_of(temp.path(), 20_000), peak_of(temp.path(), 200_000));
        assert!(few > 1000, "{few}");
        assert!(many < few + 5 * 1024, "{few} KiB, then {many} KiB");
    }

    /// A reader that has seen enough is no fault.
    #[test]
    fn output_that_nobody_reads_is_no_fault() {
        let temp = temp();
        let run = "\"$0\" tournament --variant mini --agent random --games 1 --out a; echo $? >&2";
        let output = Command::new("sh")
            .current_dir(temp.path())
            .args([
                "-c",
                &format!("{{ {run}; }} | true"),
                env!("CARGO_BIN_EXE_xtask"),
            ])
            .output()
            .expect("every unix has a shell");
        assert_eq!(text(&output.stderr), "0\n");
    }
}
