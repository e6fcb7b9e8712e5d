#![doc = include_str!("../README.md")]

use afterstate_eval::Objective;
use afterstate_networks_classic::CLASSIC;

/// A network that programs carry with them.
#[derive(Debug, Clone, Copy)]
pub struct Embedded {
    /// The variant of the game by name.
    pub variant: &'static str,
    /// What it plays for.
    pub objective: Objective,
    /// Its file.
    pub bytes: &'static [u8],
}

/// All of them, at most one for a variant and objective.
///
/// How each was trained is in its header (`afterstate networks`) and, with what
/// it plays, in docs/experiments.md.
pub const EMBEDDED: &[Embedded] = &[
    Embedded {
        variant: "classic",
        objective: Objective::Score,
        bytes: CLASSIC,
    },
    Embedded {
        variant: "contest",
        objective: Objective::Largest,
        bytes: include_bytes!("../files/contest-largest.net"),
    },
    Embedded {
        variant: "akioi",
        objective: Objective::Score,
        bytes: include_bytes!("../files/akioi.net"),
    },
    Embedded {
        variant: "akioi",
        objective: Objective::Clear,
        bytes: include_bytes!("../files/akioi-clear.net"),
    },
];

/// The file of the network for a variant, by name, and an objective, if there is
/// one.
pub fn embedded(variant: &str, objective: Objective) -> Option<&'static [u8]> {
    let mut all = EMBEDDED.iter();
    all.find(|each| each.variant == variant && each.objective == objective)
        .map(|each| each.bytes)
}
