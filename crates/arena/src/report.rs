//! Summaries as text and as a page.

use core::fmt::Write as _;

use crate::summary::{EntrySummary, Summary};

/// At most this many tiles get a column in a table.
const TILE_COLUMNS: usize = 5;

/// The results as a table of text, a part for each variant.
///
/// ```text
/// classic            games     mean ± 95 %  median  ≥256  ≥512  slides/s
/// random               100     1083 ± 110     1012   5 %   0 %   2800000
/// ```
pub fn text_table(summary: &Summary) -> String {
    let mut text = String::new();
    for group in groups(summary) {
        if !text.is_empty() {
            text.push('\n');
        }
        let rows = table(group);
        let widths: Vec<usize> = (0..rows[0].len())
            .map(|column| {
                rows.iter()
                    .map(|row| row[column].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for row in &rows {
            let mut line = format!("{:<width$}", row[0], width = widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                let _ = write!(line, "  {cell:>width$}");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    if any_machine_dependent(summary) {
        let _ = writeln!(text, "\n{MARK} {MACHINE_DEPENDENT}");
    }
    text
}

/// Follows the name of an agent whose games depend on the machine.
const MARK: char = '*';

/// What [`MARK`] says.
const MACHINE_DEPENDENT: &str = "games depend on the speed of the machine, not on the seed alone";

fn any_machine_dependent(summary: &Summary) -> bool {
    summary.entries.iter().any(|entry| entry.machine_dependent)
}

/// The entries of each variant.
fn groups(summary: &Summary) -> Vec<&[EntrySummary]> {
    summary
        .entries
        .chunk_by(|a, b| a.variant == b.variant)
        .collect()
}

/// The rows of a variant's table, the heading first.
fn table(group: &[EntrySummary]) -> Vec<Vec<String>> {
    let tiles = columns(group);
    let mut heading: Vec<String> = [&group[0].variant, "games", "mean", "± 95 %", "median"]
        .map(str::to_owned)
        .into();
    heading.extend(tiles.iter().map(|tile| format!("≥{tile}")));
    let any_cleared = group.iter().any(|entry| entry.cleared > 0);
    if any_cleared {
        heading.push("cleared".to_owned());
    }
    let any_gap = group.iter().any(|entry| entry.gap.is_some());
    if any_gap {
        heading.push("gap".to_owned());
    }
    let judged = |entry: &EntrySummary| entry.gap.as_ref().and_then(|gap| gap.judged.clone());
    let any_judged = group.iter().any(|entry| judged(entry).is_some());
    if any_judged {
        heading.extend(["optimal", "loss/slide"].map(str::to_owned));
    }
    heading.push("slides/s".to_owned());
    let any_searched = group.iter().any(|entry| entry.nodes > 0);
    if any_searched {
        heading.push("nodes/s".to_owned());
    }
    let mut rows = vec![heading];
    for entry in group {
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.0}"));
        let half = entry
            .mean_t95
            .map(|interval| (interval.high - interval.low) / 2.0);
        let mark = entry.machine_dependent.then_some(MARK);
        let mut row = vec![
            entry.agent.chars().chain(mark).collect(),
            entry.games.to_string(),
            number(entry.mean),
            number(half),
            number(entry.quartiles.map(|quartiles| quartiles[2])),
        ];
        row.extend(tiles.iter().map(|&tile| percent(share_of(entry, tile))));
        if any_cleared {
            row.push(percent(entry.cleared as f64 / entry.games.max(1) as f64));
        }
        if any_gap {
            row.push(number(entry.gap.as_ref().map(|gap| gap.mean)));
        }
        if any_judged {
            let none = || "-".to_owned();
            let judged = judged(entry);
            let optimal = judged.as_ref().map(|it| it.optimal);
            row.push(optimal.map_or_else(none, percent));
            let loss = judged.map(|it| it.loss_per_slide);
            row.push(loss.map_or_else(none, |loss| format!("{loss:.2}")));
        }
        row.push(number(entry.slides_per_second));
        if any_searched {
            row.push(number(entry.nodes_per_second));
        }
        rows.push(row);
    }
    rows
}

/// The largest tiles that games of the group reached, ascending: without a gap,
/// also where a weak agent's games all end below a strong one's.
fn columns(group: &[EntrySummary]) -> Vec<i32> {
    let reached = || {
        group
            .iter()
            .flat_map(|entry| entry.tiles.iter().map(|rate| rate.tile))
    };
    let (Some(least), Some(most)) = (reached().min(), reached().max()) else {
        return Vec::new();
    };
    let mut tiles: Vec<i32> = core::iter::successors(Some(most), |tile| Some(tile / 2))
        .take_while(|&tile| tile >= least)
        .take(TILE_COLUMNS)
        .collect();
    tiles.reverse();
    tiles
}

fn share_of(entry: &EntrySummary, tile: i32) -> f64 {
    match entry.tiles.iter().find(|rate| rate.tile == tile) {
        Some(rate) => rate.share,
        // Rates begin where not all games go further.
        None if entry.tiles.first().is_some_and(|first| tile < first.tile) => 1.0,
        None => 0.0,
    }
}

/// A share in percent: a decimal where a whole number would hide that it is
/// neither nothing nor all.
fn percent(share: f64) -> String {
    let whole = (share * 100.0).round();
    let hides = (whole == 0.0 && share > 0.0) || (whole == 100.0 && share < 1.0);
    if hides {
        format!("{:.1} %", share * 100.0)
    } else {
        format!("{whole} %")
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
.scroll{overflow-x:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #8888;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}";

/// The results as one page that needs nothing else.
pub fn html_report(summary: &Summary) -> String {
    let run = &summary.run;
    let mut body = String::new();
    let _ = write!(
        body,
        "<h1>Tournament</h1>\n<p>{} games, seed {}, shard {}, afterstate {} on {} {}, {} workers. \
         Intervals of means are Student's t, 95 %. Slides a second are those of one worker, and so \
         are nodes, the boards that searches look at.</p>\n",
        summary.n_games(),
        run.seed,
        run.shard,
        escaped(&run.version),
        escaped(&run.machine.os),
        escaped(&run.machine.arch),
        run.threads
    );
    for group in groups(summary) {
        body.push_str("<div class=\"scroll\"><table>\n");
        for (idx, row) in table(group).iter().enumerate() {
            let tag = if idx == 0 { "th" } else { "td" };
            body.push_str("<tr>");
            for cell in row {
                let _ = write!(body, "<{tag}>{}</{tag}>", escaped(cell));
            }
            body.push_str("</tr>\n");
        }
        body.push_str("</table></div>\n");
    }
    if any_machine_dependent(summary) {
        let _ = writeln!(body, "<p>{MARK} {MACHINE_DEPENDENT}.</p>");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>afterstate tournament</title><style>{STYLE}</style></head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
