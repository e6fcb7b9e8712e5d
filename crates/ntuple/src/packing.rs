//! Weights as a file has them: which are not 0, and what they are.
//!
//! Both are told by what lies around a weight and was told before: the weights of
//! boards that differ by one step in one cell are alike. A number is cut into a
//! class, which is coded by asymmetric numeral systems with the frequencies of the
//! classes in its surroundings, and bits that tell it from others of its class.
//!
//! *Source*: J. Duda, Asymmetric numeral systems, arXiv 1311.2540; what it saves, in
//! docs/experiments.md, 2026-11-30.

use constriction::stream::model::{
    SmallContiguousCategoricalEntropyModel, SmallContiguousLookupDecoderModel,
};
use constriction::stream::stack::DefaultAnsCoder;
use constriction::stream::{Decode, Encode};

/// Frequencies add up to 2 to the power of this.
const PRECISION: u32 = 12;

/// How the weights of a group lie: what they are told by depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Weights that differ in their own cell only lie side by side, this many.
    pub(crate) base: usize,
    /// Patterns of the group.
    pub(crate) n_members: usize,
}

/// The streams that tell the weights of a group.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Packed {
    /// How many are not 0, and the frequencies of classes.
    pub(crate) models: Vec<u8>,
    /// The classes.
    pub(crate) classes: Vec<u8>,
    /// The bits that tell numbers of a class apart.
    pub(crate) bits: Vec<u8>,
}

/// Numbers below this are classes of their own.
const N_PLAIN: u64 = 12;

/// The class of a number, the bits that tell it apart and how many they are.
fn class_of(number: u64) -> (usize, u64, u32) {
    if number < N_PLAIN {
        return (number as usize, 0, 0);
    }
    let n_bits = number.ilog2() - 2;
    let top = number >> n_bits & 3;
    let class = N_PLAIN as usize + (n_bits as usize - 1) * 4 + top as usize;
    (class, number & ((1 << n_bits) - 1), n_bits)
}

/// The least number of a class and the number of bits that follow.
fn of_class(class: usize) -> (u64, u32) {
    let Some(above) = class.checked_sub(N_PLAIN as usize) else {
        return (class as u64, 0);
    };
    let n_bits = (above / 4) as u32 + 1;
    ((4 + above as u64 % 4) << n_bits, n_bits)
}

/// Numbers are below 2^32: gaps, and differences of weights.
const N_CLASSES: usize = N_PLAIN as usize + 29 * 4 + 4;

/// How far to look for weights that are not 0 next to where the last one was: in
/// the cells one step beside it, and in the other pattern.
const SIGHT: [usize; 2] = [17, 5];
const N_GAP_CONTEXTS: usize = (SIGHT[0] + 1) * (SIGHT[1] + 1);

/// Distances between the least and the largest neighbor are told apart by their
/// bits.
const N_SPREADS: usize = 18;
const N_WEIGHT_CONTEXTS: usize = 2 + 3 * N_SPREADS;
const N_CONTEXTS: usize = N_GAP_CONTEXTS + N_WEIGHT_CONTEXTS;

/// What a gap that begins at `start` is told by.
#[inline(always)]
fn gap_context(weights: &[i16], start: usize, layout: Layout) -> usize {
    let row = layout.base;
    let seen = |back: usize, most: usize| {
        let Some(from) = start.checked_sub(back) else {
            return most;
        };
        let next = weights[from..start.min(from + most)].iter();
        let mut next = next.enumerate().filter(|&(_, &weight)| weight != 0);
        next.next().map_or(most, |(distance, _)| distance)
    };
    seen(row * layout.n_members, SIGHT[0]) * (SIGHT[1] + 1) + seen(row, SIGHT[1])
}

