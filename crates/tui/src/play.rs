//! The whole program: from what was asked for to the last line.

use core::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc;

use afterstate_arena::{AgentFileError, AgentSpec, Shared};
use afterstate_play::game_seed;
use afterstate_rules::Variant;

use crate::app::{App, Seeds, Start};
use crate::saved::SavedGame;
use crate::session::{Ending, Session};
use crate::store::{Found, Store, StoreError, default_folder};
use crate::surface::{Message, Surface};
use crate::terminal::Screen;
use crate::theme::{NoColor, Surroundings};
use crate::worker::Worker;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Config {
    /// The game.
    pub variant: Variant,
    /// Who gives hints and plays by itself.
    pub agent: AgentSpec,
    /// The seed of the first game; without one it is as random as the system
    /// makes it.
    pub seed: Option<u64>,
    /// The folder for games and records; without one that of the system.
    pub data: Option<PathBuf>,
    /// Whether colors are unwanted.
    pub no_color: NoColor,
}

/// Why nothing is played, or not on.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlayError {
    /// A stream that leads to no terminal.
    NoTerminal(&'static str),
    /// The folder for games.
    Store(StoreError),
    /// What the agent plays by.
    Agent(AgentFileError),
    /// The system has no random numbers.
    Random(getrandom::Error),
    /// The system refuses signals or threads.
    System(&'static str, String),
    /// The terminal does not do what it should.
    Terminal(io::Error),
    /// The game could not be kept, for this reason.
    NotKept(String),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::NoTerminal(stream) => write!(
                f,
                "{stream} is no terminal, expected one to play on: `afterstate hint` and \
                 `afterstate slide` need none"
            ),
            PlayError::Store(error) => error.fmt(f),
            PlayError::Agent(error) => error.fmt(f),
            PlayError::Random(error) => {
                write!(f, "no random numbers ({error}), expected them or --seed S")
            }
            PlayError::System(what, error) => write!(f, "{what}: {error}"),
            PlayError::Terminal(error) => write!(f, "the terminal: {error}"),
            PlayError::NotKept(why) => write!(f, "the game is not saved: {why}"),
        }
    }
}

impl std::error::Error for PlayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PlayError::Agent(error) => error.source(),
            _ => None,
        }
    }
}

/// Plays on the terminal of this process until the player quits or a signal
/// says so. The process cannot play twice: signals are taken for good.
///
/// *Errors*: there is no terminal or no folder to keep games in, the agent
/// lacks what it plays by, or the game could not be kept.
pub fn play(config: &Config) -> Result<Ending, PlayError> {
    check_streams()?;
    let folder = match &config.data {
        Some(folder) => folder.clone(),
        None => default_folder().map_err(PlayError::Store)?,
    };
    let (store, found) = Store::open(&folder, config.variant).map_err(PlayError::Store)?;
    let shared = Shared::default();
    if config.agent.file().is_some() {
        // Before the terminal is taken: a wrong file is a wrong command line.
        let loaded = shared.load(config.variant, &config.agent);
        loaded.map_err(PlayError::Agent)?;
    }
    let complaints = found.complaints.clone();
    let app = begin(config, found)?;
    let (to, messages) = mpsc::channel();
    let (stop, answers) = (to.clone(), to.clone());
    ctrlc::set_handler(move || drop(stop.send(Message::Stop)))
        .map_err(|error| PlayError::System("signals cannot be taken", error.to_string()))?;
    let no_thread = |error: io::Error| PlayError::System("no thread starts", error.to_string());
    let worker = Worker::start(
        config.variant,
        config.agent.clone(),
        shared,
        move |answer| answers.send(Message::Answer(answer)).is_ok(),
    );
    let worker = worker.map_err(no_thread)?;
    let surface = surface(config.no_color)?;
    surface.read_input(to).map_err(no_thread)?;
    let mut session = Session::new(app, surface, store, worker, messages);
    let ending = session.run();
    // The terminal is given back before anything is said.
    let Session { app, surface, .. } = session;
    drop(surface);
    say_farewell(&app, &complaints);
    match (ending, app.storage()) {
        (Err(error), _) => Err(PlayError::Terminal(error)),
        (Ok(_), Some(why)) => Err(PlayError::NotKept(why.to_owned())),
        (Ok(ending), None) => Ok(ending),
    }
}

fn check_streams() -> Result<(), PlayError> {
    if !io::stdin().is_terminal() {
        return Err(PlayError::NoTerminal("standard input"));
    }
    if !io::stdout().is_terminal() {
        return Err(PlayError::NoTerminal("standard output"));
    }
    Ok(())
}

/// The state at the start: the saved game, or the one of the seed asked for.
fn begin(config: &Config, found: Found) -> Result<App, PlayError> {
    let Found {
        saved,
        record,
        complaints,
    } = found;
    let master = match config.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(PlayError::Random)?,
    };
    let goes_on = |saved: &SavedGame| {
        let game = &saved.game;
        let is_it = config.seed.is_none_or(|seed| seed == game.seed());
        is_it && (config.seed.is_none() || game.status() == afterstate_rules::Status::Playing)
    };
    let is_another = saved.as_ref().is_some_and(|saved| !goes_on(saved));
    let first = config.seed.filter(|_| saved.is_none() || is_another);
    let start = Start {
        saved,
        record,
        agent: config.agent.to_string(),
        unit: config.agent.kind().unit(),
        seeds: seeds(config.variant, master, first),
    };
    let mut app = App::new(config.variant, start);
    if is_another {
        app.ask_to_restart();
    }
    if !complaints.is_empty() {
        app.say(&complaints.join(" "));
    }
    Ok(app)
}

/// The seeds of one session: `first`, if there is one, then those that follow
/// from `master`.
fn seeds(variant: Variant, master: u64, mut first: Option<u64>) -> Seeds {
    let mut index = 0;
    Box::new(move || {
        first.take().unwrap_or_else(|| {
            index += 1;
            game_seed(master, variant.name(), "play", index)
        })
    })
}

fn surface(no_color: NoColor) -> Result<Surface, PlayError> {
    let surroundings = Surroundings::of_process();
    if surroundings.is_dumb() {
        return Ok(Surface::Lines {
            written: String::new(),
        });
    }
    let screen = Screen::take().map_err(PlayError::Terminal)?;
    Ok(Surface::Screen(
        Box::new(screen),
        surroundings.theme(no_color),
    ))
}

/// The last lines. A terminal that is gone does not hear them.
fn say_farewell(app: &App, complaints: &[String]) {
    let game = app.game();
    let variant = game.variant();
    let mut out = io::stdout().lock();
    let _ = writeln!(
        out,
        "{variant}: score {}, largest tile {}, {} slides, seed {}",
        game.score(),
        game.largest(),
        game.slides().len(),
        game.seed()
    );
    if app.is_running() && app.storage().is_none() {
        let _ = writeln!(
            out,
            "The game is saved: `afterstate play --variant {variant}` goes on with it."
        );
    }
    let _ = out.flush();
    let mut errors = io::stderr().lock();
    for complaint in complaints {
        let _ = writeln!(errors, "warning: {}", complaint.escape_debug());
    }
}
