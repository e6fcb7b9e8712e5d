//! A search on the layout of fewer bits wherever that changes nothing.

use core::fmt;

use afterstate_bitboard::Board;
use afterstate_rules::{Rules, Spawns};

use crate::limits::Depth;
use crate::values::{Search, SlideValues};

/// The layout of fewer bits that belongs to the rules `R`.
type NarrowGrid<R> = <<R as Rules>::Narrow as Rules>::Grid;

/// A search that looks at boards on the layout of fewer bits as long as that is
/// exact ([`Rules::narrow_board`]), and else on the layout of record.
///
/// Both searches are made by the caller, of the same limits and an evaluator
/// that gives equal boards equal values on both layouts; then so are the values
/// of slides, and the games that come of them. The wide one is made when the
/// first board needs it: few games do, and its tables take megabytes.
pub struct NarrowFirst<R: Rules, N, W> {
    narrow: N,
    wide: Option<W>,
    make_wide: Box<dyn Fn() -> W + Send>,
    depth: Depth,
    max_spawn: i32,
    rules: core::marker::PhantomData<R>,
}

impl<R: Rules, N: Search<NarrowGrid<R>>, W: Search<R::Grid>> NarrowFirst<R, N, W> {
    /// A search by `narrow` and, where it takes more bits, by what `make_wide`
    /// makes. Both look `depth` plies ahead at most, over these spawns.
    pub fn new(
        narrow: N,
        make_wide: impl Fn() -> W + Send + 'static,
        depth: Depth,
        spawns: &Spawns<R::Grid>,
    ) -> NarrowFirst<R, N, W> {
        NarrowFirst {
            narrow,
            wide: None,
            make_wide: Box::new(make_wide),
            depth,
            max_spawn: spawns.max_number(),
            rules: core::marker::PhantomData,
        }
    }

    fn narrow_board(&self, board: Board<R::Grid>) -> Option<Board<NarrowGrid<R>>> {
        R::narrow_board(board, self.depth.plies(board), self.max_spawn)
    }

    fn wide(&mut self) -> &mut W {
        self.wide.get_or_insert_with(&self.make_wide)
    }
}

impl<R: Rules, N: Search<NarrowGrid<R>>, W: Search<R::Grid>> Search<R::Grid>
    for NarrowFirst<R, N, W>
{
    fn values(&mut self, board: Board<R::Grid>) -> SlideValues {
        match self.narrow_board(board) {
            Some(narrow) => self.narrow.values(narrow),
            None => self.wide().values(board),
        }
    }

    fn values_until(
        &mut self,
        board: Board<R::Grid>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> SlideValues {
        match self.narrow_board(board) {
            Some(narrow) => self.narrow.values_until(narrow, is_over),
            None => self.wide().values_until(board, is_over),
        }
    }

    fn forget(&mut self) {
        self.narrow.forget();
        if let Some(wide) = &mut self.wide {
            wide.forget();
        }
    }

    fn n_nodes(&self) -> u64 {
        self.narrow.n_nodes() + self.wide.as_ref().map_or(0, Search::n_nodes)
    }
}

impl<R: Rules, N: fmt::Debug, W: fmt::Debug> fmt::Debug for NarrowFirst<R, N, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NarrowFirst")
            .field("narrow", &self.narrow)
            .field("wide", &self.wide)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
