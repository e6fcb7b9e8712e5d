//! Boards up to symmetry: their slides, their bound and a set of them.

use afterstate_bitboard::{LineStore, MiniBoard, potential};
use afterstate_rules::{MiniRules, Rules};

/// What the four slides make of a board, each up to symmetry; the board itself
/// for a slide that is not legal.
///
/// *Shape*: left, right, up, down.
#[inline(always)]
pub(super) fn slide_all(rules: MiniRules, board: MiniBoard) -> [MiniBoard; 4] {
    let start = rules.rows().towards(false);
    let end = rules.rows().towards(true);
    // Columns are slid as rows of the transpose and left so: turning them back
    // changes nothing up to symmetry.
    let turned = board.transpose();
    let afters = [
        board.map_lines(|line| start.after(line)),
        board.map_lines(|line| end.after(line)),
        turned.map_lines(|line| start.after(line)),
        turned.map_lines(|line| end.after(line)),
    ];
    let legal = [board, board, turned, turned];
    let mut classes = [board; 4];
    for idx in 0..4 {
        if afters[idx] != legal[idx] {
            classes[idx] = afters[idx].canonical();
        }
    }
    classes
}

/// The largest potential that boards with this tile sum can have, in points.
///
/// Merging while two tiles are equal ends with different powers of two, and the
/// only such set with the given sum is that of its binary digits. Every merge
/// raises the potential, so nothing that leads there has more.
pub(super) fn potential_bound(tile_sum: i64) -> i64 {
    (0..31)
        .map(|digit| potential((tile_sum as i32) & (1 << digit)))
        .sum()
}

/// A slot of [`Classes`] is a board and, above its bits, the generation in
/// which it was entered:
///
/// ```text
/// bits 63..36      35..0
///      generation  board
/// ```
const BOARD_BITS: u32 = 36;
const GENERATIONS: u64 = 1 << (64 - BOARD_BITS);

/// A set of boards that numbers them in the order they are entered.
///
/// Open addressing with linear probing, at most half full. Emptying it is one
/// addition: slots of an earlier generation count as free.
pub(super) struct Classes {
    slots: Vec<u64>,
    indices: Vec<u32>,
    generation: u64,
    len: usize,
}

impl Classes {
    /// The empty set.
    ///
    /// *Cost*: it grows by itself; `n_slots`, a power of two, is what it starts
    /// with.
    pub(super) fn with_slots(n_slots: usize) -> Classes {
        debug_assert!(n_slots.is_power_of_two());
        Classes {
            slots: vec![0; n_slots],
            indices: vec![0; n_slots],
            generation: 1,
            len: 0,
        }
    }

    /// Empties the set.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.generation += 1;
        if self.generation == GENERATIONS {
            self.slots.fill(0);
            self.generation = 1;
        }
    }

    /// The number of `board`, and whether it is new in the set.
    #[inline(always)]
    pub(super) fn enter(&mut self, board: MiniBoard) -> (usize, bool) {
        let entry = board.word() | (self.generation << BOARD_BITS);
        let at = self.find(entry);
        if self.slots[at] == entry {
            return (self.indices[at] as usize, false);
        }
        let idx = self.len;
        self.slots[at] = entry;
        self.indices[at] = idx as u32;
        self.len += 1;
        if 2 * self.len > self.slots.len() {
            self.grow();
        }
        (idx, true)
    }

    /// The slot that holds `entry`, or else the free one where it belongs.
    #[inline(always)]
    fn find(&self, entry: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The odd number nearest to 2^64 over the golden ratio spreads
        // neighboring boards over the slots.
        let hash = (entry << (64 - BOARD_BITS)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (hash >> 40) as usize & mask;
        while self.slots[at] != entry && self.slots[at] >> BOARD_BITS == self.generation {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let bigger = Classes::with_slots(2 * self.slots.len());
        let old = core::mem::replace(self, bigger);
        self.generation = old.generation;
        self.len = old.len;
        for (entry, idx) in old.slots.into_iter().zip(old.indices) {
            if entry >> BOARD_BITS == self.generation {
                let at = self.find(entry);
                self.slots[at] = entry;
                self.indices[at] = idx;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use afterstate_bitboard::{Board, MiniBoard, Slide};
    use afterstate_rules::{MiniRules, Rules};

    use super::{Classes, GENERATIONS, potential_bound, slide_all};

    /// Board number `n` in a fixed order without repetition.
    fn board(n: u64) -> MiniBoard {
        let mut rest = n;
        let mut board: MiniBoard = Board::default();
        for idx in 0..9 {
            board = board.put(idx, (rest % 5) as u8);
            rest /= 5;
        }
        board
    }

    #[test]
    fn slides_up_to_symmetry_are_the_slides_of_the_rules() {
        let rules = MiniRules::on_grid();
        for n in (0..1_953_125).step_by(97) {
            let from = board(n).canonical();
            let expected = [Slide::Left, Slide::Right, Slide::Up, Slide::Down].map(|slide| {
                rules
                    .apply(from, slide)
                    .map_or(from, |after| after.board.canonical())
            });
            assert_eq!(slide_all(rules, from), expected, "{from:?}");
        }
    }

    #[test]
    fn no_board_has_more_potential_than_the_bound() {
        for n in 0..1_953_125 {
            let board = board(n);
            assert!(
                board.potential() <= potential_bound(board.tile_sum()),
                "{board:?}"
            );
        }
        // 2 + 4 + 8 + ... + 1024: met by different tiles.
        assert_eq!(potential_bound(6), 4);
        assert_eq!(potential_bound(14), 4 + 16);
        assert_eq!(potential_bound(16), 48);
        assert_eq!(potential_bound(0), 0);
    }

    #[test]
    fn boards_keep_their_numbers_while_the_set_grows() {
        let mut classes = Classes::with_slots(2);
        for round in 0..3 {
            for n in 0..5_000 {
                assert_eq!(classes.enter(board(n * 31 + round)), (n as usize, true));
            }
            for n in 0..5_000 {
                assert_eq!(classes.enter(board(n * 31 + round)), (n as usize, false));
            }
            classes.clear();
        }
    }

    #[test]
    fn an_emptied_set_is_empty_even_when_the_generations_are_used_up() {
        let mut classes = Classes::with_slots(8);
        // A board of the first generation would come back when that number
        // comes round again.
        classes.enter(board(1));
        classes.generation = GENERATIONS - 2;
        for _ in 0..4 {
            classes.clear();
            assert_eq!(classes.enter(board(2)), (0, true));
            assert_eq!(classes.enter(board(1)), (1, true));
            assert_eq!(classes.enter(board(2)), (0, false));
        }
    }
}
