//! Numbers as classes and bits: how likely each class is, and the streams of both.

use core::num::NonZeroU16;

use constriction::stream::model::{DecoderModel, EntropyModel};

/// Frequencies add up to 2 to the power of this.
pub(crate) const PRECISION: usize = 12;

/// What frequencies add up to.
const TOTAL: usize = 1 << PRECISION;

/// Numbers below this are classes of their own.
const N_PLAIN: u64 = 12;

/// Numbers are below 2^32: gaps, and differences of weights.
pub(crate) const N_CLASSES: usize = N_PLAIN as usize + 29 * 4 + 4;

/// The class of a number, the bits that tell it apart and how many they are.
pub(crate) fn class_of(number: u64) -> (usize, u64, u32) {
    if number < N_PLAIN {
        return (number as usize, 0, 0);
    }
    let n_bits = number.ilog2() - 2;
    let top = number >> n_bits & 3;
    let class = N_PLAIN as usize + (n_bits as usize - 1) * 4 + top as usize;
    (class, number & ((1 << n_bits) - 1), n_bits)
}

/// The least number of each class and the number of bits that follow: looked up,
/// since which kind a class is of cannot be guessed.
const CLASSES: [(u64, u32); N_CLASSES] = {
    let mut classes = [(0, 0); N_CLASSES];
    let mut class = 0;
    while class < N_CLASSES {
        classes[class] = if class < N_PLAIN as usize {
            (class as u64, 0)
        } else {
            let above = class - N_PLAIN as usize;
            let n_bits = (above / 4) as u32 + 1;
            ((4 + above as u64 % 4) << n_bits, n_bits)
        };
        class += 1;
    }
    classes
};

/// The least number of a class and the number of bits that follow.
#[inline(always)]
pub(crate) fn of_class(class: u8) -> (u64, u32) {
    CLASSES[usize::from(class)]
}

/// What the counts are of 2^[`PRECISION`], up to the last class that is counted and
/// at least 1 for each; empty where nothing is counted.
pub(crate) fn frequencies(counts: &[u64; N_CLASSES]) -> Vec<u16> {
    let total: u64 = counts.iter().sum();
    let Some(last) = counts.iter().rposition(|&count| count > 0) else {
        return Vec::new();
    };
    // A model of one class would have nothing to tell.
    let n_classes = (last + 1).max(2);
    let mut shares: Vec<u16> = counts[..n_classes]
        .iter()
        .map(|&count| ((count << PRECISION) / total).max(1) as u16)
        .collect();
    // Rounding is made up for where it matters least.
    let mut differ = TOTAL as i32 - shares.iter().map(|&share| i32::from(share)).sum::<i32>();
    while differ != 0 {
        let most = shares.iter_mut().max().expect("there are classes");
        let step = differ.max(1 - i32::from(*most));
        *most = (i32::from(*most) + step) as u16;
        differ -= step;
    }
    shares
}

/// Which class is coded by a quantile, in half the memory of the library's own
/// table: those of all contexts together have to fit into the second cache.
pub(crate) struct Decoder {
    classes: [u8; TOTAL],
    /// The sum of the frequencies before each class, and of all after the last.
    starts: [u16; N_CLASSES + 1],
}

impl Decoder {
    /// The decoder for these frequencies, if they can be some.
    pub(crate) fn new(frequencies: &[u16]) -> Option<Box<Decoder>> {
        let n_classes = frequencies.len();
        let sum: usize = frequencies.iter().copied().map(usize::from).sum();
        if !(2..=N_CLASSES).contains(&n_classes) || sum != TOTAL || frequencies.contains(&0) {
            return None;
        }
        let mut decoder = Box::new(Decoder {
            classes: [0; TOTAL],
            starts: [TOTAL as u16; N_CLASSES + 1],
        });
        let mut start = 0;
        for (class, &frequency) in frequencies.iter().enumerate() {
            decoder.starts[class] = start as u16;
            let end = start + usize::from(frequency);
            decoder.classes[start..end].fill(class as u8);
            start = end;
        }
        Some(decoder)
    }
}

impl EntropyModel<PRECISION> for &Decoder {
    type Symbol = u8;
    type Probability = u16;
}

impl DecoderModel<PRECISION> for &Decoder {
    #[inline(always)]
    fn quantile_function(&self, quantile: u16) -> (u8, u16, NonZeroU16) {
        let class = self.classes[usize::from(quantile)];
        let start = self.starts[usize::from(class)];
        let frequency = self.starts[usize::from(class) + 1] - start;
        let frequency = NonZeroU16::new(frequency).expect("a class with a quantile is not empty");
        (class, start, frequency)
    }
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    n_pending: u32,
}

