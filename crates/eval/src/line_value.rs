//! The value of one line in one place.

use afterstate_bitboard::{Grid, MAX_LINE};

use crate::weights::LineWeights;

/// Where a line lies, as far as weights in threes tell.
#[derive(Clone, Copy)]
enum Place {
    Edge = 0,
    Along = 1,
    Across = 2,
}

/// The exponent of a value tile; 0 for empty cells and multipliers.
fn exponent<G: Grid>(code: u8) -> u32 {
    let number = G::number(code);
    if number > 0 { number.ilog2() } else { 0 }
}

/// The codes listed from the other end, in the first places.
pub(crate) fn reversed(codes: &[u8]) -> [u8; MAX_LINE] {
    let mut backwards = [0; MAX_LINE];
    for (to, from) in backwards.iter_mut().zip(codes.iter().rev()) {
        *to = *from;
    }
    backwards
}

/// The value of line `number` along, listed from the side of the corner.
pub(crate) fn along_value<G: Grid>(codes: &[u8], number: usize, weights: &LineWeights) -> f64 {
    let sum = f64::from(weights.sum_along[number]) * cubes::<G>(codes);
    if number == 0 {
        let rises: f64 = rises::<G>(codes, weights)
            .zip(weights.edge)
            .map(|(rise, weight)| rise * f64::from(weight))
            .sum();
        return common::<G>(codes, Place::Edge, weights) - rises - sum
            + filled::<G>(codes, weights);
    }
    let backwards = reversed(codes);
    let fall: f64 = rises::<G>(codes, weights).sum();
    let rise: f64 = rises::<G>(&backwards[..codes.len()], weights).sum();
    common::<G>(codes, Place::Along, weights)
        - f64::from(weights.falling[number - 1]) * fall
        - f64::from(weights.rising[number - 1]) * rise
        - f64::from(weights.unordered[number - 1]) * fall.min(rise)
        - sum
}

/// The value of line `number` across, listed from the edge.
pub(crate) fn across_value<G: Grid>(codes: &[u8], number: usize, weights: &LineWeights) -> f64 {
    let rises: f64 = rises::<G>(codes, weights)
        .zip(weights.across_pair)
        .map(|(rise, weight)| rise * f64::from(weight))
        .sum();
    common::<G>(codes, Place::Across, weights)
        - f64::from(weights.across[number]) * rises
        - f64::from(weights.sum_across[number]) * cubes::<G>(codes)
}

/// What does not depend on which end a line is listed from.
fn common<G: Grid>(codes: &[u8], place: Place, weights: &LineWeights) -> f64 {
    let mut value = 0.0;
    for number in codes.iter().map(|&code| G::number(code)) {
        if number == 0 {
            value += f64::from(weights.empty);
        } else if number < 0 {
            value -= f64::from(weights.multiplier);
        }
    }
    let mut last: Option<u8> = None;
    for &code in codes.iter().filter(|&&code| code != 0) {
        if let Some(last) = last {
            value += pair_value::<G>(last, code, place, weights);
        }
        last = Some(code);
    }
    value
}

/// What two tiles with only empty cells between them are worth.
fn pair_value<G: Grid>(first: u8, second: u8, place: Place, weights: &LineWeights) -> f64 {
    /// The number of the multiplier that does not merge.
    const LAST_MULTIPLIER: i32 = -4;
    let [small, large] = {
        let exponents = [first, second].map(exponent::<G>);
        [
            exponents[0].min(exponents[1]),
            exponents[0].max(exponents[1]),
        ]
    };
    let n_multipliers = [first, second].map(|code| i32::from(G::number(code) < 0));
    let place = place as usize;
    if first == second {
        if G::number(first) == LAST_MULTIPLIER {
            return 0.0;
        }
        return f64::from(weights.merge[place])
            + f64::from(weights.merge_growth) * f64::from(large);
    }
    match n_multipliers[0] + n_multipliers[1] {
        0 => {
            let differ = f64::from(large - small);
            let chained = if large == small + 1 {
                weights.chain[place]
            } else {
                0.0
            };
            f64::from(chained) - f64::from(weights.rough[place]) * differ
        }
        1 => f64::from(weights.multiply) * f64::from(large.saturating_sub(1)),
        _ => 0.0,
    }
}

/// For each cell but the last, the rise to the next.
fn rises<G: Grid>(codes: &[u8], weights: &LineWeights) -> impl Iterator<Item = f64> {
    codes.windows(2).map(|pair| {
        // A multiplier is passed over: it will not stay.
        if pair.iter().any(|&code| G::number(code) < 0) {
            return 0.0;
        }
        let [first, second] = [pair[0], pair[1]].map(|code| f64::from(exponent::<G>(code)));
        if second <= first {
            return 0.0;
        }
        // The power 3.5 by a square root, which is exactly rounded on every
        // platform; a general power is not.
        let steep = |exponent: f64| exponent * exponent * exponent * exponent.sqrt();
        steep(second) - steep(first) + f64::from(weights.rise2) * (second * second - first * first)
    })
}

/// The sum of the cubes of the exponents.
fn cubes<G: Grid>(codes: &[u8]) -> f64 {
    codes
        .iter()
        .map(|&code| f64::from(exponent::<G>(code).pow(3)))
        .sum()
}

/// What a line that falls all the way is worth.
fn filled<G: Grid>(codes: &[u8], weights: &LineWeights) -> f64 {
    let last = codes.last().map_or(0, |&code| exponent::<G>(code));
    let falls = codes
        .windows(2)
        .all(|pair| exponent::<G>(pair[0]) > exponent::<G>(pair[1]));
    if last == 0 || !falls {
        return 0.0;
    }
    f64::from(weights.full) + f64::from(weights.full_last) * f64::from(last)
}
