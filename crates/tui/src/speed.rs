//! How fast the program plays by itself.

use core::fmt;
use std::time::Duration;

/// One of a few speeds of automatic play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Speed(usize);

/// Pauses between slides, slowest first, and what they are called.
const SPEEDS: [(Duration, &str); 5] = [
    (Duration::from_millis(1000), "1 slide a second"),
    (Duration::from_millis(333), "3 slides a second"),
    (Duration::from_millis(100), "10 slides a second"),
    (Duration::from_millis(20), "50 slides a second"),
    (Duration::ZERO, "as fast as it goes"),
];

impl Default for Speed {
    /// Three slides a second: as fast as one can follow.
    fn default() -> Speed {
        Speed(1)
    }
}

impl Speed {
    /// The time from one slide to the next.
    pub fn pause(self) -> Duration {
        SPEEDS[self.0].0
    }

    /// The next faster speed, or the same when there is none.
    #[must_use]
    pub fn faster(self) -> Speed {
        Speed((self.0 + 1).min(SPEEDS.len() - 1))
    }

    /// The next slower speed, or the same when there is none.
    #[must_use]
    pub fn slower(self) -> Speed {
        Speed(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SPEEDS[self.0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_end_on_both_sides() {
        let mut speed = Speed::default();
        let mut pauses = Vec::new();
        for _ in 0..9 {
            speed = speed.slower();
        }
        for _ in 0..SPEEDS.len() {
            pauses.push(speed.pause());
            speed = speed.faster();
        }
        assert!(pauses.is_sorted_by(|slow, fast| slow > fast));
        assert_eq!(speed.pause(), Duration::ZERO);
        assert_eq!(speed.to_string(), "as fast as it goes");
    }
}
