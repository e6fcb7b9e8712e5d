use core::fmt;

use afterstate_bitboard::{Board, MiniBoard, Place};

/// Why an input is not nine values, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// A word that is not one of the values.
    NotAValue {
        /// Where it starts.
        place: Place,
        /// Which of the nine values it is, from 1.
        nth: usize,
        /// The word, cut short when long.
        found: String,
    },
    /// A tenth word.
    TooMany {
        /// Where it starts.
        place: Place,
        /// The word, cut short when long.
        found: String,
    },
    /// The input ends before the ninth value.
    TooFew {
        /// Where it ends.
        place: Place,
        /// Number of values in it.
        found: usize,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::NotAValue { place, nth, found } => write!(
                f,
                "{place}value {nth} is `{found}`, expected 0, 2, 4, 8 or 16"
            ),
            InputError::TooMany { place, found } => write!(
                f,
                "{place}`{found}` after nine values, expected the end of the input"
            ),
            InputError::TooFew { place, found } => {
                let noun = if *found == 1 { "value" } else { "values" };
                write!(
                    f,
                    "{place}the input ends after {found} {noun}, \
                     expected nine, each 0, 2, 4, 8 or 16"
                )
            }
        }
    }
}

impl std::error::Error for InputError {}

/// At most this many characters of a bad word are repeated in an error.
const QUOTED: usize = 20;

/// The board from an input of the task: nine values, row by row, divided by
/// white space of any kind, each 0, 2, 4, 8 or 16.
///
/// ```
/// use afterstate_search::ten_moves::parse_board;
///
/// let board = parse_board(b"2 2 0\r\n0 0 0\r\n0 0 16\r\n")?;
/// assert_eq!(board.to_rows(), [[2, 2, 0], [0, 0, 0], [0, 0, 16]]);
///
/// let error = parse_board(b"2 2 0\n0 32 0\n0 0 0\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 3: value 5 is `32`, expected 0, 2, 4, 8 or 16"
/// );
/// # Ok::<(), afterstate_search::ten_moves::InputError>(())
/// ```
///
/// *Errors*: the first word that is not one of the values or one too many, or
/// the end of an input that has too few, with line and column counted from 1 in
/// characters. Bytes that are not UTF-8 are in no value.
pub fn parse_board(input: &[u8]) -> Result<MiniBoard, InputError> {
    let text = String::from_utf8_lossy(input);
    let mut board: MiniBoard = Board::default();
    let mut n_values = 0;
    let mut end = Cursor { line: 1, column: 1 };
    let mut rest = text.as_ref();
    while let Some(start) = rest.find(|ch: char| !ch.is_whitespace()) {
        let mut at = end;
        at.pass(&rest[..start]);
        rest = &rest[start..];
        let (word, after) = match rest.find(char::is_whitespace) {
            Some(len) => rest.split_at(len),
            None => (rest, ""),
        };
        if n_values == 9 {
            return Err(InputError::TooMany {
                place: at.place(),
                found: quoted(word),
            });
        }
        let code = value_code(word).ok_or_else(|| InputError::NotAValue {
            place: at.place(),
            nth: n_values + 1,
            found: quoted(word),
        })?;
        board = board.put(n_values, code);
        n_values += 1;
        end = at;
        end.pass(word);
        rest = after;
    }
    if n_values < 9 {
        return Err(InputError::TooFew {
            place: end.place(),
            found: n_values,
        });
    }
    Ok(board)
}

/// A position in the text, in characters.
#[derive(Clone, Copy)]
struct Cursor {
    line: usize,
    column: usize,
}

