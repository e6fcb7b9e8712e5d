//! Hints, and play that goes by them.

use std::time::Duration;

use afterstate_arena::Advice;
use afterstate_bitboard::Slide;

use crate::app::{App, Hint};
use crate::event::{Answer, Effect, Question};
use crate::key::Command;
use crate::speed::Speed;

impl App {
    /// Asks for advice on the board, unless that was done.
    pub(crate) fn ask(&mut self) -> Vec<Effect> {
        if !self.is_playing() || matches!(self.hint, Hint::Asked(_) | Hint::Given(_)) {
            return Vec::new();
        }
        self.n_questions += 1;
        self.hint = Hint::Asked(self.n_questions);
        vec![Effect::Ask(Question {
            id: self.n_questions,
            rows: self.game.rows(),
        })]
    }

    /// Takes the answer to the latest question; one to an earlier board is
    /// dropped.
    pub(crate) fn answer(&mut self, answer: Answer) -> Vec<Effect> {
        if self.hint != Hint::Asked(answer.id) {
            return Vec::new();
        }
        match answer.advice {
            Ok(advice) if advice.slide.is_some() => self.hint = Hint::Given(advice),
            Ok(_) => return self.fail("the agent knows nothing of this board"),
            Err(why) => return self.fail(&why),
        }
        if self.step_due {
            self.play_advice();
            return Vec::new();
        }
        self.play_on()
    }

    fn fail(&mut self, why: &str) -> Vec<Effect> {
        self.stop();
        self.message = format!("No hint: {why}");
        self.hint = Hint::Failed(why.to_owned());
        Vec::new()
    }

    /// Starts automatic play, or makes a single slide of it.
    pub(crate) fn begin_automatic(&mut self, command: Command) -> Vec<Effect> {
        self.stop();
        if !self.is_playing() || self.must_ask(command) {
            return Vec::new();
        }
        self.message.clear();
        if command == Command::Step {
            if self.play_advice() {
                return Vec::new();
            }
            self.step_due = true;
            return self.ask();
        }
        self.automatic = true;
        // The first slide is made at once.
        self.since_slide = self.speed.pause();
        self.play_on()
    }

    /// Makes the slide that was advised; false when there is no advice yet.
    fn play_advice(&mut self) -> bool {
        match self.hint {
            Hint::Given(Advice {
                slide: Some(slide), ..
            }) => self.slide(slide),
            _ => false,
        }
    }

    /// Goes on with automatic play as far as advice and time allow.
    pub(crate) fn play_on(&mut self) -> Vec<Effect> {
        if self.automatic && self.since_slide >= self.speed.pause() {
            self.play_advice();
        }
        if self.automatic {
            self.ask()
        } else {
            Vec::new()
        }
    }

    /// Ends automatic play.
    pub(crate) fn stop(&mut self) -> Vec<Effect> {
        self.step_due = false;
        if self.automatic {
            self.automatic = false;
            "Automatic play has stopped.".clone_into(&mut self.message);
        }
        Vec::new()
    }

    pub(crate) fn change_speed(&mut self, speed: Speed) -> Vec<Effect> {
        self.speed = speed;
        self.message = format!("Automatic play: {speed}.");
        Vec::new()
    }

    /// How long it takes until something happens without an event; `None` when
    /// nothing does.
    pub fn wait(&self) -> Option<Duration> {
        let is_due = self.automatic && matches!(self.hint, Hint::Given(_));
        is_due.then(|| self.speed.pause().saturating_sub(self.since_slide))
    }
}

/// `down` as the beginning of a sentence.
pub(crate) fn capital(slide: Slide) -> &'static str {
    match slide {
        Slide::Up => "Up",
        Slide::Right => "Right",
        Slide::Down => "Down",
        Slide::Left => "Left",
    }
}
