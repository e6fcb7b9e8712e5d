//! Boards as text and as rows of numbers.

use core::fmt;
use core::str::FromStr;

use crate::board::Board;
use crate::grid::Grid;
use crate::tile::{parse_tile, tile_text};

/// Where in the input something is wrong. All counts are 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A character of the text.
    Text {
        /// Line of the text.
        line: usize,
        /// Character in the line.
        column: usize,
    },
    /// A cell of rows of numbers.
    Cell {
        /// Row of the board.
        row: usize,
        /// Column of the board.
        column: usize,
    },
    /// A row of rows of numbers.
    Row {
        /// Row of the board.
        row: usize,
    },
    /// The input as a whole.
    Board,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column } => write!(f, "line {line}, column {column}: "),
            Place::Cell { row, column } => write!(f, "row {row}, column {column}: "),
            Place::Row { row } => write!(f, "row {row}: "),
            Place::Board => Ok(()),
        }
    }
}

/// What is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellProblem {
    /// The word or number is no tile of this grid.
    NotATile {
        /// What was read, cut short when long.
        found: String,
        /// What the grid accepts.
        accepted: String,
    },
    /// Cells are divided by something other than blanks.
    Separator {
        /// The character.
        found: char,
    },
    /// A row with another number of cells than the grid has columns.
    RowLength {
        /// Cells in the row.
        found: usize,
        /// Columns of the grid.
        expected: usize,
    },
    /// Another number of rows than the grid has.
    Rows {
        /// Rows in the input.
        found: usize,
        /// Rows of the grid.
        expected: usize,
    },
}

/// Why an input is no board, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardError {
    /// Where it is wrong.
    pub place: Place,
    /// What is wrong.
    pub problem: CellProblem,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        match &self.problem {
            CellProblem::NotATile { found, accepted } => {
                write!(f, "`{found}` is not a tile, expected {accepted}")
            }
            CellProblem::Separator { found } => write!(
                f,
                "`{}` between cells, expected blanks",
                found.escape_default()
            ),
            CellProblem::RowLength { found, expected } => {
                write!(
                    f,
                    "{found} {} in a row, expected {expected}",
                    noun(*found, "cell")
                )
            }
            CellProblem::Rows { found, expected } => {
                write!(f, "{found} {}, expected {expected}", noun(*found, "row"))
            }
        }
    }
}

fn noun(count: usize, one: &str) -> String {
    if count == 1 {
        one.to_owned()
    } else {
        format!("{one}s")
    }
}

impl std::error::Error for BoardError {}

/// At most this many characters of a bad word are repeated in an error.
const QUOTED: usize = 20;

fn quoted(word: &str) -> String {
    let mut short: String = word
        .chars()
        .take(QUOTED)
        .flat_map(char::escape_debug)
        .collect();
    if word.chars().count() > QUOTED {
        short.push('…');
    }
    short
}

fn not_a_tile<G: Grid>(place: Place, found: String) -> BoardError {
    BoardError {
        place,
        problem: CellProblem::NotATile {
            found,
            accepted: G::accepted(),
        },
    }
}

impl<G: Grid> Board<G> {
    /// The board from rows of numbers, row 0 on top: the form used in JSON.
    ///
    /// *Errors*: a number that is no tile, or rows of another shape, with the
    /// row and column counted from 1.
    pub fn from_rows<Row: AsRef<[i64]>>(rows: &[Row]) -> Result<Self, BoardError> {
        if rows.len() != G::ROWS {
            return Err(BoardError {
                place: Place::Board,
                problem: CellProblem::Rows {
                    found: rows.len(),
                    expected: G::ROWS,
                },
            });
        }
        let mut board = Board::default();
        for (row, numbers) in rows.iter().enumerate() {
            let numbers = numbers.as_ref();
            if numbers.len() != G::COLS {
                return Err(BoardError {
                    place: Place::Row { row: row + 1 },
                    problem: CellProblem::RowLength {
                        found: numbers.len(),
                        expected: G::COLS,
                    },
                });
            }
            for (col, &number) in numbers.iter().enumerate() {
                let place = Place::Cell {
                    row: row + 1,
                    column: col + 1,
                };
                let code =
                    G::code(number).ok_or_else(|| not_a_tile::<G>(place, number.to_string()))?;
                board = board.with_cell(row * G::COLS + col, code);
            }
        }
        Ok(board)
    }
}

