//! What a person can see of the board that a slide leads to.

use afterstate_bitboard::{Board, Grid};

/// What a person can see of an afterstate: reasons for a slide, beside what an
/// agent thinks of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look {
    /// The slide's gain, in points.
    pub gain: i32,
    /// Empty cells after it, before a tile appears.
    pub n_empty: u32,
    /// Whether the largest tile lies in a corner.
    pub in_corner: bool,
    /// Whether tiles fall or stay equal, step by step, from the largest along
    /// its row or column; from a corner only.
    pub in_order: bool,
}

impl Look {
    /// What is seen of the afterstate `board` of a slide with this gain.
    pub(crate) fn of<G: Grid>(board: Board<G>, gain: i32) -> Look {
        let rows = board.to_rows();
        let largest = board.largest();
        let (last_row, last_col) = (G::ROWS - 1, G::COLS - 1);
        let corners = [(0, 0), (0, last_col), (last_row, 0), (last_row, last_col)];
        let is_largest = |&(row, col): &(usize, usize)| rows[row][col] == largest;
        let in_order = corners.into_iter().filter(is_largest).any(|(row, col)| {
            let mut along_row = rows[row].clone();
            let mut along_column: Vec<i32> = rows.iter().map(|cells| cells[col]).collect();
            if col > 0 {
                along_row.reverse();
            }
            if row > 0 {
                along_column.reverse();
            }
            falls(&along_row) || falls(&along_column)
        });
        Look {
            gain,
            n_empty: board.n_empty(),
            in_corner: corners.iter().any(is_largest),
            in_order,
        }
    }
}

/// Whether no tile is larger than the one before it. Multipliers, which are
/// negative numbers, count as empty.
fn falls(line: &[i32]) -> bool {
    line.windows(2).all(|pair| pair[0].max(0) >= pair[1].max(0))
}

#[cfg(test)]
mod tests {
    use super::Look;

    #[test]
    fn a_look_sees_the_corner_and_the_order() {
        let seen = |text: &str| {
            let board = text.parse().expect("a board");
            Look::of::<afterstate_bitboard::Mini>(board, 0)
        };
        let look = seen("2 4 8\n. 2 .\n. . 2");
        assert!(look.in_corner && look.in_order);
        assert_eq!(look.n_empty, 4);
        let look = seen("2 8 4\n. . .\n. . .");
        assert!(!look.in_corner && !look.in_order);
        let look = seen("8 2 4\n2 . .\n4 . .");
        assert!(look.in_corner && !look.in_order);
    }
}