/// What the weight at `idx` is told by, and what it is expected to be.
#[inline(always)]
fn weight_context(
    weights: &[i16],
    idx: usize,
    last: Option<usize>,
    layout: Layout,
) -> (usize, i32) {
    let stride = layout.base * layout.n_members;
    let beside_last = last.filter(|&last| idx - last < 3);
    let in_pair = !(idx / layout.base).is_multiple_of(layout.n_members);
    let back = |distance: usize| idx.checked_sub(distance);
    let neighbors = [
        beside_last,
        back(layout.base).filter(|_| in_pair),
        back(stride),
        back(stride * layout.base),
    ];
    let (mut n, mut sum, mut least, mut largest) = (0, 0, i32::MAX, i32::MIN);
    for neighbor in neighbors.into_iter().flatten() {
        let weight = i32::from(weights[neighbor]);
        if weight != 0 {
            n += 1;
            sum += weight;
            least = least.min(weight);
            largest = largest.max(weight);
        }
    }
    match n {
        0 => (N_GAP_CONTEXTS, 0),
        1 => (N_GAP_CONTEXTS + 1, sum),
        n => {
            let spread = (largest - least).checked_ilog2().map_or(0, |bits| bits + 1);
            let number = (n as usize - 2) * N_SPREADS + spread as usize;
            (N_GAP_CONTEXTS + 2 + number, sum / n)
        }
    }
}

fn zigzag(difference: i32) -> u64 {
    u64::from((difference << 1 ^ difference >> 31) as u32)
}

fn unzigzag(coded: u64) -> i64 {
    (coded >> 1) as i64 ^ -((coded & 1) as i64)
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    n_pending: u32,
}

impl BitWriter {
    fn put(&mut self, bits: u64, n_bits: u32) {
        self.pending |= bits << self.n_pending;
        self.n_pending += n_bits;
        while self.n_pending >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.n_pending -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.n_pending > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

struct BitReader<'a> {
    bytes: core::slice::Iter<'a, u8>,
    pending: u64,
    n_pending: u32,
}

impl BitReader<'_> {
    #[inline(always)]
    fn get(&mut self, n_bits: u32) -> Option<u64> {
        while self.n_pending < n_bits {
            self.pending |= u64::from(*self.bytes.next()?) << self.n_pending;
            self.n_pending += 8;
        }
        let bits = self.pending & ((1 << n_bits) - 1);
        self.pending >>= n_bits;
        self.n_pending -= n_bits;
        Some(bits)
    }

    /// Whether nothing is left but what fills the last byte.
    fn ends_here(mut self) -> bool {
        self.bytes.next().is_none() && self.n_pending < 8 && self.pending == 0
    }
}

/// The weights as streams.
pub(crate) fn pack(weights: &[i16], layout: Layout) -> Packed {
    let mut coded: Vec<(usize, usize)> = Vec::new();
    let mut bits = BitWriter::default();
    let mut put = |context: usize, number: u64| {
        let (class, rest, n_bits) = class_of(number);
        coded.push((context, class));
        bits.put(rest, n_bits);
    };
    let mut last = None;
    let mut start = 0;
    let mut n_nonzero = 0_u64;
    for (idx, &weight) in weights.iter().enumerate() {
        if weight == 0 {
            continue;
        }
        put(gap_context(weights, start, layout), (idx - start) as u64);
        let (context, expected) = weight_context(weights, idx, last, layout);
        put(context, zigzag(i32::from(weight) - expected));
        (last, start) = (Some(idx), idx + 1);
        n_nonzero += 1;
    }

    let mut counts = vec![[0_u64; N_CLASSES]; N_CONTEXTS];
    for &(context, class) in &coded {
        counts[context][class] += 1;
    }
    let mut models = Vec::new();
    put_number(&mut models, n_nonzero);
    let frequencies: Vec<Vec<u16>> = counts.iter().map(frequencies).collect();
    for of_context in &frequencies {
        put_number(&mut models, of_context.len() as u64);
        for &frequency in of_context {
            put_number(&mut models, frequency.into());
        }
    }
    let encoders: Vec<_> = frequencies
        .iter()
        .map(|of_context| {
            SmallContiguousCategoricalEntropyModel::<Vec<u16>>::from_nonzero_fixed_point_probabilities(of_context, false)
        })
        .collect();
    let mut coder = DefaultAnsCoder::new();
    for &(context, class) in coded.iter().rev() {
        let model = encoders[context]
            .as_ref()
            .expect("what was counted has frequencies");
        coder
            .encode_symbol(class, model)
            .expect("what was counted has a frequency");
    }
    let words = coder
        .into_compressed()
        .unwrap_or_else(|never| match never {});
    Packed {
        models,
        classes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        bits: bits.finish(),
    }
}

