//! The state of the program, and what events make of it.

use std::time::Duration;

use afterstate_arena::{Advice, LiveGame, LivePly};
use afterstate_bitboard::Slide;
use afterstate_rules::{Status, Variant};

use crate::automatic::capital;
use crate::event::{Effect, Event};
use crate::key::{Command, Key};
use crate::saved::{Record, SavedGame};
use crate::speed::Speed;
use crate::words;

/// What a hint has come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Hint {
    /// Nobody has asked.
    None,
    /// The question with this number is not answered yet.
    Asked(u64),
    /// The answer.
    Given(Advice),
    /// There is none, and why.
    Failed(String),
}

/// What is to be confirmed before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intent {
    /// A new game while one is running.
    Restart,
    /// What makes a game count as cheated, for the first time in it.
    Cheat(Command),
}

/// What the keys are for at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The board.
    Board,
    /// A question to the player.
    Confirm(Intent),
    /// The help, from this line on.
    Help(usize),
}

/// Seeds of games to come.
pub type Seeds = Box<dyn FnMut() -> u64 + Send>;

/// Everything there is to the program but the terminal, the files and the
/// agent: events change it, and pictures are made of it.
///
/// It does nothing by itself and knows no clock: what is to be done comes out
/// as [`Effect`]s, and time goes in as [`Event::Elapsed`].
pub struct App {
    pub(crate) game: LiveGame,
    cheated: bool,
    /// The best score of earlier games without cheating.
    record: Option<Record>,
    agent: String,
    unit: &'static str,
    pub(crate) hint: Hint,
    last: Option<LivePly>,
    pub(crate) automatic: bool,
    /// A single slide of the agent's that waits for its advice.
    pub(crate) step_due: bool,
    pub(crate) speed: Speed,
    pub(crate) since_slide: Duration,
    mode: Mode,
    pub(crate) message: String,
    storage: Option<String>,
    /// Columns and rows of the terminal.
    size: (u16, u16),
    pub(crate) n_questions: u64,
    revision: u64,
    seeds: Seeds,
}

/// What an [`App`] begins with.
pub struct Start {
    /// The game that goes on; without one a new game begins.
    pub saved: Option<SavedGame>,
    /// The best score of earlier games without cheating.
    pub record: Option<Record>,
    /// The name of the agent that gives hints.
    pub agent: String,
    /// What the agent's values are.
    pub unit: &'static str,
    /// Seeds of games to come.
    pub seeds: Seeds,
}

impl App {
    /// The program at its start.
    pub fn new(variant: Variant, start: Start) -> App {
        let mut seeds = start.seeds;
        let (game, cheated, message) = match start.saved {
            Some(saved) => {
                let message = match saved.game.status() {
                    Status::Playing => "The saved game goes on.",
                    Status::Cleared | Status::Over => "",
                };
                (saved.game, saved.cheated, message)
            }
            None => (LiveGame::new(variant, seeds()), false, ""),
        };
        let mut app = App {
            game,
            cheated,
            record: start.record,
            agent: start.agent,
            unit: start.unit,
            hint: Hint::None,
            last: None,
            automatic: false,
            step_due: false,
            speed: Speed::default(),
            since_slide: Duration::ZERO,
            mode: Mode::Board,
            message: message.to_owned(),
            storage: None,
            size: (80, 24),
            n_questions: 0,
            revision: 0,
            seeds,
        };
        app.settle();
        app
    }

    /// The question whether the game that goes on may be given up for another:
    /// asked at the start when a seed was chosen that it does not have.
    pub fn ask_to_restart(&mut self) {
        if self.is_running() {
            self.mode = Mode::Confirm(Intent::Restart);
        } else {
            self.restart();
        }
    }

    /// Says something where news are shown.
    pub fn say(&mut self, text: &str) {
        text.clone_into(&mut self.message);
    }

