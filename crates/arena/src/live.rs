//! A game that somebody plays: of any variant, without type parameters.

use core::fmt;

use afterstate_bitboard::{Grid, Slide};
use afterstate_play::{Game, Ply};
use afterstate_rules::{Rules, Spawns, Status, Track, Variant, tracks};

use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};
use crate::look::Look;

/// A game that somebody plays, with its slides so far, which can be taken back.
///
/// Seed and slides are all there is to it: the same seed and slides make the
/// same game, so that is what has to be kept of it.
///
/// ```
/// use afterstate_arena::LiveGame;
/// use afterstate_bitboard::Slide;
/// use afterstate_rules::Variant;
///
/// let mut game = LiveGame::new(Variant::Akioi, 7);
/// let opening = game.rows();
/// let slide = Slide::ALL.into_iter().find(|&slide| game.is_legal(slide));
/// assert!(game.slide(slide.expect("a slide is legal")).is_some());
/// let again = LiveGame::replay(Variant::Akioi, 7, game.slides())?;
/// assert_eq!(again.rows(), game.rows());
/// assert!(game.undo());
/// assert_eq!(game.rows(), opening);
/// # Ok::<(), afterstate_arena::ReplayedSlideError>(())
/// ```
pub struct LiveGame {
    variant: Variant,
    seed: u64,
    slides: Vec<Slide>,
    game: Box<dyn AnyGame>,
}

/// What a slide of a [`LiveGame`] led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LivePly {
    /// Its gain, in points.
    pub gain: i32,
    /// The cell of the tile that appeared, row by row from 0, and its number;
    /// `None` only where the slide cleared the game.
    pub spawned: Option<(usize, i32)>,
}

/// A slide that the game so far does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayedSlideError {
    /// Number of the slide, from 1.
    pub number: usize,
    /// The slide.
    pub slide: Slide,
}

impl fmt::Display for ReplayedSlideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "slide {}: {} is not legal there",
            self.number, self.slide
        )
    }
}

impl std::error::Error for ReplayedSlideError {}

impl LiveGame {
    /// The game of `variant`, by its own spawns, with this seed.
    pub fn new(variant: Variant, seed: u64) -> LiveGame {
        let spawn_set = variant.spawn_sets().swap_remove(0);
        let game = visit_variant(variant, &spawn_set, Begin { seed })
            .expect("the default spawn set of a variant fits its board");
        LiveGame {
            variant,
            seed,
            slides: Vec::new(),
            game,
        }
    }

    /// The game with this seed after these slides.
    ///
    /// *Errors*: the first slide that is not legal.
    pub fn replay(
        variant: Variant,
        seed: u64,
        slides: &[Slide],
    ) -> Result<LiveGame, ReplayedSlideError> {
        let mut game = LiveGame::new(variant, seed);
        for (number, &slide) in (1..).zip(slides) {
            game.slide(slide)
                .ok_or(ReplayedSlideError { number, slide })?;
        }
        Ok(game)
    }

    /// Carries out a slide and the spawn after it; `None`, and nothing happens,
    /// when it is not legal or the game has ended.
    pub fn slide(&mut self, slide: Slide) -> Option<LivePly> {
        let ply = self.game.slide(slide)?;
        self.slides.push(slide);
        Some(ply)
    }

    /// Takes the last slide back, and the spawn after it; false when there was
    /// none. The same slide again leads to the same spawn.
    ///
    /// *Cost*: the game is played again up to there: milliseconds for the
    /// longest.
    pub fn undo(&mut self) -> bool {
        if self.slides.pop().is_none() {
            return false;
        }
        self.game.restart(self.seed);
        for &slide in &self.slides {
            self.game
                .slide(slide)
                .expect("what was legal once is legal in the same game");
        }
        true
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The slides made so far.
    pub fn slides(&self) -> &[Slide] {
        &self.slides
    }

    /// The numbers of all cells, in rows from the top: the form used in JSON.
    pub fn rows(&self) -> Vec<Vec<i32>> {
        self.game.rows()
    }

    /// Sum of gains so far, in points.
    pub fn score(&self) -> i64 {
        self.game.score()
    }

    /// The largest number on the board.
    pub fn largest(&self) -> i32 {
        self.game.largest()
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        self.game.status()
    }

    /// Whether a slide may be made now.
    pub fn is_legal(&self, slide: Slide) -> bool {
        self.game.is_legal(slide)
    }

    /// Where each tile would go in a slide that is made now, for showing it;
    /// nothing when the slide is not legal. Not part of [`LivePly`], since games
    /// are played again without being shown.
    pub fn tracks(&self, slide: Slide) -> Vec<Track> {
        match self.is_legal(slide) {
            true => self.game.tracks(slide),
            false => Vec::new(),
        }
    }

    /// What can be seen of the board after each slide, in the order of
    /// [`Slide::ALL`]; `None` where the slide is not legal.
    pub fn looks(&self) -> [Option<Look>; 4] {
        self.game.looks()
    }
}

impl fmt::Debug for LiveGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveGame")
            .field("variant", &self.variant)
            .field("seed", &self.seed)
            .field("n_slides", &self.slides.len())
            .field("rows", &self.rows())
            .finish_non_exhaustive()
    }
}

/// A game of whatever variant.
trait AnyGame: Send {
    fn restart(&mut self, seed: u64);
    fn slide(&mut self, slide: Slide) -> Option<LivePly>;
    fn rows(&self) -> Vec<Vec<i32>>;
    fn score(&self) -> i64;
    fn largest(&self) -> i32;
    fn status(&self) -> Status;
    fn is_legal(&self, slide: Slide) -> bool;
    fn tracks(&self, slide: Slide) -> Vec<Track>;
    fn looks(&self) -> [Option<Look>; 4];
}

struct Begin {
    seed: u64,
}

impl VariantVisitor for Begin {
    type Output = Box<dyn AnyGame>;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Box<dyn AnyGame> {
        let game = Game::new(rules, &spawns, self.seed);
        Box::new(GameOf {
            rules,
            spawns,
            game,
        })
    }
}

struct GameOf<R: Rules> {
    rules: R,
    spawns: Spawns<R::Grid>,
    game: Game<R>,
}

impl<R: Rules> AnyGame for GameOf<R> {
    fn restart(&mut self, seed: u64) {
        self.game = Game::new(self.rules, &self.spawns, seed);
    }

    fn slide(&mut self, slide: Slide) -> Option<LivePly> {
        let Ply { gain, spawned, .. } = self.game.slide(slide)?;
        let spawned = spawned.map(|tile| (tile.cell, R::Grid::number(tile.code)));
        Some(LivePly { gain, spawned })
    }

    fn rows(&self) -> Vec<Vec<i32>> {
        self.game.board().to_rows()
    }

    fn score(&self) -> i64 {
        self.game.score()
    }

    fn largest(&self) -> i32 {
        self.game.board().largest()
    }

    fn status(&self) -> Status {
        self.game.status()
    }

    fn is_legal(&self, slide: Slide) -> bool {
        self.game.legal_slides().any(|legal| legal == slide)
    }

    fn tracks(&self, slide: Slide) -> Vec<Track> {
        tracks(self.rules, self.game.board(), slide)
    }

    fn looks(&self) -> [Option<Look>; 4] {
        if self.game.status() != Status::Playing {
            return [None; 4];
        }
        let afters = self.rules.apply_all(self.game.board());
        afters.map(|after| after.map(|after| Look::of(after.board, after.gain)))
    }
}
