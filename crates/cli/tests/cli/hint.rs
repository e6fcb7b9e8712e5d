use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{assert_error, printed, run, text};

fn args(variant: &str) -> [&str; 3] {
    ["hint", "--variant", variant]
}

/// The answer as JSON.
fn hint(variant: &str, agent: &str, board: &str) -> Value {
    let args = ["hint", "--variant", variant, "--agent", agent, "--json"];
    serde_json::from_str(&printed(&args, board)).expect("JSON")
}

const ASKED: &str = "16 512 2 .\n64 256 . 2\n16 128 . .\n8 4 . .\n";

#[test]
fn users_d35_a_board_in_any_notation_gets_all_four_values() {
    let default = hint("classic", "default", ASKED);
    for board in [
        ASKED.replace('\n', " "),
        ASKED.replace('.', "0"),
        ASKED.replace('\n', "\r\n"),
        format!("\u{feff}{ASKED}"),
        "[[16, 512, 2, 0], [64, 256, 0, 2], [16, 128, 0, 0], [8, 4, 0, 0]]".to_owned(),
        "{\"board\":\r\n[[16,512,2,0],[64,256,0,2],[16,128,0,0],[8,4,0,0]]}\r\n".to_owned(),
    ] {
        assert_eq!(hint("classic", "default", &board), default, "{board}");
        let readable = printed(&args("classic"), &board);
        assert_eq!(readable, printed(&args("classic"), ASKED));
    }
    let values = default["values"].as_object().expect("an object");
    assert_eq!(values.len(), 4);
    let best = values
        .iter()
        .max_by(|a, b| a.1.as_f64().partial_cmp(&b.1.as_f64()).expect("numbers"))
        .map(|(slide, _)| slide.as_str());
    assert_eq!(default["slide"].as_str(), best);

    let readable = printed(&args("classic"), ASKED);
    assert!(
        readable
            .starts_with(" 16 512   2   .\n 64 256   .   2\n 16 128   .   .\n  8   4   .   .\n\n")
    );
    for slide in ["up", "right", "down", "left"] {
        let line = readable.lines().find(|line| line.starts_with(slide));
        let value = line
            .and_then(|line| line.split_whitespace().nth(1))
            .expect("a value");
        let shown: f64 = value.parse().expect("a number");
        assert!(
            (shown - values[slide].as_f64().expect("a number")).abs() < 0.1,
            "{line:?}"
        );
    }
    assert!(readable.contains(&format!("\nslide: {}  (", best.expect("four slides"))));
}

#[test]
fn every_variant_and_agent_recommends_a_legal_slide() {
    let four = "2 . . . . . . . . . . . . . . .";
    for (variant, board) in [
        ("classic", four),
        ("contest", four),
        ("akioi", four),
        ("mini", "2 . . . . . . . ."),
    ] {
        for agent in [
            "random",
            "greedy",
            "heuristic",
            "heuristic:depth=1",
            "default",
        ] {
            let answer = hint(variant, agent, board);
            assert_eq!(answer["values"]["up"], Value::Null, "{variant} {agent}");
            assert_eq!(answer["values"]["left"], Value::Null, "{variant} {agent}");
            let slide = answer["slide"].as_str().expect("a slide");
            assert!(answer["values"][slide].is_number(), "{variant} {agent}");
        }
    }
    let multipliers = "x1 ×1 . . / . . . . / . . . . / . . . x4".replace('/', "\n");
    let greedy = hint("akioi", "greedy", &multipliers);
    let values = json!({"up": 0.0, "right": -2.0, "down": 0.0, "left": -2.0});
    assert_eq!(greedy, json!({"slide": "up", "values": values}));
}

#[test]
fn a_finished_game_has_no_slide_and_no_error() {
    let nothing = json!({
        "slide": null,
        "values": {"up": null, "right": null, "down": null, "left": null},
    });
    let over = "2 4 2 4 2 4 2 4 2";
    let cleared = "65536 0 0 0 2 2 0 0 0 0 0 0 0 0 0 0";
    for agent in ["random", "greedy", "default"] {
        assert_eq!(hint("mini", agent, over), nothing);
        assert_eq!(hint("akioi", agent, cleared), nothing);
    }
    assert_eq!(
        printed(&args("mini"), over),
        "2 4 2\n4 2 4\n2 4 2\n\nslide: none (no slide is legal, the game is over)\n"
    );
    assert!(printed(&args("akioi"), cleared).ends_with("\n\nslide: none (the game is cleared)\n"));
    // The same board in classic is a game that goes on.
    assert_ne!(hint("classic", "greedy", cleared), nothing);
}

