//! Games as the server plays them: those of the arena, with what a slide did for
//! the page to show, and the letters in which they are kept.

use std::time::{Duration, Instant};

use afterstate_arena::{Advice, Advisor, LiveGame};
use afterstate_bitboard::Slide;
use afterstate_rules::{Status, Track, Variant};

/// The variants that the page offers, its first choice first.
pub(crate) const OFFERED: [Variant; 3] = [Variant::Akioi, Variant::Classic, Variant::Mini];

/// The longest an agent thinks about one slide: it then answers from what it has
/// seen. A guess: recommended agents take less than a millisecond.
const SLIDE_TIME: Duration = Duration::from_secs(3);

/// One slide of a game with what followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) slide: Slide,
    pub(crate) gain: i32,
    pub(crate) tracks: Vec<Track>,
    /// Cell and number of the tile that appeared.
    pub(crate) spawned: Option<(usize, i32)>,
}

/// Makes a slide; `None` when it is not legal, and nothing is changed.
pub(crate) fn step(game: &mut LiveGame, slide: Slide) -> Option<Step> {
    let tracks = game.tracks(slide);
    let ply = game.slide(slide)?;
    Some(Step {
        slide,
        gain: ply.gain,
        tracks,
        spawned: ply.spawned,
    })
}

/// What an agent of the game's variant would do, and why.
pub(crate) fn advice(game: &LiveGame, advisor: &mut Advisor) -> Advice {
    let until = Instant::now() + SLIDE_TIME;
    advisor
        .advise(&game.rows(), &mut || Instant::now() >= until)
        .expect("a variant's advisor knows its boards")
}

/// The name of a status in JSON and in the database.
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Playing => "playing",
        Status::Cleared => "cleared",
        Status::Over => "over",
    }
}

/// Makes up to `n_slides` slides as the agent says, and at least one, until the
/// time is up or the game has ended.
pub(crate) fn play_on(
    game: &mut LiveGame,
    advisor: &mut Advisor,
    n_slides: usize,
    until: Instant,
) -> Vec<Step> {
    let mut steps = Vec::new();
    while steps.len() < n_slides && (steps.is_empty() || Instant::now() < until) {
        let slide = advice(game, advisor).slide;
        let Some(step) = slide.and_then(|slide| step(game, slide)) else {
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
    use afterstate_arena::{AgentSpec, Shared};

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
    fn the_automatic_mode_plays_a_game_to_its_end() {
        for variant in OFFERED {
            let spec = AgentSpec::parse("greedy", variant).expect("an agent of every variant");
            let advisor = Advisor::load(&Shared::default(), variant, &spec);
            let mut advisor = advisor.expect("an agent without a file");
            let mut game = LiveGame::new(variant, 7);
            let far = Instant::now() + Duration::from_secs(600);
            let steps = play_on(&mut game, &mut advisor, usize::MAX, far);
            assert_eq!(game.status(), Status::Over, "{variant}");
            assert_eq!(game.slides().len(), steps.len());
            assert!(play_on(&mut game, &mut advisor, 5, far).is_empty());
            assert_eq!(game.looks(), [None; 4]);
            // Without time there is one slide all the same.
            let mut game = LiveGame::new(variant, 7);
            assert_eq!(play_on(&mut game, &mut advisor, 5, Instant::now()).len(), 1);
        }
    }
}
