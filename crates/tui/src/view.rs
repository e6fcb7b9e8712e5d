//! The picture of the program's state.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::app::{App, Mode};
use crate::layout::{CellSize, Layout, layout, least};
use crate::panel;
use crate::theme::Theme;
use crate::tile;
use crate::words;

/// Draws the state on the whole of a frame.
pub fn draw(app: &App, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    render(app, theme, area, frame.buffer_mut());
}

/// Whether a terminal of this size has room for the board: it says so when not,
/// and slides would be made unseen.
pub fn has_room(app: &App, columns: u16, rows: u16) -> bool {
    layout(Rect::new(0, 0, columns, rows), side(app)).is_some()
}

/// The number of rows of the board, which is that of its columns.
fn side(app: &App) -> u16 {
    u16::try_from(app.game().rows().len()).expect("boards are small")
}

fn render(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let Some(layout) = layout(area, side(app)) else {
        return too_small(app, area, buffer);
    };
    if let Mode::Help(top) = app.mode() {
        return help(app, top, area, buffer);
    }
    let header = words::header(app);
    let header = words::fitting(&header, usize::from(layout.header.width));
    write(buffer, layout.header, 0, header, theme.emphasis());
    board(app, theme, &layout, buffer);
    if let Some(panel) = layout.panel {
        panel::render(app, theme, panel, buffer);
    }
    below(app, theme, &layout, buffer);
}

/// Writes a line into an area, cut where it ends.
pub(crate) fn write(buffer: &mut Buffer, area: Rect, row: u16, text: &str, style: Style) {
    if row < area.height {
        let width = usize::from(area.width);
        buffer.set_stringn(area.x, area.y + row, text, width, style);
    }
}

fn too_small(app: &App, area: Rect, buffer: &mut Buffer) {
    let (columns, rows) = least(side(app));
    let text = format!(
        "Too small: {}x{}, needs {columns}x{rows}. q quits.",
        area.width, area.height
    );
    for (row, line) in (0..).zip(words::wrapped(&text, usize::from(area.width))) {
        write(buffer, area, row, &line, Style::new());
    }
}

fn help(app: &App, top: usize, area: Rect, buffer: &mut Buffer) {
    let lines = words::help(app, usize::from(area.width));
    let rows = usize::from(area.height);
    let top = top.min(lines.len().saturating_sub(rows));
    for (row, line) in (0..area.height).zip(&lines[top..]) {
        write(buffer, area, row, line, Style::new());
    }
}

fn board(app: &App, theme: Theme, layout: &Layout, buffer: &mut Buffer) {
    let rows = app.game().rows();
    if layout.cell.has_lines {
        lines(side(app), theme, layout, buffer);
    }
    let new = app.last().and_then(|ply| ply.spawned).map(|(cell, _)| cell);
    for (row, numbers) in rows.iter().enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            let place = layout.cell.place(layout.board, row as u16, column as u16);
            let mut style = theme.tile(number);
            if new == Some(row * numbers.len() + column) {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            tile(app, number, layout.cell, place, style, buffer);
        }
    }
    if let Some(end) = words::end(app).filter(|_| layout.cell.has_lines) {
        overlay(end, theme, layout.board, buffer);
    }
}

/// A tile with its label in the middle, and its number below where it is known
/// by a name and there is room.
fn tile(app: &App, number: i32, size: CellSize, place: Rect, style: Style, buffer: &mut Buffer) {
    // The underline of a new tile is for its label only.
    let ground = style.remove_modifier(Modifier::UNDERLINED);
    buffer.set_style(place, ground);
    let variant = app.game().variant();
    let width = usize::from(size.width);
    let mut label = tile::label(variant, number, width);
    if label.is_empty() && !size.has_lines {
        label.push('.');
    }
    let below = tile::below_label(variant, number).filter(|_| size.height >= 3);
    let middle = (size.height - 1) / 2;
    centered(buffer, place, middle, &label, style);
    if let Some(below) = below {
        centered(buffer, place, middle + 1, &below, ground);
    }
}

