use afterstate_bitboard::{Board, Grid, LineTable};

use crate::rules::Rules;

/// The same game, but won, and over, with the first tile of a given size.
///
/// For players that are paid for a tile and for nothing beyond it, like those of
/// the contest (RULES section 2): what they learn and search ends there.
///
/// ```
/// use afterstate_bitboard::ClassicBoard;
/// use afterstate_rules::{ClassicRules, Rules, Status, WonAt};
///
/// let rules = WonAt::new(ClassicRules::new(), 12);
/// let board: ClassicBoard = "4096 2 . . . . . . . . . . . . . .".parse()?;
/// assert_eq!(rules.status(board), Status::Cleared);
/// # Ok::<(), afterstate_bitboard::BoardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WonAt<R> {
    rules: R,
    exponent: u8,
}

impl<R: Rules> WonAt<R> {
    /// The game of `rules` up to the first tile of at least 2 to the power of
    /// `exponent`.
    pub fn new(rules: R, exponent: u8) -> WonAt<R> {
        WonAt { rules, exponent }
    }
}

impl<R: Rules> Rules for WonAt<R> {
    type Grid = R::Grid;
    type Narrow = WonAt<R::Narrow>;

    const GAIN_IS_POTENTIAL: bool = R::GAIN_IS_POTENTIAL;

    fn narrow(self) -> Option<WonAt<R::Narrow>> {
        let rules = self.rules.narrow()?;
        Some(WonAt::new(rules, self.exponent))
    }

    fn narrow_board(
        board: Board<R::Grid>,
        n_slides: u32,
        max_spawn: i32,
    ) -> Option<Board<<R::Narrow as Rules>::Grid>> {
        R::narrow_board(board, n_slides, max_spawn)
    }

    #[inline(always)]
    fn rows(self) -> &'static LineTable<R::Grid> {
        self.rules.rows()
    }

    #[inline(always)]
    fn columns(self) -> &'static LineTable<<R::Grid as Grid>::Transposed> {
        self.rules.columns()
    }

    #[inline(always)]
    fn is_cleared(self, board: Board<R::Grid>) -> bool {
        board.top_exponent() >= u32::from(self.exponent) || self.rules.is_cleared(board)
    }
}
