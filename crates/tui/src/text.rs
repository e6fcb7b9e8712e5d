//! The state as lines of text, for terminals that can do nothing else and for
//! whoever has a screen read aloud.

use core::fmt::Write;

use crate::app::{App, Hint, Mode};
use crate::tile;
use crate::words;

/// Columns that lines of text are kept to.
const WIDTH: usize = 78;

/// The state as text, ended by a newline.
pub fn text(app: &App) -> String {
    let mut text = String::new();
    if matches!(app.mode(), Mode::Help(_)) {
        for line in words::help(app, WIDTH) {
            push_line(&mut text, &line);
        }
        push_line(&mut text, "(lines: type keys and Enter; ? ends this help)");
        return text;
    }
    push_line(&mut text, words::fitting(&words::header(app), WIDTH));
    for row in app.game().rows() {
        let variant = app.game().variant();
        let mut line = String::new();
        for number in row {
            let label = tile::label(variant, number, 7);
            let label = if label.is_empty() { "." } else { &label };
            write!(line, "{label:>8}").expect("a string takes all text");
        }
        push_line(&mut text, &line);
    }
    match app.hint() {
        Hint::Given(advice) => {
            let slide = advice.slide.map_or("none", |slide| slide.name());
            push_line(&mut text, &format!("Hint: {slide}"));
            for line in words::value_lines(advice) {
                push_line(&mut text, &line);
            }
            push_line(&mut text, &format!("({}; {})", app.agent(), app.unit()));
        }
        _ => push_some(&mut text, &words::hint_line(app)),
    }
    push_some(&mut text, &words::news(app));
    if let Some(why) = app.storage() {
        push_line(&mut text, &format!("Not saved: {why}"));
    }
    match words::question(app) {
        Some(question) => push_line(&mut text, question),
        None => push_line(
            &mut text,
            "wasd slide, t hint, u undo, r restart, ? help, q quit",
        ),
    }
    text
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn push_some(text: &mut String, line: &str) {
    if !line.is_empty() {
        push_line(text, line);
    }
}
