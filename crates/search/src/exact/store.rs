//! Layers in memory, or in a scratch file where memory is bounded.

use core::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use afterstate_bitboard::WordGrid;

use super::keys::Keys;
use super::solution::SolveError;

/// Opens a file to write to and to read from, at the first need for one. The
/// caller sees to it that it vanishes.
pub type Scratch = Box<dyn FnOnce() -> io::Result<File> + Send>;

/// What a store keeps: a list of numbers of a fixed size.
pub(super) trait Block: Sized {
    /// What is needed beside the bytes to read a block back; always in memory.
    type Shape: fmt::Debug;

    fn shape(&self) -> Self::Shape;
    fn bytes(&self) -> u64;
    fn write(&self, to: &mut dyn Write) -> io::Result<()>;
    fn read(shape: Self::Shape, from: &mut dyn Read) -> io::Result<Self>;
}

/// A block, wherever it is.
#[derive(Debug)]
pub(super) enum Stored<B: Block> {
    Memory(Arc<B>),
    Disk { offset: u64, shape: B::Shape },
}

/// Room for blocks.
pub(super) struct Store {
    limit_bytes: u64,
    scratch: Option<Scratch>,
    file: Option<File>,
    resident_bytes: u64,
    working_bytes: u64,
    peak_bytes: u64,
    spilled_bytes: u64,
}

/// Memory that must be free beside all that is kept, so that it is not an
/// allocation somewhere else that fails.
const HEADROOM: u64 = 32 << 20;

impl Store {
    pub(super) fn new(limit_bytes: u64, scratch: Option<Scratch>) -> Store {
        Store {
            limit_bytes,
            scratch,
            file: None,
            resident_bytes: 0,
            working_bytes: 0,
            peak_bytes: 0,
            spilled_bytes: 0,
        }
    }

    /// The most bytes that were in use at a time.
    pub(super) fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// Bytes written to the scratch file.
    pub(super) fn spilled_bytes(&self) -> u64 {
        self.spilled_bytes
    }

    /// Notes that work on one layer takes this much beside the blocks.
    ///
    /// *Errors*: that is more than half of what is allowed.
    pub(super) fn work_with(&mut self, bytes: u64) -> Result<(), SolveError> {
        self.working_bytes = self.working_bytes.max(bytes);
        self.peak_bytes = self.peak_bytes.max(self.resident_bytes + bytes);
        if bytes > self.limit_bytes / 2 {
            return Err(self.too_much(2 * bytes));
        }
        Ok(())
    }

    /// Keeps a block: in memory as long as blocks take at most half of what is
    /// allowed, since how much the work on later layers takes is not known yet.
    ///
    /// *Errors*: there is no room for it in memory and none on disk.
    pub(super) fn keep<B: Block>(&mut self, block: Arc<B>) -> Result<Stored<B>, SolveError> {
        let bytes = block.bytes();
        let resident_bytes = self.resident_bytes + bytes;
        if resident_bytes <= self.limit_bytes / 2 && self.has_headroom() {
            self.resident_bytes = resident_bytes;
            self.peak_bytes = self.peak_bytes.max(resident_bytes);
            return Ok(Stored::Memory(block));
        }
        if self.file.is_none() {
            let Some(open) = self.scratch.take() else {
                return Err(self.too_much(2 * resident_bytes.max(self.working_bytes)));
            };
            self.file = Some(open().map_err(SolveError::Scratch)?);
        }
        let file = self.file.as_mut().expect("a scratch file is open");
        let offset = self.spilled_bytes;
        file.seek(SeekFrom::Start(offset))
            .and_then(|_| block.write(file))
            .map_err(SolveError::Scratch)?;
        self.spilled_bytes += bytes;
        Ok(Stored::Disk {
            offset,
            shape: block.shape(),
        })
    }

    /// Gives a block out for good.
    pub(super) fn take<B: Block>(&mut self, stored: Stored<B>) -> Result<Arc<B>, SolveError> {
        match stored {
            Stored::Memory(block) => {
                self.resident_bytes -= block.bytes();
                Ok(block)
            }
            Stored::Disk { offset, shape } => {
                let file = self.file.as_mut().expect("what is on disk is in the file");
                file.seek(SeekFrom::Start(offset))
                    .and_then(|_| B::read(shape, file))
                    .map(Arc::new)
                    .map_err(SolveError::Scratch)
            }
        }
    }

    /// Whether the system would give some more memory.
    fn has_headroom(&self) -> bool {
        let bytes = usize::try_from(HEADROOM + self.working_bytes).unwrap_or(usize::MAX);
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    }

    fn too_much(&self, needed_bytes: u64) -> SolveError {
        SolveError::Memory {
            needed_bytes,
            limit_bytes: self.limit_bytes,
        }
    }
}

/// Numbers that are written and read through a buffer.
const BUFFER_LEN: usize = 8192;

/// Writes numbers, each as the `N` bytes that `bytes` makes of it.
fn write_numbers<T: Copy, const N: usize>(
    to: &mut dyn Write,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(N * BUFFER_LEN);
    for chunk in numbers.chunks(BUFFER_LEN) {
        buffer.clear();
        buffer.extend(chunk.iter().flat_map(|&number| bytes(number)));
        to.write_all(&buffer)?;
    }
    Ok(())
}

/// Reads `n` numbers, each from `N` bytes.
fn read_numbers<T, const N: usize>(
    from: &mut dyn Read,
    n: usize,
    number: impl Fn([u8; N]) -> T,
) -> io::Result<Vec<T>> {
    let mut numbers = Vec::with_capacity(n);
    let mut buffer = vec![0; N * BUFFER_LEN];
    while numbers.len() < n {
        let chunk = &mut buffer[..N * BUFFER_LEN.min(n - numbers.len())];
        from.read_exact(chunk)?;
        let (words, _) = chunk.as_chunks();
        numbers.extend(words.iter().map(|&word| number(word)));
    }
    Ok(numbers)
}

pub(super) fn write_u32s(to: &mut dyn Write, numbers: &[u32]) -> io::Result<()> {
    write_numbers(to, numbers, u32::to_le_bytes)
}

pub(super) fn read_u32s(from: &mut dyn Read, n: usize) -> io::Result<Vec<u32>> {
    read_numbers(from, n, u32::from_le_bytes)
}

pub(super) fn write_f64s(to: &mut dyn Write, numbers: &[f64]) -> io::Result<()> {
    write_numbers(to, numbers, f64::to_le_bytes)
}

pub(super) fn read_f64s(from: &mut dyn Read, n: usize) -> io::Result<Vec<f64>> {
    read_numbers(from, n, f64::from_le_bytes)
}

impl<G: WordGrid> Block for Keys<G> {
    type Shape = Vec<u32>;

    fn shape(&self) -> Vec<u32> {
        self.starts().to_vec()
    }

    fn bytes(&self) -> u64 {
        Keys::bytes(self)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_u32s(to, self.low())
    }

    fn read(starts: Vec<u32>, from: &mut dyn Read) -> io::Result<Keys<G>> {
        let n = starts.last().map_or(0, |&n| n as usize);
        let low = read_u32s(from, n)?;
        Keys::from_parts(starts, low).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

impl Block for Vec<f64> {
    type Shape = usize;

    fn shape(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> u64 {
        8 * self.len() as u64
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_f64s(to, self)
    }

    fn read(n: usize, from: &mut dyn Read) -> io::Result<Vec<f64>> {
        read_f64s(from, n)
    }
}
