use std::collections::BTreeSet;

use afterstate_arena::{Advice, LiveGame};
use afterstate_bitboard::Slide;
use afterstate_rules::Variant;
use afterstate_tui::{Answer, Event, Hint, Key, Palette, Theme, has_room, text};
use ratatui::style::{Color, Modifier};

use crate::support::{
    PLAIN, app, app_of, buffer, cleared_akioi, full, play_to_the_end, press, press_all, screen,
};

/// A game of each variant after some slides.
fn begun(variant: Variant) -> afterstate_tui::App {
    let mut app = app(variant, 7);
    press_all(&mut app, &"wasd".repeat(3));
    app
}

/// What is on the screen, compared as a whole.
#[track_caller]
fn check(app: &afterstate_tui::App, columns: u16, rows: u16, expected: &str) {
    let found = screen(app, columns, rows);
    assert_eq!(found.trim_end(), expected.trim_matches('\n'), "\n{found}\n");
}

#[test]
fn the_numbers_on_the_screen_are_those_of_the_board() {
    for variant in Variant::ALL {
        let mut app = app(variant, 21);
        while app.is_playing() && app.game().slides().len() < 200 {
            press_all(&mut app, "wasd");
            // The last column first, so that a cell is found by what it shows.
            let shown = screen(&app, 40, 15);
            let cells: Vec<String> = shown
                .lines()
                .filter(|line| line.starts_with([' ', '│']) && line.contains('│'))
                .flat_map(|line| {
                    let inner = line.trim().trim_matches('│');
                    inner
                        .split('│')
                        .map(|cell| cell.trim().to_owned())
                        .collect::<Vec<_>>()
                })
                .collect();
            let expected: Vec<String> = app
                .game()
                .rows()
                .iter()
                .flatten()
                .map(|&number| afterstate_tui::label(variant, number, 7))
                .collect();
            if app.is_playing() {
                assert_eq!(cells, expected, "\n{shown}");
            }
        }
    }
}

#[test]
fn users_f57_cleared_boards_show_every_tile_inside_its_cell() {
    let mut app = app_of(cleared_akioi().game, true, None);
    press_all(&mut app, "u");
    for (columns, rows) in [(120, 40), (80, 24), (40, 15), (28, 8)] {
        let shown = screen(&app, columns, rows);
        for number in app.game().rows().iter().flatten().filter(|&&n| n != 0) {
            let width = if columns < 30 { 6 } else { 7 };
            let label = afterstate_tui::label(Variant::Akioi, *number, width);
            assert!(shown.contains(&label), "{label}\n{shown}");
        }
    }
}

#[test]
fn the_least_terminal_has_the_board_and_a_smaller_one_says_so() {
    for variant in Variant::ALL {
        let app = begun(variant);
        let mut least = (0, 0);
        for columns in 1..40 {
            for rows in 1..14 {
                let shown = screen(&app, columns, rows);
                if has_room(&app, columns, rows) {
                    assert!(shown.contains(&app.game().score().to_string()), "{shown}");
                    least = if least == (0, 0) {
                        (columns, rows)
                    } else {
                        least
                    };
                } else if columns > 8 && rows > 4 {
                    let words = shown.replace('\n', " ");
                    assert!(words.contains("Too small:"), "{columns}x{rows}: {words}");
                }
            }
        }
        let expected = if variant == Variant::Mini {
            (24, 5)
        } else {
            (27, 6)
        };
        assert_eq!(least, expected, "{variant}");
    }
}

/// The colors of the cells of a picture.
fn colors(theme: Theme) -> BTreeSet<String> {
    let app = begun(Variant::Akioi);
    let buffer = buffer(&app, theme, 80, 24);
    let both = buffer.content.iter().flat_map(|cell| [cell.fg, cell.bg]);
    both.map(|color| format!("{color:?}")).collect()
}

#[test]
fn without_colors_there_are_none() {
    let none = BTreeSet::from([format!("{:?}", Color::Reset)]);
    assert_eq!(colors(PLAIN), none);
    assert!(colors(full()).len() > 4);
    let basic = Theme {
        palette: Palette::Basic,
        line_drawing: false,
    };
    assert!(colors(basic).len() > 2);
}

#[test]
fn ascii_terminals_get_ascii() {
    let theme = Theme {
        palette: Palette::Plain,
        line_drawing: false,
    };
    for variant in Variant::ALL {
        let app = begun(variant);
        for (columns, rows) in [(120, 40), (40, 15), (30, 8)] {
            let buffer = buffer(&app, theme, columns, rows);
            assert!(buffer.content.iter().all(|cell| cell.symbol().is_ascii()));
        }
    }
}

#[test]
fn the_new_tile_is_marked_without_color_too() {
    let app = begun(Variant::Classic);
    let buffer = buffer(&app, PLAIN, 80, 24);
    let marked = buffer
        .content
        .iter()
        .filter(|cell| cell.modifier.contains(Modifier::UNDERLINED))
        .map(|cell| cell.symbol())
        .collect::<String>();
    let (_, number) = app.last().and_then(|ply| ply.spawned).expect("a tile came");
    assert_eq!(marked, number.to_string());
}

