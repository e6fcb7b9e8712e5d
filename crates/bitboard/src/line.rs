//! What slides make of lines, tabulated.

use crate::grid::Grid;

/// The longest line of any grid, in cells.
pub const MAX_LINE: usize = 4;

/// Storage of one direction of a [`LineTable`]: for every packed line, the
/// line after the slide and the gain.
///
/// The size is part of the type and a line is masked to it, so that looking
/// one up needs no bounds check.
pub trait LineStore: Send + Sync + 'static {
    /// Number of slots: every line is below it.
    const LEN: usize;
    /// Room for all lines, of which nothing is known until [`LineStore::set`].
    fn unset() -> Self;
    /// The line that a slide makes of `line`.
    fn after(&self, line: usize) -> usize;
    /// The gain of that slide on this line, in points.
    fn gain(&self, line: usize) -> i32;
    /// Stores what the slide makes of `line`.
    fn set(&mut self, line: usize, after: usize, gain: i32);
}

/// Zeros that take no memory before they are written to: only one in ten of the
/// slots of five-bit lines is a line.
fn zeros<T: Copy + From<u8>, const N: usize>() -> Box<[T; N]> {
    let filled: Box<[T]> = vec![T::from(0); N].into_boxed_slice();
    match filled.try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("there are N items"),
    }
}

/// Lines of up to four cells of four bits (384 KiB).
pub struct Lines16 {
    after: Box<[u16; 1 << 16]>,
    gain: Box<[i32; 1 << 16]>,
}

impl LineStore for Lines16 {
    const LEN: usize = 1 << 16;

    fn unset() -> Self {
        Lines16 {
            after: zeros(),
            gain: zeros(),
        }
    }

    #[inline(always)]
    fn after(&self, line: usize) -> usize {
        self.after[line & 0xffff] as usize
    }

    #[inline(always)]
    fn gain(&self, line: usize) -> i32 {
        self.gain[line & 0xffff]
    }

    fn set(&mut self, line: usize, after: usize, gain: i32) {
        self.after[line] = after as u16;
        self.gain[line] = gain;
    }
}

/// Lines of four cells of five bits (8 MiB of address space, of which a third is
/// memory and play touches little: see [`crate::Word80`]).
pub struct Lines20 {
    after: Box<[u32; 1 << 20]>,
    gain: Box<[i32; 1 << 20]>,
}

impl LineStore for Lines20 {
    const LEN: usize = 1 << 20;

    fn unset() -> Self {
        Lines20 {
            after: zeros(),
            gain: zeros(),
        }
    }

    #[inline(always)]
    fn after(&self, line: usize) -> usize {
        self.after[line & 0xf_ffff] as usize
    }

    #[inline(always)]
    fn gain(&self, line: usize) -> i32 {
        self.gain[line & 0xf_ffff]
    }

    fn set(&mut self, line: usize, after: usize, gain: i32) {
        self.after[line] = after as u32;
        self.gain[line] = gain;
    }
}

/// For every line of a grid, what a slide to its start and one to its end make
/// of it, and the gain of each.
///
/// The gain is kept for both directions: in akioi they differ.
pub struct LineTable<G: Grid> {
    to_start: G::Lines,
    to_end: G::Lines,
}

impl<G: Grid> LineTable<G> {
    /// Tabulates a line rule over all lines of the grid's rows.
    ///
    /// `rule` gets the cell codes of a line, listed from the edge the tiles
    /// slide towards, changes them to what the slide makes of them, and
    /// returns the gain in points. This crate knows no rule.
    ///
    /// *Cost*: one call for each of [`Grid::CELL_KINDS`]^[`Grid::COLS`] lines
    /// and direction.
    pub fn new(rule: impl Fn(&mut [u8]) -> i32) -> LineTable<G> {
        let mut table: LineTable<G> = LineTable {
            to_start: G::Lines::unset(),
            to_end: G::Lines::unset(),
        };
        for_each_line::<G>(|codes| {
            let line = G::pack_line(codes);
            let mut slid = [0; MAX_LINE];
            let slid = &mut slid[..G::COLS];
            slid.copy_from_slice(codes);
            let gain = rule(slid);
            table.to_start.set(line, G::pack_line(slid), gain);

            slid.copy_from_slice(codes);
            slid.reverse();
            let gain = rule(slid);
            slid.reverse();
            table.to_end.set(line, G::pack_line(slid), gain);
        });
        table
    }

    /// The lines for a slide to the start (`false`) or to the end of a line.
    #[inline(always)]
    pub fn towards(&self, end: bool) -> &G::Lines {
        if end { &self.to_end } else { &self.to_start }
    }
}

/// Calls `f` with the cell codes of every line of a row of the grid.
fn for_each_line<G: Grid>(mut f: impl FnMut(&[u8])) {
    let mut codes = [0_u8; MAX_LINE];
    let codes = &mut codes[..G::COLS];
    loop {
        f(codes);
        let Some(grows) = codes
            .iter()
            .position(|&code| code as usize + 1 < G::CELL_KINDS)
        else {
            return;
        };
        codes[..grows].fill(0);
        codes[grows] += 1;
    }
}

/// A value for every line of a grid's rows.
#[derive(Debug, Clone)]
pub struct LineMap<G: Grid, T> {
    values: Box<[T]>,
    grid: core::marker::PhantomData<G>,
}

impl<G: Grid, T: Copy + Default> LineMap<G, T> {
    /// Tabulates `f` of the cell codes, listed from column 0, of every line.
    pub fn new(f: impl Fn(&[u8]) -> T) -> LineMap<G, T> {
        let mut values = vec![T::default(); G::Lines::LEN].into_boxed_slice();
        for_each_line::<G>(|codes| values[G::pack_line(codes)] = f(codes));
        LineMap {
            values,
            grid: core::marker::PhantomData,
        }
    }

    /// The value of `line`.
    ///
    /// *Panics*: when `line` is no line of the grid's kind.
    #[inline(always)]
    pub fn get(&self, line: usize) -> &T {
        &self.values[line]
    }
}
