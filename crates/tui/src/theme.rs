//! Colors and line-drawing characters, by what the terminal can do.

use ratatui::style::{Color, Modifier, Style};

/// How many colors a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Palette {
    /// None, or none are wanted.
    Plain,
    /// The sixteen of old terminals.
    Basic,
    /// The 256 of nearly all.
    Full,
}

/// How things are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Theme {
    /// Colors.
    pub palette: Palette,
    /// Whether lines are drawn with characters made for it, or with ASCII.
    pub line_drawing: bool,
}

/// What the environment says of the terminal. Values are as they were found,
/// empty ones included.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// `TERM`.
    pub term: Option<String>,
    /// `COLORTERM`.
    pub colorterm: Option<String>,
    /// `NO_COLOR`.
    pub no_color: Option<String>,
    /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that says something.
    pub locale: Option<String>,
}

impl Surroundings {
    /// What this process was given.
    pub fn of_process() -> Surroundings {
        let value = |name: &str| {
            let value = std::env::var_os(name)?;
            Some(value.to_string_lossy().into_owned())
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().map(value);
        Surroundings {
            term: value("TERM"),
            colorterm: value("COLORTERM"),
            no_color: value("NO_COLOR"),
            locale: locale.flatten().find(|value| !value.is_empty()),
        }
    }

    /// Whether the terminal understands no commands, so that only lines of text
    /// can be written. One that has no name is treated as such, but on Windows,
    /// where none has.
    pub fn is_dumb(&self) -> bool {
        match self.term.as_deref() {
            None | Some("") => !cfg!(windows),
            Some(term) => term == "dumb",
        }
    }

    /// How to draw on it.
    pub fn theme(&self, no_color: NoColor) -> Theme {
        let is_set = |value: &Option<String>| value.as_ref().is_some_and(|text| !text.is_empty());
        let term = self.term.as_deref().unwrap_or_default();
        let is_full = cfg!(windows)
            || is_set(&self.colorterm)
            || ["256", "direct", "truecolor"]
                .iter()
                .any(|mark| term.contains(mark));
        let palette = if no_color == NoColor::Wanted || is_set(&self.no_color) {
            Palette::Plain
        } else if is_full {
            Palette::Full
        } else if term.starts_with("vt") {
            // The terminals of this name, and what stands for them, have none.
            Palette::Plain
        } else {
            Palette::Basic
        };
        Theme {
            palette,
            line_drawing: self.has_utf8(),
        }
    }

    fn has_utf8(&self) -> bool {
        let locale = self.locale.as_deref().unwrap_or_default().to_lowercase();
        cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
    }
}

/// Whether the command line asks for no colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoColor {
    /// It does.
    Wanted,
    /// It leaves it to the surroundings.
    Unsaid,
}

/// Colors of the tiles 2, 4, 8 … 131072 by their numbers in the table of 256:
/// ever lighter, so that they are told apart without telling hues apart.
const RAMP: [u8; 17] = [
    17, 53, 55, 24, 61, 30, 67, 36, 37, 71, 110, 78, 113, 149, 185, 222, 229,
];

/// Those of ×1, ×2 and ×4: greys, which no value tile has.
const GREYS: [u8; 3] = [244, 250, 255];

/// The backgrounds that sixteen colors allow, in turn.
const BASIC: [(Color, Color); 7] = [
    (Color::Blue, Color::White),
    (Color::Magenta, Color::White),
    (Color::Red, Color::White),
    (Color::Cyan, Color::Black),
    (Color::Green, Color::Black),
    (Color::Yellow, Color::Black),
    (Color::White, Color::Black),
];

impl Theme {
    /// How the tile with this number is drawn; 0 is an empty cell.
    pub fn tile(self, number: i32) -> Style {
        if number == 0 {
            return Style::new();
        }
        let place = number.unsigned_abs().ilog2() as usize;
        match self.palette {
            Palette::Plain => Style::new(),
            Palette::Basic if number < 0 => Style::new().add_modifier(Modifier::REVERSED),
            Palette::Basic => {
                let (background, text) = BASIC[(place - 1) % BASIC.len()];
                Style::new().bg(background).fg(text)
            }
            Palette::Full => {
                let index = if number < 0 {
                    GREYS[place % GREYS.len()]
                } else {
                    RAMP[(place - 1) % RAMP.len()]
                };
                let text = if luminance(index) < 0.179 { 231 } else { 16 };
                Style::new()
                    .bg(Color::Indexed(index))
                    .fg(Color::Indexed(text))
            }
        }
    }

