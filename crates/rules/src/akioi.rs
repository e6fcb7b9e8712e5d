//! Akioi: 2048 with multiplier tiles. RULES section 3.

use afterstate_bitboard::{Akioi, Board, Grid, LineTable, Quints};

use crate::rules::Rules;
use crate::table::built_once;

/// A grid whose cell codes are those of [`Akioi`].
pub trait AkioiGrid: Grid {
    /// Whether a 65536 is on the board: the tile that clears the game.
    #[inline(always)]
    fn has_top(board: Board<Self>) -> bool {
        board.cells().any(|code| code == Akioi::TOP)
    }
}

impl AkioiGrid for Akioi {
    /// Nearly all boards have an empty plane, and no tile above 4096 then.
    #[inline(always)]
    fn has_top(board: Board<Akioi>) -> bool {
        !board.word().is_narrow() && board.cells().any(|code| code == Akioi::TOP)
    }
}

impl<const R: usize, const C: usize> AkioiGrid for Quints<R, C> {}

/// The rules of akioi on grid `G`.
pub struct AkioiRules<G: AkioiGrid = Akioi> {
    rows: &'static LineTable<G>,
    columns: &'static LineTable<G::Transposed>,
}

impl<G: AkioiGrid> Clone for AkioiRules<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: AkioiGrid> Copy for AkioiRules<G> {}

impl AkioiRules<Akioi> {
    /// The rules of akioi on its 4x4 board.
    ///
    /// *Cost*: the first call in a process tabulates all lines (milliseconds).
    pub fn new() -> Self {
        Self::on_grid()
    }
}

impl Default for AkioiRules<Akioi> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: AkioiGrid> AkioiRules<G> {
    /// The rules of akioi on the grid `G`.
    ///
    /// *Cost*: the first call in a process tabulates all lines (milliseconds).
    pub fn on_grid() -> Self {
        AkioiRules {
            rows: built_once(|| LineTable::new(slide_line)),
            columns: built_once(|| LineTable::new(slide_line)),
        }
    }
}

impl<G: AkioiGrid> Rules for AkioiRules<G> {
    type Grid = G;
    type Narrow = AkioiRules<G>;

    const GAIN_IS_POTENTIAL: bool = false;

    fn narrow(self) -> Option<AkioiRules<G>> {
        None
    }

    fn narrow_board(_: Board<G>, _: u32, _: i32) -> Option<Board<G>> {
        None
    }

    #[inline(always)]
    fn rows(self) -> &'static LineTable<G> {
        self.rows
    }

    #[inline(always)]
    fn columns(self) -> &'static LineTable<G::Transposed> {
        self.columns
    }

    #[inline(always)]
    fn is_cleared(self, board: Board<G>) -> bool {
        G::has_top(board)
    }
}

fn is_multiplier(code: u8) -> bool {
    (Akioi::TIMES_1..=Akioi::TIMES_4).contains(&code)
}

/// The code and gain of two tiles merged, where their kinds allow it. Whether
/// a value and a multiplier are placed right is asked elsewhere.
fn merged(lower: u8, upper: u8) -> Option<(u8, i32)> {
    match (is_multiplier(lower), is_multiplier(upper)) {
        (false, false) => {
            (lower == upper && lower < Akioi::TOP).then(|| (lower + 1, Akioi::number(lower + 1)))
        }
        // A multiplier's number is negative, and so is what merging two costs.
        (true, true) => (lower == upper && lower < Akioi::TIMES_4)
            .then(|| (lower + 1, Akioi::number(lower + 1))),
        (true, false) => Some(product(upper, lower)),
        (false, true) => Some(product(lower, upper)),
    }
}

/// ×1, ×2 and ×4 raise the exponent by 0, 1 and 2, up to 65536.
fn product(value: u8, multiplier: u8) -> (u8, i32) {
    let code = (value + multiplier - Akioi::TIMES_1).min(Akioi::TOP);
    (code, Akioi::number(code))
}

/// Slides one line, listed from the edge slid to; returns the gain.
fn slide_line(cells: &mut [u8]) -> i32 {
    let mut gain = 0;
    let mut lower = next_tile(cells, 0);
    while let Some(low) = lower {
        let Some(up) = next_tile(cells, low + 1) else {
            break;
        };
        let same_kind = is_multiplier(cells[low]) == is_multiplier(cells[up]);
        let packed = up == low + 1 && cells[..low].iter().all(|&code| code != 0);
        match merged(cells[low], cells[up]) {
            Some((code, points)) if same_kind || packed => {
                cells[low] = code;
                cells[up] = 0;
                gain += points;
                lower = next_tile(cells, up + 1);
            }
            _ => lower = Some(up),
        }
    }
    fall(cells);
    gain
}

/// The first cell with a tile from `from` on.
fn next_tile(cells: &[u8], from: usize) -> Option<usize> {
    (from..cells.len()).find(|&idx| cells[idx] != 0)
}

/// Moves all tiles to the front, in order.
fn fall(cells: &mut [u8]) {
    let mut settled = 0;
    for idx in 0..cells.len() {
        if cells[idx] != 0 {
            cells.swap(settled, idx);
            settled += 1;
        }
    }
}
