//! The file of a table: what it says of itself, and how it is written.
//!
//! All numbers are little-endian. A file is a header and its layers, each with
//! a checksum of its own:
//!
//! ```text
//! 8 bytes  AFTEXACT
//! u32      version
//! u32      length of the header, from the first byte to its checksum
//! u32      0 for classic rules
//! u32 u32  rows, columns
//! i32      the tile of the objective, 0 for the score
//! i32      the tile of which a game starts with two, 0 where two tiles spawn
//! u32      number of kinds of spawn, then for each:
//!   i32 u32    tile, weight
//! f64      value from the opening
//! u32      number of layers, then for each, ascending:
//!   u32 u64    sum of tiles, number n of afterstates
//! u64      checksum of all before
//!
//! and for each layer:
//!   u32 ...  where each part begins, and n
//!   u32 * n  low bits of the mixed words, ascending in each part
//!   f64 * n  values
//!   u64      checksum of the layer
//! ```

use std::io::{self, Write};

use afterstate_bitboard::{Grid, WordGrid};
use afterstate_rules::{Opening, Rules, SpawnSet};

use super::keys::{Keys, part_bits};
use super::problem::{Objective, Problem};
use super::store::{write_f64s, write_u32s};

/// How every table begins.
pub(super) const MAGIC: [u8; 8] = *b"AFTEXACT";

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// Bytes of what comes before the rest of the header: magic, version, length.
pub(super) const PREFIX_LEN: usize = 16;

/// What a table is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) rows: u32,
    pub(super) cols: u32,
    pub(super) objective: Objective,
    pub(super) opening: i32,
    pub(super) weights: Vec<(i32, u32)>,
}

/// What a table holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Contents {
    /// The value from the opening.
    pub(super) value: f64,
    /// For each layer, ascending, the sum of the tiles and the number of
    /// afterstates.
    pub(super) layers: Vec<(u32, u64)>,
}

impl Header {
    pub(super) fn new<R: Rules>(problem: &Problem<R>) -> Header
    where
        R::Grid: WordGrid,
    {
        let mut weights = problem.spawn_set().weights().to_vec();
        // The order in which a set lists its tiles makes no other game.
        weights.sort_unstable();
        Header {
            rows: R::Grid::ROWS as u32,
            cols: R::Grid::COLS as u32,
            objective: problem.objective(),
            opening: opening_number(problem.spawn_set()),
            weights,
        }
    }

    /// The first difference to a table that was asked for: what, that of this
    /// one, and what was asked for.
    pub(super) fn difference(&self, wanted: &Header) -> Option<(&'static str, String, String)> {
        let differing = |what, a: String, b: String| (a != b).then_some((what, a, b));
        let board = |header: &Header| format!("{}x{}", header.rows, header.cols);
        let objective = |header: &Header| header.objective.to_string();
        differing("board", board(self), board(wanted))
            .or_else(|| differing("objective", objective(self), objective(wanted)))
            .or_else(|| differing("spawns", spawns_text(self), spawns_text(wanted)))
    }

