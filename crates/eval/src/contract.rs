use afterstate_bitboard::{Board, Grid};

/// An estimate of how good it is to have made a slide.
///
/// A search maximizes, over slides, [`Evaluator::gain_weight`] × gain +
/// [`Evaluator::rise_weight`] × the rise of the largest tile's exponent + the
/// value of the afterstate.
///
/// Values must not depend on how the board lies: equal, to the last bit, for
/// all symmetric images. Searches rely on it where images share work.
pub trait Evaluator<G: Grid>: Send + Sync {
    /// The value of the board after a slide, before the spawn.
    ///
    /// *Units*: the evaluator's own, the same as [`Evaluator::over_value`]; points
    /// for evaluators that estimate future score.
    fn value(&self, after: Board<G>) -> f32;

    /// Whether four values by [`Evaluator::values`] take so much less than one by
    /// one that it pays to value boards that nobody asks about.
    const BATCHED: bool = false;

    /// The values of the four boards that the slides of a board make: the same, to
    /// the last bit, as [`Evaluator::value`] says of each.
    ///
    /// Where [`Evaluator::BATCHED`] says so a search asks for all four, those of
    /// slides that are not legal and of boards that clear the game among them,
    /// whose values it leaves aside.
    #[inline(always)]
    fn values(&self, afters: &[Board<G>; 4]) -> [f32; 4] {
        afters.map(|after| self.value(after))
    }

    /// The value of a board on which no slide is legal. 0 for evaluators that
    /// estimate future score.
    fn over_value(&self) -> f32;

    /// The value of a board that clears the game (akioi). 0 for evaluators that
    /// estimate future score.
    fn cleared_value(&self) -> f32;

    /// How much one point of gain counts: 1 for evaluators that estimate future
    /// score, 0 for those that see on the board what a merge was worth.
    fn gain_weight(&self) -> f32;

    /// How much it counts that a slide doubles the largest tile. 0 where tiles
    /// are counted in points or not at all.
    fn rise_weight(&self) -> f32 {
        0.0
    }
}

impl<G: Grid, E: Evaluator<G> + ?Sized> Evaluator<G> for &E {
    const BATCHED: bool = E::BATCHED;

    #[inline(always)]
    fn value(&self, after: Board<G>) -> f32 {
        (**self).value(after)
    }

    #[inline(always)]
    fn values(&self, afters: &[Board<G>; 4]) -> [f32; 4] {
        (**self).values(afters)
    }

    fn over_value(&self) -> f32 {
        (**self).over_value()
    }

    fn cleared_value(&self) -> f32 {
        (**self).cleared_value()
    }

    fn gain_weight(&self) -> f32 {
        (**self).gain_weight()
    }

    fn rise_weight(&self) -> f32 {
        (**self).rise_weight()
    }
}

impl<G: Grid, E: Evaluator<G> + ?Sized> Evaluator<G> for std::sync::Arc<E> {
    const BATCHED: bool = E::BATCHED;

    #[inline(always)]
    fn value(&self, after: Board<G>) -> f32 {
        (**self).value(after)
    }

    #[inline(always)]
    fn values(&self, afters: &[Board<G>; 4]) -> [f32; 4] {
        (**self).values(afters)
    }

    fn over_value(&self) -> f32 {
        (**self).over_value()
    }

    fn cleared_value(&self) -> f32 {
        (**self).cleared_value()
    }

    fn gain_weight(&self) -> f32 {
        (**self).gain_weight()
    }

    fn rise_weight(&self) -> f32 {
        (**self).rise_weight()
    }
}
