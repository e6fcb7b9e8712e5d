//! Which cells a network looks at together.

use core::fmt;

use afterstate_bitboard::Grid;

use crate::index::place;

/// The most cells that a pattern can have.
pub(crate) const MAX_CELLS: usize = 9;

/// The most patterns that a network can have.
pub(crate) const MAX_PATTERNS: usize = 8;

/// Cells that are looked at together.
///
/// *Shape*: cell indices, row by row from the top left, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    cells: Vec<u8>,
}

impl Pattern {
    /// The cells, ascending.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The cells of image number `image`, ascending.
    fn placed<G: Grid>(&self, image: usize) -> Vec<u8> {
        let placed: Vec<u8> = self
            .cells
            .iter()
            .map(|&cell| place::<G>(image, cell))
            .collect();
        sorted(&placed)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().try_for_each(|cell| write!(f, "{cell:x}"))
    }
}

/// The patterns of a network.
///
/// The text form is a name (`4x6`) or patterns as lists of cells in hexadecimal
/// digits with commas between them (`0123,4567`). It is canonical: cells in
/// ascending order, and the name where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PatternSet {
    patterns: Vec<Pattern>,
}

/// Names for sets of patterns on a board of `rows` × `cols`.
struct Named {
    name: &'static str,
    rows: usize,
    cols: usize,
    cells: &'static str,
}

/// *Source*: `4x6` is from K.-H. Yeh and others, Multi-stage temporal difference
/// learning for 2048-like games (2016), `6x6` and `8x6` from K. Matsuzaki,
/// Systematic selection of n-tuple networks for 2048 (2016), as TDL2048 names
/// them; those of three rows are our own.
const NAMED: &[Named] = &[
    Named::on4("2x4", "0123,4567"),
    Named::on4("5x4", "0123,4567,0145,1256,569a"),
    Named::on4("4x5", "01234,45678,01245,45689"),
    Named::on4("4x6", "012345,456789,012456,45689a"),
    Named::on4("5x6", "012345,456789,89abcd,012456,45689a"),
    Named::on4("6x6", "012456,456789,012345,234569,01259a,345678"),
    Named::on4(
        "8x6",
        "012456,456789,012345,234569,01259a,345678,134567,01489a",
    ),
    Named::on3("2x6", "012345,012346"),
    Named::on3("3x7", "0123456,0123457,0123468"),
];

impl Named {
    const fn on4(name: &'static str, cells: &'static str) -> Named {
        Named {
            name,
            rows: 4,
            cols: 4,
            cells,
        }
    }

    const fn on3(name: &'static str, cells: &'static str) -> Named {
        Named {
            name,
            rows: 3,
            cols: 3,
            cells,
        }
    }
}

/// Why a text names no patterns of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// Neither a name nor digits and commas.
    Name {
        /// What stands there.
        found: String,
        /// The names for this board.
        accepted: String,
    },
    /// A cell that the board does not have.
    Cell {
        /// Its digit.
        found: char,
        /// Number of cells of the board.
        n_cells: usize,
    },
    /// A cell twice in one pattern.
    Twice {
        /// Its digit.
        found: char,
    },
    /// Too few or too many cells in a pattern.
    Length {
        /// The number of cells.
        found: usize,
    },
    /// Too many patterns.
    Count {
        /// Their number.
        found: usize,
    },
    /// One pattern is an image of another.
    Same {
        /// The second of them.
        found: String,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Name { found, accepted } => write!(
                f,
                "no patterns `{found}`: expected {accepted}, or lists of cells like 0123,4567"
            ),
            PatternError::Cell { found, n_cells } => write!(
                f,
                "no cell `{found}`: expected a hexadecimal digit from 0 to {:x}",
                n_cells - 1
            ),
            PatternError::Twice { found } => write!(f, "cell `{found}` twice in one pattern"),
            PatternError::Length { found } => {
                write!(f, "a pattern of {found} cells: expected 1 to {MAX_CELLS}")
            }
            PatternError::Count { found } => {
                write!(f, "{found} patterns: expected 1 to {MAX_PATTERNS}")
            }
            PatternError::Same { found } => {
                write!(f, "pattern `{found}` is a symmetric image of another")
            }
        }
    }
}

