//! Whatever is typed and answered, in whatever order: the board is always what
//! the slow twin of the rules makes of it, and the promises of the record hold.

use std::time::Duration;

use afterstate_arena::{Advice, LiveGame};
use afterstate_bitboard::Slide;
use afterstate_rules::{Status, Variant};
use afterstate_testkit::{Direction, NaiveRules};
use afterstate_tui::{
    Answer, App, Effect, Event, Hint, Key, game_from_bytes, game_to_bytes, has_room, text,
};
use proptest::prelude::*;

use crate::support::{app, buffer, full};

/// One thing that may happen.
#[derive(Debug, Clone)]
enum Happening {
    Key(Key),
    /// An answer to the last question, or to one that was never asked.
    Answer {
        is_right: bool,
        slide: usize,
    },
    Failure,
    Time(u64),
    Storage(bool),
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        6 => (0..4_usize).prop_map(|at| Key::Arrow(Slide::ALL[at])),
        6 => prop::sample::select("wasdhjklt p.+-ur?yn".chars().collect::<Vec<_>>())
            .prop_map(Key::Char),
        1 => any::<char>().prop_map(Key::Char),
        1 => prop::sample::select(vec![
            Key::Enter, Key::Escape, Key::Backspace, Key::Help, Key::Control('l'),
            Key::Control('z'), Key::Control('x'), Key::Control('c'),
        ]),
    ]
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        10 => key().prop_map(Happening::Key),
        4 => (prop::bool::weighted(0.9), 0..4_usize)
            .prop_map(|(is_right, slide)| Happening::Answer { is_right, slide }),
        1 => Just(Happening::Failure),
        3 => (0..2000_u64).prop_map(Happening::Time),
        1 => any::<bool>().prop_map(Happening::Storage),
    ]
}

/// The event, with a slide that is legal on the board where advice has one.
fn event_of(happening: Happening, app: &App) -> Event {
    let id = match app.hint() {
        Hint::Asked(id) => *id,
        _ => 0,
    };
    match happening {
        Happening::Key(key) => Event::Key(key),
        Happening::Answer { is_right, slide } => {
            let legal: Vec<Slide> = Slide::ALL
                .into_iter()
                .filter(|&slide| app.game().is_legal(slide))
                .collect();
            let chosen = legal.get(slide % legal.len().max(1)).copied();
            Event::Answer(Answer {
                id: if is_right { id } else { id + 1000 },
                advice: Ok(Advice {
                    slide: chosen,
                    values: [Some(1.5), None, Some(-1e9), Some(f64::MAX)],
                }),
            })
        }
        Happening::Failure => Event::Answer(Answer {
            id,
            advice: Err("no agent".to_owned()),
        }),
        Happening::Time(ms) => Event::Elapsed(Duration::from_millis(ms)),
        Happening::Storage(is_bad) => Event::Storage(is_bad.then(|| "disk full".to_owned())),
    }
}

/// The slow twin of a variant's rules.
fn twin(variant: Variant) -> NaiveRules {
    match variant {
        Variant::Classic | Variant::Contest => NaiveRules::CLASSIC,
        Variant::Mini => NaiveRules::MINI,
        Variant::Akioi => NaiveRules::Akioi,
    }
}

/// Holds the last slide of a game against the twin: from the board before it,
/// with one tile more.
fn check_slide(before: &[Vec<i32>], score: i64, app: &App) {
    let game = app.game();
    let slide = *game.slides().last().expect("a slide was made");
    let direction = Direction::ALL[slide.idx()];
    let (mut after, gain) = twin(game.variant()).slide(&before.to_vec(), direction);
    assert_ne!(after, before, "what changes nothing is no slide");
    assert_eq!(game.score(), score + gain);
    let ply = app.last().expect("the slide was the last thing");
    assert_eq!(i64::from(ply.gain), gain);
    if let Some((cell, number)) = ply.spawned {
        let side = after.len();
        assert_eq!(after[cell / side][cell % side], 0);
        after[cell / side][cell % side] = number;
    }
    assert_eq!(game.rows(), after);
}

/// What holds after whatever has happened.
fn check_state(app: &App, was_cheated: bool, n_before: usize) {
    let game = app.game();
    let again = LiveGame::replay(game.variant(), game.seed(), game.slides());
    let again = again.expect("the game is by the rules");
    assert_eq!((again.rows(), again.score()), (game.rows(), game.score()));
    let kept = game_from_bytes(&game_to_bytes(game, app.is_cheated()), game.variant());
    let kept = kept.expect("what is kept can be read");
    assert_eq!(
        (kept.game.rows(), kept.cheated),
        (game.rows(), app.is_cheated())
    );
    // A game that has had help has had it for good.
    let is_new = game.slides().is_empty() && n_before > 0;
    assert!(!was_cheated || app.is_cheated() || is_new || n_before == 0);
    if app.is_automatic() {
        assert!(app.is_cheated() && app.is_playing());
    }
    let own = app.best().filter(|best| app.record() != Some(*best));
    if let Some(own) = own {
        assert!(!app.is_cheated());
        assert_eq!(own.score, game.score());
    }
    if app.wait().is_some() {
        assert!(app.is_automatic() && game.status() == Status::Playing);
    }
}

/// Makes everything happen that is to.
fn run(variant: Variant, seed: u64, happenings: Vec<Happening>, size: (u16, u16)) {
    let mut app = app(variant, seed);
    for happening in happenings {
        let (rows, score) = (app.game().rows(), app.game().score());
        let (n_slides, game) = (app.game().slides().len(), app.game().seed());
        let (was_cheated, revision) = (app.is_cheated(), app.revision());
        let effects = app.update(event_of(happening, &app));
        if app.game().seed() == game && app.game().slides().len() > n_slides {
            assert_eq!(app.game().slides().len(), n_slides + 1);
            check_slide(&rows, score, &app);
        }
        let is_changed = rows != app.game().rows() || was_cheated != app.is_cheated();
        assert!(!is_changed || app.revision() > revision, "a change is kept");
        let n_questions = effects.iter().filter(|each| matches!(each, Effect::Ask(_)));
        assert!(n_questions.count() <= 1);
        check_state(&app, was_cheated, n_slides);
    }
    // Any state can be seen, on any terminal.
    let picture = buffer(&app, full(), size.0, size.1);
    assert_eq!((picture.area.width, picture.area.height), size);
    if has_room(&app, size.0, size.1) {
        assert!(!picture.content.iter().all(|cell| cell.symbol() == " "));
    }
    assert!(text(&app).ends_with('\n'));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 150 } else { 1500 }))]

    #[test]
    fn whatever_happens_the_game_is_by_the_rules(
        variant in prop::sample::select(Variant::ALL.to_vec()),
        seed in 0..1_u64 << 53,
        happenings in prop::collection::vec(happening(), 1..120),
        size in (1..130_u16, 1..45_u16),
    ) {
        run(variant, seed, happenings, size);
    }
}

#[test]
fn users_f59_ten_thousand_pasted_keys_do_no_harm() {
    for variant in Variant::ALL {
        let mut app = app(variant, 11);
        for place in 0..10_000 {
            let letter = b"wasdhjklq\x1bz0"[place * 7 % 12];
            app.update(Event::Key(Key::Char(char::from(letter))));
        }
        check_state(&app, false, app.game().slides().len());
        assert!(app.game().slides().len() > 20);
    }
}
