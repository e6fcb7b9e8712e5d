//! Weights as a file has them: which are not 0, and what they are.
//!
//! Both are told by what lies around a weight and was told before: the weights of
//! boards that differ by one step in one cell are alike. A number is cut into a
//! class, which is coded by asymmetric numeral systems with the frequencies of the
//! classes in its surroundings, and bits that tell it from others of its class.
//!
//! *Source*: J. Duda, Asymmetric numeral systems, arXiv 1311.2540; what it saves, in
//! docs/experiments.md, 2026-11-30.

use constriction::stream::model::SmallContiguousCategoricalEntropyModel;
use constriction::stream::stack::DefaultAnsCoder;
use constriction::stream::{Decode, Encode};

use crate::classes::{
    BitReader, BitWriter, Decoder, N_CLASSES, class_of, frequencies, get_number, of_class,
    put_number,
};

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

/// The largest base: what gaps are told by lies within the last 64 weights, where
/// there are two patterns of a group.
pub(crate) const MAX_BASE: u32 = 32;

/// How far to look for weights that are not 0 next to where the last one was: in
/// the cells one step beside it, and in the other pattern.
const SIGHT: [usize; 2] = [17, 5];
const N_GAP_CONTEXTS: usize = (SIGHT[0] + 1) * (SIGHT[1] + 1);

/// Distances between the least and the largest neighbor are told apart by their
/// bits.
const N_SPREADS: usize = 18;
const N_WEIGHT_CONTEXTS: usize = 2 + 3 * N_SPREADS;
const N_CONTEXTS: usize = N_GAP_CONTEXTS + N_WEIGHT_CONTEXTS;

/// The first context of weights with this many neighbors.
const FIRST_OF_COUNT: [usize; 5] = [0, 1, 2, 2 + N_SPREADS, 2 + 2 * N_SPREADS];

/// Which of the 64 weights before a place are not 0: the lowest bit is the one just
/// before it. All that gaps are told by is in sight of it.
#[derive(Debug, Clone, Copy, Default)]
struct Recent(u64);

impl Recent {
    /// The same behind the weight that comes after `gap` zeros.
    #[inline(always)]
    fn after(self, gap: usize) -> Recent {
        let shift = gap.min(63) as u32 + 1;
        Recent(self.0.checked_shl(shift).unwrap_or(0) | 1)
    }

    /// Of the weights from `start - back` on, how many are 0 before one is not, and
    /// `most` where that are more or the weights before `start` end.
    #[inline(always)]
    fn seen(self, start: usize, back: usize, most: usize) -> usize {
        debug_assert!((1..=64).contains(&back));
        if start < back {
            return most;
        }
        ((self.0 << (64 - back)).leading_zeros() as usize).min(most)
    }

    /// What a gap that begins at `start` is told by.
    #[inline(always)]
    fn gap_context(self, start: usize, layout: Layout) -> usize {
        let row = layout.base;
        self.seen(start, row * layout.n_members, SIGHT[0]) * (SIGHT[1] + 1)
            + self.seen(start, row, SIGHT[1])
    }
}

/// What the weight at `idx` is told by, and what it is expected to be; the weight
/// before it that is not 0, if there is one, is before `start`.
///
/// There are no branches, since none could be guessed.
#[inline(always)]
fn weight_context(weights: &[i16], idx: usize, start: usize, layout: Layout) -> (usize, i32) {
    let stride = layout.base * layout.n_members;
    let at = |is_there: bool, back: usize| match idx.checked_sub(back) {
        Some(neighbor) if is_there => i32::from(weights[neighbor]),
        _ => 0,
    };
    let in_pair = !(idx / layout.base).is_multiple_of(layout.n_members);
    let neighbors = [
        at(idx - start < 2, idx - start + 1),
        at(in_pair, layout.base),
        at(true, stride),
        at(true, stride * layout.base),
    ];
    let (mut n, mut sum, mut least, mut largest) = (0, 0, i32::MAX, i32::MIN);
    for weight in neighbors {
        let is_known = weight != 0;
        n += i32::from(is_known);
        sum += weight;
        least = least.min(if is_known { weight } else { i32::MAX });
        largest = largest.max(if is_known { weight } else { i32::MIN });
    }
    // None apart where there is one neighbor or none.
    let spread = 32 - largest.saturating_sub(least).max(0).leading_zeros();
    let context = FIRST_OF_COUNT[n as usize] + spread as usize;
    (N_GAP_CONTEXTS + context, sum / n.max(1))
}

fn zigzag(difference: i32) -> u64 {
    u64::from((difference << 1 ^ difference >> 31) as u32)
}

