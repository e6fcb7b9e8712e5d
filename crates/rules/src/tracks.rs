//! Where each tile goes in a slide, for programs that show it.

use afterstate_bitboard::{Board, Grid, Slide};

use crate::rules::Rules;

/// The way of one tile in a slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Track {
    /// The cell that the tile leaves: row by row, 0-based.
    pub from: usize,
    /// The cell that it comes to; the same where it stays.
    pub to: usize,
    /// Whether the tile that then lies there was made of two: both have tracks
    /// that end there.
    pub merges: bool,
}

/// The ways of all tiles of `board` in a slide; none when the slide is not
/// legal.
///
/// Slides are table look-ups, which know what becomes of a line and not where
/// its tiles went. No rule lets tiles pass each other, so every tile of the
/// line after is one of the line before, or two neighbors of it that merged;
/// and a pair merges in the middle of a line only if it would at the edge, so
/// the rules themselves say which pairs those are. Where two pairs explain the
/// same line, the one nearer the edge merged, since lines are gone through
/// from there.
///
/// *Shape*: in the order of the tiles' old cells within each line, from the
/// edge slid towards.
///
/// *Cost*: for showing, not for search: some hundred nanoseconds.
///
/// ```
/// use afterstate_bitboard::{ClassicBoard, Slide};
/// use afterstate_rules::{ClassicRules, Track, tracks};
///
/// let board: ClassicBoard = ". 2 2 4 . . . . . . . . . . . .".parse()?;
/// let ways = tracks(ClassicRules::new(), board, Slide::Left);
/// let way = |from, to, merges| Track { from, to, merges };
/// assert_eq!(ways, [way(1, 0, true), way(2, 0, true), way(3, 1, false)]);
/// # Ok::<(), afterstate_bitboard::BoardError>(())
/// ```
pub fn tracks<R: Rules>(rules: R, board: Board<R::Grid>, slide: Slide) -> Vec<Track> {
    let mut ways = Vec::with_capacity(R::Grid::CELLS);
    let Some(after) = rules.apply(board, slide) else {
        return ways;
    };
    for cells in lines::<R::Grid>(slide) {
        let tiles: Vec<usize> = occupied(board, &cells);
        let made: Vec<usize> = occupied(after.board, &cells);
        let codes = |board: Board<R::Grid>, idxs: &[usize]| -> Vec<u8> {
            idxs.iter().map(|&idx| board.cell(idx)).collect()
        };
        let sizes = groups(
            &codes(board, &tiles),
            &codes(after.board, &made),
            &|lower, upper| merged(rules, lower, upper),
        )
        .expect("a line after a slide is made of the line before");
        let mut next = tiles.iter();
        for (&to, size) in made.iter().zip(sizes) {
            ways.extend(next.by_ref().take(size).map(|&from| Track {
                from,
                to,
                merges: size == 2,
            }));
        }
    }
    ways
}

/// The cells of each line, from the edge slid towards.
fn lines<G: Grid>(slide: Slide) -> Vec<Vec<usize>> {
    let (n_lines, length) = match slide.is_vertical() {
        true => (G::COLS, G::ROWS),
        false => (G::ROWS, G::COLS),
    };
    let cell = |line: usize, along: usize| match slide.is_vertical() {
        true => along * G::COLS + line,
        false => line * G::COLS + along,
    };
    (0..n_lines)
        .map(|line| {
            let mut cells: Vec<usize> = (0..length).map(|along| cell(line, along)).collect();
            if slide.is_towards_end() {
                cells.reverse();
            }
            cells
        })
        .collect()
}

fn occupied<G: Grid>(board: Board<G>, cells: &[usize]) -> Vec<usize> {
    let mut occupied = cells.to_vec();
    occupied.retain(|&idx| board.cell(idx) != 0);
    occupied
}

/// How many neighbors of `before`, 1 or 2, made each tile of `after`; pairs
/// nearer the edge first.
fn groups(
    before: &[u8],
    after: &[u8],
    merged: &dyn Fn(u8, u8) -> Option<u8>,
) -> Option<Vec<usize>> {
    let Some((&made, rest)) = after.split_first() else {
        return before.is_empty().then(Vec::new);
    };
    for size in [2, 1] {
        let explains = match (size, before) {
            (2, &[lower, upper, ..]) => merged(lower, upper) == Some(made),
            (1, &[tile, ..]) => tile == made,
            _ => false,
        };
        if explains && let Some(mut sizes) = groups(&before[size..], rest, merged) {
            sizes.insert(0, size);
            return Some(sizes);
        }
    }
    None
}

/// What two tiles become at the edge, where a pair merges if it ever does.
fn merged<R: Rules>(rules: R, lower: u8, upper: u8) -> Option<u8> {
    let pair = Board::<R::Grid>::default().put(0, lower).put(1, upper);
    let after = rules.after(pair, Slide::Left);
    (after.cell(1) == 0).then(|| after.cell(0))
}
