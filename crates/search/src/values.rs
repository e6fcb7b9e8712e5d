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

    /// Drops what was kept from earlier boards, so that the next game does not
    /// depend on the ones before it.
    fn forget(&mut self);
}
