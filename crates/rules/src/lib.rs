#![doc = include_str!("../README.md")]

mod akioi;
mod classic;
mod perft;
mod rules;
mod spawn;
mod spawn_text;
mod table;
mod tracks;
mod variant;
mod won_at;

pub use akioi::{AkioiGrid, AkioiRules};
pub use classic::{ClassicRules, ValueGrid};
pub use perft::{PerftCounts, perft};
pub use rules::{Afterstate, Rules, Status};
pub use spawn::{Opening, Spawn, SpawnSet, SpawnSetError, Spawns};
pub use spawn_text::ParseSpawnSetError;
pub use tracks::{Track, tracks};
pub use variant::{ParseVariantError, Variant};
pub use won_at::WonAt;

use afterstate_bitboard::{Mini, Nibbles};

/// Classic rules on the 64-bit board. Exact as long as no two 32768 tiles meet:
/// see [`ClassicRules::narrow_is_exact`].
pub type NarrowRules = ClassicRules<Nibbles<4, 4>>;
/// Classic rules on the 3x3 board.
pub type MiniRules = ClassicRules<Mini>;
