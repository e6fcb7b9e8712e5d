//! Boards as people and other programs hand them in: text or JSON.

use core::fmt;

use afterstate_bitboard::{Board, BoardError, CellProblem, Grid, Place};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Why an input is no board, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardInputError {
    /// A byte that no UTF-8 text has there.
    Utf8(Utf8Problem),
    /// Something that begins like JSON and is not.
    Syntax(SyntaxProblem),
    /// A JSON object without a field `board`.
    NoBoard,
    /// A JSON object with two of them.
    TwoBoards,
    /// JSON in place of the board that is not an array.
    NotRows {
        /// What was read, cut short when long.
        found: String,
    },
    /// JSON in place of a row that is not an array.
    NotARow {
        /// Row of the board, from 1.
        row: usize,
        /// What was read, cut short when long.
        found: String,
    },
    /// Rows or cells that are no board.
    Board(BoardError),
}

impl fmt::Display for BoardInputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardInputError::Utf8(problem) => problem.fmt(f),
            BoardInputError::Syntax(problem) => problem.fmt(f),
            BoardInputError::NoBoard => {
                f.write_str("no field `board`, expected {\"board\": [[…], …]}")
            }
            BoardInputError::TwoBoards => {
                f.write_str("the field `board` is given twice, expected once")
            }
            BoardInputError::NotRows { found } => {
                write!(f, "`{found}` is not a board, expected an array of rows")
            }
            BoardInputError::NotARow { row, found } => write!(
                f,
                "row {row}: `{found}` is not a row, expected an array of numbers"
            ),
            BoardInputError::Board(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BoardInputError {}

impl BoardInputError {
    /// Whether the message begins with a row of the board.
    pub(crate) fn is_in_a_row(&self) -> bool {
        match self {
            BoardInputError::NotARow { .. } => true,
            BoardInputError::Board(error) => error.place != Place::Board,
            _ => false,
        }
    }
}

impl From<BoardError> for BoardInputError {
    fn from(error: BoardError) -> Self {
        BoardInputError::Board(error)
    }
}

/// A byte that no UTF-8 text has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utf8Problem {
    /// Where it stands, in lines and characters from 1.
    pub place: Place,
    /// The byte.
    pub byte: u8,
}

impl Utf8Problem {
    /// The bytes as text.
    ///
    /// *Errors*: the first byte that is not UTF-8.
    pub(crate) fn check(bytes: &[u8]) -> Result<&str, Utf8Problem> {
        core::str::from_utf8(bytes).map_err(|error| Utf8Problem {
            place: place_after(&bytes[..error.valid_up_to()]),
            byte: bytes[error.valid_up_to()],
        })
    }
}

impl fmt::Display for Utf8Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Utf8Problem { place, byte } = self;
        write!(f, "{place}byte 0x{byte:02x} is not UTF-8 text")
    }
}

/// What is wrong with a text that should be JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxProblem {
    /// Where, in lines and characters from 1.
    pub place: Place,
    /// What the parser says.
    pub problem: String,
}

impl SyntaxProblem {
    pub(crate) fn new(text: &str, error: &serde_json::Error) -> SyntaxProblem {
        let message = error.to_string();
        // The parser puts the place last and counts bytes.
        let problem = message
            .split_once(" at line ")
            .map_or(message.as_str(), |(problem, _)| problem);
        let end = if error.is_eof() {
            text.trim_end().len()
        } else {
            let lines = text.split_inclusive('\n').map(str::len);
            let lines_before: usize = lines.take(error.line().saturating_sub(1)).sum();
            lines_before + error.column().saturating_sub(1)
        };
        let before = &text.as_bytes()[..end.min(text.len())];
        SyntaxProblem {
            place: place_after(before),
            problem: problem.to_owned(),
        }
    }
}

impl fmt::Display for SyntaxProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SyntaxProblem { place, problem } = self;
        write!(f, "{place}not JSON: {problem}")
    }
}

/// The place of the character after these bytes.
fn place_after(before: &[u8]) -> Place {
    let text = String::from_utf8_lossy(before);
    let line_start = text.rfind('\n').map_or(0, |at| at + 1);
    Place::Text {
        line: 1 + text.matches('\n').count(),
        column: 1 + text[line_start..].chars().count(),
    }
}

/// At most this many characters of a bad part are repeated in an error.
const QUOTED: usize = 20;

/// A part of the input as an error repeats it: on one line and not too long.
pub(crate) fn excerpt(part: &str) -> String {
    let mut short = String::new();
    for ch in part.chars().take(QUOTED) {
        match ch {
            '"' | '\'' | '\\' => short.push(ch),
            _ => short.extend(ch.escape_debug()),
        }
    }
    if part.chars().nth(QUOTED).is_some() {
        short.push('…');
    }
    short
}

