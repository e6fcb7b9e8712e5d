//! Games of a variant that is chosen at run time: the libraries' generic games
//! behind two object-safe traits.

use std::any::Any;
use std::time::Instant;

use afterstate_arena::{AgentSpec, Shared, VariantRules, VariantVisitor, visit_variant};
use afterstate_bitboard::{Board, Grid, Slide};
use afterstate_play::Game;
use afterstate_rules::{Spawns, Status, Track, Variant, tracks};
use afterstate_search::{Search, SlideValues};

/// The variants that the page offers, its first choice first.
pub(crate) const OFFERED: [Variant; 3] = [Variant::Akioi, Variant::Classic, Variant::Mini];

/// Where games of one variant begin.
pub(crate) trait Table: Send + Sync {
    /// The game with this seed, at its opening.
    fn deal(&self, seed: u64) -> Box<dyn LiveGame>;

    /// What values slides as an agent does. Loads what the agent plays by, which
    /// may take a second.
    fn searcher(&self, shared: &Shared, spec: &AgentSpec) -> Searcher;
}

/// A search for the boards of one variant.
pub(crate) struct Searcher(Box<dyn Any + Send>);

/// A game that is being played.
pub(crate) trait LiveGame: Send {
    /// Where it stands.
    fn position(&self) -> Position;

    /// Makes a slide; `None` when it is not legal, and nothing is changed.
    fn slide(&mut self, slide: Slide) -> Option<Step>;

    /// What a search for this variant thinks of the slides.
    fn values(&self, searcher: &mut Searcher) -> SlideValues;

    /// What can be seen of each slide's afterstate; `None` where it is not legal.
    fn looks(&self) -> [Option<Look>; 4];
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) rows: Vec<Vec<i32>>,
    pub(crate) score: i64,
    pub(crate) n_slides: u32,
    pub(crate) status: Status,
    pub(crate) largest: i32,
    pub(crate) legal: Vec<Slide>,
}

/// One slide of a game with what followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) slide: Slide,
    pub(crate) gain: i32,
    pub(crate) tracks: Vec<Track>,
    /// Cell and number of the tile that appeared.
    pub(crate) spawned: Option<(usize, i32)>,
}

/// What a person can see of an afterstate: the reasons of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) gain: i32,
    pub(crate) n_empty: u32,
    /// Whether the largest tile lies in a corner.
    pub(crate) in_corner: bool,
    /// Whether tiles fall or stay equal, step by step, from the largest along
    /// its row or column.
    pub(crate) in_order: bool,
}

/// The name of a status in JSON and in the database.
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Playing => "playing",
        Status::Cleared => "cleared",
        Status::Over => "over",
    }
}

/// The table of a variant, with the variant's own spawns.
pub(crate) fn table_of(variant: Variant) -> Box<dyn Table> {
    let spawn_set = variant.spawn_sets().swap_remove(0);
    visit_variant(variant, &spawn_set, TableVisitor(variant))
        .expect("the default spawn set of a variant fits its board")
}

struct TableVisitor(Variant);

impl VariantVisitor for TableVisitor {
    type Output = Box<dyn Table>;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Box<dyn Table> {
        Box::new(TableOf {
            variant: self.0,
            rules,
            spawns,
        })
    }
}

struct TableOf<R: VariantRules> {
    variant: Variant,
    rules: R,
    spawns: Spawns<R::Grid>,
}

type BoxedSearch<G> = Box<dyn Search<G> + Send>;

impl<R: VariantRules> Table for TableOf<R> {
    fn deal(&self, seed: u64) -> Box<dyn LiveGame> {
        Box::new(GameOf {
            rules: self.rules,
            game: Game::new(self.rules, &self.spawns, seed),
        })
    }

    fn searcher(&self, shared: &Shared, spec: &AgentSpec) -> Searcher {
        shared
            .load(self.variant, spec)
            .expect("agents with files are refused when the server starts");
        let search: BoxedSearch<R::Grid> =
            shared.search(spec, self.variant, self.rules, &self.spawns);
        Searcher(Box::new(search))
    }
}

struct GameOf<R: VariantRules> {
    rules: R,
    game: Game<R>,
}

impl<R: VariantRules> LiveGame for GameOf<R> {
    fn position(&self) -> Position {
        Position {
            rows: self.game.board().to_rows(),
            score: self.game.score(),
            n_slides: self.game.n_slides(),
            status: self.game.status(),
            largest: self.game.board().largest(),
            legal: self.game.legal_slides().collect(),
        }
    }

    fn slide(&mut self, slide: Slide) -> Option<Step> {
        let before = self.game.board();
        let ply = self.game.slide(slide)?;
        let number =
            |spawned: afterstate_play::Spawned| (spawned.cell, R::Grid::number(spawned.code));
        Some(Step {
            slide,
            gain: ply.gain,
            tracks: tracks(self.rules, before, slide),
            spawned: ply.spawned.map(number),
        })
    }

