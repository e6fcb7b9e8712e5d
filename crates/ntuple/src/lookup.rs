//! Looking weights up: the hot loop of everything that plays by a network.
#![allow(unsafe_code)]

use core::ops::AddAssign;

use crate::index::Indices;

/// A weight in a table.
pub trait Weight {
    /// What weights are added up as.
    type Sum: Copy + Default + AddAssign;

    /// The weight as a term of a sum.
    fn term(&self) -> Self::Sum;
}

impl Weight for i16 {
    type Sum = i32;

    #[inline(always)]
    fn term(&self) -> i32 {
        i32::from(*self)
    }
}

/// The sums of the weights with these indices, for each of four boards.
///
/// *Panics*: when the table is shorter than the indices may be large.
#[inline(always)]
pub fn sums<W: Weight>(weights: &[W], indices: &Indices) -> [W::Sum; 4] {
    assert!(
        indices.bound() <= weights.len(),
        "a table holds all that is asked for"
    );
    let mut sums = [W::Sum::default(); 4];
    for row in indices.rows() {
        for (sum, &index) in sums.iter_mut().zip(row) {
            debug_assert!((index as usize) < weights.len());
            // SAFETY: `TupleIndex::of`, the only one that writes indices, keeps
            // them below their bound, and that is within the table.
            *sum += unsafe { weights.get_unchecked(index as usize) }.term();
        }
    }
    sums
}

/// Asks the processor to bring the weights with these indices near, while other
/// work goes on. Nothing that a program could see happens.
#[inline(always)]
pub fn prefetch_all<W>(weights: &[W], indices: &Indices) {
    for row in indices.rows() {
        for &index in row {
            prefetch(weights, index as usize);
        }
    }
}

/// The same for one item. It does nothing else, whatever `idx` is, and nothing
/// at all on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(items: &[T], idx: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = items.as_ptr().wrapping_add(idx).cast::<i8>();
        // SAFETY: the instruction reads nothing that the program could see and
        // never faults, whatever the address; every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (items, idx);
}
