use afterstate_arena::LiveGame;
use afterstate_bitboard::Slide;
use afterstate_rules::{Status, Variant};
use afterstate_tui::{Effect, Intent, Key, Mode, Record};

use crate::support::{
    app, app_of, cleared_akioi, nearly_cleared_akioi, play_to_the_end, press, press_all, screen,
};

fn tiles(rows: &[Vec<i32>]) -> Vec<i32> {
    rows.iter().flatten().copied().filter(|&n| n != 0).collect()
}

#[test]
fn users_a2_a_slide_that_changes_nothing_spawns_nothing() {
    let mut app = app(Variant::Classic, 1);
    // Left until nothing moves left any more, and once more.
    while app.game().is_legal(Slide::Left) {
        press(&mut app, Key::Arrow(Slide::Left));
    }
    let (rows, n_slides, revision) = (app.game().rows(), app.game().slides().len(), app.revision());
    press(&mut app, Key::Arrow(Slide::Left));
    assert_eq!(app.game().rows(), rows);
    assert_eq!(app.game().slides().len(), n_slides);
    assert_eq!(app.revision(), revision);
    assert_eq!(app.message(), "Left changes nothing.");
}

#[test]
fn users_a11_games_start_with_two_tiles_after_a_restart_too() {
    for variant in Variant::ALL {
        let mut app = app(variant, 5);
        for _ in 0..50 {
            let opening = tiles(&app.game().rows());
            assert_eq!(opening.len(), 2, "{variant}");
            if variant == Variant::Contest {
                assert_eq!(opening, [2, 2]);
            }
            press_all(&mut app, "wasd");
            press_all(&mut app, "ry");
            assert_eq!(app.game().slides(), []);
        }
    }
}

#[test]
fn users_a7_a_game_ends_when_no_slide_is_legal_and_not_before() {
    let mut app = app(Variant::Mini, 3);
    while app.is_playing() {
        assert!(
            Slide::ALL
                .into_iter()
                .any(|slide| app.game().is_legal(slide))
        );
        let n_slides = app.game().slides().len();
        press_all(&mut app, "wasd");
        assert!(app.game().slides().len() > n_slides);
    }
    assert!(
        !Slide::ALL
            .into_iter()
            .any(|slide| app.game().is_legal(slide))
    );
    assert!(screen(&app, 80, 24).contains("Game over"));
}

#[test]
fn users_a12_the_slide_that_clears_the_game_is_no_end_of_another_kind() {
    let (game, last) = nearly_cleared_akioi();
    assert_eq!(game.status(), Status::Playing);
    let mut app = app_of(game, false, None);
    press(&mut app, Key::Arrow(last));
    assert_eq!(app.game().status(), Status::Cleared);
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("You AK IOI!"), "{shown}");
    assert!(!shown.contains("AFO"));
    // Nothing is played on.
    let n_slides = app.game().slides().len();
    press_all(&mut app, "wasdwasd .");
    assert_eq!(app.game().slides().len(), n_slides);
}

#[test]
fn users_f52_the_record_of_a_cleared_game_is_its_score() {
    let (game, last) = nearly_cleared_akioi();
    let mut app = app_of(game, false, None);
    assert_eq!(app.record(), None);
    press(&mut app, Key::Arrow(last));
    let record = app.record().expect("the game counts");
    assert_eq!(record.score, app.game().score());
    assert_eq!(record.largest, 65536);
    assert!(record.score > 20_000);
    // A new game leaves it.
    press_all(&mut app, "r");
    assert_eq!(app.game().slides(), []);
    assert_eq!(app.record(), Some(record));
}

#[test]
fn users_f52_a_game_that_is_given_up_counts_for_the_record() {
    let mut app = app(Variant::Classic, 9);
    press_all(&mut app, &"wasd".repeat(20));
    let score = app.game().score();
    assert!(score > 0);
    press_all(&mut app, "r");
    assert_eq!(app.mode(), Mode::Confirm(Intent::Restart));
    assert_eq!(app.record(), None);
    press_all(&mut app, "y");
    assert_eq!(app.record().map(|record| record.score), Some(score));
    // A worse one does not take its place.
    press_all(&mut app, "wary");
    assert_eq!(app.record().map(|record| record.score), Some(score));
}