#[test]
fn users_a15_the_largest_tiles_are_valued_exactly() {
    for (tile, gain) in [(16384, 32768.0), (32768, 65536.0), (65536, 131_072.0)] {
        let text = format!("{tile} {tile} . .\n. . . .\n. . . .\n. . . .");
        let json = format!("[[{tile},{tile},0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]");
        for board in [text, json] {
            let answer = hint("classic", "greedy", &board);
            let values = json!({"up": null, "right": gain, "down": 0.0, "left": gain});
            assert_eq!(
                answer,
                json!({"slide": "right", "values": values}),
                "{board}"
            );
        }
    }
    let readable = printed(
        &args("classic"),
        "131072 65536 ".to_owned() + &"0 ".repeat(14),
    );
    assert!(
        readable.starts_with("131072  65536      .      .\n"),
        "{readable}"
    );
}

#[test]
fn users_d41_a_board_typed_wrong_is_one_line_that_says_where() {
    let tile = "expected 0 or a power of two from 2 to 131072";
    let rest = "\n. . . .\n. . . .\n. . . .\n";
    for (first, message) in [
        (
            "2,4,8,16",
            "line 1, column 2: `,` between cells, expected blanks".to_owned(),
        ),
        (
            "2 4, 8 16",
            "line 1, column 4: `,` between cells, expected blanks".to_owned(),
        ),
        (
            "2\t4\t8\t16",
            "line 1, column 2: `\\t` between cells, expected blanks".to_owned(),
        ),
        (
            "2 4 8",
            "line 1, column 6: 3 cells in a row, expected 4".to_owned(),
        ),
        (
            "2 4 8 16 32",
            "line 1, column 10: 5 cells in a row, expected 4".to_owned(),
        ),
        (
            "2 3 . .",
            format!("line 1, column 3: `3` is not a tile, {tile}"),
        ),
        (
            "2 -8 . .",
            format!("line 1, column 3: `-8` is not a tile, {tile}"),
        ),
        (
            ". . . 65537",
            format!("line 1, column 7: `65537` is not a tile, {tile}"),
        ),
        (
            "x2 . . .",
            format!("line 1, column 1: `x2` is not a tile, {tile}"),
        ),
        (
            "2 . . 1e3",
            format!("line 1, column 7: `1e3` is not a tile, {tile}"),
        ),
    ] {
        let input = format!("{first}{rest}");
        assert_eq!(assert_error(&args("classic"), &input, &message), "");
        // A CRLF moves nothing.
        assert_error(&args("classic"), input.replace('\n', "\r\n"), &message);
    }
    for (input, message) in [
        ("", "line 1, column 1: 0 rows, expected 4".to_owned()),
        (
            "2 4 8 16\n",
            "line 2, column 1: 1 row, expected 4".to_owned(),
        ),
        ("[[2,4,8]]", "1 row, expected 4".to_owned()),
        (
            "[[2,4,8,3],[0,0,0,0],[0,0,0,0],[0,0,0,0]]",
            format!("row 1, column 4: `3` is not a tile, {tile}"),
        ),
        (
            "[[2,4,8,",
            "line 1, column 9: not JSON: EOF while parsing a value".to_owned(),
        ),
        (
            "{}",
            "no field `board`, expected {\"board\": [[…], …]}".to_owned(),
        ),
    ] {
        assert_eq!(
            assert_error(&args("classic"), input, &message),
            "",
            "{input}"
        );
    }
    assert_error(
        &args("classic"),
        b"2 \xff",
        "line 1, column 3: byte 0xff is not UTF-8 text",
    );
    assert_error(
        &args("classic"),
        ". ".repeat(1_000_000),
        "the input is longer than 1048576 bytes, expected one board",
    );
}

#[test]
fn agents_that_cannot_be_asked_are_named() {
    for (agent, message) in [
        ("", "agent ``: no such agent"),
        ("expert", "agent `expert`: no such agent"),
        (
            "greedy:depth=1",
            "agent greedy, `depth=1`: expected no keys",
        ),
        ("heuristic:depth=0", "agent key `depth`: `0`, expected 1 to"),
    ] {
        let output = crate::support::run(&["hint", "--variant", "mini", "--agent", agent], "");
        let error = crate::support::text(&output.stderr);
        assert!(error.starts_with(&format!("error: {message}")), "{error}");
        assert_eq!(error.lines().count(), 1);
        assert_eq!(output.status.code(), Some(2));
    }
}