/// What the counts are of 2^[`PRECISION`], up to the last class that is counted and
/// at least 1 for each; empty where nothing is counted.
fn frequencies(counts: &[u64; N_CLASSES]) -> Vec<u16> {
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
    let mut differ =
        (1_i32 << PRECISION) - shares.iter().map(|&share| i32::from(share)).sum::<i32>();
    while differ != 0 {
        let most = shares.iter_mut().max().expect("there are classes");
        let step = differ.max(1 - i32::from(*most));
        *most = (i32::from(*most) + step) as u16;
        differ -= step;
    }
    shares
}

/// Puts the weights that the streams tell of into place; `None` where they
/// contradict themselves. All of `weights` are 0 before.
pub(crate) fn unpack(packed: &Packed, layout: Layout, weights: &mut [i16]) -> Option<()> {
    let mut models = packed.models.iter();
    let n_nonzero = get_number(&mut models)?;
    let mut decoders = Vec::with_capacity(N_CONTEXTS);
    for _ in 0..N_CONTEXTS {
        decoders.push(match get_number(&mut models)? {
            0 => None,
            n_classes if n_classes > N_CLASSES as u64 => return None,
            n_classes => {
                let mut of_context = Vec::with_capacity(n_classes as usize);
                for _ in 0..n_classes {
                    let frequency = get_number(&mut models)?;
                    of_context.push(u16::try_from(frequency).ok()?);
                }
                let sum: u64 = of_context.iter().copied().map(u64::from).sum();
                if n_classes < 2 || sum != 1 << PRECISION || of_context.contains(&0) {
                    return None;
                }
                let model = SmallContiguousLookupDecoderModel::<Vec<u16>>::from_nonzero_fixed_point_probabilities(of_context, false);
                Some(model.ok()?)
            }
        });
    }
    if models.next().is_some() || !packed.classes.len().is_multiple_of(4) {
        return None;
    }
    let words = packed.classes.as_chunks::<4>().0.iter();
    let words: Vec<u32> = words.map(|&word| u32::from_le_bytes(word)).collect();
    let mut coder = DefaultAnsCoder::from_compressed(words).ok()?;
    let mut bits = BitReader {
        bytes: packed.bits.iter(),
        pending: 0,
        n_pending: 0,
    };
    let mut get = |context: usize| -> Option<u64> {
        let model: &SmallContiguousLookupDecoderModel = decoders[context].as_ref()?;
        let class = coder.decode_symbol(model.as_view()).ok()?;
        let (least, n_bits) = of_class(class);
        Some(least + bits.get(n_bits)?)
    };
    let mut last = None;
    let mut start = 0;
    for _ in 0..n_nonzero {
        let gap = get(gap_context(weights, start, layout))?;
        let idx = start.checked_add(usize::try_from(gap).ok()?)?;
        if idx >= weights.len() {
            return None;
        }
        let (context, expected) = weight_context(weights, idx, last, layout);
        let weight = i64::from(expected) + unzigzag(get(context)?);
        weights[idx] = i16::try_from(weight).ok().filter(|&weight| weight != 0)?;
        (last, start) = (Some(idx), idx + 1);
    }
    (coder.is_empty() && bits.ends_here()).then_some(())
}

