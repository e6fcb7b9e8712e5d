use std::time::Duration;

use afterstate_arena::{Advisor, AgentSpec, LiveGame, Shared};
use afterstate_bitboard::Slide;
use afterstate_rules::Variant;
use afterstate_tui::{
    Answer, App, Effect, Event, Hint, Key, NoColor, Palette, Record, SavedGame, Start,
    Surroundings, Theme, draw, game_from_bytes,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

/// What an app of a test begins with: seeds count up from `seed`.
pub(crate) fn start(seed: u64) -> Start {
    let mut next = seed;
    Start {
        saved: None,
        record: None,
        agent: "greedy".to_owned(),
        unit: "values are gains",
        seeds: Box::new(move || {
            next += 1;
            next - 1
        }),
    }
}

pub(crate) fn app(variant: Variant, seed: u64) -> App {
    App::new(variant, start(seed))
}

/// An app that goes on with a game.
pub(crate) fn app_of(game: LiveGame, cheated: bool, record: Option<Record>) -> App {
    let variant = game.variant();
    let start = Start {
        saved: Some(SavedGame { game, cheated }),
        record,
        ..start(1000)
    };
    App::new(variant, start)
}

/// A game of akioi that was cleared by its last slide: played by
/// `ntuple:depth=1,objective=clear`.
pub(crate) fn cleared_akioi() -> SavedGame {
    let bytes = include_bytes!("../data/akioi-cleared.json");
    game_from_bytes(bytes, Variant::Akioi).expect("the game is by the rules")
}

/// The same, before its last slide; and that slide.
pub(crate) fn nearly_cleared_akioi() -> (LiveGame, Slide) {
    let game = cleared_akioi().game;
    let (&last, before) = game.slides().split_last().expect("it has slides");
    let before = LiveGame::replay(Variant::Akioi, game.seed(), before);
    (before.expect("the game is by the rules"), last)
}

pub(crate) fn press(app: &mut App, key: Key) -> Vec<Effect> {
    app.update(Event::Key(key))
}

/// Presses the keys of these characters, one after the other.
pub(crate) fn press_all(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for letter in keys.chars() {
        effects.extend(press(app, Key::Char(letter)));
    }
    effects
}

/// Makes slides until the game has ended, a legal one each time.
pub(crate) fn play_to_the_end(app: &mut App) {
    while app.is_playing() {
        let slide = Slide::ALL
            .into_iter()
            .find(|&slide| app.game().is_legal(slide))
            .expect("a slide is legal while the game goes on");
        press(app, Key::Arrow(slide));
    }
}

/// Somebody who answers the questions of an app.
pub(crate) struct Adviser(Advisor);

impl Adviser {
    pub(crate) fn new(variant: Variant, agent: &str) -> Adviser {
        let spec = AgentSpec::parse(agent, variant).expect("an agent");
        let advisor = Advisor::load(&Shared::default(), variant, &spec);
        Adviser(advisor.expect("the agent needs no file"))
    }

    /// The answer to the question that an app waits for, if it waits for one.
    pub(crate) fn answer(&mut self, app: &App) -> Option<Answer> {
        let &Hint::Asked(id) = app.hint() else {
            return None;
        };
        let advice = self.0.advise(&app.game().rows(), &mut || false);
        Some(Answer {
            id,
            advice: Ok(advice.expect("the board is one of the variant")),
        })
    }

    /// Answers questions, and lets `time` go by between them, until `n_slides`
    /// more are made or automatic play has ended.
    pub(crate) fn play(&mut self, app: &mut App, time: Duration, n_slides: usize) {
        let goal = app.game().slides().len() + n_slides;
        while app.game().slides().len() < goal {
            match self.answer(app) {
                Some(answer) => drop(app.update(Event::Answer(answer))),
                None if app.is_automatic() => drop(app.update(Event::Elapsed(time))),
                None => return,
            }
        }
    }
}

pub(crate) const PLAIN: Theme = Theme {
    palette: Palette::Plain,
    line_drawing: true,
};

/// A theme in 256 colors.
pub(crate) fn full() -> Theme {
    let surroundings = Surroundings {
        term: Some("xterm-256color".to_owned()),
        ..Surroundings::default()
    };
    surroundings.theme(NoColor::Unsaid)
}

/// The picture of the state on a terminal of this size.
pub(crate) fn buffer(app: &App, theme: Theme, columns: u16, rows: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("memory is a screen");
    terminal
        .draw(|frame| draw(app, theme, frame))
        .expect("memory is a screen");
    terminal.backend().buffer().clone()
}

/// The same as text, without blanks at the ends of lines.
pub(crate) fn screen(app: &App, columns: u16, rows: u16) -> String {
    let buffer = buffer(app, PLAIN, columns, rows);
    let lines: Vec<String> = (0..rows)
        .map(|row| {
            let symbols = (0..columns).map(|column| buffer[(column, row)].symbol());
            symbols.collect::<String>().trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}
