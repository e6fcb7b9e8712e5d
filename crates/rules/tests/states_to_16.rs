//! The states of 4x4 in which the largest tile is 8: the published count that
//! takes longest.

#[path = "exact/enumeration.rs"]
mod enumeration;

use afterstate_bitboard::Nibbles;

/// jdlm.info, "The mathematics of 2048": alive; with those that are over,
/// 23,483,970.
#[test]
fn four_by_four_until_16() {
    let counts = enumeration::short_of::<Nibbles<4, 4>>(16);
    assert_eq!(counts, [23_482_821, 1149]);
}