impl BitWriter {
    pub(crate) fn put(&mut self, bits: u64, n_bits: u32) {
        self.pending |= bits << self.n_pending;
        self.n_pending += n_bits;
        while self.n_pending >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.n_pending -= 8;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.n_pending > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Bytes that are read together.
const WORD: usize = 8;

/// The bits that a [`BitWriter`] wrote.
pub(crate) struct BitReader {
    /// The bytes and as many zeros that a word can be read at each of them.
    padded: Vec<u8>,
    n_read: usize,
}

impl BitReader {
    pub(crate) fn new(bytes: &[u8]) -> BitReader {
        let mut padded = Vec::with_capacity(bytes.len() + WORD);
        padded.extend(bytes);
        padded.resize(bytes.len() + WORD, 0);
        BitReader { padded, n_read: 0 }
    }

    /// The next bits, at most 32; `None` where there are not that many bytes.
    #[inline(always)]
    pub(crate) fn get(&mut self, n_bits: u32) -> Option<u64> {
        let word = self.padded.get(self.n_read / 8..)?.first_chunk::<WORD>()?;
        let bits = u64::from_le_bytes(*word) >> (self.n_read % 8);
        self.n_read += n_bits as usize;
        Some(bits & ((1 << n_bits) - 1))
    }

    /// Whether nothing is left but the zeros that fill the last byte, and no more was
    /// read than there was.
    pub(crate) fn ends_here(mut self) -> bool {
        let n_bytes = self.padded.len() - WORD;
        let n_left = (8 * n_bytes).checked_sub(self.n_read);
        n_left.is_some_and(|n| n < 8 && self.get(n as u32) == Some(0))
    }
}

/// Seven bits a byte, the lowest first (LEB128).
pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(crate) fn get_number(bytes: &mut core::slice::Iter<'_, u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..42).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_number_has_a_class() {
        for number in (0..100_000).chain((5..32).flat_map(|n| [(1 << n) - 1, 1 << n, 3 << (n - 1)]))
        {
            let (class, rest, n_bits) = class_of(number);
            assert!(class < N_CLASSES, "{number}");
            assert_eq!(of_class(class as u8), (number - rest, n_bits), "{number}");
            assert!(rest < 1 << n_bits);
        }
    }

    /// Each quantile stands for the class in whose share it lies.
    #[test]
    fn quantiles_are_of_their_classes() {
        let frequencies = [1_u16, 4000, 2, 93];
        let decoder = Decoder::new(&frequencies).expect("they add up");
        let mut quantile = 0;
        for (class, &frequency) in frequencies.iter().enumerate() {
            let start = quantile;
            for _ in 0..frequency {
                let (found, left, share) = (&*decoder).quantile_function(quantile);
                assert_eq!(
                    (found as usize, left, share.get()),
                    (class, start, frequency)
                );
                quantile += 1;
            }
        }
        assert_eq!(usize::from(quantile), TOTAL);
        for wrong in [
            &[4096][..],
            &[4095, 0],
            &[4000, 95],
            &[4096, 1],
            &[4095, 0, 1],
            &[],
        ] {
            assert!(Decoder::new(wrong).is_none(), "{wrong:?}");
        }
        let many = vec![31; N_CLASSES + 1];
        assert!(Decoder::new(&many).is_none());
    }

    proptest! {
        #[test]
        fn bits_come_back(all in prop::collection::vec((any::<u32>(), 0..=32_u32), 0..50)) {
            let cut = |bits: u32, n_bits: u32| u64::from(bits) & ((1 << n_bits) - 1);
            let mut writer = BitWriter::default();
            for &(bits, n_bits) in &all {
                writer.put(cut(bits, n_bits), n_bits);
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &(bits, n_bits) in &all {
                prop_assert_eq!(reader.get(n_bits), Some(cut(bits, n_bits)));
            }
            prop_assert!(reader.ends_here());
            // One byte fewer, one more, and something in what fills the last one.
            let n_bits: usize = all.iter().map(|&(_, n_bits)| n_bits as usize).sum();
            let ends = |bytes: &[u8]| {
                let mut reader = BitReader::new(bytes);
                let whole = all.iter().all(|&(_, n_bits)| reader.get(n_bits).is_some());
                whole && reader.ends_here()
            };
            prop_assert!(bytes.is_empty() || !ends(&bytes[..bytes.len() - 1]));
            prop_assert!(!ends(&[&bytes[..], &[0]].concat()));
            if !n_bits.is_multiple_of(8) {
                let mut filled = bytes.clone();
                *filled.last_mut().expect("there are bits") |= 0x80;
                prop_assert!(!ends(&filled));
            }
        }
    }
}
