//! What the program says: the same in all forms of the screen.

use afterstate_arena::Advice;
use afterstate_bitboard::Slide;
use afterstate_rules::{Status, Variant};

use crate::app::{App, Hint, Intent, Mode};
use crate::key::Command;
use crate::tile::AKIOI_TILES;
use afterstate_bitboard::tile_text;

/// The longest of some texts that fits in `width` columns, longest first; the
/// last when none does.
pub(crate) fn fitting(texts: &[String], width: usize) -> &str {
    let fits = |text: &&String| text.chars().count() <= width;
    texts
        .iter()
        .find(fits)
        .or(texts.last())
        .map_or("", String::as_str)
}

/// A text as lines of at most `width` characters, broken at blanks where there
/// are any.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let length = line.chars().count();
        if length > 0 && length + 1 + word.len() > width {
            lines.push(core::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        while line.chars().count() + word.len() > width {
            let room = width - line.chars().count();
            line.extend(word.drain(..room));
            lines.push(core::mem::take(&mut line));
        }
        line.extend(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Variant, score and record, in forms from long to short.
pub(crate) fn header(app: &App) -> Vec<String> {
    let variant = app.game().variant();
    let score = app.game().score();
    let best = app.best().map_or(0, |record| record.score);
    let old = app.record().filter(|old| old.score < best);
    let was = old.map_or(String::new(), |old| format!(" (was {})", old.score));
    let (flag, mark) = if app.is_cheated() {
        ("   not for the record", "*")
    } else {
        ("", "")
    };
    vec![
        format!("{variant}   Score {score}   Record {best}{was}{flag}"),
        format!("{variant}  Score {score}{mark}  Record {best}{was}"),
        format!("Score {score}{mark}  Record {best}{was}"),
        format!("Score {score}{mark}  Record {best}"),
        format!("S {score}{mark} R {best}"),
    ]
}

/// How the game has ended; `None` while it goes on.
pub(crate) fn end(app: &App) -> Option<&'static str> {
    match (app.game().status(), app.game().variant()) {
        (Status::Playing, _) => None,
        (Status::Cleared, _) => Some("You AK IOI!"),
        (Status::Over, Variant::Akioi) => Some("AFO"),
        (Status::Over, _) => Some("Game over"),
    }
}

/// What the player is asked.
pub(crate) fn question(app: &App) -> Option<&'static str> {
    match app.mode() {
        Mode::Confirm(Intent::Restart) => Some("Give this game up for a new one? y/n"),
        Mode::Confirm(Intent::Cheat(Command::Undo)) => {
            Some("With undo this game is not for the record. Undo? y/n")
        }
        Mode::Confirm(Intent::Cheat(_)) => {
            Some("With automatic play this game is not for the record. Play? y/n")
        }
        Mode::Board | Mode::Help(_) => None,
    }
}

/// What there is to say besides: what happened, or how the game has ended.
pub(crate) fn news(app: &App) -> String {
    match (end(app), app.message()) {
        (Some(end), "") => format!("{end}   r: new game"),
        (Some(end), message) => format!("{end} {message}"),
        (None, message) => message.to_owned(),
    }
}

/// A value with as many digits as are of use.
pub(crate) fn value_text(value: f64) -> String {
    match value.abs() {
        1000.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// The hint on one line: nothing when nobody has asked.
pub(crate) fn hint_line(app: &App) -> String {
    match app.hint() {
        Hint::None | Hint::Failed(_) => String::new(),
        Hint::Asked(_) => "Hint: thinking ...".to_owned(),
        Hint::Given(advice) => {
            let slide = advice.slide.map_or("none", Slide::name);
            let letters = ["U", "R", "D", "L"];
            let values = letters.iter().zip(advice.values).map(|(letter, value)| {
                let text = value.map_or("-".to_owned(), value_text);
                format!(" {letter} {text}")
            });
            format!("{slide}:{}", values.collect::<String>())
        }
    }
}

/// The values of an advice, a line each, the best one marked.
pub(crate) fn value_lines(advice: &Advice) -> Vec<String> {
    let texts = advice.values.map(|value| value.map(|v| format!("{v:.2}")));
    let width = texts.iter().flatten().map(String::len).max().unwrap_or(0);
    let lines = Slide::ALL.into_iter().zip(texts).map(|(slide, text)| {
        let mark = if advice.slide == Some(slide) {
            '>'
        } else {
            ' '
        };
        match text {
            Some(text) => format!("{mark} {:5}  {text:>width$}", slide.name()),
            None => format!("{mark} {:5}  not legal", slide.name()),
        }
    });
    lines.collect()
}

/// Facts of the game, a line each.
pub(crate) fn facts(app: &App) -> Vec<String> {
    let game = app.game();
    let automatic = if app.is_automatic() { "on" } else { "off" };
    vec![
        format!("{} slides, largest {}", game.slides().len(), game.largest()),
        format!("Automatic {automatic}, {}", app.speed()),
        format!("Seed {}", game.seed()),
    ]
}

/// The keys on one line, in forms from long to short.
pub(crate) fn keys() -> Vec<String> {
    [
        "arrows wasd hjkl slide   t hint   space automatic   . step   u undo   r restart   \
         ? help   q quit",
        "arrows slide  t hint  space auto  . step  u undo  r restart  ? help  q quit",
        "t hint  u undo  r restart  ? help  q quit",
        "t hint  r restart  ? help  q quit",
        "? help  q quit",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// What each key does.
const KEYS: [(&str, &str); 9] = [
    ("arrows, wasd, hjkl", "slide"),
    ("t", "hint: the best slide, and what each is worth"),
    ("space, p", "automatic play: start, stop"),
    (".", "one slide of automatic play"),
    ("+ -", "automatic play faster, slower"),
    ("u, backspace", "undo"),
    ("r", "a new game"),
    ("?, F1", "this help; up and down move it, ? or Esc ends it"),
    ("q, Ctrl-C", "quit; the game is kept"),
];

/// The help, for `width` columns.
pub(crate) fn help(app: &App, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, what) in KEYS {
        lines.extend(hanging(&format!("{key:18}  "), what, width));
    }
    lines.push(String::new());
    lines.extend(wrapped(
        "The record is the best score on this device of games without undo and automatic play. \
         Hints are allowed.",
        width,
    ));
    lines.extend(wrapped(
        &format!("Hints by {}: {}.", app.agent(), app.unit()),
        width,
    ));
    if app.game().variant() == Variant::Akioi {
        lines.push(String::new());
        lines.extend(wrapped(
            "Equal tiles below AK merge; x1 and x1 make x2, x2 and x2 make x4. A number and a \
             multiplier merge only side by side, with no gap between them and the edge. \
             Make AK (65536) to clear the game.",
            width,
        ));
        lines.extend(legend());
    }
    lines
}

/// The tiles of akioi with their names, a line each.
pub(crate) fn legend() -> Vec<String> {
    let line = |tile: &crate::tile::TileName| {
        format!(
            "{:>7}  {:>5}  {}",
            tile.label,
            tile_text(tile.number),
            tile.name
        )
    };
    AKIOI_TILES.iter().map(line).collect()
}

/// A text whose later lines begin below the end of `head`, where there is room
/// for that.
fn hanging(head: &str, text: &str, width: usize) -> Vec<String> {
    let indent = head.chars().count();
    if indent + 12 > width {
        return wrapped(&format!("{} {text}", head.trim_end()), width);
    }
    let mut lines = wrapped(text, width - indent);
    for (number, line) in lines.iter_mut().enumerate() {
        let start = if number == 0 { head } else { "" };
        *line = format!("{start:indent$}{line}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_blanks_and_where_they_must() {
        assert_eq!(wrapped("a bb ccc", 4), ["a bb", "ccc"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), Vec::<String>::new());
        assert_eq!(wrapped("ab", 0), ["a", "b"]);
    }

    #[test]
    fn the_longest_text_that_fits_is_taken() {
        let texts = ["long", "sh", "s"].map(str::to_owned);
        assert_eq!(fitting(&texts, 4), "long");
        assert_eq!(fitting(&texts, 3), "sh");
        assert_eq!(fitting(&texts, 0), "s");
    }

    #[test]
    fn values_have_the_digits_that_are_of_use() {
        assert_eq!(value_text(3_328_655.4), "3328655");
        assert_eq!(value_text(-12.34), "-12.3");
        assert_eq!(value_text(0.25), "0.250");
    }
}
