use afterstate_bitboard::{Board, Grid, Slide};

/// What a search thinks of each slide.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SlideValues {
    /// A value for each slide in the order of [`Slide::ALL`], in the units of
    /// the evaluator; `None` where the slide is not legal.
    pub values: [Option<f32>; 4],
}

impl SlideValues {
    /// The slide with the highest value, the first in the order of
    /// [`Slide::ALL`] among equals; `None` when none is legal.
    pub fn best(&self) -> Option<Slide> {
        let mut best: Option<(f32, Slide)> = None;
        for (slide, value) in Slide::ALL.into_iter().zip(self.values) {
            if let Some(value) = value
                && best.is_none_or(|(highest, _)| value > highest)
            {
                best = Some((value, slide));
            }
        }
        best.map(|(_, slide)| slide)
    }

    /// The value of a slide.
    pub fn of(&self, slide: Slide) -> Option<f32> {
        self.values[slide.idx()]
    }
}

/// Something that values the slides of a board.
pub trait Search<G: Grid> {
    /// The values of all four slides of `board`.
    fn values(&mut self, board: Board<G>) -> SlideValues;

    /// The values of the slides of `board`, as good as they get until `is_over`
    /// says so. A search that has nothing to gain from more time does what
    /// [`Search::values`] does.
    ///
    /// `is_over` is asked now and then; a clock is the caller's to bring, and
    /// with it the result depends on the machine.
    fn values_until(&mut self, board: Board<G>, is_over: &mut dyn FnMut() -> bool) -> SlideValues {
        let _ = is_over;
        self.values(board)
    }

    /// Drops what was kept from earlier boards, so that the next game does not
    /// depend on the ones before it.
    fn forget(&mut self);

    /// Number of boards looked at so far, afterstates and boards before a
    /// slide together; 0 for what does not search.
    fn n_nodes(&self) -> u64 {
        0
    }
}

impl<G: Grid, S: Search<G> + ?Sized> Search<G> for Box<S> {
    fn values(&mut self, board: Board<G>) -> SlideValues {
        (**self).values(board)
    }

    fn values_until(&mut self, board: Board<G>, is_over: &mut dyn FnMut() -> bool) -> SlideValues {
        (**self).values_until(board, is_over)
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn n_nodes(&self) -> u64 {
        (**self).n_nodes()
    }
}
