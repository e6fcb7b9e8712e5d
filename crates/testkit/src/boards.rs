//! Boards as rows of numbers, and what can be read off them.

/// A board: its rows from the top, each from the left.
pub type NaiveBoard = Vec<Vec<i32>>;

/// A board without tiles.
pub fn empty_board(n_rows: usize, n_cols: usize) -> NaiveBoard {
    vec![vec![0; n_cols]; n_rows]
}

/// Row and column of every empty cell, row by row.
pub fn empty_cells(board: &NaiveBoard) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    for (row, numbers) in board.iter().enumerate() {
        for (col, &number) in numbers.iter().enumerate() {
            if number == 0 {
                cells.push((row, col));
            }
        }
    }
    cells
}

/// The largest value tile; 0 where there is none.
pub fn largest(board: &NaiveBoard) -> i32 {
    value_tiles(board).max().unwrap_or(0)
}

/// The sum of the value tiles.
pub fn tile_sum(board: &NaiveBoard) -> i64 {
    value_tiles(board).map(i64::from).sum()
}

/// The sum of (k − 1)·2^k over the tiles 2^k.
///
/// *Source*: RULES section 4.
pub fn potential(board: &NaiveBoard) -> i64 {
    let mut sum = 0;
    for number in value_tiles(board) {
        let mut exponent = 0;
        while 1 << exponent < number {
            exponent += 1;
        }
        sum += (i64::from(exponent) - 1) * i64::from(number);
    }
    sum
}

fn value_tiles(board: &NaiveBoard) -> impl Iterator<Item = i32> {
    board.iter().flatten().copied().filter(|&number| number > 0)
}

/// Rows and columns exchanged.
pub fn transposed(board: &NaiveBoard) -> NaiveBoard {
    let n_cols = board.first().map_or(0, Vec::len);
    (0..n_cols)
        .map(|col| board.iter().map(|numbers| numbers[col]).collect())
        .collect()
}

/// Left and right exchanged.
pub fn mirrored(board: &NaiveBoard) -> NaiveBoard {
    let reversed = |numbers: &Vec<i32>| numbers.iter().rev().copied().collect();
    board.iter().map(reversed).collect()
}

/// Top and bottom exchanged.
pub fn flipped(board: &NaiveBoard) -> NaiveBoard {
    board.iter().rev().cloned().collect()
}

/// Every different image of the board that has its shape: quarter turns and
/// reflections of a square board, half turns and reflections of an oblong one.
///
/// *Shape*: sorted, each image once.
pub fn symmetries(board: &NaiveBoard) -> Vec<NaiveBoard> {
    let mut images = Vec::new();
    let mut turned = board.clone();
    for _ in 0..4 {
        // A quarter turn clockwise: the first column, read upwards, is on top.
        turned = mirrored(&transposed(&turned));
        images.push(turned.clone());
        images.push(mirrored(&turned));
    }
    images.retain(|image| image.len() == board.len() && image[0].len() == board[0].len());
    images.sort();
    images.dedup();
    images
}
