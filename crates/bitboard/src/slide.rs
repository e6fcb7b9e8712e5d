use core::fmt;
use core::str::FromStr;

/// The four actions of a player, in the order of the contest's numbers 1 to 4.
///
/// *Source*: RULES section 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Slide {
    /// Towards row 0.
    Up = 0,
    /// Towards the last column.
    Right = 1,
    /// Towards the last row.
    Down = 2,
    /// Towards column 0.
    Left = 3,
}

impl Slide {
    /// All slides, in the order of their numbers.
    pub const ALL: [Slide; 4] = [Slide::Up, Slide::Right, Slide::Down, Slide::Left];

    /// The slide with position `idx` in [`Slide::ALL`]; only the two lowest
    /// bits count, so that hot loops need no check.
    #[inline(always)]
    pub const fn from_low_bits(idx: usize) -> Slide {
        Slide::ALL[idx & 3]
    }

    /// The position of the slide in [`Slide::ALL`], 0 to 3.
    #[inline(always)]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Whether the lines of this slide are columns.
    #[inline(always)]
    pub const fn is_vertical(self) -> bool {
        self as u8 & 1 == 0
    }

    /// Whether tiles move to the end of a row or column (right, down) and not
    /// to its start (up, left).
    #[inline(always)]
    pub const fn is_towards_end(self) -> bool {
        matches!(self, Slide::Right | Slide::Down)
    }

    /// The name used in text and JSON: `up`, `right`, `down` or `left`.
    pub const fn name(self) -> &'static str {
        ["up", "right", "down", "left"][self as usize]
    }
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What [`Slide::from_str`] says of a word that names no slide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSlideError(pub(crate) ());

impl fmt::Display for ParseSlideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected up, right, down or left")
    }
}

impl std::error::Error for ParseSlideError {}

impl FromStr for Slide {
    type Err = ParseSlideError;

    fn from_str(name: &str) -> Result<Slide, ParseSlideError> {
        Slide::ALL
            .into_iter()
            .find(|slide| slide.name() == name)
            .ok_or(ParseSlideError(()))
    }
}

#[cfg(test)]
mod tests {
    use super::Slide;

    #[test]
    fn names_and_positions_agree() {
        for (idx, slide) in Slide::ALL.into_iter().enumerate() {
            assert_eq!(slide.idx(), idx);
            assert_eq!(Slide::from_low_bits(idx + 4), slide);
            assert_eq!(slide.name().parse(), Ok(slide));
        }
        assert!("Left".parse::<Slide>().is_err());
        assert!("".parse::<Slide>().is_err());
    }
}