/// The words of a line of text with their columns, 1-based.
///
/// Words are divided by spaces. A tab, comma or semicolon is an error of its
/// own: it is the usual slip of a board typed or pasted in another notation,
/// and to guess would be to risk a different board.
fn words(line: usize, text: &str) -> Result<Vec<(usize, &str)>, BoardError> {
    let mut found = Vec::new();
    let mut start = None;
    for (column, (at, ch)) in (1..).zip(text.char_indices()) {
        match (ch, start) {
            (' ', Some((first, from))) => {
                found.push((first, &text[from..at]));
                start = None;
            }
            (' ', None) => {}
            (',' | ';' | '|', _) | ('\t', _) => {
                return Err(BoardError {
                    place: Place::Text { line, column },
                    problem: CellProblem::Separator { found: ch },
                });
            }
            (_, Some(_)) => {}
            (_, None) => start = Some((column, at)),
        }
    }
    if let Some((first, from)) = start {
        found.push((first, &text[from..]));
    }
    Ok(found)
}

impl<G: Grid> FromStr for Board<G> {
    type Err = BoardError;

    /// The board from its text: rows of cells divided by blanks, blank lines
    /// ignored, or all cells on one line. LF and CRLF are
    /// both accepted.
    ///
    /// *Errors*: a word that is no tile, another separator, or another shape,
    /// with line and column counted from 1.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut rows = Vec::new();
        for (line, content) in (1..).zip(text.split('\n')) {
            let content = content.strip_suffix('\r').unwrap_or(content);
            let words = words(line, content)?;
            if !words.is_empty() {
                rows.push((line, words));
            }
        }
        let in_one_line = rows.len() == 1 && rows[0].1.len() == G::CELLS;
        let mut board = Board::default();
        let mut idx = 0;
        for (line, words) in &rows {
            for &(column, word) in words {
                let place = Place::Text {
                    line: *line,
                    column,
                };
                let code = parse_tile(word)
                    .and_then(|number| G::code(i64::from(number)))
                    .ok_or_else(|| not_a_tile::<G>(place, quoted(word)))?;
                if idx < G::CELLS {
                    board = board.with_cell(idx, code);
                    idx += 1;
                }
            }
            if words.len() != G::COLS && !in_one_line {
                // The first word too many, or where the next one is missing.
                let column = match words.get(G::COLS) {
                    Some(&(column, _)) => column,
                    None => words
                        .last()
                        .map_or(1, |&(first, word)| first + word.chars().count()),
                };
                return Err(BoardError {
                    place: Place::Text {
                        line: *line,
                        column,
                    },
                    problem: CellProblem::RowLength {
                        found: words.len(),
                        expected: G::COLS,
                    },
                });
            }
        }
        if rows.len() != G::ROWS && !in_one_line {
            let line = match rows.get(G::ROWS) {
                Some(&(line, _)) => line,
                None => rows.last().map_or(1, |&(line, _)| line + 1),
            };
            return Err(BoardError {
                place: Place::Text { line, column: 1 },
                problem: CellProblem::Rows {
                    found: rows.len(),
                    expected: G::ROWS,
                },
            });
        }
        Ok(board)
    }
}

impl<G: Grid> fmt::Display for Board<G> {
    /// The rows of the board, cells right-aligned in columns of equal width,
    /// lines divided (not ended) by a newline: what [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self
            .cells()
            .map(|code| tile_text(G::number(code)))
            .collect();
        let width = texts.iter().map(String::len).max().unwrap_or(1);
        for (row, cells) in texts.chunks(G::COLS).enumerate() {
            if row > 0 {
                writeln!(f)?;
            }
            for (col, text) in cells.iter().enumerate() {
                let gap = if col > 0 { " " } else { "" };
                write!(f, "{gap}{text:>width$}")?;
            }
        }
        Ok(())
    }
}
