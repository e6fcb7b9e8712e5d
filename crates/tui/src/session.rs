//! The loop: messages in, pictures out, files kept.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::app::{App, Mode};
use crate::event::{Effect, Event};
use crate::key::{Command, Key, keys_of_line};
use crate::store::{Store, StoreError};
use crate::surface::{Message, Surface};
use crate::terminal;
use crate::view;
use crate::worker::Worker;

/// How a session has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The player has quit.
    Quit,
    /// A signal said so, or the terminal is gone.
    Stopped,
}

/// The least time from one saving to the next while the player plays: none that
/// anybody can notice, but thousands of pasted keys are not saved one by one.
const SAVE_PAUSE: Duration = Duration::from_millis(50);

/// The same while the program plays by itself, or where saving has failed.
const LONG_SAVE_PAUSE: Duration = Duration::from_secs(1);

/// How often to look whether the terminal is still there.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// A running program.
pub(crate) struct Session {
    pub(crate) app: App,
    pub(crate) surface: Surface,
    pub(crate) store: Store,
    pub(crate) worker: Worker,
    pub(crate) messages: Receiver<Message>,
    /// When time was last told to the app.
    told: Instant,
    /// When the last picture was drawn, and whether there is a newer one.
    drawn: Option<Instant>,
    is_stale: bool,
    /// When the game was last saved, and whether that failed.
    saved: Option<Instant>,
    has_failed: bool,
}

impl Session {
    pub(crate) fn new(
        app: App,
        surface: Surface,
        store: Store,
        worker: Worker,
        messages: Receiver<Message>,
    ) -> Session {
        Session {
            app,
            surface,
            store,
            worker,
            messages,
            told: Instant::now(),
            drawn: None,
            is_stale: true,
            saved: None,
            has_failed: false,
        }
    }

    /// Runs until the player quits, a signal comes or the terminal is gone. The
    /// game is kept as far as it can be.
    ///
    /// *Errors*: the terminal does not do what it should.
    pub(crate) fn run(&mut self) -> io::Result<Ending> {
        let ending = self.run_unkept();
        self.keep();
        ending
    }

    fn run_unkept(&mut self) -> io::Result<Ending> {
        loop {
            self.draw_if_due()?;
            if self.is_save_due() {
                self.keep();
            }
            let message = match self.messages.recv_timeout(self.time_to_wait()) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(Ending::Stopped),
            };
            self.tell_time()?;
            let ending = match message {
                Some(message) => self.take(message)?,
                None => self.look_around()?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Ends when the terminal is gone, and takes it again when somebody else has
    /// had it.
    fn look_around(&mut self) -> io::Result<Option<Ending>> {
        match terminal::state() {
            terminal::State::Ours => Ok(None),
            terminal::State::Gone => Ok(Some(Ending::Stopped)),
            terminal::State::Changed => {
                self.surface.retake()?;
                self.is_stale = true;
                Ok(None)
            }
        }
    }

    /// How long nothing has to be done.
    fn time_to_wait(&self) -> Duration {
        let mut wait = LOOK_AROUND.min(self.app.wait().unwrap_or(LOOK_AROUND));
        if self.is_stale {
            wait = wait.min(left(self.drawn, self.surface.frame_time()));
        }
        if self.store.is_behind(&self.app) {
            wait = wait.min(left(self.saved, self.save_pause()));
        }
        wait
    }

    fn draw_if_due(&mut self) -> io::Result<()> {
        if self.is_stale && left(self.drawn, self.surface.frame_time()).is_zero() {
            self.surface.draw(&self.app)?;
            self.drawn = Some(Instant::now());
            self.is_stale = false;
        }
        Ok(())
    }

    fn save_pause(&self) -> Duration {
        match self.app.is_automatic() || self.has_failed {
            true => LONG_SAVE_PAUSE,
            false => SAVE_PAUSE,
        }
    }

    fn is_save_due(&self) -> bool {
        self.store.is_behind(&self.app) && left(self.saved, self.save_pause()).is_zero()
    }

    fn keep(&mut self) {
        let problem = self.store.keep(&self.app).err();
        self.saved = Some(Instant::now());
        if problem.is_some() || self.has_failed {
            self.has_failed = problem.is_some();
            let problem = problem.as_ref().map(StoreError::to_string);
            self.is_stale |= self.app.storage() != problem.as_deref();
            self.app.update(Event::Storage(problem));
        }
    }

    fn tell_time(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let elapsed = now.duration_since(self.told);
        self.told = now;
        let before = self.app.revision();
        let effects = self.app.update(Event::Elapsed(elapsed));
        self.is_stale |= self.app.revision() != before;
        // Time makes the program play, and not end.
        self.carry_out(effects).map(drop)
    }

    fn take(&mut self, message: Message) -> io::Result<Option<Ending>> {
        self.is_stale = true;
        match message {
            Message::Key(key) => self.take_key(key),
            Message::Line(line) => self.take_line(&line),
            Message::Answer(answer) => {
                let effects = self.app.update(Event::Answer(answer));
                self.carry_out(effects)
            }
            Message::Resized => Ok(None),
            Message::InputEnded | Message::Stop => Ok(Some(Ending::Stopped)),
        }
    }

    fn take_line(&mut self, line: &str) -> io::Result<Option<Ending>> {
        // Of `yes` the last letter would be a slide.
        let is_answer = matches!(self.app.mode(), Mode::Confirm(_));
        let n_keys = if is_answer { 1 } else { usize::MAX };
        for key in keys_of_line(line).into_iter().take(n_keys) {
            if let Some(ending) = self.take_key(key)? {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    fn take_key(&mut self, key: Key) -> io::Result<Option<Ending>> {
        let mut is_blind = false;
        if let Some((columns, rows)) = self.surface.size() {
            self.app.update(Event::Sized(columns, rows));
            is_blind = !view::has_room(&self.app, columns, rows);
        }
        let is_for_blind = matches!(
            key.command(),
            Some(Command::Quit | Command::Redraw | Command::Suspend)
        );
        if is_blind && !is_for_blind {
            return Ok(None);
        }
        let effects = self.app.update(Event::Key(key));
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<Option<Ending>> {
        for effect in effects {
            match effect {
                Effect::Ask(question) => {
                    if !self.worker.ask(question) {
                        return Err(io::Error::other("the thread that gives hints has failed"));
                    }
                }
                Effect::Redraw => self.surface.clear()?,
                Effect::Suspend => {
                    self.keep();
                    self.surface.suspend()?;
                }
                Effect::Quit => return Ok(Some(Ending::Quit)),
            }
        }
        Ok(None)
    }
}

/// What is left of a time that has begun; nothing when it never has.
fn left(begun: Option<Instant>, time: Duration) -> Duration {
    begun.map_or(Duration::ZERO, |begun| time.saturating_sub(begun.elapsed()))
}