/// Users report of others' first answers that take minutes. Ours is a matter of
/// milliseconds; the limit is generous because machines that run tests are busy.
#[test]
fn users_g68_the_first_answer_comes_at_once() {
    let started = Instant::now();
    printed(&args("classic"), ASKED);
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A game that spawns something else is a set on the command line.
#[test]
fn users_d43_other_spawns_are_an_option() {
    let board = "2 8 . 2 4 . . . 2";
    let with = |spawns: &str| {
        let agent = "heuristic:depth=2";
        let args = ["hint", "--variant", "mini", "--agent", agent, "--json"];
        printed(&[&args[..], &["--spawns", spawns]].concat(), board)
    };
    let standard = with("standard");
    assert_eq!(standard, with("2:0.9,4:0.1"));
    assert_eq!(standard, with("2:9,4:1"));
    assert_ne!(standard, with("contest"));
    assert_ne!(standard, with("2:0.8,4:0.15,8:0.05"));
    let akioi = [&args("akioi")[..], &["--spawns", "2:1,x4:1"]].concat();
    assert!(printed(&akioi, "2 4 8 16 . . . . . . . . . . . .").contains("slide: "));

    for (spawns, words) in [
        ("2:0.9,5", "`5` is no tile with a weight, expected standard"),
        (
            "2:0.9,3:0.1",
            "--spawns 2:0.9,3:0.1: `3` cannot spawn on this board",
        ),
        (
            "2:1,x1:1",
            "--spawns 2:1,x1:1: `x1` cannot spawn on this board",
        ),
        ("2:1,2:2", "tile 2 with weight 2: expected each tile once"),
    ] {
        let output = run(&[&args("mini")[..], &["--spawns", spawns]].concat(), board);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(words), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// Larger spawns make larger tiles than the mini board has otherwise, and they
/// merge.
#[test]
fn larger_spawns_make_larger_tiles() {
    let args = ["hint", "--variant", "mini", "--agent", "greedy", "--json"];
    let large = [&args[..], &["--spawns", "2:0.8,8:0.2"]].concat();
    let answer: Value =
        serde_json::from_str(&printed(&large, "1024 1024 2048 . . . . . .")).expect("JSON");
    let values = json!({"up": null, "right": 2048.0, "down": 0.0, "left": 2048.0});
    assert_eq!(answer, json!({"slide": "right", "values": values}));
    assert_error(
        &args,
        "2048 . . . . . . . .",
        "line 1, column 1: `2048` is not a tile, expected 0 or a power of two from 2 to 1024",
    );
}

/// Address space of 2 GiB is plenty for every variant; what does not fit is
/// told by its size.
#[cfg(target_os = "linux")]
#[test]
fn users_d37_memory_is_bounded() {
    let hint = |limit_kib: u32, variant: &str, board: &str| {
        let command = format!(
            "ulimit -c 0; ulimit -v {limit_kib}; echo {board} | exec '{}' hint --variant {variant}",
            env!("CARGO_BIN_EXE_afterstate")
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &command]).output().expect("a shell")
    };
    let four = "2 65536 . . . . . . . . . . . . . .";
    for (variant, board) in [
        ("classic", four),
        ("contest", four),
        ("akioi", "x1 2 . . . . . . . . . . . . . ."),
        ("mini", "2 . . . . . . . ."),
    ] {
        let output = hint(2 << 20, variant, board);
        assert!(output.status.success(), "{variant}: {output:?}");
    }
    // How much the program takes before it has tables differs by build: some
    // limit in these steps lets it begin and not end.
    let told = (8..64).step_by(2).any(|limit_mib| {
        let output = hint(limit_mib << 10, "classic", four);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let wanted = message
            .lines()
            .find(|line| line.starts_with("memory allocation of "));
        !output.status.success() && wanted.is_some_and(|line| line.ends_with(" bytes failed"))
    });
    assert!(told, "no limit at which it tells what it wanted");
}

/// What programs carry with them is less than 16 MiB, and so is all that a
/// heuristic player takes beside its code. The recommended player unpacks its
/// network of 67,108,864 weights of two bytes, and takes little more; the one that it
/// goes on by after 4096 comes when it gets there.
#[cfg(target_os = "linux")]
#[test]
fn users_d37_the_default_player_is_small() {
    let networks = afterstate_networks::EMBEDDED.iter();
    let carried: usize = networks.map(|network| network.bytes.len()).sum();
    assert!(carried < 16 << 20, "{carried} bytes");
    let taken = kib_of_player("heuristic");
    assert!(taken < 16 << 10, "{taken} KiB");
    let taken = kib_of_player("default");
    assert!(taken < (128 + 32) << 10, "{taken} KiB");
}

/// The memory that a player takes after its first slide, beside its code.
#[cfg(target_os = "linux")]
fn kib_of_player(agent: &str) -> u64 {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let mut player = Command::new(env!("CARGO_BIN_EXE_afterstate"))
        .args(["player", "--agent", agent])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the player starts");
    let mut input = player.stdin.take().expect("it is piped");
    let mut output = BufReader::new(player.stdout.take().expect("it is piped"));
    input
        .write_all(b"init 0 0 1 1\nslide\n")
        .expect("it listens");
    let mut answer = String::new();
    output.read_line(&mut answer).expect("it answers");
    let status = std::fs::read_to_string(format!("/proc/{}/status", player.id()));
    let status = status.expect("it is alive");
    let taken_kib: u64 = status
        .lines()
        .find_map(|line| {
            line.strip_prefix("RssAnon:")?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        })
        .expect("the kernel tells");
    drop(input);
    player.wait().expect("it ends with its input");
    taken_kib
}
