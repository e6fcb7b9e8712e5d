use std::io::Read;

use crate::support::{printed, program, run, text};

#[test]
fn help_and_version() {
    let version = printed(&["--version"], "");
    assert_eq!(
        version,
        format!("afterstate {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = printed(&["--help"], "");
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    for expected in ["slide", "ten-moves", "hint", "agents"] {
        assert!(commands.contains(&expected), "{help}");
    }
    for command in commands {
        let help = printed(&[command, "--help"], "");
        assert!(help.contains(&format!("afterstate {command}")), "{help}");
        assert!(help.contains("Example"), "{help}");
    }
}

#[test]
fn bad_usage_is_one_line_that_says_what_would_do() {
    for (args, words) in [
        (vec![], "[subcommands: slide, ten-moves"),
        (
            vec!["slid"],
            "unrecognized subcommand 'slid'; tip: a similar subcommand exists: 'slide'",
        ),
        (vec!["sl\nide"], "unrecognized subcommand"),
        (
            vec!["slide"],
            "required arguments were not provided: --variant <V>",
        ),
        (
            vec!["slide", "--variant"],
            "a value is required for '--variant <V>'",
        ),
        (
            vec!["slide", "--variant", "Classic"],
            "invalid value 'Classic' for '--variant <V>': expected classic, contest, akioi or mini",
        ),
        (
            vec!["hint", "--variant", "2048"],
            "expected classic, contest, akioi or mini",
        ),
        (
            vec!["hint", "--variant", "mini", "--spawns", "x"],
            "`x` is no tile with a weight, expected standard, contest",
        ),
        (
            vec!["hint", "--variant", "mini", "--variant", "mini"],
            "cannot be used multiple times",
        ),
        (
            vec!["ten-moves", "--slides", "ten"],
            "expected a whole number from 0 to 4294967295",
        ),
        (
            vec!["ten-moves", "--slides=-1"],
            "expected a whole number from 0 to 4294967295",
        ),
        (
            vec!["ten-moves", "--slides", "4294967296"],
            "expected a whole number from 0 to 4294967295",
        ),
        (vec!["ten-moves", "--all", "--trace"], "cannot be used with"),
        (vec!["agents", "classic"], "unexpected argument 'classic'"),
    ] {
        let output = run(&args, "");
        let error = text(&output.stderr);
        assert!(
            error.starts_with("error: ") && error.contains(words),
            "{args:?}: {error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(output.stdout, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

/// Closed before anything is written, for every command and the help.
#[test]
fn output_that_nobody_reads_is_no_error() {
    for (args, input) in [
        (vec!["--help"], ""),
        (vec!["--version"], ""),
        (vec!["agents"], ""),
        (vec!["ten-moves"], "2 2 0 0 0 0 0 0 0"),
        (vec!["ten-moves", "--all", "--slides", "1"], ""),
        (vec!["hint", "--variant", "mini"], "2 2 0 0 0 0 0 0 0"),
        (
            vec!["slide", "--variant", "mini"],
            "{\"board\": [[2,2,0],[0,0,0],[0,0,0]], \"slide\": \"up\"}",
        ),
    ] {
        let mut child = program(&args).spawn().expect("the program starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("it is piped");
        // Help is printed without a look at the input.
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
        drop(stdin);
        let mut error = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut error).expect("text");
        assert_eq!(error, "", "{args:?}");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for args in [
        vec!["--help"],
        vec!["agents"],
        vec!["ten-moves", "--all", "--slides", "1"],
    ] {
        let full = std::fs::File::create("/dev/full").expect("the device is there");
        let output = program(&args)
            .stdout(full)
            .output()
            .expect("the program starts");
        let error = text(&output.stderr);
        assert!(
            error.starts_with("error: standard output cannot be written: "),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_player_says_once_what_is_wrong_with_its_input() {
    let output = run(&["player", "--agent", "greedy"], "slide\n");
    assert_eq!(output.status.code(), Some(2));
    let line = text(&output.stderr);
    assert_eq!(line.matches("out of turn").count(), 1, "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_grading_goes_on_with_the_threads_it_gets() {
    use std::process::Command;

    // Address space for far fewer threads than are asked for.
    let limited = format!(
        "ulimit -v 400000; exec '{}' grade --agent greedy --cases 64 --threads 64",
        env!("CARGO_BIN_EXE_afterstate")
    );
    let graded = |command: &mut Command| command.output().expect("the shell starts");
    let few = graded(Command::new("sh").arg("-c").arg(&limited));
    let all = run(&["grade", "--agent", "greedy", "--cases", "64"], "");
    assert_eq!(few.status.code(), Some(0), "{}", text(&few.stderr));
    // The last line tells the time.
    let cases = |output: &[u8]| {
        let shown = text(output);
        let (cases, _) = shown.split_once("thinking").expect("the last line");
        cases.to_owned()
    };
    assert_eq!(cases(&few.stdout), cases(&all.stdout));
}
