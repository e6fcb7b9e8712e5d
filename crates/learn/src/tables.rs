//! The weights in training, and how an error changes them.

use core::sync::atomic::{AtomicU32, Ordering};

use afterstate_ntuple::{Memory, Weight, prefetch};
use serde::{Deserialize, Serialize};

/// How a weight follows the errors of the values it had a part in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Method {
    /// Temporal differences with a fixed rate: each weight takes its share of
    /// `rate` × the error.
    Td {
        /// The rate.
        rate: f32,
    },
    /// Temporal coherence: the rate of a weight is `rate` × |sum of its errors|
    /// ÷ sum of their absolute values, and falls where errors change sign.
    ///
    /// *Source*: D. F. Beal and M. C. Smith, Temporal coherence and prediction
    /// decay in TD learning (1999); for 2048 W. Jaskowski, arXiv 1604.05085.
    Tc {
        /// The rate of a weight whose errors all had one sign.
        rate: f32,
    },
}

/// A number that several workers read and write without waiting for each
/// other: a write may be lost to another worker's, and nothing else can happen.
#[derive(zerocopy::FromBytes, zerocopy::IntoBytes)]
#[repr(transparent)]
pub(crate) struct Cell(AtomicU32);

impl Cell {
    #[inline(always)]
    pub(crate) fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline(always)]
    pub(crate) fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

impl Weight for Cell {
    type Sum = f32;

    #[inline(always)]
    fn term(&self) -> f32 {
        self.get()
    }
}

/// The sum of a weight's errors, and of their absolute values.
#[derive(zerocopy::FromBytes, zerocopy::IntoBytes)]
#[repr(C)]
pub(crate) struct Errors {
    pub(crate) sum: Cell,
    pub(crate) absolute: Cell,
}

/// Weights, and with temporal coherence the errors of each.
#[derive(Debug)]
pub struct Tables {
    weights: Memory,
    errors: Option<Memory>,
    method: Method,
    n_tuples: usize,
}

/// Tables that the workers of one process share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) weights: &'a [Cell],
    errors: &'a [Errors],
    method: Method,
    n_tuples: usize,
}

impl Tables {
    /// Weights of 0.
    ///
    /// *Cost*: 4 bytes a weight, 12 with temporal coherence.
    ///
    /// *Errors*: the system has not that much memory to give.
    pub fn zeroed(n_weights: usize, n_tuples: usize, method: Method) -> std::io::Result<Tables> {
        let errors = match method {
            Method::Td { .. } => None,
            Method::Tc { .. } => Some(Memory::zeroed::<Errors>(n_weights)?),
        };
        Ok(Tables {
            weights: Memory::zeroed::<Cell>(n_weights)?,
            errors,
            method,
            n_tuples,
        })
    }

    /// The weights.
    pub fn weights(&self) -> &[f32] {
        self.weights.items()
    }

    /// Gives every weight the same value.
    pub(crate) fn fill(&mut self, value: f32) {
        self.weights_mut().fill(value);
    }

    /// The weights, to write.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        self.weights.items_mut()
    }

    /// With temporal coherence, of each weight the sum of its errors and of
    /// their absolute values; else nothing.
    pub fn errors(&self) -> &[[f32; 2]] {
        self.errors.as_ref().map_or(&[], |errors| errors.items())
    }

    /// The errors, to write.
    pub fn errors_mut(&mut self) -> &mut [[f32; 2]] {
        self.errors
            .as_mut()
            .map_or(&mut [], |errors| errors.items_mut())
    }

    pub(crate) fn shared(&mut self) -> Shared<'_> {
        Shared {
            weights: self.weights.items_mut(),
            errors: self
                .errors
                .as_mut()
                .map_or(&[], |errors| errors.items_mut()),
            method: self.method,
            n_tuples: self.n_tuples,
        }
    }
}

impl Shared<'_> {
    /// Asks for what [`Shared::update`] of these weights needs.
    #[inline(always)]
    pub(crate) fn prefetch_errors(&self, indices: &[u32]) {
        if !self.errors.is_empty() {
            for &idx in &indices[..self.n_tuples] {
                prefetch(self.errors, idx as usize);
            }
        }
    }

    /// Moves the sum of these weights towards `target`.
    ///
    /// The error is that of the sum as it is now. Since it was last looked at,
    /// the update of the board before has changed many of the same weights; to
    /// correct again what that corrected diverges at rates near 1.
    #[inline(always)]
    pub(crate) fn update(&self, indices: &[u32], target: f32) {
        let indices = &indices[..self.n_tuples];
        let error = target - self.sum(indices);
        match self.method {
            Method::Td { rate } => {
                let step = rate * error / self.n_tuples as f32;
                for &idx in indices {
                    let weight = &self.weights[idx as usize];
                    weight.set(weight.get() + step);
                }
            }
            Method::Tc { rate } => {
                let step = rate * error / self.n_tuples as f32;
                for &idx in indices {
                    let weight = &self.weights[idx as usize];
                    let errors = &self.errors[idx as usize];
                    let (sum, absolute) = (errors.sum.get(), errors.absolute.get());
                    let coherence = if absolute == 0.0 {
                        1.0
                    } else {
                        sum.abs() / absolute
                    };
                    weight.set(weight.get() + step * coherence);
                    errors.sum.set(sum + error);
                    errors.absolute.set(absolute + error.abs());
                }
            }
        }
    }

    /// The sum of these weights as they are now.
    #[inline(always)]
    pub(crate) fn sum(&self, indices: &[u32]) -> f32 {
        // Four sums at once wait a quarter as long for each other as one.
        let (fours, others) = indices[..self.n_tuples].as_chunks::<4>();
        let weight = |idx: u32| self.weights[idx as usize].get();
        let sums = fours.iter().fold([0.0; 4], |sums: [f32; 4], four| {
            core::array::from_fn(|lane| sums[lane] + weight(four[lane]))
        });
        let rest: f32 = others.iter().map(|&idx| weight(idx)).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }
}