#[test]
fn users_f64_the_old_record_is_shown_beside_the_new_one() {
    let old = Record {
        score: 8,
        largest: 8,
        n_slides: 5,
    };
    let mut game = LiveGame::new(Variant::Classic, 9);
    while game.score() <= 8 {
        let slide = Slide::ALL.into_iter().find(|&slide| game.is_legal(slide));
        game.slide(slide.expect("the game goes on"));
    }
    let score = game.score();
    let mut app = app_of(game, false, Some(old));
    let shown = screen(&app, 80, 24);
    let expected = format!("Score {score}   Record {score} (was 8)");
    assert!(shown.contains(&expected), "{shown}");
    assert_eq!(app.record(), Some(old));
    // With help the game does not count, and the old record is back.
    press_all(&mut app, "uy");
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("Record 8   not for the record"), "{shown}");
    assert_eq!(app.best(), Some(old));
}

#[test]
fn users_f56_the_end_is_shown_each_time_and_a_restart_clears_all_of_it() {
    let mut app = app(Variant::Mini, 4);
    for _ in 0..3 {
        assert!(!app.is_cheated());
        play_to_the_end(&mut app);
        assert!(screen(&app, 80, 24).contains("Game over"));
        // Taken back and played again it has ended again, as a game that does
        // not count.
        let record = app.record();
        press_all(&mut app, "uy");
        assert!(app.is_playing() && app.is_cheated());
        assert!(!screen(&app, 80, 24).contains("Game over"));
        play_to_the_end(&mut app);
        assert!(screen(&app, 80, 24).contains("Game over"));
        assert_eq!(app.record(), record);
        press_all(&mut app, "r");
        assert!(!screen(&app, 80, 24).contains("Game over"));
        assert!(app.is_playing());
    }
}

#[test]
fn users_f56_a_cleared_game_says_so_twice() {
    let (game, last) = nearly_cleared_akioi();
    let mut app = app_of(game, false, None);
    for _ in 0..2 {
        press(&mut app, Key::Arrow(last));
        assert!(screen(&app, 40, 15).contains("You AK IOI!"));
        press_all(&mut app, "u");
        press_all(&mut app, "y");
        assert!(!screen(&app, 40, 15).contains("You AK IOI!"));
    }
}

#[test]
fn a_restart_asks_only_when_a_game_is_running() {
    let mut app = app(Variant::Classic, 1);
    press_all(&mut app, "r");
    assert_eq!((app.mode(), app.game().seed()), (Mode::Board, 2));
    press_all(&mut app, "wasd");
    let rows = app.game().rows();
    // Any key but y is no, and nothing else.
    for no in ["n", "w", "q"] {
        press_all(&mut app, "r");
        assert_eq!(app.mode(), Mode::Confirm(Intent::Restart));
        let effects = press_all(&mut app, no);
        assert_eq!(app.game().rows(), rows);
        if no == "q" {
            assert_eq!(effects, [Effect::Quit]);
        } else {
            assert_eq!((effects, app.mode()), (Vec::new(), Mode::Board));
        }
    }
    press_all(&mut app, "y");
    assert_eq!(app.game().seed(), 3);
    let ended = cleared_akioi();
    let mut app = app_of(ended.game, false, None);
    press_all(&mut app, "r");
    assert_eq!((app.mode(), app.game().slides().len()), (Mode::Board, 0));
}

#[test]
fn undo_goes_back_to_the_opening_and_is_asked_about_once() {
    let mut app = app(Variant::Akioi, 12);
    let opening = app.game().rows();
    press_all(&mut app, "u");
    assert_eq!(app.message(), "There is nothing to take back.");
    assert!(!app.is_cheated());
    press_all(&mut app, "wasdwasd");
    let n_slides = app.game().slides().len();
    assert!(n_slides > 1);
    press_all(&mut app, "u");
    assert!(matches!(app.mode(), Mode::Confirm(Intent::Cheat(_))));
    assert!(!app.is_cheated());
    press_all(&mut app, "n");
    assert_eq!(
        (app.is_cheated(), app.game().slides().len()),
        (false, n_slides)
    );
    press_all(&mut app, "uy");
    for left in (0..n_slides - 1).rev() {
        press(&mut app, Key::Backspace);
        assert_eq!(app.game().slides().len(), left);
    }
    assert_eq!(app.game().rows(), opening);
    assert_eq!(app.game().score(), 0);
    // It stays so: going back to the start is no way to begin anew.
    assert!(app.is_cheated());
}

#[test]
fn a_game_with_help_is_never_a_record() {
    let mut app = app(Variant::Mini, 6);
    press_all(&mut app, "wasduy");
    play_to_the_end(&mut app);
    assert!(app.game().score() > 0);
    assert_eq!(app.record(), None);
    press_all(&mut app, "r");
    assert_eq!(app.record(), None);
}