impl std::error::Error for PatternError {}

impl PatternSet {
    /// The patterns that `text` names on the board of grid `G`.
    ///
    /// *Errors*: see [`PatternError`].
    pub fn parse<G: Grid>(text: &str) -> Result<PatternSet, PatternError> {
        let cells = named::<G>()
            .find(|named| named.name == text)
            .map_or(text, |named| named.cells);
        let is_list = cells
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b',');
        if !is_list || cells.is_empty() {
            let names: Vec<&str> = named::<G>().map(|named| named.name).collect();
            return Err(PatternError::Name {
                found: text.chars().take(40).flat_map(char::escape_debug).collect(),
                accepted: names.join(", "),
            });
        }
        let patterns: Vec<Pattern> = cells
            .split(',')
            .map(parse_one::<G>)
            .collect::<Result<_, _>>()?;
        if patterns.len() > MAX_PATTERNS {
            return Err(PatternError::Count {
                found: patterns.len(),
            });
        }
        for (idx, pattern) in patterns.iter().enumerate() {
            let images: Vec<Vec<u8>> = (0..8).map(|image| pattern.placed::<G>(image)).collect();
            let same = |other: &&Pattern| images.contains(&other.cells);
            if let Some(same) = patterns[idx + 1..].iter().find(same) {
                return Err(PatternError::Same {
                    found: same.to_string(),
                });
            }
        }
        Ok(PatternSet { patterns })
    }

    /// The patterns, in order.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The patterns as lists of cells, without a name.
    pub fn cells(&self) -> String {
        let cells: Vec<String> = self.patterns.iter().map(Pattern::to_string).collect();
        cells.join(",")
    }

    /// Number of weights of a stage where cells are of `base` kinds; `u64::MAX`
    /// where there are more.
    pub fn n_weights(&self, base: u32) -> u64 {
        let lengths = self
            .patterns
            .iter()
            .map(|pattern| pattern.cells.len() as u32);
        lengths.fold(0, |sum: u64, length| {
            sum.saturating_add(u64::from(base).saturating_pow(length))
        })
    }

    /// The names of all sets for the board of `G`, with their cells.
    pub fn names<G: Grid>() -> impl Iterator<Item = (&'static str, &'static str)> {
        named::<G>().map(|named| (named.name, named.cells))
    }
}

impl fmt::Display for PatternSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.cells();
        // A name says the board's size as well: no cells have two names.
        let named = NAMED.iter().find(|named| named.cells == cells);
        f.write_str(named.map_or(&cells, |named| named.name))
    }
}

fn named<G: Grid>() -> impl Iterator<Item = &'static Named> {
    NAMED
        .iter()
        .filter(|named| (named.rows, named.cols) == (G::ROWS, G::COLS))
}

fn sorted(cells: &[u8]) -> Vec<u8> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

fn parse_one<G: Grid>(text: &str) -> Result<Pattern, PatternError> {
    if !(1..=MAX_CELLS.min(G::CELLS)).contains(&text.len()) {
        return Err(PatternError::Length { found: text.len() });
    }
    let mut cells = Vec::with_capacity(text.len());
    for digit in text.chars() {
        let cell = digit.to_digit(16).expect("only digits were let through") as u8;
        if usize::from(cell) >= G::CELLS {
            return Err(PatternError::Cell {
                found: digit,
                n_cells: G::CELLS,
            });
        }
        if cells.contains(&cell) {
            return Err(PatternError::Twice { found: digit });
        }
        cells.push(cell);
    }
    Ok(Pattern {
        cells: sorted(&cells),
    })
}
