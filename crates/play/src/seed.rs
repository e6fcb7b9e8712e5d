//! Seeds of games.

/// SplitMix64's output function: spreads the bits of a number over 64 bits.
///
/// *Source*: Steele, Lea and Flood, Fast splittable pseudorandom number
/// generators (2014).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The step of SplitMix64: 2^64 divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The 64-bit FNV-1a hash of a text.
fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The seed of one game of a tournament: a function of the tournament's seed,
/// the names of variant and agent, and the index of the game, and of nothing
/// else.
///
/// *Range*: below 2^53, so that every reader of JSON keeps it exactly.
pub fn game_seed(tournament_seed: u64, variant: &str, agent: &str, index: u64) -> u64 {
    let mut seed = mix(tournament_seed.wrapping_add(STEP));
    for part in [hash_text(variant), hash_text(agent), index] {
        seed = mix(seed.wrapping_add(STEP) ^ mix(part.wrapping_add(STEP)));
    }
    seed >> 11
}

/// The seed of an agent's own choices in the game with this seed, so that they
/// do not share a stream with the spawns.
pub fn agent_seed(game_seed: u64) -> u64 {
    mix(game_seed ^ 0x6167_656e_7473_6565)
}

#[cfg(test)]
mod tests {
    use super::{agent_seed, game_seed};

    /// Written down once: results that are on people's disks depend on it.
    #[test]
    fn seeds_stay_what_they_are() {
        assert_eq!(game_seed(1, "classic", "random", 0), GOLDEN.0);
        assert_eq!(game_seed(1, "classic", "random", 1), GOLDEN.1);
        assert_eq!(agent_seed(GOLDEN.0), GOLDEN.2);
    }

    const GOLDEN: (u64, u64, u64) = (
        0x001e_0e9b_9a1c_f26e,
        0x0017_64a6_00a8_9d7d,
        0xbc8b_f1ed_56d7_86c7,
    );

    #[test]
    fn every_part_counts() {
        let seed = game_seed(1, "classic", "random", 0);
        assert_ne!(seed, game_seed(2, "classic", "random", 0));
        assert_ne!(seed, game_seed(1, "contest", "random", 0));
        assert_ne!(seed, game_seed(1, "classic", "greedy", 0));
        assert_ne!(seed, game_seed(1, "classic", "random", 1));
        assert_ne!(seed, agent_seed(seed));
    }
}