    fn bytes(&self, contents: &Contents) -> Vec<u8> {
        let objective = match self.objective {
            Objective::Score => 0,
            Objective::Tile(number) => number,
        };
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(CLASSIC.to_le_bytes());
        bytes.extend(self.rows.to_le_bytes());
        bytes.extend(self.cols.to_le_bytes());
        bytes.extend(objective.to_le_bytes());
        bytes.extend(self.opening.to_le_bytes());
        bytes.extend((self.weights.len() as u32).to_le_bytes());
        for (number, weight) in &self.weights {
            bytes.extend(number.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(contents.value.to_le_bytes());
        bytes.extend((contents.layers.len() as u32).to_le_bytes());
        for (sum, n_afters) in &contents.layers {
            bytes.extend(sum.to_le_bytes());
            bytes.extend(n_afters.to_le_bytes());
        }
        let length = bytes.len() as u32;
        bytes[12..16].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    /// What `bytes` say, prefix included and checksum not; `None` if they are
    /// nothing of the kind.
    pub(super) fn parse(bytes: &[u8]) -> Option<(Header, Contents)> {
        let mut rest = Words(bytes.get(PREFIX_LEN..)?);
        if rest.u32()? != CLASSIC {
            return None;
        }
        let (rows, cols) = (rest.u32()?, rest.u32()?);
        let objective = match rest.i32()? {
            0 => Objective::Score,
            number => Objective::Tile(number),
        };
        let opening = rest.i32()?;
        let n_kinds = rest.u32()?;
        let weights = (0..n_kinds)
            .map(|_| Some((rest.i32()?, rest.u32()?)))
            .collect::<Option<_>>()?;
        let value = f64::from_bits(rest.u64()?);
        let n_layers = rest.u32()?;
        let layers = (0..n_layers)
            .map(|_| Some((rest.u32()?, rest.u64()?)))
            .collect::<Option<_>>()?;
        let header = Header {
            rows,
            cols,
            objective,
            opening,
            weights,
        };
        let contents = Contents { value, layers };
        rest.0.is_empty().then_some((header, contents))
    }
}

/// The rules that a table can be about.
const CLASSIC: u32 = 0;

fn opening_number(set: &SpawnSet) -> i32 {
    match set.opening() {
        Opening::TwoSpawned => 0,
        Opening::TwoOf(number) => number,
    }
}

fn spawns_text(header: &Header) -> String {
    let weights: Vec<String> = header
        .weights
        .iter()
        .map(|(number, weight)| format!("{number}:{weight}"))
        .collect();
    let opening = match header.opening {
        0 => String::new(),
        number => format!(" from two {number}s"),
    };
    weights.join(",") + &opening
}

/// Numbers one after the other.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn u32(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*word))
    }

    fn i32(&mut self) -> Option<i32> {
        self.u32().map(u32::cast_signed)
    }

    fn u64(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }
}

/// Bytes of a layer of `n` afterstates, its checksum included.
pub(super) fn layer_bytes<G: WordGrid>(n: u64) -> Option<u64> {
    let n_starts = (1 << part_bits::<G>()) + 1;
    n.checked_mul(12)?.checked_add(4 * n_starts + 8)
}

/// A checksum over eight bytes at a time, in the manner of FNV-1a with a
/// rotation. Every step is one to one both in the state and in the word, so a
/// change within one word never goes unnoticed, and others with a probability
/// of 2^-64 or so. It is against accidents; it does not stop a forger.
#[derive(Debug, Clone)]
pub(super) struct Checksum {
    state: u64,
    pending: [u8; 8],
    n_pending: usize,
    n_bytes: u64,
}

impl Checksum {
    pub(super) fn new() -> Checksum {
        Checksum {
            state: 0xcbf2_9ce4_8422_2325,
            pending: [0; 8],
            n_pending: 0,
            n_bytes: 0,
        }
    }

    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        self.n_bytes += bytes.len() as u64;
        while self.n_pending > 0 && !bytes.is_empty() {
            self.pending[self.n_pending] = bytes[0];
            self.n_pending = (self.n_pending + 1) % 8;
            bytes = &bytes[1..];
            if self.n_pending == 0 {
                self.step(u64::from_le_bytes(self.pending));
            }
        }
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.step(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            self.pending[..rest.len()].copy_from_slice(rest);
            self.n_pending = rest.len();
        }
    }

    fn step(&mut self, word: u64) {
        let mixed = (self.state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.state = mixed.rotate_left(29);
    }

    pub(super) fn value(mut self) -> u64 {
        let mut last = [0; 8];
        last[..self.n_pending].copy_from_slice(&self.pending[..self.n_pending]);
        self.step(u64::from_le_bytes(last));
        self.step(self.n_bytes);
        self.state ^ (self.state >> 32)
    }
}

/// Writes on, and adds up.
struct Summing<'a> {
    to: &'a mut dyn Write,
    checksum: Checksum,
}

impl Write for Summing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.to.write(bytes)?;
        self.checksum.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes a table, layer by layer.
pub(super) struct TableWriter<'a> {
    to: &'a mut dyn Write,
}

impl<'a> TableWriter<'a> {
    /// Writes the header.
    pub(super) fn begin(
        to: &'a mut dyn Write,
        header: &Header,
        contents: &Contents,
    ) -> io::Result<TableWriter<'a>> {
        let bytes = header.bytes(contents);
        let mut checksum = Checksum::new();
        checksum.update(&bytes);
        to.write_all(&bytes)?;
        to.write_all(&checksum.value().to_le_bytes())?;
        Ok(TableWriter { to })
    }

    /// Writes the next layer.
    pub(super) fn layer<G: WordGrid>(&mut self, keys: &Keys<G>, values: &[f64]) -> io::Result<()> {
        debug_assert_eq!(keys.len(), values.len());
        let mut summing = Summing {
            to: self.to,
            checksum: Checksum::new(),
        };
        write_u32s(&mut summing, keys.starts())?;
        write_u32s(&mut summing, keys.low())?;
        write_f64s(&mut summing, values)?;
        let checksum = summing.checksum.value();
        self.to.write_all(&checksum.to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::Checksum;

    fn sum(bytes: &[u8]) -> u64 {
        let mut checksum = Checksum::new();
        checksum.update(bytes);
        checksum.value()
    }

    #[test]
    fn a_checksum_does_not_depend_on_the_pieces() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = sum(&bytes);
        for size in 1..30 {
            let mut checksum = Checksum::new();
            for piece in bytes.chunks(size) {
                checksum.update(piece);
            }
            assert_eq!(checksum.value(), whole, "pieces of {size}");
        }
    }

    #[test]
    fn a_checksum_depends_on_every_bit_and_on_the_length() {
        let bytes: Vec<u8> = (0..37).collect();
        let whole = sum(&bytes);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(sum(&changed), whole, "bit {bit}");
        }
        for len in 0..bytes.len() {
            assert_ne!(sum(&bytes[..len]), whole, "length {len}");
        }
        assert_ne!(sum(&[&bytes[..], &[0]].concat()), whole);
    }
}