impl Cursor {
    fn pass(&mut self, text: &str) {
        for ch in text.chars() {
            if ch == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
    }

    fn place(self) -> Place {
        Place::Text {
            line: self.line,
            column: self.column,
        }
    }
}

fn value_code(word: &str) -> Option<u8> {
    match word {
        "0" => Some(0),
        "2" => Some(1),
        "4" => Some(2),
        "8" => Some(3),
        "16" => Some(4),
        _ => None,
    }
}

/// The word with control characters escaped: an error stays on one line.
fn quoted(word: &str) -> String {
    let mut short: String = word
        .chars()
        .take(QUOTED)
        .flat_map(char::escape_debug)
        .collect();
    if word.chars().nth(QUOTED).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{
        Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    };

    use super::{InputError, parse_board};

    #[test]
    fn errors_say_what_and_where() {
        for (input, message) in [
            (
                "",
                "line 1, column 1: the input ends after 0 values, \
                 expected nine, each 0, 2, 4, 8 or 16",
            ),
            (
                "\n\n 2 ",
                "line 3, column 3: the input ends after 1 value, \
                 expected nine, each 0, 2, 4, 8 or 16",
            ),
            (
                "2 2 2 2 2 2 2 2\n",
                "line 1, column 16: the input ends after 8 values, \
                 expected nine, each 0, 2, 4, 8 or 16",
            ),
            (
                "0 0 0\r\n0 0 0\r\n0 0 0 2\r\n",
                "line 3, column 7: `2` after nine values, expected the end of the input",
            ),
            (
                "2 3 0 0 0 0 0 0 0",
                "line 1, column 3: value 2 is `3`, expected 0, 2, 4, 8 or 16",
            ),
            (
                "0 0 0\n0 0 0\n0 0 32 x",
                "line 3, column 5: value 9 is `32`, expected 0, 2, 4, 8 or 16",
            ),
            (
                "2,2,0",
                "line 1, column 1: value 1 is `2,2,0`, expected 0, 2, 4, 8 or 16",
            ),
            (
                "×2 0",
                "line 1, column 1: value 1 is `×2`, expected 0, 2, 4, 8 or 16",
            ),
            (
                "0 \0 0",
                "line 1, column 3: value 2 is `\\0`, expected 0, 2, 4, 8 or 16",
            ),
            (
                "0 0 0 0 0 0 0 0 123456789012345678901234567890",
                "line 1, column 17: value 9 is `12345678901234567890…`, \
                 expected 0, 2, 4, 8 or 16",
            ),
        ] {
            let error = parse_board(input.as_bytes()).expect_err("not an input");
            assert_eq!(error.to_string(), message, "{input:?}");
        }
        for no_value in ["02", "+2", "-2", "2.0", "1", ".", "_", "1e1", "x2", "٢"] {
            let input = format!("0 0 {no_value} 0 0 0 0 0 0");
            let error = parse_board(input.as_bytes()).expect_err("not an input");
            assert!(
                matches!(&error, InputError::NotAValue { nth: 3, .. }),
                "{no_value}: {error}"
            );
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_no_value() {
        let error = parse_board(b"2 2 \xff\xfe 0 0 0 0 0 0").expect_err("not an input");
        assert_eq!(
            error.to_string(),
            "line 1, column 5: value 3 is `\u{fffd}\u{fffd}`, expected 0, 2, 4, 8 or 16"
        );
    }

    /// Bytes of which most could be part of an input, so that all ends of the
    /// parser are reached.
    fn nearly_an_input() -> impl Strategy<Value = Vec<u8>> {
        let word = prop_oneof![
            8 => prop_oneof![Just("0"), Just("2"), Just("4"), Just("8"), Just("16")]
                .prop_map(|word| word.as_bytes().to_vec()),
            1 => proptest::collection::vec(any::<u8>(), 0..4),
        ];
        let gap = prop_oneof![
            Just(" "),
            Just("\n"),
            Just("\r\n"),
            Just("\t"),
            Just(" \n\n ")
        ];
        proptest::collection::vec((word, gap), 0..12).prop_map(|words| {
            words
                .into_iter()
                .flat_map(|(word, gap)| [word, gap.as_bytes().to_vec()].concat())
                .collect()
        })
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_board_or_one_line(input in any::<Vec<u8>>()) {
            if let Err(error) = parse_board(&input) {
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }

        #[test]
        fn nearly_inputs_are_read_as_their_words_say(input in nearly_an_input()) {
            let text = String::from_utf8_lossy(&input).into_owned();
            let numbers: Option<Vec<i64>> = text
                .split_whitespace()
                .map(|word| {
                    ["0", "2", "4", "8", "16"].contains(&word).then(|| word.parse().expect("a number"))
                })
                .collect();
            match (parse_board(&input), numbers) {
                (Ok(board), Some(numbers)) => {
                    let rows: Vec<i64> =
                        board.to_rows().concat().into_iter().map(i64::from).collect();
                    prop_assert_eq!(rows, numbers);
                }
                (Err(error), numbers) => {
                    prop_assert!(numbers.is_none_or(|numbers| numbers.len() != 9));
                    prop_assert_eq!(error.to_string().lines().count(), 1);
                }
                (Ok(board), None) => prop_assert!(false, "{:?} from {:?}", board, text),
            }
        }
    }
}