#[test]
fn the_help_moves_and_ends() {
    let mut app = app(Variant::Akioi, 7);
    app.update(Event::Sized(40, 15));
    press_all(&mut app, "?");
    let first = screen(&app, 40, 15);
    assert!(first.contains("slide"), "{first}");
    assert!(!first.contains("Denial of Judging"));
    for _ in 0..200 {
        press(&mut app, Key::Arrow(Slide::Down));
    }
    let last = screen(&app, 40, 15);
    assert!(
        last.trim_end().ends_with("-O2\n    -O3     x4  -O3"),
        "{last}"
    );
    press(&mut app, Key::Arrow(Slide::Up));
    assert_ne!(screen(&app, 40, 15), last, "the end is no trap");
    assert_eq!(app.game().slides(), []);
    press(&mut app, Key::Escape);
    assert!(screen(&app, 40, 15).contains("Score 0"));
}

#[test]
fn a_game_that_cannot_be_saved_says_so_on_every_screen() {
    let mut app = begun(Variant::Classic);
    app.update(Event::Storage(Some("disk full".to_owned())));
    for (columns, rows) in [(120, 40), (80, 24), (40, 15)] {
        let shown = screen(&app, columns, rows);
        assert!(shown.contains("Not saved: disk full"), "{shown}");
    }
    assert!(text(&app).contains("Not saved: disk full"));
    app.update(Event::Storage(None));
    assert!(!text(&app).contains("Not saved"));
}

/// An app whose hint has come.
fn advised(variant: Variant) -> afterstate_tui::App {
    let mut app = begun(variant);
    press_all(&mut app, "t");
    let &Hint::Asked(id) = app.hint() else {
        panic!("it was asked");
    };
    app.update(Event::Answer(Answer {
        id,
        advice: Ok(Advice {
            slide: Some(Slide::Down),
            values: [Some(93_098.47), None, Some(97_965.0), Some(-4.25)],
        }),
    }));
    app
}

#[test]
fn a_line_terminal_gets_the_whole_state_as_text() {
    let app = advised(Variant::Mini);
    let rows = app.game().rows();
    let found = text(&app);
    assert!(found.is_ascii());
    assert!(
        found.contains("Hint: down\n  up     93098.47\n  right  not legal\n> down   97965.00\n")
    );
    for number in rows.iter().flatten().filter(|&&number| number != 0) {
        assert!(found.contains(&number.to_string()));
    }
    assert!(found.lines().all(|line| line.len() <= 80));
}

#[test]
fn ends_are_told_in_every_form() {
    let mut over = app(Variant::Akioi, 2);
    play_to_the_end(&mut over);
    assert!(text(&over).contains("AFO"));
    for (columns, rows) in [(80, 24), (27, 6)] {
        let shown = screen(&over, columns, rows);
        assert!(shown.contains("AFO"), "{shown}");
        let cleared = app_of(cleared_akioi().game, false, None);
        let shown = screen(&cleared, columns, rows);
        assert!(shown.contains("You AK IOI!"), "{shown}");
    }
    let game = LiveGame::new(Variant::Classic, 2);
    let mut over = app_of(game, false, None);
    play_to_the_end(&mut over);
    assert!(text(&over).contains("Game over"));
}

#[test]
fn the_picture_of_classic_on_a_small_terminal() {
    check(&begun(Variant::Classic), 40, 15, CLASSIC_SMALL);
}

#[test]
fn the_picture_of_akioi_on_a_usual_terminal() {
    check(&advised(Variant::Akioi), 80, 24, AKIOI_USUAL);
}

#[test]
fn the_picture_of_mini_on_the_least_terminal() {
    check(&begun(Variant::Mini), 24, 5, MINI_LEAST);
}

const CLASSIC_SMALL: &str = "
classic   Score 36   Record 36
   ┌───────┬───────┬───────┬───────┐
   │       │       │       │   2   │
   ├───────┼───────┼───────┼───────┤
   │       │       │       │       │
   ├───────┼───────┼───────┼───────┤
   │       │   2   │   8   │   4   │
   ├───────┼───────┼───────┼───────┤
   │       │       │   8   │   4   │
   └───────┴───────┴───────┴───────┘
Right: +4



t hint  r restart  ? help  q quit
";
const AKIOI_USUAL: &str = "
akioi   Score 34   Record 34
┌─────────┬─────────┬─────────┬─────────┐  Hint: down
│         │         │         │         │    up     93098.47
│         │         │         │   CE    │    right  not legal
│         │         │         │    2    │  > down   97965.00
├─────────┼─────────┼─────────┼─────────┤    left      -4.25
│         │         │         │         │  (greedy; values are gains)
│         │         │         │         │
│         │         │         │         │  11 slides, largest 8
├─────────┼─────────┼─────────┼─────────┤  Automatic off, 3 slides a second
│         │         │         │         │  Seed 7
│         │   ( )   │         │   -O2   │
│         │    4    │         │   x2    │    CE       ( )      RE       TLE
├─────────┼─────────┼─────────┼─────────┤    MLE      ILE      OLE      UKE
│         │         │         │         │    WA       PC       AC       PE
│         │         │   RE    │   RE    │    DoJ      SJE      AU       AK
│         │         │    8    │    8    │  #pragma    -O2      -O3
└─────────┴─────────┴─────────┴─────────┘
Right: +8




arrows slide  t hint  space auto  . step  u undo  r restart  ? help  q quit
";
const MINI_LEAST: &str = "
Score 48  Record 48
    .      .      2
    4      4      2
    .      4      16
Right: +16
";
