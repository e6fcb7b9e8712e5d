//! What the program is seen on: a whole screen, or lines of text.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crossterm::event::{self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use afterstate_bitboard::Slide;

use crate::app::App;
use crate::event::Answer;
use crate::key::Key;
use crate::terminal::Screen;
use crate::text::text;
use crate::theme::Theme;
use crate::view;

/// What reaches the loop from outside.
#[derive(Debug)]
pub(crate) enum Message {
    /// A key.
    Key(Key),
    /// A line of keys.
    Line(String),
    /// The terminal has another size.
    Resized,
    /// Nothing will be typed any more.
    InputEnded,
    /// An agent's answer.
    Answer(Answer),
    /// A signal to end.
    Stop,
}

/// Where the program is seen.
pub(crate) enum Surface {
    /// The whole screen of a terminal.
    Screen(Box<Screen>, Theme),
    /// Text, one state below the other.
    Lines {
        /// What was written last: nothing is said twice.
        written: String,
    },
}

impl Surface {
    /// The least time from one picture to the next. Text takes longer to read.
    pub(crate) fn frame_time(&self) -> Duration {
        match self {
            Surface::Screen(..) => Duration::from_millis(16),
            Surface::Lines { .. } => Duration::from_millis(250),
        }
    }

    /// Shows the state.
    ///
    /// *Errors*: the terminal is gone.
    pub(crate) fn draw(&mut self, app: &App) -> io::Result<()> {
        match self {
            Surface::Screen(screen, theme) => screen.draw(|frame| view::draw(app, *theme, frame)),
            Surface::Lines { written } => {
                let new = text(app);
                if new == *written {
                    return Ok(());
                }
                let mut out = io::stdout().lock();
                write!(out, "\n{new}> ")?;
                *written = new;
                out.flush()
            }
        }
    }

    /// Columns and rows, where there is a limit to them.
    pub(crate) fn size(&self) -> Option<(u16, u16)> {
        match self {
            Surface::Screen(screen, _) => Some(screen.size()),
            Surface::Lines { .. } => None,
        }
    }

    /// Shows everything anew with the next picture.
    ///
    /// *Errors*: the terminal is gone.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        match self {
            Surface::Screen(screen, _) => screen.clear(),
            Surface::Lines { written } => {
                written.clear();
                Ok(())
            }
        }
    }

    /// Back to the shell for a while.
    ///
    /// *Errors*: the terminal is gone.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        match self {
            Surface::Screen(screen, _) => screen.suspend(),
            // Here the terminal itself stops the process at its key.
            Surface::Lines { .. } => Ok(()),
        }
    }

    /// Takes the terminal again, after somebody else has had it.
    ///
    /// *Errors*: the terminal is gone.
    pub(crate) fn retake(&mut self) -> io::Result<()> {
        match self {
            Surface::Screen(screen, _) => screen.retake(),
            Surface::Lines { .. } => Ok(()),
        }
    }

    /// Starts the thread that reads what is typed.
    ///
    /// *Errors*: no thread can be started.
    pub(crate) fn read_input(&self, to: Sender<Message>) -> io::Result<()> {
        let read = match self {
            Surface::Screen(..) => read_keys,
            Surface::Lines { .. } => read_lines,
        };
        let thread = thread::Builder::new().name("input".to_owned());
        thread.spawn(move || read(&to)).map(drop)
    }
}

/// Reads keys until there are none any more, or nobody listens.
fn read_keys(to: &Sender<Message>) {
    loop {
        let message = match event::read() {
            Ok(event::Event::Key(key)) => key_of(key).map(Message::Key),
            Ok(event::Event::Resize(..)) => Some(Message::Resized),
            Ok(_) => None,
            Err(_) => Some(Message::InputEnded),
        };
        let is_last = matches!(message, Some(Message::InputEnded));
        if message.is_some_and(|message| to.send(message).is_err()) || is_last {
            return;
        }
    }
}

fn key_of(key: KeyEvent) -> Option<Key> {
    // Some systems tell of releases too.
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char(letter) if has_control => Key::Control(letter.to_ascii_lowercase()),
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::Up => Key::Arrow(Slide::Up),
        KeyCode::Right => Key::Arrow(Slide::Right),
        KeyCode::Down => Key::Arrow(Slide::Down),
        KeyCode::Left => Key::Arrow(Slide::Left),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::F(1) => Key::Help,
        _ => return None,
    })
}

/// The longest line that is looked at: more than a game has slides.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Reads lines until there are none any more, or nobody listens.
fn read_lines(to: &Sender<Message>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = io::Read::take(&mut input, MAX_LINE_BYTES).read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) | Err(_) => Message::InputEnded,
            Ok(_) => Message::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let is_last = matches!(message, Message::InputEnded);
        if to.send(message).is_err() || is_last {
            return;
        }
    }
}