fn unzigzag(coded: u64) -> i64 {
    (coded >> 1) as i64 ^ -((coded & 1) as i64)
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
    let mut recent = Recent::default();
    let mut start = 0;
    let mut n_nonzero = 0_u64;
    for (idx, &weight) in weights.iter().enumerate() {
        if weight == 0 {
            continue;
        }
        let gap = idx - start;
        put(recent.gap_context(start, layout), gap as u64);
        let (context, expected) = weight_context(weights, idx, start, layout);
        put(context, zigzag(i32::from(weight) - expected));
        (recent, start) = (recent.after(gap), idx + 1);
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

/// Puts the weights that the streams tell of into place; `None` where they
/// contradict themselves. All of `weights` are 0 before.
///
/// It is compiled anew for each layout that is a constant where it is called, and is
/// much faster there: places are divided by the base.
#[inline(always)]
pub(crate) fn unpack(packed: &Packed, layout: Layout, weights: &mut [i16]) -> Option<()> {
    let (n_nonzero, decoders) = read_models(&packed.models)?;
    if !packed.classes.len().is_multiple_of(4) {
        return None;
    }
    let words = packed.classes.as_chunks::<4>().0.iter();
    let words: Vec<u32> = words.map(|&word| u32::from_le_bytes(word)).collect();
    let mut coder = DefaultAnsCoder::from_compressed(words).ok()?;
    let mut bits = BitReader::new(&packed.bits);
    let mut get = |context: usize| -> Option<u64> {
        let decoder = decoders[context].as_deref()?;
        let class = coder.decode_symbol(decoder).ok()?;
        let (least, n_bits) = of_class(class);
        Some(least + bits.get(n_bits)?)
    };
    let mut recent = Recent::default();
    let mut start = 0_usize;
    for _ in 0..n_nonzero {
        let gap = usize::try_from(get(recent.gap_context(start, layout))?).ok()?;
        let idx = start.checked_add(gap).filter(|&idx| idx < weights.len())?;
        let (context, expected) = weight_context(weights, idx, start, layout);
        let weight = i64::from(expected) + unzigzag(get(context)?);
        weights[idx] = i16::try_from(weight).ok().filter(|&weight| weight != 0)?;
        (recent, start) = (recent.after(gap), idx + 1);
    }
    (coder.is_empty() && bits.ends_here()).then_some(())
}

type Decoders = Vec<Option<Box<Decoder>>>;

/// How many weights are not 0, and the decoder for each context.
fn read_models(models: &[u8]) -> Option<(u64, Decoders)> {
    let mut models = models.iter();
    let n_nonzero = get_number(&mut models)?;
    let mut decoders = Vec::with_capacity(N_CONTEXTS);
    let mut of_context: Vec<u16> = Vec::with_capacity(N_CLASSES);
    for _ in 0..N_CONTEXTS {
        let n_classes = get_number(&mut models)?;
        if n_classes > N_CLASSES as u64 {
            return None;
        }
        of_context.clear();
        for _ in 0..n_classes {
            of_context.push(u16::try_from(get_number(&mut models)?).ok()?);
        }
        decoders.push(match n_classes {
            0 => None,
            _ => Some(Decoder::new(&of_context)?),
        });
    }
    models.next().is_none().then_some((n_nonzero, decoders))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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

    /// What a gap is told by, by looking at the weights.
    fn naive_gap_context(weights: &[i16], start: usize, layout: Layout) -> usize {
        let row = layout.base;
        let seen = |back: usize, most: usize| {
            let Some(from) = start.checked_sub(back) else {
                return most;
            };
            let mut next = weights[from..start.min(from + most)].iter();
            next.position(|&weight| weight != 0).unwrap_or(most)
        };
        seen(row * layout.n_members, SIGHT[0]) * (SIGHT[1] + 1) + seen(row, SIGHT[1])
    }

    /// What a weight is told by and expected to be, case by case.
    fn naive_weight_context(
        weights: &[i16],
        idx: usize,
        last: Option<usize>,
        layout: Layout,
    ) -> (usize, i32) {
        let stride = layout.base * layout.n_members;
        let in_pair = !(idx / layout.base).is_multiple_of(layout.n_members);
        let neighbors = [
            last.filter(|&last| idx - last < 3),
            idx.checked_sub(layout.base).filter(|_| in_pair),
            idx.checked_sub(stride),
            idx.checked_sub(stride * layout.base),
        ];
        let known = neighbors.into_iter().flatten().map(|idx| weights[idx]);
        let known: Vec<i32> = known.filter(|&weight| weight != 0).map(i32::from).collect();
        let (Some(least), Some(largest)) = (known.iter().min(), known.iter().max()) else {
            return (N_GAP_CONTEXTS, 0);
        };
        let n = known.len();
        let expected = known.iter().sum::<i32>() / n as i32;
        let spread = (largest - least).checked_ilog2().map_or(0, |bits| bits + 1);
        match n {
            1 => (N_GAP_CONTEXTS + 1, expected),
            _ => (
                N_GAP_CONTEXTS + 2 + (n - 2) * N_SPREADS + spread as usize,
                expected,
            ),
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
        /// As files have been written, whatever became faster since.
        #[test]
        fn contexts_are_what_they_were(weights in all_weights(), layout in layouts()) {
            let (mut recent, mut start, mut last) = (Recent::default(), 0, None);
            for (idx, _) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0) {
                let context = recent.gap_context(start, layout);
                prop_assert_eq!(context, naive_gap_context(&weights, start, layout));
                let context = weight_context(&weights, idx, start, layout);
                prop_assert_eq!(context, naive_weight_context(&weights, idx, last, layout));
                (recent, last) = (recent.after(idx - start), Some(idx));
                start = idx + 1;
            }
        }

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
