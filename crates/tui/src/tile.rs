//! What a tile is called. RULES section 3.

use afterstate_bitboard::tile_text;
use afterstate_rules::Variant;

/// The names of one tile of akioi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileName {
    /// Its number, as in [`tile_text`].
    pub number: i32,
    /// What stands on it: ASCII, at most seven characters.
    pub label: &'static str,
    /// Its whole name.
    pub name: &'static str,
}

const fn named(number: i32, label: &'static str, name: &'static str) -> TileName {
    TileName {
        number,
        label,
        name,
    }
}

/// The tiles of akioi, in the order of the legend.
///
/// The ring that is drawn on 4 is made of two characters of ASCII: those that
/// look more like one are two columns wide on some terminals, and not on others.
pub const AKIOI_TILES: [TileName; 19] = [
    named(2, "CE", "Compile Error"),
    named(4, "( )", "Judging"),
    named(8, "RE", "Runtime Error"),
    named(16, "TLE", "Time Limit Exceeded"),
    named(32, "MLE", "Memory Limit Exceeded"),
    named(64, "ILE", "Idleness Limit Exceeded"),
    named(128, "OLE", "Output Limit Exceeded"),
    named(256, "UKE", "UnKnown Error"),
    named(512, "WA", "Wrong Answer"),
    named(1024, "PC", "Partially Correct"),
    named(2048, "AC", "ACcepted"),
    named(4096, "PE", "Presentation Error"),
    named(8192, "DoJ", "Denial of Judging"),
    named(16384, "SJE", "Special Judge Error"),
    named(32768, "AU", "AU"),
    named(65536, "AK", "AK"),
    named(-1, "#pragma", "#pragma ..."),
    named(-2, "-O2", "-O2"),
    named(-4, "-O3", "-O3"),
];

/// What stands on a tile, for a cell that has room for `width` characters: in
/// akioi its label, else its number; nothing for an empty cell.
pub fn label(variant: Variant, number: i32, width: usize) -> String {
    let named = AKIOI_TILES.iter().find(|tile| tile.number == number);
    match named.filter(|tile| variant == Variant::Akioi && tile.label.len() <= width) {
        Some(tile) => tile.label.to_owned(),
        None if number == 0 => String::new(),
        None => tile_text(number),
    }
}

/// What stands below the label of a tile of akioi: its number.
pub fn below_label(variant: Variant, number: i32) -> Option<String> {
    (variant == Variant::Akioi && number != 0).then(|| tile_text(number))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn users_f57_all_tiles_have_labels_that_differ_and_fit() {
        for width in [6, 7, 9] {
            let labels: BTreeSet<String> = AKIOI_TILES
                .iter()
                .map(|tile| label(Variant::Akioi, tile.number, width))
                .collect();
            assert_eq!(labels.len(), 19);
            assert!(labels.iter().all(|label| label.len() <= width));
            let numbers: BTreeSet<String> = (1..=17)
                .map(|exponent| label(Variant::Classic, 1 << exponent, width))
                .collect();
            assert_eq!(numbers.len(), 17);
            assert!(numbers.iter().all(|number| number.len() <= width));
        }
        assert_eq!(label(Variant::Akioi, -1, 6), "x1");
        assert_eq!(label(Variant::Akioi, -1, 7), "#pragma");
        assert_eq!(label(Variant::Akioi, 4, 6), "( )");
        assert_eq!(below_label(Variant::Akioi, -4).as_deref(), Some("x4"));
        assert_eq!(below_label(Variant::Classic, 4), None);
        assert_eq!(label(Variant::Akioi, 0, 6), "");
    }

    #[test]
    fn the_legend_has_every_tile_of_akioi() {
        let numbers: BTreeSet<i32> = AKIOI_TILES.iter().map(|tile| tile.number).collect();
        let mut expected: BTreeSet<i32> = (1..=16).map(|exponent| 1 << exponent).collect();
        expected.extend([-1, -2, -4]);
        assert_eq!(numbers, expected);
    }
}