    fn values(&self, searcher: &mut Searcher) -> SlideValues {
        let search: &mut BoxedSearch<R::Grid> = searcher
            .0
            .downcast_mut()
            .expect("a variant's searcher searches its boards");
        search.values(self.game.board())
    }

    fn looks(&self) -> [Option<Look>; 4] {
        if self.game.status() != Status::Playing {
            return [None; 4];
        }
        self.rules
            .apply_all(self.game.board())
            .map(|after| after.map(|after| look(after.board, after.gain)))
    }
}

fn look<G: Grid>(board: Board<G>, gain: i32) -> Look {
    let rows = board.to_rows();
    let largest = board.largest();
    let (last_row, last_col) = (G::ROWS - 1, G::COLS - 1);
    let corners = [(0, 0), (0, last_col), (last_row, 0), (last_row, last_col)];
    let is_largest = |&(row, col): &(usize, usize)| rows[row][col] == largest;
    let falls = |line: Vec<i32>| line.windows(2).all(|pair| pair[0].max(0) >= pair[1].max(0));
    let in_order = corners.into_iter().filter(is_largest).any(|(row, col)| {
        let mut along_row = rows[row].clone();
        let mut along_column: Vec<i32> = rows.iter().map(|cells| cells[col]).collect();
        if col > 0 {
            along_row.reverse();
        }
        if row > 0 {
            along_column.reverse();
        }
        falls(along_row) || falls(along_column)
    });
    Look {
        gain,
        n_empty: board.n_empty(),
        in_corner: corners.iter().any(is_largest),
        in_order,
    }
}

/// Makes up to `n_slides` slides as the search says, and at least one, until the
/// time is up or the game has ended.
pub(crate) fn play_on(
    game: &mut dyn LiveGame,
    searcher: &mut Searcher,
    n_slides: usize,
    until: Instant,
) -> Vec<Step> {
    let mut steps = Vec::new();
    while steps.len() < n_slides && (steps.is_empty() || Instant::now() < until) {
        let Some(slide) = game.values(searcher).best() else {
            break;
        };
        let Some(step) = game.slide(slide) else {
            break;
        };
        steps.push(step);
    }
    steps
}

/// The letter of a slide in a game's history; capital where the automatic mode
/// made it.
pub(crate) fn letter(slide: Slide, is_automatic: bool) -> u8 {
    let letter = slide.name().as_bytes()[0];
    match is_automatic {
        true => letter.to_ascii_uppercase(),
        false => letter,
    }
}

/// The slide of a letter, and whether the automatic mode made it.
pub(crate) fn slide_of(letter: u8) -> Option<(Slide, bool)> {
    let lower = letter.to_ascii_lowercase();
    let slide = Slide::ALL
        .into_iter()
        .find(|slide| slide.name().as_bytes()[0] == lower)?;
    Some((slide, letter.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_back() {
        for slide in Slide::ALL {
            for is_automatic in [false, true] {
                let written = letter(slide, is_automatic);
                assert_eq!(slide_of(written), Some((slide, is_automatic)));
            }
        }
        assert_eq!(slide_of(b'x'), None);
    }

    #[test]
    fn a_look_sees_the_corner_and_the_order() {
        let seen =
            |text: &str| look::<afterstate_bitboard::Mini>(text.parse().expect("a board"), 0);
        let look = seen("2 4 8 / . 2 . / . . 2".replace(" / ", "\n").as_str());
        assert!(look.in_corner && look.in_order);
        assert_eq!(look.n_empty, 4);
        let look = seen("2 8 4\n. . .\n. . .");
        assert!(!look.in_corner && !look.in_order);
        let look = seen("8 2 4\n2 . .\n4 . .");
        assert!(look.in_corner && !look.in_order);
    }

    #[test]
    fn the_automatic_mode_plays_a_game_to_its_end() {
        for variant in OFFERED {
            let spec = AgentSpec::parse("greedy", variant).expect("an agent of every variant");
            let table = table_of(variant);
            let mut searcher = table.searcher(&Shared::default(), &spec);
            let mut game = table.deal(7);
            let far = Instant::now() + std::time::Duration::from_secs(600);
            let steps = play_on(game.as_mut(), &mut searcher, usize::MAX, far);
            let position = game.position();
            assert_eq!(position.status, Status::Over, "{variant}");
            assert_eq!(position.n_slides as usize, steps.len());
            assert!(play_on(game.as_mut(), &mut searcher, 5, far).is_empty());
            assert_eq!(game.looks(), [None; 4]);
            // Without time there is one slide all the same.
            let mut game = table.deal(7);
            assert_eq!(
                play_on(game.as_mut(), &mut searcher, 5, Instant::now()).len(),
                1
            );
        }
    }
}
