use afterstate_bitboard::{Board, Grid, LineStore, LineTable, Slide};

/// What a legal slide makes of a board, before anything spawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Afterstate<G: Grid> {
    /// The board after the slide.
    pub board: Board<G>,
    /// The score awarded, in points. Negative in akioi where multipliers merge.
    pub gain: i32,
}

/// Whether a game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Some slide is legal.
    Playing,
    /// Akioi only: a 65536 was made.
    Cleared,
    /// No slide is legal.
    Over,
}

/// The rules of one variant on one board layout.
///
/// A value is a small handle on tables that are built once in a process, at
/// the first construction; pass it by value. Nothing random happens here: a
/// slide has one result, and which tiles may spawn is data ([`crate::SpawnSet`]).
///
/// ```
/// use afterstate_bitboard::{ClassicBoard, Slide};
/// use afterstate_rules::{ClassicRules, Rules};
///
/// let rules = ClassicRules::new();
/// let board: ClassicBoard = "2 2 2 2 . . . . . . . . . . . 8".parse()?;
/// let left = rules.apply(board, Slide::Left).expect("tiles move");
/// assert_eq!(left.gain, 8);
/// assert_eq!(left.board.to_rows()[0], [4, 4, 0, 0]);
/// # Ok::<(), afterstate_bitboard::BoardError>(())
/// ```
pub trait Rules: Copy + Send + Sync + 'static {
    /// The layout of the board.
    type Grid: Grid;
    /// The same rules on a layout of fewer bits, on which a search is faster;
    /// the rules themselves where there is none.
    type Narrow: Rules;

    /// Whether a slide raises the sum of the tiles' potentials by exactly its
    /// gain, so that a score can be read off the board (RULES section 4).
    const GAIN_IS_POTENTIAL: bool;

    /// The rules on the layout of fewer bits; `None` where there is none.
    fn narrow(self) -> Option<Self::Narrow>;

    /// `board` on the layout of fewer bits, if the next `n_slides` slides from
    /// it come to the same boards there, whatever they are, with spawns of at
    /// most `max_spawn` between them; `None` else.
    fn narrow_board(
        board: Board<Self::Grid>,
        n_slides: u32,
        max_spawn: i32,
    ) -> Option<Board<<Self::Narrow as Rules>::Grid>>;

    /// What slides left and right make of rows.
    fn rows(self) -> &'static LineTable<Self::Grid>;

    /// What slides up and down make of columns.
    fn columns(self) -> &'static LineTable<<Self::Grid as Grid>::Transposed>;

    /// Whether the board holds what ends the game as won.
    fn is_cleared(self, board: Board<Self::Grid>) -> bool;

    /// The board after `slide`: the board itself when the slide is not legal.
    ///
    /// *Cost*: four look-ups and no branch on the slide's direction.
    #[inline(always)]
    fn after(self, board: Board<Self::Grid>, slide: Slide) -> Board<Self::Grid> {
        if Self::Grid::ROWS == Self::Grid::COLS {
            let lines = self.rows().towards(slide.is_towards_end());
            let turned = turn_if(board, slide.is_vertical());
            let slid = turned.map_lines(|line| lines.after(line));
            turn_if(slid, slide.is_vertical())
        } else if slide.is_vertical() {
            let lines = self.columns().towards(slide.is_towards_end());
            board
                .transpose()
                .map_lines(|line| lines.after(line))
                .transpose()
        } else {
            let lines = self.rows().towards(slide.is_towards_end());
            board.map_lines(|line| lines.after(line))
        }
    }

    /// The gain of `slide`, in points; 0 when the slide is not legal.
    #[inline(always)]
    fn gain(self, board: Board<Self::Grid>, slide: Slide) -> i32 {
        if slide.is_vertical() {
            let lines = self.columns().towards(slide.is_towards_end());
            let turned = board.transpose();
            (0..Self::Grid::COLS)
                .map(|col| lines.gain(turned.line(col)))
                .sum()
        } else {
            let lines = self.rows().towards(slide.is_towards_end());
            (0..Self::Grid::ROWS)
                .map(|row| lines.gain(board.line(row)))
                .sum()
        }
    }

    /// [`Rules::after`] for all four slides, in the order of [`Slide::ALL`]: the
    /// board itself where a slide is not legal.
    ///
    /// *Cost*: less than four times [`Rules::after`], since the board is
    /// transposed once for both vertical slides.
    #[inline(always)]
    fn afters(self, board: Board<Self::Grid>) -> [Board<Self::Grid>; 4] {
        let turned = board.transpose();
        let [up, down] = [false, true].map(|end| {
            let lines = self.columns().towards(end);
            turned.map_lines(|line| lines.after(line)).transpose()
        });
        let [left, right] = [false, true].map(|end| {
            let lines = self.rows().towards(end);
            board.map_lines(|line| lines.after(line))
        });
        [up, right, down, left]
    }

    /// What `slide` makes of `board`; `None` when it changes nothing, which is
    /// not legal.
    #[inline]
    fn apply(self, board: Board<Self::Grid>, slide: Slide) -> Option<Afterstate<Self::Grid>> {
        let after = self.after(board, slide);
        (after != board).then(|| Afterstate {
            board: after,
            gain: self.gain(board, slide),
        })
    }

    /// [`Rules::apply`] for all four slides, in the order of [`Slide::ALL`].
    #[inline]
    fn apply_all(self, board: Board<Self::Grid>) -> [Option<Afterstate<Self::Grid>>; 4] {
        let afters = self.afters(board);
        Slide::ALL.map(|slide| {
            let after = afters[slide.idx()];
            (after != board).then(|| Afterstate {
                board: after,
                gain: self.gain(board, slide),
            })
        })
    }

    /// Whether some slide changes the board.
    #[inline]
    fn has_legal_slide(self, board: Board<Self::Grid>) -> bool {
        Slide::ALL
            .into_iter()
            .any(|slide| self.after(board, slide) != board)
    }

    /// Whether the game goes on at `board`, before the player's slide.
    fn status(self, board: Board<Self::Grid>) -> Status {
        if self.is_cleared(board) {
            Status::Cleared
        } else if self.has_legal_slide(board) {
            Status::Playing
        } else {
            Status::Over
        }
    }
}

/// The transpose of a square board if `turn`, else the board, without a branch.
#[inline(always)]
fn turn_if<G: Grid>(board: Board<G>, turn: bool) -> Board<G> {
    board.select(board.symmetric_transpose(), turn)
}
