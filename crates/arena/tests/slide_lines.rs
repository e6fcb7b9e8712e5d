//! The lines of `slide`: every kind of line, and any bytes at all.

use afterstate_arena::{MAX_LINE_BYTES, SlideLines};
use afterstate_rules::Variant;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::Value;

/// The answer to one line, or the message.
fn answer(variant: Variant, line: &[u8]) -> Result<String, String> {
    let mut out = Vec::new();
    match SlideLines::new(variant).answer(line, &mut out) {
        Ok(()) => Ok(String::from_utf8(out).expect("answers are text")),
        Err(error) => {
            assert_eq!(out, b"", "nothing is written for a bad line");
            Err(error.to_string())
        }
    }
}

#[track_caller]
fn assert_message(line: &str, message: &str) {
    assert_eq!(
        answer(Variant::Mini, line.as_bytes()),
        Err(message.to_owned()),
        "{line}"
    );
}

const NO_TILE: &str = "is not a tile, expected 0 or a power of two from 2 to 1024";

#[test]
fn fields_are_kept_as_they_were_written() {
    let line = r#" {"slide":"up" , "n":1.50, "board":[[2,0,0],[2,0,0],[0, 0,0]],"t":"a\u00e9 ",
        "big":123456789012345678901234567890,"legal":"?","x":[ 1,{"y":null} ],"n":2}"#
        .replace('\n', "");
    let expected =
        r#"{"slide": "up", "n": 1.50, "board": [[2,0,0],[2,0,0],[0, 0,0]], "t": "a\u00e9 ", "#
            .to_owned()
            + r#""big": 123456789012345678901234567890, "x": [ 1,{"y":null} ], "n": 2, "#
            + r#""after": [[4, 0, 0], [0, 0, 0], [0, 0, 0]], "gain": 4, "legal": true}"#
            + "\n";
    for ending in ["", "\n", "\r\n", " \t\r\n"] {
        let line = format!("{line}{ending}");
        assert_eq!(answer(Variant::Mini, line.as_bytes()), Ok(expected.clone()));
    }
}

#[test]
fn names_and_slides_may_be_escaped() {
    let line = r#"{"bo\u0061rd": [[2,0,0],[0,0,0],[0,0,0]], "slide": "\u0075p"}"#;
    let out = answer(Variant::Mini, line.as_bytes()).expect("a line");
    assert!(out.ends_with("\"gain\": 0, \"legal\": false}\n"), "{out}");
}

#[test]
fn blank_lines_are_counted_and_not_answered() {
    let mut lines = SlideLines::new(Variant::Mini);
    let mut out = Vec::new();
    for blank in ["", "\n", "\r\n", "  \t \r\n"] {
        lines
            .answer(blank.as_bytes(), &mut out)
            .expect("a blank line");
    }
    assert_eq!(out, b"");
    let error = lines.answer(b"-", &mut out).expect_err("no object");
    assert_eq!(error.line, 5);
}

