//! What stands beside the board where there is room: the hint and why, facts,
//! the legend.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use afterstate_rules::Variant;

use crate::app::{App, Hint};
use crate::theme::Theme;
use crate::tile::AKIOI_TILES;
use crate::view::write;
use crate::words;

/// Columns of a label in the short legend, with the gap after it.
const LABEL_WIDTH: u16 = 9;

/// Columns of a line of the whole legend.
const LEGEND_WIDTH: u16 = 38;

/// Draws the panel.
pub(crate) fn render(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut row = 0;
    for (line, style) in hint(app, theme, usize::from(area.width)) {
        write(buffer, area, row, &line, style);
        row += 1;
    }
    row += 1;
    for line in words::facts(app) {
        write(buffer, area, row, &line, Style::new());
        row += 1;
    }
    row += 1;
    if app.game().variant() == Variant::Akioi {
        let left = Rect {
            y: area.y + row.min(area.height),
            height: area.height.saturating_sub(row),
            ..area
        };
        legend(theme, left, buffer);
    }
}

/// The hint: always of as many lines, so that nothing jumps when it comes.
fn hint(app: &App, theme: Theme, width: usize) -> Vec<(String, Style)> {
    let mut lines = match app.hint() {
        Hint::None => vec![("t: hint".to_owned(), Style::new())],
        Hint::Asked(_) => vec![("Hint: thinking ...".to_owned(), Style::new())],
        Hint::Failed(_) => vec![("No hint".to_owned(), Style::new())],
        Hint::Given(advice) => {
            let slide = advice.slide.map_or("none", |slide| slide.name());
            let mut lines = vec![(format!("Hint: {slide}"), theme.emphasis())];
            for line in words::value_lines(advice) {
                let style = match line.starts_with('>') {
                    true => theme.emphasis(),
                    false => Style::new(),
                };
                lines.push((line, style));
            }
            lines
        }
    };
    let by = format!("({}; {})", app.agent(), app.unit());
    let by = words::wrapped(&by, width);
    lines.resize(lines.len().max(5), (String::new(), Style::new()));
    lines.extend(by.into_iter().map(|line| (line, Style::new())));
    lines
}

/// The tiles of akioi: with names and numbers where there is room, else their
/// labels only, else nothing.
fn legend(theme: Theme, area: Rect, buffer: &mut Buffer) {
    let n_tiles = AKIOI_TILES.len() as u16;
    if area.height >= n_tiles && area.width >= LEGEND_WIDTH {
        for (row, (line, tile)) in (0..).zip(words::legend().into_iter().zip(AKIOI_TILES)) {
            write(buffer, area, row, &line, Style::new());
            let label = Rect::new(area.x, area.y + row, 7, 1);
            buffer.set_style(label, theme.tile(tile.number));
        }
        return;
    }
    let per_row = (area.width + 1) / LABEL_WIDTH;
    if per_row == 0 || n_tiles.div_ceil(per_row) > area.height {
        return;
    }
    for (place, tile) in (0..).zip(AKIOI_TILES) {
        let x = area.x + place % per_row * LABEL_WIDTH;
        let y = area.y + place / per_row;
        let label = format!("{:^7}", tile.label);
        buffer.set_stringn(x, y, label, 7, theme.tile(tile.number));
    }
}
