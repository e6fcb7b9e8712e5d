//! Networks that programs carry with them.

use afterstate_eval::Objective;

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
pub const EMBEDDED: &[Embedded] = &[];

/// The file of the network for a variant, by name, and an objective, if there is
/// one.
pub fn embedded(variant: &str, objective: Objective) -> Option<&'static [u8]> {
    let mut all = EMBEDDED.iter();
    all.find(|each| each.variant == variant && each.objective == objective)
        .map(|each| each.bytes)
}