    /// Carries an event out; returns what is to be done.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Answer(answer) => self.answer(answer),
            Event::Elapsed(time) => {
                self.since_slide = self.since_slide.saturating_add(time);
                self.play_on()
            }
            Event::Sized(columns, rows) => {
                self.size = (columns, rows);
                Vec::new()
            }
            Event::Storage(problem) => {
                self.storage = problem;
                Vec::new()
            }
        }
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        let command = key.command();
        match command {
            // Whatever is on the screen.
            Some(Command::Quit) => return vec![Effect::Quit],
            Some(Command::Redraw) => return vec![Effect::Redraw],
            Some(Command::Suspend) => {
                self.stop();
                return vec![Effect::Suspend];
            }
            _ => {}
        }
        match self.mode {
            Mode::Confirm(intent) => self.confirm(intent, key),
            Mode::Help(top) => {
                self.mode = match command {
                    Some(Command::Slide(Slide::Down)) => Mode::Help(self.help_below(top)),
                    Some(Command::Slide(Slide::Up)) => Mode::Help(top.saturating_sub(1)),
                    Some(Command::Help | Command::Escape) => Mode::Board,
                    _ => self.mode,
                };
                Vec::new()
            }
            Mode::Board => command.map_or_else(Vec::new, |command| self.command(command)),
        }
    }

    /// The line of the help below `top`, unless the end is on the screen.
    fn help_below(&self, top: usize) -> usize {
        let (columns, rows) = self.size;
        let n_lines = words::help(self, usize::from(columns)).len();
        (top + 1).min(n_lines.saturating_sub(usize::from(rows)))
    }

    /// Yes is `y` or Enter; any other key is no, and nothing else.
    fn confirm(&mut self, intent: Intent, key: Key) -> Vec<Effect> {
        self.mode = Mode::Board;
        if !matches!(key, Key::Char('y' | 'Y') | Key::Enter) {
            "Nothing was done.".clone_into(&mut self.message);
            return Vec::new();
        }
        match intent {
            Intent::Restart => {
                self.restart();
                Vec::new()
            }
            Intent::Cheat(command) => {
                self.cheat();
                self.command(command)
            }
        }
    }

    fn command(&mut self, command: Command) -> Vec<Effect> {
        match command {
            Command::Slide(slide) => self.slide_by_hand(slide),
            Command::Hint => self.ask(),
            Command::Undo => self.undo(),
            Command::Automatic if self.automatic => self.stop(),
            Command::Automatic | Command::Step => self.begin_automatic(command),
            Command::Faster => self.change_speed(self.speed.faster()),
            Command::Slower => self.change_speed(self.speed.slower()),
            Command::Restart => {
                self.stop();
                self.ask_to_restart();
                Vec::new()
            }
            Command::Help => {
                self.stop();
                self.mode = Mode::Help(0);
                Vec::new()
            }
            Command::Escape => self.stop(),
            Command::Quit => vec![Effect::Quit],
            Command::Redraw => vec![Effect::Redraw],
            Command::Suspend => vec![Effect::Suspend],
        }
    }

    /// A slide of the player's. While the program plays it only stops that: the
    /// board that the key was meant for is gone.
    fn slide_by_hand(&mut self, slide: Slide) -> Vec<Effect> {
        if self.automatic {
            return self.stop();
        }
        match self.slide(slide) {
            true => Vec::new(),
            false => {
                if self.is_playing() {
                    self.message = format!("{} changes nothing.", capital(slide));
                }
                Vec::new()
            }
        }
    }

    /// Carries a slide out; false when it is not legal.
    pub(crate) fn slide(&mut self, slide: Slide) -> bool {
        let Some(ply) = self.game.slide(slide) else {
            return false;
        };
        self.since_slide = Duration::ZERO;
        self.last = Some(ply);
        self.board_changed();
        self.message = format!("{}: {:+}", capital(slide), ply.gain);
        self.settle();
        true
    }

    fn board_changed(&mut self) {
        self.revision += 1;
        self.hint = Hint::None;
        self.step_due = false;
    }

    fn cheat(&mut self) {
        self.revision += 1;
        self.cheated = true;
    }

    /// Keeps the record when a game has ended, and plays no further.
    fn settle(&mut self) {
        if !self.is_playing() {
            self.automatic = false;
            self.message.clear();
            self.record = self.best();
        }
    }

    fn restart(&mut self) {
        self.record = self.best();
        self.game = LiveGame::new(self.game.variant(), (self.seeds)());
        self.cheated = false;
        self.last = None;
        self.board_changed();
        "A new game.".clone_into(&mut self.message);
    }

    /// Whether the player has to be asked before the game counts as cheated for
    /// `command`; it does so from then on when not.
    pub(crate) fn must_ask(&mut self, command: Command) -> bool {
        if self.cheated || self.game.slides().is_empty() {
            self.cheat();
            return false;
        }
        self.mode = Mode::Confirm(Intent::Cheat(command));
        true
    }

    fn undo(&mut self) -> Vec<Effect> {
        self.stop();
        if self.game.slides().is_empty() {
            "There is nothing to take back.".clone_into(&mut self.message);
        } else if !self.must_ask(Command::Undo) {
            self.game.undo();
            self.last = None;
            self.board_changed();
            "The last slide is taken back.".clone_into(&mut self.message);
        }
        Vec::new()
    }

    /// The game.
    pub fn game(&self) -> &LiveGame {
        &self.game
    }

    /// Whether the game has had help: it never is a record then.
    pub fn is_cheated(&self) -> bool {
        self.cheated
    }

    /// Whether the game goes on.
    pub fn is_playing(&self) -> bool {
        self.game.status() == Status::Playing
    }

    /// Whether there is something to lose: the game goes on, and has begun.
    pub fn is_running(&self) -> bool {
        self.is_playing() && !self.game.slides().is_empty()
    }

    /// The record that is kept: that of all games before this one, and of this
    /// one once it has ended.
    pub fn record(&self) -> Option<Record> {
        self.record
    }

    /// The record with this game in it, if it counts: what it will be when
    /// nothing more happens.
    pub fn best(&self) -> Option<Record> {
        let counts = !self.cheated && !self.game.slides().is_empty();
        let own = counts.then(|| Record::of(&self.game));
        own.filter(|own| self.record.is_none_or(|old| own.score > old.score))
            .or(self.record)
    }

    /// Grows with every change of what has to be kept.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The name of the agent that gives hints.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// What the agent's values are.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// The hint.
    pub fn hint(&self) -> &Hint {
        &self.hint
    }

    /// What the last slide led to; `None` when the board is older.
    pub fn last(&self) -> Option<LivePly> {
        self.last
    }

    /// Whether the program plays by itself.
    pub fn is_automatic(&self) -> bool {
        self.automatic
    }

    /// How fast it does.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// What the keys are for.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What there is to say, on one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Why the game cannot be kept, if so.
    pub fn storage(&self) -> Option<&str> {
        self.storage.as_deref()
    }
}

impl core::fmt::Debug for App {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("App")
            .field("game", &self.game)
            .field("cheated", &self.cheated)
            .field("record", &self.record)
            .field("hint", &self.hint)
            .field("automatic", &self.automatic)
            .field("mode", &self.mode)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}