/// The board from an input that holds nothing else: rows of text, all cells on
/// one line, or JSON, either rows of numbers or an object with such a field
/// `board`, whose other fields are ignored.
///
/// ```
/// use afterstate_arena::parse_board;
/// use afterstate_bitboard::Mini;
///
/// let text = parse_board::<Mini>(b"2 . .\r\n. 4 .\r\n. . 8\r\n")?;
/// assert_eq!(text, parse_board(b"2 0 0 0 4 0 0 0 8")?);
/// assert_eq!(text, parse_board(b"[[2, 0, 0], [0, 4, 0], [0, 0, 8]]")?);
/// assert_eq!(text, parse_board(b"{\"board\": [[2,0,0],[0,4,0],[0,0,8]]}")?);
///
/// let error = parse_board::<Mini>(b"[[2, 0, 0], [0, 4.0, 0], [0, 0, 8]]").unwrap_err();
/// assert!(error.to_string().starts_with("row 2, column 2: `4.0` is not a tile"));
/// # Ok::<(), afterstate_arena::BoardInputError>(())
/// ```
///
/// *Errors*: what is wrong first, with line and column of the text or row and
/// column of the board.
pub fn parse_board<G: Grid>(input: &[u8]) -> Result<Board<G>, BoardInputError> {
    let text = Utf8Problem::check(input).map_err(BoardInputError::Utf8)?;
    match text.trim_start().chars().next() {
        Some('[') => {
            let rows: &RawValue = serde_json::from_str(text)
                .map_err(|error| BoardInputError::Syntax(SyntaxProblem::new(text, &error)))?;
            board_of_json(rows)
        }
        Some('{') => {
            let fields = Fields::parse(text).map_err(BoardInputError::Syntax)?;
            match fields.named("board").as_slice() {
                [] => Err(BoardInputError::NoBoard),
                [rows] => board_of_json(rows),
                _ => Err(BoardInputError::TwoBoards),
            }
        }
        _ => Ok(text.parse()?),
    }
}

/// The fields of a JSON object as they were written, in order.
pub(crate) struct Fields<'a> {
    /// Name in quotes, and value.
    pub(crate) pairs: Vec<(&'a RawValue, &'a RawValue)>,
}

impl<'a> Fields<'a> {
    /// The fields of a text that begins like an object.
    pub(crate) fn parse(text: &'a str) -> Result<Fields<'a>, SyntaxProblem> {
        serde_json::from_str(text).map_err(|error| SyntaxProblem::new(text, &error))
    }

    /// The values of all fields of this name.
    pub(crate) fn named(&self, name: &str) -> Vec<&'a RawValue> {
        self.pairs
            .iter()
            .filter(|(key, _)| is_named(key, name))
            .map(|&(_, value)| value)
            .collect()
    }
}

/// Whether a name in quotes is `name`, escapes in it or not.
pub(crate) fn is_named(quoted: &RawValue, name: &str) -> bool {
    let quoted = quoted.get();
    match quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(plain) if plain == name => true,
        Some(escaped) if escaped.contains('\\') => {
            serde_json::from_str::<String>(quoted).is_ok_and(|text| text == name)
        }
        _ => false,
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;

        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut pairs = Vec::with_capacity(8);
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Fields { pairs })
            }
        }

        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// The board from a JSON array of rows.
///
/// A cell is taken as it was written: `2.0`, `"2"` and `1e1` are refused, and
/// repeated as they stand.
pub(crate) fn board_of_json<G: Grid>(rows: &RawValue) -> Result<Board<G>, BoardInputError> {
    // Nearly all inputs are rows of whole numbers, read in one go. What is not
    // is read again, with an eye on where it is wrong.
    match serde_json::from_str::<Vec<Vec<i64>>>(rows.get()) {
        Ok(numbers) => Ok(Board::from_rows(&numbers)?),
        Err(_) => board_of_odd_json(rows),
    }
}

fn board_of_odd_json<G: Grid>(rows: &RawValue) -> Result<Board<G>, BoardInputError> {
    let rows = items(rows).ok_or_else(|| BoardInputError::NotRows {
        found: excerpt(rows.get()),
    })?;
    let mut numbers = Vec::with_capacity(rows.len());
    for (row, cells) in (1..).zip(rows) {
        let cells = items(cells).ok_or_else(|| BoardInputError::NotARow {
            row,
            found: excerpt(cells.get()),
        })?;
        let cells: Result<Vec<i64>, BoardError> = (1..)
            .zip(cells)
            .map(|(column, cell)| number::<G>(cell, Place::Cell { row, column }))
            .collect();
        numbers.push(cells?);
    }
    Ok(Board::from_rows(&numbers)?)
}

/// The items of a JSON array.
fn items(array: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(array.get()).ok()
}

fn number<G: Grid>(cell: &RawValue, place: Place) -> Result<i64, BoardError> {
    // `-0` is no whole number to every reader of JSON, and so to none here.
    let whole = cell.get().parse().ok().filter(|_| cell.get() != "-0");
    whole.ok_or_else(|| BoardError {
        place,
        problem: CellProblem::NotATile {
            found: excerpt(cell.get()),
            accepted: G::accepted(),
        },
    })
}
