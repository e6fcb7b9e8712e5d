//! Where everything goes on a terminal of whatever size.

use ratatui::layout::Rect;

/// The room that a cell of the board has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellSize {
    /// Columns for the label.
    pub(crate) width: u16,
    /// Rows.
    pub(crate) height: u16,
    /// Whether there are lines between cells.
    pub(crate) has_lines: bool,
}

/// From the largest to the least. The labels of all tiles fit in all of them.
const SIZES: [CellSize; 4] = [
    lined(13, 5),
    lined(9, 3),
    lined(7, 1),
    CellSize {
        width: 6,
        height: 1,
        has_lines: false,
    },
];

const fn lined(width: u16, height: u16) -> CellSize {
    CellSize {
        width,
        height,
        has_lines: true,
    }
}

/// Rows below the board: what happened, a hint, the keys.
const ROWS_BELOW: u16 = 3;

/// The narrowest header that says score and record.
const HEADER_WIDTH: u16 = 24;

/// The narrowest panel beside the board, and the widest.
const PANEL_WIDTHS: (u16, u16) = (30, 56);

/// Columns between board and panel.
const PANEL_GAP: u16 = 2;

/// Where everything goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) cell: CellSize,
    pub(crate) header: Rect,
    pub(crate) board: Rect,
    /// Beside the board, where there is room.
    pub(crate) panel: Option<Rect>,
    pub(crate) below: Rect,
}

impl CellSize {
    /// Columns and rows of a board of `side` by `side` cells.
    pub(crate) fn board(self, side: u16) -> (u16, u16) {
        if self.has_lines {
            ((self.width + 1) * side + 1, (self.height + 1) * side + 1)
        } else {
            ((self.width + 1) * side - 1, self.height * side)
        }
    }

    /// The place of a cell on a board whose corner is that of `board`.
    pub(crate) fn place(self, board: Rect, row: u16, column: u16) -> Rect {
        let line = u16::from(self.has_lines);
        let x = board.x + line + column * (self.width + 1);
        let y = board.y + line + row * (self.height + line);
        Rect::new(x, y, self.width, self.height)
    }
}

/// The least columns and rows for a board of `side` by `side` cells.
pub(crate) fn least(side: u16) -> (u16, u16) {
    let (width, height) = SIZES[SIZES.len() - 1].board(side);
    (width.max(HEADER_WIDTH), height + 2)
}

/// The layout for a board of `side` by `side` cells; `None` where there is no
/// room for it.
pub(crate) fn layout(area: Rect, side: u16) -> Option<Layout> {
    let cell = SIZES.into_iter().find(|size| {
        let (width, height) = size.board(side);
        let below = if size.has_lines { ROWS_BELOW } else { 1 };
        width.max(HEADER_WIDTH) <= area.width && 1 + height + below <= area.height
    })?;
    let (width, height) = cell.board(side);
    let for_panel = area.width.saturating_sub(width + PANEL_GAP);
    let panel_width = for_panel.min(PANEL_WIDTHS.1);
    let has_panel = cell.has_lines && cell.height > 1 && panel_width >= PANEL_WIDTHS.0;
    let used = if has_panel {
        width + PANEL_GAP + panel_width
    } else {
        width
    };
    let left = area.x + (area.width - used) / 2;
    let board = Rect::new(left, area.y + 1, width, height);
    // Text may be wider than the board, and begins with it where that fits.
    let text_width = if has_panel { used } else { area.width };
    let text_left = if has_panel { left } else { area.x };
    let below_y = board.y + height;
    Some(Layout {
        cell,
        header: Rect::new(text_left, area.y, text_width, 1),
        board,
        panel: has_panel.then(|| {
            let x = left + width + PANEL_GAP;
            Rect::new(x, board.y, panel_width, area.bottom() - board.y - 2)
        }),
        below: Rect::new(text_left, below_y, text_width, area.bottom() - below_y),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(columns: u16, rows: u16, side: u16) -> Option<CellSize> {
        layout(Rect::new(0, 0, columns, rows), side).map(|layout| layout.cell)
    }

    #[test]
    fn the_board_is_as_large_as_there_is_room() {
        assert_eq!(cell(120, 40, 4), Some(SIZES[0]));
        assert_eq!(cell(80, 24, 4), Some(SIZES[1]));
        assert_eq!(cell(40, 15, 4), Some(SIZES[2]));
        assert_eq!(cell(30, 10, 4), Some(SIZES[3]));
        assert_eq!(cell(200, 6, 4), Some(SIZES[3]));
    }

    /// Everything lies within the terminal, in every size there is.
    #[test]
    fn nothing_lies_outside_the_terminal() {
        for side in [3, 4] {
            let least = least(side);
            for columns in 1..=140 {
                for rows in 1..=50 {
                    let area = Rect::new(0, 0, columns, rows);
                    let Some(layout) = layout(area, side) else {
                        assert!(columns < least.0 || rows < least.1, "{columns}x{rows}");
                        continue;
                    };
                    assert!(columns >= least.0 && rows >= least.1);
                    let last = layout.cell.place(layout.board, side - 1, side - 1);
                    let panel = layout.panel.unwrap_or(layout.board);
                    for part in [layout.header, layout.board, layout.below, panel, last] {
                        assert_eq!(part.intersection(area), part, "{columns}x{rows}");
                    }
                    assert!(layout.below.height >= 1);
                    assert_eq!(panel.intersection(layout.header).height, 0);
                }
            }
        }
    }
}
