use std::time::Duration;

use afterstate_rules::Variant;
use afterstate_tui::{Answer, Effect, Event, Hint, Intent, Key, Mode};

use crate::support::{Adviser, app, press, press_all, screen};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn users_d35_a_hint_shows_the_slide_and_all_four_values() {
    let mut app = app(Variant::Mini, 2);
    press_all(&mut app, &"wasd".repeat(3));
    let mut adviser = Adviser::new(Variant::Mini, "greedy");
    let effects = press_all(&mut app, "t");
    assert_eq!(effects.len(), 1);
    assert!(screen(&app, 80, 24).contains("Hint: thinking"));
    // Asked again while it thinks, it is not asked twice.
    assert_eq!(press_all(&mut app, "t"), []);
    let answer = adviser.answer(&app).expect("it was asked");
    let advice = answer.advice.clone().expect("there is advice");
    app.update(Event::Answer(answer));
    assert_eq!(*app.hint(), Hint::Given(advice));
    let best = advice.slide.expect("the game goes on");
    let slide = best.name();
    let wide = screen(&app, 100, 24);
    assert!(wide.contains(&format!("Hint: {slide}")), "{wide}");
    assert!(wide.contains("values are gains"));
    let small = screen(&app, 40, 15);
    assert!(small.contains(&format!("{slide}: U ")), "{small}");
    assert!(!app.is_cheated(), "hints are allowed");
    // The hint is of this board alone.
    press(&mut app, Key::Arrow(best));
    assert_eq!(*app.hint(), Hint::None);
}

#[test]
fn an_answer_to_an_earlier_board_is_dropped() {
    let mut app = app(Variant::Classic, 3);
    let mut adviser = Adviser::new(Variant::Classic, "greedy");
    press_all(&mut app, "t");
    let late = adviser.answer(&app).expect("it was asked");
    press_all(&mut app, "wasd");
    app.update(Event::Answer(late.clone()));
    assert_eq!(*app.hint(), Hint::None);
    // Nor is it taken for the answer to the next question.
    press_all(&mut app, "t");
    app.update(Event::Answer(late));
    assert!(matches!(app.hint(), Hint::Asked(_)));
}

#[test]
fn users_f62_automatic_play_has_speeds_and_stops_within_a_slide() {
    let mut app = app(Variant::Classic, 4);
    let mut adviser = Adviser::new(Variant::Classic, "greedy");
    let mut pauses = Vec::new();
    press_all(&mut app, "---");
    for _ in 0..3 {
        press_all(&mut app, " ");
        // The first slide is made at once, the next after the pause.
        adviser.play(&mut app, Duration::ZERO, 1);
        let n_slides = app.game().slides().len();
        let answer = adviser.answer(&app).expect("it was asked");
        app.update(Event::Answer(answer));
        let pause = app.wait().expect("a slide is to come");
        app.update(Event::Elapsed(pause - Duration::from_millis(1)));
        assert_eq!(app.game().slides().len(), n_slides);
        // Stopped, it does nothing however long it takes.
        press_all(&mut app, " ");
        app.update(Event::Elapsed(60 * SECOND));
        assert_eq!((app.game().slides().len(), app.wait()), (n_slides, None));
        pauses.push(pause);
        // On with what it knows.
        press_all(&mut app, " ");
        assert_eq!(app.game().slides().len(), n_slides + 1);
        press_all(&mut app, " +");
    }
    assert!(pauses.is_sorted_by(|slow, fast| slow > fast), "{pauses:?}");
    assert!(app.is_cheated());
}

#[test]
fn users_f62_ten_thousand_slides_by_itself_to_the_end_of_each_game() {
    let mut app = app(Variant::Mini, 5);
    let mut adviser = Adviser::new(Variant::Mini, "random");
    press_all(&mut app, "++++");
    let mut n_slides = 0;
    while n_slides < 10_000 {
        press_all(&mut app, " ");
        assert!(app.is_automatic());
        adviser.play(&mut app, SECOND, usize::MAX >> 1);
        assert!(!app.is_playing() && !app.is_automatic());
        n_slides += app.game().slides().len();
        assert_eq!(app.record(), None);
        press_all(&mut app, "r");
        assert_eq!(app.game().slides().len(), 0);
    }
}

#[test]
fn a_step_makes_one_slide_whether_the_advice_is_there_or_not() {
    let mut app = app(Variant::Akioi, 6);
    let mut adviser = Adviser::new(Variant::Akioi, "greedy");
    assert_eq!(press_all(&mut app, ".").len(), 1);
    assert_eq!(app.game().slides().len(), 0);
    let answer = adviser.answer(&app).expect("it was asked");
    assert_eq!(app.update(Event::Answer(answer)), []);
    assert_eq!(app.game().slides().len(), 1);
    assert!(app.is_cheated() && !app.is_automatic());
    press_all(&mut app, "t");
    let answer = adviser.answer(&app).expect("it was asked");
    app.update(Event::Answer(answer));
    assert_eq!(app.game().slides().len(), 1);
    assert_eq!(press_all(&mut app, "."), []);
    assert_eq!(app.game().slides().len(), 2);
    // A hint that is asked for after a step is no step.
    press_all(&mut app, ".");
    press(&mut app, Key::Escape);
    assert_eq!(press_all(&mut app, "t"), [], "the question is still open");
}

#[test]
fn automatic_play_asks_before_it_spoils_a_game() {
    let mut app = app(Variant::Classic, 7);
    press_all(&mut app, "wasd");
    for key in [" ", "."] {
        press_all(&mut app, key);
        assert!(matches!(app.mode(), Mode::Confirm(Intent::Cheat(_))));
        press_all(&mut app, "n");
        assert!(!app.is_cheated() && !app.is_automatic());
    }
    press_all(&mut app, " ");
    press(&mut app, Key::Enter);
    assert!(app.is_cheated() && app.is_automatic());
    assert!(screen(&app, 80, 24).contains("not for the record"));
    // A slide of the player's only stops it.
    let n_slides = app.game().slides().len();
    press_all(&mut app, "w");
    assert_eq!(
        (app.is_automatic(), app.game().slides().len()),
        (false, n_slides)
    );
}

#[test]
fn an_agent_that_fails_stops_automatic_play_and_says_why() {
    let mut app = app(Variant::Classic, 8);
    let effects = press_all(&mut app, " ");
    let [Effect::Ask(question)] = &effects[..] else {
        panic!("it asks for advice: {effects:?}");
    };
    app.update(Event::Answer(Answer {
        id: question.id,
        advice: Err("no such network".to_owned()),
    }));
    assert!(!app.is_automatic());
    assert!(screen(&app, 80, 24).contains("No hint: no such network"));
    // It may be asked again.
    assert_eq!(press_all(&mut app, "t").len(), 1);
}
