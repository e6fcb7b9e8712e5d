//! Slides, told as the rules page tells them. RULES sections 1 and 3.

use crate::boards::NaiveBoard;

/// The edge that tiles slide towards, in the order of the contest's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards column 0.
    Left,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Right,
        Direction::Down,
        Direction::Left,
    ];

    /// The name used in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Right => "right",
            Direction::Down => "down",
            Direction::Left => "left",
        }
    }

    /// Row and column of the cells of each line, from the edge slid towards.
    fn lines(self, n_rows: usize, n_cols: usize) -> Vec<Vec<(usize, usize)>> {
        let row = |row| (0..n_cols).map(move |col| (row, col));
        let column = |col| (0..n_rows).map(move |row| (row, col));
        match self {
            Direction::Left => (0..n_rows).map(|at| row(at).collect()).collect(),
            Direction::Right => (0..n_rows).map(|at| row(at).rev().collect()).collect(),
            Direction::Up => (0..n_cols).map(|at| column(at).collect()).collect(),
            Direction::Down => (0..n_cols).map(|at| column(at).rev().collect()).collect(),
        }
    }
}

/// The rules of a variant, for boards of any shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NaiveRules {
    /// Classic rules. Two tiles of the number `top` do not merge: fast boards
    /// have a largest tile, and two of those can never be on the board of a
    /// game. `i32::MAX` for no such limit.
    Classic {
        /// The largest tile.
        top: i32,
    },
    /// Akioi.
    Akioi,
}

/// The tile that clears a game of akioi.
const AK: i32 = 65536;

impl NaiveRules {
    /// Classic rules of the 4x4 board.
    pub const CLASSIC: NaiveRules = NaiveRules::Classic { top: 131_072 };
    /// Classic rules of the 3x3 board.
    pub const MINI: NaiveRules = NaiveRules::Classic { top: 1024 };

    /// What a slide makes of one line, listed from the edge slid towards, and
    /// the gain in points.
    pub fn slide_line(self, line: &[i32]) -> (Vec<i32>, i64) {
        match self {
            NaiveRules::Classic { top } => classic_line(line, top),
            NaiveRules::Akioi => akioi_line(line),
        }
    }

    /// The board after a slide, and the gain in points. The board comes back
    /// as it was when the slide is not legal.
    pub fn slide(self, board: &NaiveBoard, direction: Direction) -> (NaiveBoard, i64) {
        let n_cols = board.first().map_or(0, Vec::len);
        let mut after = board.clone();
        let mut gain = 0;
        for cells in direction.lines(board.len(), n_cols) {
            let line: Vec<i32> = cells.iter().map(|&(row, col)| board[row][col]).collect();
            let (slid, line_gain) = self.slide_line(&line);
            for (&(row, col), number) in cells.iter().zip(slid) {
                after[row][col] = number;
            }
            gain += line_gain;
        }
        (after, gain)
    }

    /// Whether the slide changes something.
    pub fn is_legal(self, board: &NaiveBoard, direction: Direction) -> bool {
        self.slide(board, direction).0 != *board
    }

    /// The legal slides with the afterstate and gain of each, in the order of
    /// [`Direction::ALL`].
    pub fn afterstates(self, board: &NaiveBoard) -> Vec<(Direction, NaiveBoard, i64)> {
        let mut legal = Vec::new();
        for direction in Direction::ALL {
            let (after, gain) = self.slide(board, direction);
            if after != *board {
                legal.push((direction, after, gain));
            }
        }
        legal
    }

    /// Whether the game is won and ends: akioi with a 65536 on the board.
    pub fn is_cleared(self, board: &NaiveBoard) -> bool {
        self == NaiveRules::Akioi && board.iter().flatten().any(|&number| number == AK)
    }

    /// Whether the game is lost: not won, and no slide is legal.
    pub fn is_over(self, board: &NaiveBoard) -> bool {
        !self.is_cleared(board) && self.afterstates(board).is_empty()
    }
}

/// Section 1: each tile in turn, nearest the edge first, moves cell by cell
/// until it meets the edge or another tile.
fn classic_line(line: &[i32], top: i32) -> (Vec<i32>, i64) {
    let mut cells = line.to_vec();
    let mut made_by_merge = vec![false; line.len()];
    let mut gain = 0;
    for start in 0..cells.len() {
        let tile = cells[start];
        if tile == 0 {
            continue;
        }
        let mut at = start;
        while at > 0 && cells[at - 1] == 0 {
            cells[at - 1] = tile;
            cells[at] = 0;
            at -= 1;
        }
        if at > 0 && cells[at - 1] == tile && !made_by_merge[at - 1] && tile != top {
            cells[at - 1] = tile + tile;
            cells[at] = 0;
            made_by_merge[at - 1] = true;
            gain += i64::from(tile + tile);
        }
    }
    (cells, gain)
}

/// Section 3, its five steps in the words of a slide down: `lower` is the tile
/// nearer the edge, and the cells below it are those before it in the line.
fn akioi_line(line: &[i32]) -> (Vec<i32>, i64) {
    let mut cells = line.to_vec();
    let mut gain = 0;
    let tile_from = |cells: &[i32], from: usize| (from..cells.len()).find(|&at| cells[at] != 0);
    let mut scan = tile_from(&cells, 0);
    while let Some(lower) = scan {
        let Some(upper) = tile_from(&cells, lower + 1) else {
            break;
        };
        let is_adjacent = upper == lower + 1;
        let no_hole_below = cells[..lower].iter().all(|&number| number != 0);
        match akioi_merge(cells[lower], cells[upper], is_adjacent && no_hole_below) {
            Some((tile, points)) => {
                cells[lower] = tile;
                cells[upper] = 0;
                gain += points;
                scan = tile_from(&cells, upper + 1);
            }
            None => scan = Some(upper),
        }
    }
    let fallen = cells.iter().copied().filter(|&number| number != 0);
    let mut after: Vec<i32> = fallen.collect();
    after.resize(line.len(), 0);
    (after, gain)
}

/// The table of section 3: what two tiles become and the gain, if they merge.
/// `is_placed_right` is whether a value and a multiplier may.
fn akioi_merge(lower: i32, upper: i32, is_placed_right: bool) -> Option<(i32, i64)> {
    match (lower > 0, upper > 0) {
        (true, true) => {
            let sum = lower + upper;
            (lower == upper && lower < AK).then_some((sum, i64::from(sum)))
        }
        // Multipliers are negative, and so is what two of them gain.
        (false, false) => {
            let sum = lower + upper;
            (lower == upper && lower != -4).then_some((sum, i64::from(sum)))
        }
        _ => {
            let product = (-lower * upper).min(AK);
            is_placed_right.then_some((product, i64::from(product)))
        }
    }
}