#[test]
fn bad_cells_are_named_by_row_and_column() {
    for cell in [
        "3",
        "1",
        "-2",
        "2.0",
        "1e1",
        "\"2\"",
        "null",
        "true",
        "2048",
        "-9223372036854775809",
        "18446744073709551616",
        "1e999",
        "[2]",
        "{}",
        "\"x2\"",
        "0.5",
    ] {
        let line = format!(r#"{{"board": [[2,0,0],[0,0,{cell}],[0,0,0]], "slide": "up"}}"#);
        let shown: String = match cell.char_indices().nth(20) {
            Some((cut, _)) => format!("{}…", &cell[..cut]),
            None => cell.to_owned(),
        };
        let message = format!("line 1, field `board`, row 2, column 3: `{shown}` {NO_TILE}");
        assert_message(&line, &message);
    }
    // The first bad cell, whatever is wrong further on.
    assert_message(
        r#"{"board": [[2,0,0],[0,7,0],["x",0,0]], "slide": "up"}"#,
        &format!("line 1, field `board`, row 3, column 1: `\"x\"` {NO_TILE}"),
    );
}

#[test]
fn boards_of_another_shape_are_refused() {
    for (board, message) in [
        ("3", ": `3` is not a board, expected an array of rows"),
        ("null", ": `null` is not a board, expected an array of rows"),
        (
            "\"2 0 0\"",
            ": `\"2 0 0\"` is not a board, expected an array of rows",
        ),
        ("[]", ": 0 rows, expected 3"),
        ("[[2,0,0],[0,0,0]]", ": 2 rows, expected 3"),
        (
            "[[2,0,0],[0,0],[0,0,0]]",
            ", row 2: 2 cells in a row, expected 3",
        ),
        (
            "[[2,0,0],[0,0,0,0],[0,0,0]]",
            ", row 2: 4 cells in a row, expected 3",
        ),
        (
            "[2,0,0,0,0,0,0,0,0]",
            ", row 1: `2` is not a row, expected an array of numbers",
        ),
    ] {
        let line = format!(r#"{{"board": {board}, "slide": "up"}}"#);
        assert_message(&line, &format!("line 1, field `board`{message}"));
    }
}

#[test]
fn bad_fields_are_named() {
    let board = "\"board\": [[2,0,0],[0,0,0],[0,0,0]]";
    for slide in ["\"Left\"", "\"\"", "3", "null", "[\"up\"]", "\"up \""] {
        assert_message(
            &format!("{{{board}, \"slide\": {slide}}}"),
            &format!(
                "line 1, field `slide`: `{slide}` is not a slide, \
                 expected \"up\", \"right\", \"down\" or \"left\""
            ),
        );
    }
    let expected = "expected `board` and `slide`";
    assert_message("{}", &format!("line 1: no field `board`, {expected}"));
    assert_message(
        &format!("{{{board}}}"),
        &format!("line 1: no field `slide`, {expected}"),
    );
    assert_message(
        &format!("{{{board}, \"slide\": \"up\", {board}}}"),
        "line 1: the field `board` is given twice, expected once",
    );
    assert_message(
        &format!("{{{board}, \"slide\": \"up\", \"slide\": \"up\"}}"),
        "line 1: the field `slide` is given twice, expected once",
    );
}

#[test]
fn what_is_not_json_is_refused_with_its_column() {
    for (line, message) in [
        (
            "{\"é\": 1, \"board\" 2}",
            ", column 18: not JSON: expected `:`",
        ),
        (
            "{\"board\": [[2,0",
            ", column 16: not JSON: EOF while parsing a list",
        ),
        ("{} {}", ", column 4: not JSON: trailing characters"),
        ("{'board': 1}", ", column 2: not JSON: key must be a string"),
    ] {
        assert_message(line, &format!("line 1{message}"));
    }
    let not_an_object = "is not a JSON object, expected {\"board\": [[…], …], \"slide\": \"left\"}";
    for line in ["[]", "3", "\"a\"", "nul", "board\tx", "\u{feff}{}"] {
        let shown = line.replace('\t', "\\t").replace('\u{feff}', "\\u{feff}");
        assert_message(line, &format!("line 1: `{shown}` {not_an_object}"));
    }
    assert_eq!(
        answer(Variant::Mini, b"{\"\xc3\xa9\": \xff}"),
        Err("line 1, column 7: byte 0xff is not UTF-8 text".to_owned())
    );
}

#[test]
fn deep_nesting_and_long_lines_are_one_message() {
    let bomb = "[".repeat(400_000);
    let message = format!("line 1: `{}…`", "[".repeat(20));
    let error = answer(Variant::Classic, bomb.as_bytes()).expect_err("no object");
    assert!(error.starts_with(&message), "{error}");
    for (open, close) in [("[", "]"), ("{\"board\":", "}")] {
        let deep = open.repeat(50_000) + "0" + &close.repeat(50_000);
        let line = format!("{{\"board\": {deep}, \"slide\": \"up\"}}");
        let error = answer(Variant::Classic, line.as_bytes()).expect_err("no board");
        assert!(error.starts_with("line 1, field `board`"), "{error}");
        assert!(error.len() < 200);
    }
    let board = r#"{"board": [[2,0,0],[0,0,0],[0,0,0]], "slide": "up"}"#;
    let mut line = board.to_owned() + &" ".repeat(MAX_LINE_BYTES - board.len());
    assert!(answer(Variant::Mini, line.as_bytes()).is_ok());
    line.push(' ');
    assert_message(&line, "line 1: longer than 1048576 bytes");
}

#[test]
fn contest_slides_like_classic() {
    for slide in ["up", "right", "down", "left"] {
        let line = format!(
            "{{\"board\": [[2,2,4,0],[65536,65536,0,0],[32768,0,0,32768],[2,4,8,16]], \
             \"slide\": \"{slide}\"}}"
        );
        let classic = answer(Variant::Classic, line.as_bytes());
        assert!(classic.is_ok());
        assert_eq!(answer(Variant::Contest, line.as_bytes()), classic);
    }
}

/// Lines of which most are nearly right, so that all ends are reached.
fn nearly_a_line() -> impl Strategy<Value = Vec<u8>> {
    let cell = prop_oneof![
        20 => (0..11_u32).prop_map(|exponent| ((1_u32 << exponent) & !1).to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_map(|number| number.to_string()),
        1 => Just("\"2\"".to_owned()),
    ];
    let row = proptest::collection::vec(cell, 3).prop_map(|cells| format!("[{}]", cells.join(",")));
    let board = proptest::collection::vec(row, 3).prop_map(|rows| rows.join(", "));
    let slide = prop_oneof![
        4 => prop_oneof![Just("up"), Just("right"), Just("down"), Just("left")],
        1 => Just("Up"),
    ];
    // Sometimes a byte is replaced.
    let fault = prop_oneof![3 => Just(None), 1 => any::<(usize, u8)>().prop_map(Some)];
    (board, slide, fault).prop_map(|(board, slide, fault)| {
        let line = format!("{{\"board\": [{board}], \"slide\": \"{slide}\"}}");
        let mut line = line.into_bytes();
        if let Some((at, byte)) = fault {
            let at = at % line.len();
            line[at] = byte;
        }
        line
    })
}

proptest! {
    #[test]
    fn any_bytes_are_answered_or_refused_in_one_line(line in any::<Vec<u8>>()) {
        for variant in Variant::ALL {
            if let Err(message) = answer(variant, &line) {
                prop_assert!(!message.contains(char::is_control), "{message:?}");
            }
        }
    }

    #[test]
    fn nearly_lines_are_answered_or_refused_in_one_line(line in nearly_a_line()) {
        match answer(Variant::Mini, &line) {
            Ok(out) if out.is_empty() => prop_assert!(line.trim_ascii().is_empty()),
            Ok(out) => {
                // A line is answered when another parser takes it as well, and
                // keeps what that parser reads.
                let before: Value = serde_json::from_slice(&line).expect("JSON");
                let after: Value = serde_json::from_str(&out).expect("JSON");
                prop_assert_eq!(&after["board"], &before["board"]);
                prop_assert_eq!(&after["slide"], &before["slide"]);
                prop_assert_eq!(
                    after["legal"] == Value::Bool(false),
                    after["after"] == after["board"]
                );
                prop_assert!(out.ends_with('\n') && out.lines().count() == 1);
            }
            Err(message) => prop_assert!(!message.contains(char::is_control), "{message:?}"),
        }
    }
}

#[test]
fn minus_zero_is_refused() {
    let line = br#"{"board": [[2,2,4],[-0,0,0],[2,4,0]], "slide": "left"}"#;
    let message = answer(Variant::Mini, line).expect_err("-0 is no cell");
    assert!(message.contains("row 2, column 1"), "{message}");
    assert!(message.contains("`-0`"), "{message}");
}
