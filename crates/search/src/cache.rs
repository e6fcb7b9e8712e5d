//! Values of chance nodes, kept in bounded memory.

use afterstate_bitboard::{Board, Grid};

/// One stored value: 16 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    nibbles: u64,
    plane: u16,
    /// Plies below the afterstate; 0 marks a free entry, since afterstates at
    /// the horizon are not stored.
    depth: u8,
    /// Low four bits: the generation. High four bits: the logarithm to base 4
    /// of the number of nodes that the value took.
    work: u8,
    value: f32,
}

/// A transposition table: values of afterstates with the depth of search they
/// were found with.
///
/// Only exact matches are given out: the same board, up to symmetry as the
/// caller canonizes it, and the same depth. In a search without pruning a table
/// therefore changes the time a search takes and never its result.
///
/// Buckets have two entries. A new value takes the place of the one that took
/// less work to find if it took at least as much itself, else of the other,
/// so that both dear and recent values stay.
#[derive(Debug, Clone)]
pub struct Cache {
    buckets: Box<[[Entry; 2]]>,
    shift: u32,
    generation: u8,
}

/// Generations that an entry can tell apart.
const GENERATIONS: u8 = 16;

impl Cache {
    /// A table of 2^`bits` entries of 16 bytes each.
    ///
    /// *Panics*: when `bits` is not from 1 to 40.
    pub fn new(bits: u32) -> Cache {
        assert!((1..=40).contains(&bits), "a cache has 2^1 to 2^40 entries");
        Cache {
            buckets: vec![[Entry::default(); 2]; 1 << (bits - 1)].into_boxed_slice(),
            shift: 64 - (bits - 1).max(1),
            generation: 0,
        }
    }

    /// Drops all values.
    pub fn clear(&mut self) {
        self.buckets.fill([Entry::default(); 2]);
        self.generation = 0;
    }

    /// Drops all values, mostly by no longer knowing them.
    ///
    /// *Cost*: nothing, and that of [`Cache::clear`] every sixteenth time.
    pub fn next_generation(&mut self) {
        if self.generation + 1 == GENERATIONS {
            self.clear();
        } else {
            self.generation += 1;
        }
    }

    #[inline(always)]
    fn bucket(&self, key: (u64, u16), depth: u8) -> usize {
        // Multiplicative hashing; the high half of the product is mixed best.
        let low = key.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let high = (u64::from(key.1) << 8 | u64::from(depth)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let hash = (low ^ (low >> 32))
            .wrapping_add(high)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> self.shift) as usize & (self.buckets.len() - 1)
    }

    /// The value stored for this board and depth; never one at depth 0.
    #[inline]
    pub fn get<G: Grid>(&self, board: Board<G>, depth: u8) -> Option<f32> {
        if depth == 0 {
            // A free entry would pass for one of the empty board.
            return None;
        }
        let key = board.key();
        self.buckets[self.bucket(key, depth)]
            .iter()
            .find(|entry| {
                entry.depth == depth
                    && (entry.nibbles, entry.plane) == key
                    && entry.work & (GENERATIONS - 1) == self.generation
            })
            .map(|entry| entry.value)
    }

    /// Stores the value of a board searched to `depth` plies (at least 1),
    /// which took `n_nodes` nodes. A board and depth have one value: what is
    /// given out after two are stored is either of them.
    #[inline]
    pub fn set<G: Grid>(&mut self, board: Board<G>, depth: u8, value: f32, n_nodes: u64) {
        debug_assert!(depth > 0, "values at the horizon are not stored");
        let key = board.key();
        let digits = (n_nodes.max(1).ilog2() / 2).min(15) as u8;
        let work = digits << 4 | self.generation;
        let entry = Entry {
            nibbles: key.0,
            plane: key.1,
            depth,
            work,
            value,
        };
        let bucket = self.bucket(key, depth);
        let [dear, recent] = &mut self.buckets[bucket];
        let current = dear.work & (GENERATIONS - 1) == self.generation;
        if !current || digits >= dear.work >> 4 {
            *recent = *dear;
            *dear = entry;
        } else {
            *recent = entry;
        }
    }
}
