//! Large tables.

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// Zeroed memory for a large table, on large pages where the system has them:
/// look-ups all over a table would else wait for the translation of addresses
/// more than for the memory itself.
#[derive(Debug)]
pub struct Memory {
    map: MmapMut,
}

impl Memory {
    /// Room for `len` items of type `T`, all zero.
    ///
    /// *Errors*: the system has not that much memory to give.
    pub fn zeroed<T>(len: usize) -> std::io::Result<Memory> {
        let n_bytes = len
            .checked_mul(size_of::<T>())
            .ok_or(std::io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(n_bytes.max(1))?;
        // A system without large pages is as right, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Memory { map })
    }

    /// The table as items of `T`, to read.
    #[inline(always)]
    pub fn items<T: FromBytes + Immutable>(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.map)
            .expect("maps are aligned to pages and made for their items")
    }

    /// The table as items of `T`, to read and to write.
    pub fn items_mut<T: FromBytes + IntoBytes>(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(&mut self.map)
            .expect("maps are aligned to pages and made for their items")
    }
}
