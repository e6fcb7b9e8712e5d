//! Spawn sets as people type them: a name, or tiles with weights.

use core::fmt;
use core::str::FromStr;

use afterstate_bitboard::parse_tile;

use crate::spawn::{Opening, SpawnSet};

/// The most decimals of a weight.
const MAX_DECIMALS: usize = 6;

/// Why a text is no spawn set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSpawnSetError {
    found: String,
}

impl fmt::Display for ParseSpawnSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = SpawnSet::ALL;
        let names: Vec<&str> = named.iter().map(SpawnSet::name).collect();
        write!(
            f,
            "`{}` is no tile with a weight, expected {} or TILE:WEIGHT,… like 2:0.9,4:0.1, at most \
             {MAX_DECIMALS} decimals and a sum below 2^24 units of the last one",
            self.found,
            names.join(", ")
        )
    }
}

impl std::error::Error for ParseSpawnSetError {}

/// The name of a set, or its tiles with weights: `2:0.9,4:0.1`.
///
/// Tiles are as in boards ([`parse_tile`]). Weights need not add up to 1: they
/// are divided by their sum, so `2:9,4:1` is the same set. A game with a set
/// that is typed starts with two spawned tiles.
///
/// ```
/// use afterstate_rules::SpawnSet;
///
/// let set: SpawnSet = "2:0.9,4:0.1".parse()?;
/// assert_eq!(set.weights(), SpawnSet::STANDARD.weights());
/// assert_eq!("live".parse(), Ok(SpawnSet::LIVE));
/// # Ok::<(), afterstate_rules::ParseSpawnSetError>(())
/// ```
impl FromStr for SpawnSet {
    type Err = ParseSpawnSetError;

    fn from_str(text: &str) -> Result<SpawnSet, ParseSpawnSetError> {
        if let Some(named) = SpawnSet::ALL.into_iter().find(|set| set.name() == text) {
            return Ok(named);
        }
        let bad = |part: &str| ParseSpawnSetError {
            found: part.chars().take(40).flat_map(char::escape_debug).collect(),
        };
        let mut tiles = Vec::new();
        for part in text.split(',') {
            let tile = part.split_once(':').and_then(|(tile, weight)| {
                let number = parse_tile(tile).filter(|&number| number != 0)?;
                Some((number, millionths(weight)?))
            });
            tiles.push(tile.ok_or_else(|| bad(part))?);
        }
        let divisor = tiles
            .iter()
            .fold(0, |divisor, &(_, weight)| gcd(divisor, weight));
        let sum: u64 = tiles.iter().map(|&(_, weight)| weight / divisor).sum();
        let weights: Option<Vec<(i32, u32)>> = tiles
            .iter()
            .map(|&(number, weight)| Some((number, u32::try_from(weight / divisor).ok()?)))
            .collect();
        let weights = weights.filter(|_| sum < 1 << 24).ok_or_else(|| bad(text))?;
        Ok(SpawnSet::new(text, &weights, Opening::TwoSpawned))
    }
}

/// A positive decimal number below 2^24, in millionths.
fn millionths(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_plain =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(whole) || !is_plain(decimals) || decimals.len() > MAX_DECIMALS {
        return None;
    }
    let whole: u64 = whole.parse().ok().filter(|&whole| whole < 1 << 24)?;
    let decimals: u64 = format!("{decimals:0<MAX_DECIMALS$}").parse().ok()?;
    Some(whole * 1_000_000 + decimals).filter(|&weight| weight > 0)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_d43_spawn_sets_are_data() {
        for set in SpawnSet::ALL {
            assert_eq!(set.name().parse(), Ok(set.clone()));
        }
        for (text, weights) in [
            ("2:0.9,4:0.1", vec![(2, 9), (4, 1)]),
            ("2:1", vec![(2, 1)]),
            (
                "8:6,4:4.0,x2:0.000001",
                vec![(8, 6_000_000), (4, 4_000_000), (-2, 1)],
            ),
            (
                "2:0.783,4:0.078,×1:0.1118,x2:0.0272",
                vec![(2, 3915), (4, 390), (-1, 559), (-2, 136)],
            ),
        ] {
            let set: SpawnSet = text.parse().expect("tiles with weights");
            assert_eq!(set.weights(), weights, "{text}");
            assert_eq!(set.name(), text);
            assert_eq!(set.opening(), Opening::TwoSpawned);
        }
    }

    #[test]
    fn what_is_no_set_says_which_part() {
        for (text, part) in [
            ("", ""),
            ("Live", "Live"),
            ("2:0.9,", ""),
            ("2:0.9,4", "4"),
            ("2:0.9,4:", "4:"),
            ("2:0.9,4:-1", "4:-1"),
            ("2:0.9,4:1e3", "4:1e3"),
            ("2:0.9,4:.5", "4:.5"),
            ("2:0.9,4:5.", "4:5."),
            ("2:0.9,4:0", "4:0"),
            ("2:0.9,4:0.0000001", "4:0.0000001"),
            ("2:0.9,4:16777216", "4:16777216"),
            ("2:16777215,4:0.5", "2:16777215,4:0.5"),
            (".:1", ".:1"),
            ("2 :1", "2 :1"),
            ("2:1\n", "2:1\\n"),
        ] {
            let error = text
                .parse::<SpawnSet>()
                .expect_err("it is no set")
                .to_string();
            assert!(
                error.starts_with(&format!("`{part}` is no tile")),
                "{error}"
            );
            assert_eq!(error.lines().count(), 1);
        }
    }
}