    /// How what matters most is drawn.
    pub fn emphasis(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// How questions and the ends of games are drawn.
    pub fn notice(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }
}

/// How light color `index` (16 to 255) of the table of 256 is, from 0 to 1.
///
/// *Source*: the relative luminance of WCAG 2; above 0.179 black is more
/// readable on it than white.
fn luminance(index: u8) -> f64 {
    let levels = [0_u8, 95, 135, 175, 215, 255];
    let channels = match index {
        232.. => [8 + 10 * (index - 232); 3],
        _ => {
            let cube = usize::from(index.saturating_sub(16));
            [cube / 36, cube / 6 % 6, cube % 6].map(|level| levels[level])
        }
    };
    let linear = channels.map(|channel| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.040_45 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::AKIOI_TILES;

    fn all_numbers() -> Vec<i32> {
        let multipliers = AKIOI_TILES.iter().map(|tile| tile.number);
        let values = (1..=17).map(|exponent| 1 << exponent);
        multipliers.filter(|&n| n < 0).chain(values).collect()
    }

    fn contrast(one: u8, other: u8) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn users_f57_every_tile_is_readable_and_has_a_color_of_its_own() {
        let theme = Theme {
            palette: Palette::Full,
            line_drawing: true,
        };
        let mut seen = Vec::new();
        for number in all_numbers() {
            let style = theme.tile(number);
            let (Some(Color::Indexed(background)), Some(Color::Indexed(text))) =
                (style.bg, style.fg)
            else {
                panic!("{number} has two colors of the table");
            };
            let found = contrast(background, text);
            assert!(found >= 4.5, "{number}: contrast {found:.1}");
            assert!(!seen.contains(&background), "{number}: color {background}");
            seen.push(background);
        }
    }

    #[test]
    fn larger_tiles_are_lighter() {
        let lights = RAMP.map(luminance);
        assert!(lights.is_sorted(), "{lights:?}");
        assert!(GREYS.map(luminance).is_sorted());
        assert!((luminance(231) - 1.0).abs() < 1e-9 && luminance(16) < 1e-9);
    }

    fn theme_of(term: &str, set: impl FnOnce(&mut Surroundings)) -> Theme {
        let mut surroundings = Surroundings {
            term: Some(term.to_owned()),
            ..Surroundings::default()
        };
        set(&mut surroundings);
        surroundings.theme(NoColor::Unsaid)
    }

    #[test]
    fn colors_are_those_that_the_terminal_has_and_the_player_wants() {
        let palette = |term| theme_of(term, |_| ()).palette;
        assert_eq!(palette("xterm-256color"), Palette::Full);
        assert_eq!(palette("linux"), Palette::Basic);
        assert_eq!(palette("vt220"), Palette::Plain);
        let with = |set: fn(&mut Surroundings)| theme_of("linux", set).palette;
        assert_eq!(
            with(|each| each.colorterm = Some("truecolor".to_owned())),
            Palette::Full
        );
        assert_eq!(
            with(|each| each.no_color = Some("1".to_owned())),
            Palette::Plain
        );
        // By no-color.org an empty value says nothing.
        assert_eq!(
            with(|each| each.no_color = Some(String::new())),
            Palette::Basic
        );
        let full = Surroundings {
            term: Some("xterm-256color".to_owned()),
            ..Surroundings::default()
        };
        assert_eq!(full.theme(NoColor::Wanted).palette, Palette::Plain);
    }

    #[cfg(not(windows))]
    #[test]
    fn dumb_terminals_and_plain_locales_are_known() {
        let dumb = |term: Option<&str>| {
            let surroundings = Surroundings {
                term: term.map(str::to_owned),
                ..Surroundings::default()
            };
            surroundings.is_dumb()
        };
        assert!(dumb(None) && dumb(Some("")) && dumb(Some("dumb")));
        assert!(!dumb(Some("xterm")));
        let line_drawing = |locale: &str| {
            theme_of("xterm", |each| each.locale = Some(locale.to_owned())).line_drawing
        };
        assert!(line_drawing("en_US.UTF-8") && line_drawing("C.utf8"));
        assert!(!line_drawing("C") && !line_drawing("zh_CN.GB18030"));
    }
}