/// Seven bits a byte, the lowest first (LEB128).
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn get_number(bytes: &mut core::slice::Iter<'_, u8>) -> Option<u64> {
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
            assert_eq!(of_class(class), (number - rest, n_bits), "{number}");
            assert!(rest < 1 << n_bits);
        }
    }

    /// Each part of the streams is needed, and nothing may be left of it.
    #[test]
    fn streams_that_contradict_themselves_are_refused() {
        let layout = Layout {
            base: 4,
            n_members: 1,
        };
        let weights = [0, 3, 0, 0, -500, 7, 7, 0, 0, 9000, 0];
        let refused = |what: &str, change: &dyn Fn(&mut Packed)| {
            let mut packed = pack(&weights, layout);
            change(&mut packed);
            let read = unpack(&packed, layout, &mut [0; 11]);
            assert_eq!(read, None, "{what}");
        };
        let whole = pack(&weights, layout);
        assert_eq!(unpack(&whole, layout, &mut [0; 11]), Some(()));
        assert_eq!(unpack(&whole, layout, &mut [0; 10]), Some(()));
        for n in 0..10 {
            let read = unpack(&whole, layout, &mut vec![0; n]);
            assert_eq!(read, None, "more than {n} weights");
        }
        refused("one weight fewer", &|packed| packed.models[0] -= 1);
        refused("one weight more", &|packed| packed.models[0] += 1);
        refused("a longer list of frequencies", &|packed| {
            packed.models.push(0);
        });
        refused("no frequencies", &|packed| packed.models.truncate(1));
        refused("a class too many", &|packed| {
            packed.classes.splice(..0, [1, 0, 0, 0]);
        });
        refused("a part of a word", &|packed| packed.classes.push(1));
        refused("no classes", &|packed| packed.classes.clear());
        refused("bits too many", &|packed| packed.bits.push(1));
        refused("no bits", &|packed| packed.bits.clear());
        // The first context as it should not be: one class, a sum that is too
        // small or too large, a class that cannot be.
        for frequencies in [
            &[4096][..],
            &[4095, 0],
            &[4000, 95],
            &[4096, 1],
            &[4095, 0, 1],
        ] {
            let mut packed = Packed::default();
            put_number(&mut packed.models, 0);
            put_number(&mut packed.models, frequencies.len() as u64);
            for &frequency in frequencies {
                put_number(&mut packed.models, frequency);
            }
            packed
                .models
                .resize(packed.models.len() + N_CONTEXTS - 1, 0);
            let read = unpack(&packed, layout, &mut [0; 11]);
            assert_eq!(read, None, "{frequencies:?}");
        }
    }

    fn layouts() -> impl Strategy<Value = Layout> {
        (prop::sample::select(vec![3, 10, 16, 20]), 1..=2_usize)
            .prop_map(|(base, n_members)| Layout { base, n_members })
    }

    fn all_weights() -> impl Strategy<Value = Vec<i16>> {
        let weight = prop_oneof![
            5 => Just(0),
            3 => -20..20_i16,
            1 => any::<i16>(),
            1 => prop::sample::select(vec![i16::MIN, i16::MAX, -1, 1]),
        ];
        let run = (weight, 1..40_usize).prop_map(|(weight, n)| vec![weight; n]);
        prop::collection::vec(run, 0..200).prop_map(|runs| runs.concat())
    }

    proptest! {
        #[test]
        fn weights_come_back(weights in all_weights(), layout in layouts()) {
            let packed = pack(&weights, layout);
            let mut read = vec![0; weights.len()];
            prop_assert_eq!(unpack(&packed, layout, &mut read), Some(()));
            prop_assert!(read == weights);
        }

        /// Whatever is in a file, reading it ends, and says so.
        #[test]
        fn nonsense_does_no_harm(
            weights in all_weights(),
            layout in layouts(),
            changes in prop::collection::vec((0..3_usize, any::<prop::sample::Index>(), any::<u8>()), 1..4),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut packed = pack(&weights, layout);
            for (stream, place, byte) in changes {
                let stream = match stream {
                    0 => &mut packed.models,
                    1 => &mut packed.classes,
                    _ => &mut packed.bits,
                };
                if !stream.is_empty() {
                    let place = place.index(stream.len());
                    stream[place] ^= byte;
                    stream.truncate(stream.len() - cut.index(stream.len()) / 8);
                }
            }
            let mut read = vec![0; weights.len()];
            // It may still be a list of weights, another one.
            if unpack(&packed, layout, &mut read).is_none() {
                prop_assert!(packed != pack(&weights, layout));
            }
        }
    }
}