fn centered(buffer: &mut Buffer, place: Rect, row: u16, text: &str, style: Style) {
    let length = text.chars().count() as u16;
    let indent = place.width.saturating_sub(length) / 2;
    let place = Rect {
        x: place.x + indent,
        width: place.width - indent,
        ..place
    };
    write(buffer, place, row, text, style);
}

/// The lines between cells and around them.
fn lines(side: u16, theme: Theme, layout: &Layout, buffer: &mut Buffer) {
    // From top left to bottom right; the last two are the lines themselves.
    let marks: [[&str; 3]; 4] = if theme.line_drawing {
        [
            ["┌", "┬", "┐"],
            ["├", "┼", "┤"],
            ["└", "┴", "┘"],
            ["─", "│", ""],
        ]
    } else {
        [["+"; 3], ["+"; 3], ["+"; 3], ["-", "|", ""]]
    };
    let kind = |at: u16| usize::from(at > 0) + usize::from(at == side);
    let (width, height) = (layout.cell.width + 1, layout.cell.height + 1);
    let Rect { x, y, .. } = layout.board;
    for row in 0..layout.board.height {
        for column in 0..layout.board.width {
            let (on_row, on_column) = (row % height == 0, column % width == 0);
            let mark = match (on_row, on_column) {
                (true, true) => marks[kind(row / height)][kind(column / width)],
                (true, false) => marks[3][0],
                (false, true) => marks[3][1],
                (false, false) => continue,
            };
            buffer[(x + column, y + row)].set_symbol(mark);
        }
    }
}

/// How the game has ended, over the middle of the board.
fn overlay(end: &str, theme: Theme, board: Rect, buffer: &mut Buffer) {
    let width = (end.len() as u16 + 6).min(board.width);
    let place = Rect::new(
        board.x + (board.width - width) / 2,
        board.y + board.height / 2 - 1,
        width,
        3,
    );
    for row in 0..place.height {
        let blank = " ".repeat(usize::from(width));
        write(
            buffer,
            place,
            row,
            &blank,
            Style::reset().patch(theme.notice()),
        );
    }
    centered(buffer, place, 1, end, theme.notice());
}

/// What happened, what is wrong, the hint and the keys, as far as there is room.
fn below(app: &App, theme: Theme, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.below;
    let width = usize::from(area.width);
    let question = words::question(app);
    let news = question.map_or_else(|| words::news(app), str::to_owned);
    let style = match question {
        Some(_) => theme.notice(),
        None => Style::new(),
    };
    let hint = match layout.panel {
        Some(_) => String::new(),
        None => words::hint_line(app),
    };
    let storage = app.storage().map(|why| format!("Not saved: {why}"));
    let keys = words::keys();
    let keys = words::fitting(&keys, width);
    // By importance; shown in another order, with the keys at the bottom.
    let mut room = usize::from(area.height);
    let mut take = |lines: Vec<String>, most: usize| {
        let lines: Vec<String> = lines.into_iter().take(most.min(room)).collect();
        room -= lines.len();
        lines
    };
    let some = |text: &str| words::wrapped(text, width);
    let news = take(some(&news), usize::MAX);
    let hint = take(some(&hint), 2);
    let storage = take(some(storage.as_deref().unwrap_or_default()), 3);
    let keys = take(vec![keys.to_owned()], 1);
    let styles = [style, theme.emphasis(), theme.emphasis()];
    let mut row = 0;
    for (lines, style) in [news, hint, storage].into_iter().zip(styles) {
        for line in lines {
            write(buffer, area, row, &line, style);
            row += 1;
        }
    }
    for line in keys {
        let style = Style::new().add_modifier(Modifier::DIM);
        write(buffer, area, area.height - 1, &line, style);
    }
}
