//! What the parsers say of input that is no board, and that none makes them
//! panic.

use afterstate_bitboard::{
    Akioi, AkioiBoard, Board, Classic, ClassicBoard, Grid, Mini, MiniBoard, Nibbles, Slide,
    parse_tile,
};
use proptest::prelude::any;
use proptest::proptest;
use proptest::test_runner::Config;

const CLASSIC_TILES: &str = "expected 0 or a power of two from 2 to 131072";
const AKIOI_TILES: &str =
    "expected 0, a power of two from 2 to 65536, or a multiplier (x1, x2, x4; -1, -2, -4 in JSON)";

/// The error of parsing `text`, rows divided by ` / `.
fn error<G: Grid>(text: &str) -> String {
    let lines = text.replace(" / ", "\n");
    match lines.parse::<Board<G>>() {
        Ok(board) => panic!("`{text}` was read as {board:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn users_d41_a_board_typed_in_another_notation() {
    let board = "16 512 2 . / 64 256 . 2 / 16 128 . . / 8 4 . .";
    let lines = board.replace(" / ", "\n");
    let read: ClassicBoard = lines.parse().expect("the board is fine");
    assert_eq!(
        read.to_rows(),
        [
            [16, 512, 2, 0],
            [64, 256, 0, 2],
            [16, 128, 0, 0],
            [8, 4, 0, 0]
        ]
    );
    for (changed, message) in [
        (
            lines.replace(' ', ","),
            "line 1, column 3: `,` between cells, expected blanks",
        ),
        (
            lines.replace(' ', ", "),
            "line 1, column 3: `,` between cells, expected blanks",
        ),
        (
            lines.replace(' ', ";"),
            "line 1, column 3: `;` between cells, expected blanks",
        ),
        (
            lines.replace(' ', " | "),
            "line 1, column 4: `|` between cells, expected blanks",
        ),
        (
            lines.replace(' ', "\t"),
            "line 1, column 3: `\\t` between cells, expected blanks",
        ),
        (
            lines.replace("8 4", "8,4"),
            "line 4, column 2: `,` between cells, expected blanks",
        ),
    ] {
        let error = changed.parse::<ClassicBoard>().expect_err("not blanks");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn users_d41_rows_too_short_or_too_long() {
    for (text, message) in [
        (
            "16 512 2 / 64 256 . 2 / 16 128 . . / 8 4 . .",
            "line 1, column 9: 3 cells in a row, expected 4",
        ),
        (
            "16 512 2 . / 64 256 . 2 8 / 16 128 . . / 8 4 . .",
            "line 2, column 12: 5 cells in a row, expected 4",
        ),
        (
            "16 512 2 . / 64 256 . 2 / 16 128 . . / 8",
            "line 4, column 2: 1 cell in a row, expected 4",
        ),
        (
            "16 512 2 . / 64 256 . 2 / 16 128 . .",
            "line 4, column 1: 3 rows, expected 4",
        ),
        (
            "16 512 2 . / 64 256 . 2 / 16 128 . . / . . . . / 8 4 . .",
            "line 5, column 1: 5 rows, expected 4",
        ),
        ("2 4 8 16", "line 2, column 1: 1 row, expected 4"),
        (
            "2 4 8 16 2 4 8 16 2 4 8 16 2 4 8",
            "line 1, column 10: 15 cells in a row, expected 4",
        ),
        ("", "line 1, column 1: 0 rows, expected 4"),
    ] {
        assert_eq!(error::<Classic>(text), message, "{text}");
    }
    assert_eq!(
        error::<Mini>("2 4 . / 2 4 . . / 2 4 ."),
        "line 2, column 7: 4 cells in a row, expected 3"
    );
    assert_eq!(
        error::<Nibbles<2, 3>>("2 4 / 2 4 / 2 4"),
        "line 1, column 4: 2 cells in a row, expected 3"
    );
}

#[test]
fn users_d41_words_that_are_no_tiles() {
    for word in [
        "3",
        "-8",
        "65537",
        "262144",
        "x2",
        "×1",
        "1",
        "02",
        "+2",
        "2.0",
        "2e1",
        "0x2",
        "-",
        "é",
        "\u{feff}2",
        "2\u{a0}4",
        "99999999999999999999",
    ] {
        let text = format!(". . 2 4 / 8  {word} 2 4 / . . . . / . . . .");
        let quoted: String = word.chars().flat_map(char::escape_debug).collect();
        assert_eq!(
            error::<Classic>(&text),
            format!("line 2, column 4: `{quoted}` is not a tile, {CLASSIC_TILES}")
        );
    }
    for word in ["x3", "x8", "×0", "x", "-1", "-2", "131072", "3"] {
        let text = format!(". . 2 4 / 8 2 2 4 / . . x1 . / . . . {word}");
        assert_eq!(
            error::<Akioi>(&text),
            format!("line 4, column 7: `{word}` is not a tile, {AKIOI_TILES}")
        );
    }
    assert_eq!(
        error::<Mini>("2048 . . / . . . / . . ."),
        "line 1, column 1: `2048` is not a tile, expected 0 or a power of two from 2 to 1024"
    );
    assert_eq!(
        error::<Nibbles<4, 4>>("65536 . . . / . . . . / . . . . / . . . ."),
        "line 1, column 1: `65536` is not a tile, expected 0 or a power of two from 2 to 32768"
    );
}

#[test]
fn long_words_and_control_characters_are_cut_and_escaped() {
    let long = "7".repeat(1000);
    let message = error::<Classic>(&long);
    assert!(message.contains("`77777777777777777777…`"), "{message}");
    assert_eq!(message.lines().count(), 1);
    for word in ["2\u{0}", "\u{1b}[2J", "2\r2", "\u{7}"] {
        let message = error::<Classic>(word);
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}

#[test]
fn numbers_in_rows_are_named_by_row_and_column() {
    let good: Vec<Vec<i64>> = vec![vec![2, 0, 0, 4]; 4];
    assert!(ClassicBoard::from_rows(&good).is_ok());
    for number in [1, 3, -2, -8, 65537, 262_144, i64::MIN, i64::MAX, 1 << 33] {
        let mut rows = good.clone();
        rows[2][1] = number;
        let error = ClassicBoard::from_rows(&rows).expect_err("not a tile");
        assert_eq!(
            error.to_string(),
            format!("row 3, column 2: `{number}` is not a tile, {CLASSIC_TILES}")
        );
    }
    let mut rows = good.clone();
    rows[3].pop();
    let error = ClassicBoard::from_rows(&rows).expect_err("a short row");
    assert_eq!(error.to_string(), "row 4: 3 cells in a row, expected 4");
    rows.pop();
    let error = ClassicBoard::from_rows(&rows).expect_err("a row too few");
    assert_eq!(error.to_string(), "3 rows, expected 4");
    let error = AkioiBoard::from_rows(&[[-3, 0, 0, 0]; 4]).expect_err("no such multiplier");
    assert_eq!(
        error.to_string(),
        format!("row 1, column 1: `-3` is not a tile, {AKIOI_TILES}")
    );
    assert!(MiniBoard::from_rows::<[i64; 3]>(&[]).is_err());
}

#[test]
fn users_a15_tiles_above_32768_are_read_and_written() {
    for tile in [32768, 65536, 131_072] {
        let rows = vec![vec![tile, 0, 0, tile]; 4];
        let board = ClassicBoard::from_rows(&rows).expect("tiles of the classic board");
        assert_eq!(board.largest(), tile as i32);
        assert_eq!(board.tile_sum(), 8 * tile);
        let text = board.to_string();
        assert_eq!(
            text.split_whitespace().next(),
            Some(tile.to_string().as_str())
        );
        assert_eq!(text.parse(), Ok(board));
    }
}

#[test]
fn users_f57_every_tile_has_a_text_that_fits_its_column() {
    let akioi: AkioiBoard = "x1 ×2 x4 2 / 4 8 16 32 / 64 128 256 512 / 1024 2048 4096 65536"
        .replace(" / ", "\n")
        .parse()
        .expect("akioi tiles");
    let text = akioi.to_string();
    let widths: Vec<usize> = text.lines().map(str::len).collect();
    assert_eq!(widths, [23; 4], "{text}");
    for tile in ["x1", "x2", "x4", "65536"] {
        assert!(text.split_whitespace().any(|word| word == tile), "{text}");
    }
}

fn parse_all(text: &str) {
    // Whatever the answer is, getting one is what counts; one that is a board
    // must be written as it was read.
    fn check<G: Grid>(text: &str) {
        match text.parse::<Board<G>>() {
            Ok(board) => assert_eq!(board.to_string().parse(), Ok(board)),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
    check::<Classic>(text);
    check::<Akioi>(text);
    check::<Nibbles<4, 4>>(text);
    check::<Mini>(text);
    check::<Nibbles<2, 3>>(text);
    check::<Nibbles<1, 1>>(text);
    if let Ok(slide) = text.parse::<Slide>() {
        assert_eq!(slide.name(), text);
    }
    let _ = parse_tile(text);
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::default() })]

    #[test]
    fn parsing_any_string_gives_an_answer(text in any::<String>()) {
        parse_all(&text);
    }

    #[test]
    fn parsing_any_bytes_gives_an_answer(bytes in any::<Vec<u8>>()) {
        parse_all(&String::from_utf8_lossy(&bytes));
    }

    /// Strings of the characters that boards are made of get much further.
    #[test]
    fn parsing_near_boards_gives_an_answer(text in "([x×]?[.0_1248]{1,2}[ \n\r,\t]{1,2}){0,20}") {
        parse_all(&text);
    }

    #[test]
    fn any_rows_give_an_answer(rows in any::<Vec<Vec<i64>>>()) {
        for message in [
            ClassicBoard::from_rows(&rows).map_err(|error| error.to_string()).err(),
            AkioiBoard::from_rows(&rows).map_err(|error| error.to_string()).err(),
            MiniBoard::from_rows(&rows).map_err(|error| error.to_string()).err(),
        ] {
            assert!(message.is_some_and(|message| message.lines().count() == 1));
        }
    }

    #[test]
    fn any_numbers_in_a_board_give_an_answer(rows in any::<[[i64; 4]; 4]>(), shift in 0_u32..64) {
        let rows = rows.map(|row| row.map(|number| number >> shift));
        let is_classic = rows.iter().flatten().all(|&number| Classic::code(number).is_some());
        assert_eq!(ClassicBoard::from_rows(&rows).is_ok(), is_classic);
        let is_akioi = rows.iter().flatten().all(|&number| Akioi::code(number).is_some());
        assert_eq!(AkioiBoard::from_rows(&rows).is_ok(), is_akioi);
    }
}
