//! Tiles as numbers: the notation of JSON and text.
//!
//! A cell is written as a number: 0 is empty, a positive number a value tile,
//! and -1, -2, -4 are the multipliers ×1, ×2 and ×4.

/// The text of a cell's number: `.` for empty, `x2` for -2, else the number.
///
/// ```
/// use afterstate_bitboard::tile_text;
/// assert_eq!(tile_text(0), ".");
/// assert_eq!(tile_text(131_072), "131072");
/// assert_eq!(tile_text(-4), "x4");
/// ```
pub fn tile_text(number: i32) -> String {
    match number {
        0 => ".".to_owned(),
        1.. => number.to_string(),
        _ => format!("x{}", number.unsigned_abs()),
    }
}

/// The number of a cell from its text: `0`, `.` and `_` are empty, `x1` or
/// `×1` is -1. Whether a grid has such a tile is not asked here.
///
/// Numbers are plain decimal digits: a sign or a leading zero is refused,
/// since both are slips far more often than they are meant.
pub fn parse_tile(text: &str) -> Option<i32> {
    if matches!(text, "." | "_" | "0") {
        return Some(0);
    }
    let (digits, sign) = match text.strip_prefix('x').or_else(|| text.strip_prefix('×')) {
        Some(digits) => (digits, -1),
        None => (text, 1),
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if !plain {
        return None;
    }
    digits.parse::<i32>().ok().map(|number| number * sign)
}

/// The potential of a value tile 2^k, (k−1)·2^k, in points; 0 for empty cells
/// and multipliers.
///
/// A classic merge raises the sum of potentials by exactly its gain, so the
/// score of a game is the potential of its board less that of all spawned
/// tiles.
///
/// *Source*: RULES section 4.
pub fn potential(number: i32) -> i64 {
    if number <= 0 {
        return 0;
    }
    let exponent = i64::from(number.ilog2());
    (exponent - 1) * i64::from(number)
}

#[cfg(test)]
mod tests {
    use super::{parse_tile, potential};

    #[test]
    fn text_of_tiles() {
        for (text, number) in [
            (".", Some(0)),
            ("_", Some(0)),
            ("0", Some(0)),
            ("2", Some(2)),
            ("131072", Some(131_072)),
            ("x1", Some(-1)),
            ("×4", Some(-4)),
            ("-2", None),
            ("+2", None),
            ("02", None),
            ("x", None),
            ("", None),
            ("xx2", None),
            ("2.0", None),
            ("99999999999", None),
        ] {
            assert_eq!(parse_tile(text), number, "{text}");
        }
    }

    #[test]
    fn a_merge_raises_the_potential_by_its_gain() {
        for exponent in 1..17 {
            let tile = 1 << exponent;
            assert_eq!(
                potential(2 * tile),
                2 * potential(tile) + i64::from(2 * tile)
            );
        }
    }
}
