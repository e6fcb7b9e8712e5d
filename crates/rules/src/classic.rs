//! Classic rules, on 4x4 and on smaller boards. RULES section 1.

use core::any::TypeId;

use afterstate_bitboard::{Board, Classic, Grid, LineTable, Nibbles};

use crate::rules::Rules;
use crate::table::built_once;

/// A grid whose cell codes are exponents: what the classic rules need.
pub trait ValueGrid: Grid {
    /// The same board in fewer bits; the grid itself where there is none.
    type Narrow: ValueGrid + Grid<Transposed: ValueGrid>;

    /// [`Rules::narrow_board`], for the classic rules.
    fn narrow_board(
        board: Board<Self>,
        n_slides: u32,
        max_spawn: i32,
    ) -> Option<Board<Self::Narrow>>;
}

impl ValueGrid for Classic {
    type Narrow = Nibbles<4, 4>;

    fn narrow_board(
        board: Board<Classic>,
        n_slides: u32,
        max_spawn: i32,
    ) -> Option<Board<Nibbles<4, 4>>> {
        let is_exact = ClassicRules::narrow_is_exact(board, n_slides, max_spawn);
        board.to_narrow().filter(|_| is_exact)
    }
}

impl<const R: usize, const C: usize, const S: usize> ValueGrid for Nibbles<R, C, S> {
    type Narrow = Nibbles<R, C, S>;

    fn narrow_board(_: Board<Self>, _: u32, _: i32) -> Option<Board<Self>> {
        None
    }
}

/// Classic rules on grid `G`.
pub struct ClassicRules<G: ValueGrid = Classic>
where
    G::Transposed: ValueGrid,
{
    rows: &'static LineTable<G>,
    columns: &'static LineTable<G::Transposed>,
}

impl<G: ValueGrid> Clone for ClassicRules<G>
where
    G::Transposed: ValueGrid,
{
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: ValueGrid> Copy for ClassicRules<G> where G::Transposed: ValueGrid {}

impl ClassicRules<Classic> {
    /// The rules of the 4x4 board, exact up to 131072.
    pub fn new() -> Self {
        Self::on_grid()
    }

    /// Whether the next `n_slides` slides from `board` give the same boards on
    /// the 64-bit layout as on the wide one.
    ///
    /// Making a 65536 takes a tile sum of at least 65536, and each spawn adds
    /// at most `max_spawn`.
    pub fn narrow_is_exact(board: Board<Classic>, n_slides: u32, max_spawn: i32) -> bool {
        board.tile_sum() + i64::from(n_slides) * i64::from(max_spawn) < 1 << 16
    }
}

impl Default for ClassicRules<Classic> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: ValueGrid> ClassicRules<G>
where
    G::Transposed: ValueGrid,
{
    /// The rules on the grid `G`.
    ///
    /// *Cost*: the first call in a process tabulates all lines (milliseconds
    /// for the 80-bit layout).
    pub fn on_grid() -> Self {
        ClassicRules {
            rows: built_once(|| LineTable::new(slide_line::<G>)),
            columns: built_once(|| LineTable::new(slide_line::<G::Transposed>)),
        }
    }
}

impl<G: ValueGrid> Rules for ClassicRules<G>
where
    G::Transposed: ValueGrid,
{
    type Grid = G;
    type Narrow = ClassicRules<G::Narrow>;

    const GAIN_IS_POTENTIAL: bool = true;

    fn narrow(self) -> Option<ClassicRules<G::Narrow>> {
        let is_other = TypeId::of::<G::Narrow>() != TypeId::of::<G>();
        is_other.then(ClassicRules::on_grid)
    }

    fn narrow_board(board: Board<G>, n_slides: u32, max_spawn: i32) -> Option<Board<G::Narrow>> {
        G::narrow_board(board, n_slides, max_spawn)
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
    fn is_cleared(self, _board: Board<G>) -> bool {
        false
    }
}

/// Slides one line, listed from the edge slid to; returns the gain.
///
/// Two tiles of the largest kind stay apart: there is no larger tile, and no
/// game gets there, since they would take more than all cells can hold.
fn slide_line<G: Grid>(codes: &mut [u8]) -> i32 {
    let top = (G::CELL_KINDS - 1) as u8;
    let mut gain = 0;
    // Cells below `settled` have their tile; the last one may still merge.
    let mut settled = 0;
    let mut may_merge = false;
    for idx in 0..codes.len() {
        let code = core::mem::take(&mut codes[idx]);
        if code == 0 {
            continue;
        }
        if may_merge && codes[settled - 1] == code && code < top {
            codes[settled - 1] = code + 1;
            gain += G::number(code + 1);
            may_merge = false;
        } else {
            codes[settled] = code;
            settled += 1;
            may_merge = true;
        }
    }
    gain
}
