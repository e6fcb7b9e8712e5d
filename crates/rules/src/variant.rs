use core::fmt;
use core::str::FromStr;

use crate::spawn::SpawnSet;

/// The games, by the names that commands use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Classic 4x4 with standard spawns.
    Classic,
    /// Classic 4x4 with the contest's parameters.
    Contest,
    /// 4x4 with multiplier tiles.
    Akioi,
    /// Classic rules on 3x3 with standard spawns.
    Mini,
}

impl Variant {
    /// All variants, in the order in which results list them.
    pub const ALL: [Variant; 4] = [
        Variant::Classic,
        Variant::Contest,
        Variant::Akioi,
        Variant::Mini,
    ];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Classic => "classic",
            Variant::Contest => "contest",
            Variant::Akioi => "akioi",
            Variant::Mini => "mini",
        }
    }

    /// The spawn sets offered for this variant, the default first.
    pub fn spawn_sets(self) -> Vec<SpawnSet> {
        match self {
            Variant::Classic | Variant::Mini => vec![SpawnSet::STANDARD],
            Variant::Contest => vec![SpawnSet::CONTEST],
            Variant::Akioi => vec![SpawnSet::GUIDE, SpawnSet::LIVE],
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What [`Variant::from_str`] says of a word that names no variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseVariantError(pub(crate) ());

impl fmt::Display for ParseVariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected classic, contest, akioi or mini")
    }
}

impl std::error::Error for ParseVariantError {}

impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(name: &str) -> Result<Variant, ParseVariantError> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name() == name)
            .ok_or(ParseVariantError(()))
    }
}
