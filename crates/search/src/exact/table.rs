//! A table of afterstates with their values, to play by.

use core::fmt;
use std::io::{self, Read};

use afterstate_bitboard::{Board, Slide, WordGrid};
use afterstate_rules::Rules;

use super::keys::{Keys, part_bits};
use super::problem::Problem;
use super::table_file::{Checksum, Header, MAGIC, PREFIX_LEN, VERSION, layer_bytes};

/// The value of every afterstate that games can come to.
///
/// Made by [`super::Solution::write_table`], read back here.
///
/// *Cost*: 12 bytes for each afterstate up to symmetry, 377 MB for 3x3.
#[derive(Debug)]
pub struct Table<R: Rules>
where
    R::Grid: WordGrid,
{
    problem: Problem<R>,
    value: f64,
    /// In ascending order of sums.
    layers: Vec<TableLayer<R::Grid>>,
}

#[derive(Debug)]
struct TableLayer<G> {
    sum: u32,
    keys: Keys<G>,
    values: Vec<f64>,
}

/// Why a file is not the table that was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// It cannot be read.
    Read(io::Error),
    /// It does not begin like one.
    NotATable,
    /// It is of another version of the format.
    Version {
        /// The version of the file.
        found: u32,
    },
    /// It is about something else.
    Foreign {
        /// What differs.
        what: &'static str,
        /// What the table is about.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// It is shorter or longer than it says.
    Length {
        /// Its length in bytes.
        found: u64,
        /// The length it should have; none where already the header ends early.
        wanted: Option<u64>,
    },
    /// A checksum does not agree, or what it holds contradicts itself.
    Damaged {
        /// The sum of tiles of the layer; none for the header.
        layer: Option<u32>,
    },
    /// There is not enough memory for it.
    Memory {
        /// What is needed, in bytes.
        needed_bytes: u64,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Read(_) => f.write_str("the table cannot be read"),
            TableError::NotATable => {
                f.write_str("not a table of exact values, expected one that `exact --table` wrote")
            }
            TableError::Version { found } => {
                write!(f, "a table of version {found}, expected version {VERSION}")
            }
            TableError::Foreign {
                what,
                found,
                wanted,
            } => write!(f, "a table for {what} {found}, expected {what} {wanted}"),
            TableError::Length {
                found,
                wanted: Some(wanted),
            } => write!(
                f,
                "the table has {found} bytes, expected {wanted}: it is cut off or mixed up"
            ),
            TableError::Length { found, .. } => {
                write!(f, "the table is cut off after {found} bytes, in its header")
            }
            TableError::Damaged { layer: None } => {
                f.write_str("the table is damaged: its header does not have its checksum")
            }
            TableError::Damaged { layer: Some(sum) } => write!(
                f,
                "the table is damaged: the layer of tile sum {sum} does not have its checksum"
            ),
            TableError::Memory { needed_bytes } => write!(
                f,
                "the table needs {} MiB of memory, which the system does not give",
                needed_bytes.div_ceil(1 << 20)
            ),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TableError::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl<R: Rules> Table<R>
where
    R::Grid: WordGrid,
{
    /// Reads the table of `problem` from a file of `n_bytes` bytes.
    ///
    /// *Errors*: it is no table, one of something else, or not whole. Nothing
    /// large is allocated before its header and length are found to be right.
    pub fn read(
        problem: &Problem<R>,
        from: &mut dyn Read,
        n_bytes: u64,
    ) -> Result<Table<R>, TableError> {
        let (header_bytes, layers_at) = read_header(from, n_bytes)?;
        let damaged = TableError::Damaged { layer: None };
        let Some((header, contents)) = Header::parse(&header_bytes) else {
            return Err(damaged);
        };
        if let Some((what, found, wanted)) = header.difference(&Header::new(problem)) {
            return Err(TableError::Foreign {
                what,
                found,
                wanted,
            });
        }
        if !contents.layers.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(damaged);
        }
        let wanted = contents
            .layers
            .iter()
            .try_fold(layers_at, |sum: u64, &(_, n)| {
                sum.checked_add(layer_bytes::<R::Grid>(n)?)
            })
            .ok_or(damaged)?;
        if wanted != n_bytes {
            return Err(TableError::Length {
                found: n_bytes,
                wanted: Some(wanted),
            });
        }
        let out_of_memory = TableError::Memory {
            needed_bytes: n_bytes,
        };
        // What the layers take, asked for in one piece first.
        let n_wanted = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        if Vec::<u8>::new().try_reserve_exact(n_wanted).is_err() {
            return Err(out_of_memory);
        }
        let layers = contents
            .layers
            .into_iter()
            .map(|(sum, n)| read_layer(from, sum, n as usize))
            .collect::<Result<_, _>>()?;
        Ok(Table {
            problem: problem.clone(),
            value: contents.value,
            layers,
        })
    }

    /// The problem that the table answers.
    pub fn problem(&self) -> &Problem<R> {
        &self.problem
    }

    /// The value of best play from the opening.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Number of afterstates, up to symmetry.
    pub fn len(&self) -> usize {
        self.layers.iter().map(|layer| layer.values.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of an afterstate; `None` for a board that is none in a game.
    pub fn after_value(&self, after: Board<R::Grid>) -> Option<f64> {
        if self.problem.is_ended(after) {
            return Some(self.problem.ended_value());
        }
        let sum = u32::try_from(after.tile_sum()).ok()?;
        let at = self
            .layers
            .binary_search_by_key(&sum, |layer| layer.sum)
            .ok()?;
        let layer = &self.layers[at];
        let idx = layer.keys.find(after.canonical())?;
        Some(layer.values[idx])
    }

    /// The value of each slide, gain included, in the order of [`Slide::ALL`];
    /// none for slides that are not legal. `None` for a board that no game comes
    /// to. Where the game has ended, no slide has a value.
    ///
    /// Symmetric boards have the same values to the last bit.
    pub fn slide_values(&self, board: Board<R::Grid>) -> Option<[Option<f64>; 4]> {
        let mut values = [None; 4];
        if self.problem.is_ended(board) {
            return Some(values);
        }
        for slide in Slide::ALL {
            if let Some(after) = self.problem.rules().apply(board, slide) {
                let gain = self.problem.gain_weight() * f64::from(after.gain);
                values[slide.idx()] = Some(gain + self.after_value(after.board)?);
            }
        }
        Some(values)
    }
}

/// The header without its checksum, and where the layers begin.
fn read_header(from: &mut dyn Read, n_bytes: u64) -> Result<(Vec<u8>, u64), TableError> {
    let mut prefix = [0; PREFIX_LEN];
    let n_prefix = usize::try_from(n_bytes).map_or(PREFIX_LEN, |n| n.min(PREFIX_LEN));
    from.read_exact(&mut prefix[..n_prefix])
        .map_err(TableError::Read)?;
    let n_magic = n_prefix.min(MAGIC.len());
    if n_magic == 0 || prefix[..n_magic] != MAGIC[..n_magic] {
        return Err(TableError::NotATable);
    }
    let cut_off = TableError::Length {
        found: n_bytes,
        wanted: None,
    };
    let (Some(&version), Some(&length)) = (
        prefix[..n_prefix].get(8..12).and_then(<[u8]>::first_chunk),
        prefix[..n_prefix].get(12..16).and_then(<[u8]>::first_chunk),
    ) else {
        return Err(cut_off);
    };
    let (version, length) = (u32::from_le_bytes(version), u32::from_le_bytes(length));
    if version != VERSION {
        return Err(TableError::Version { found: version });
    }
    let layers_at = u64::from(length) + 8;
    if (length as usize) < PREFIX_LEN || length > MAX_HEADER {
        return Err(TableError::Damaged { layer: None });
    }
    if layers_at > n_bytes {
        return Err(cut_off);
    }
    let mut bytes = vec![0; length as usize];
    bytes[..PREFIX_LEN].copy_from_slice(&prefix);
    from.read_exact(&mut bytes[PREFIX_LEN..])
        .map_err(TableError::Read)?;
    let mut checksum = Checksum::new();
    checksum.update(&bytes);
    if read_u64(from)? != checksum.value() {
        return Err(TableError::Damaged { layer: None });
    }
    Ok((bytes, layers_at))
}

/// The longest header that is believed: those of 3x3 have 12 KB.
const MAX_HEADER: u32 = 1 << 20;

fn read_u64(from: &mut dyn Read) -> Result<u64, TableError> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes).map_err(TableError::Read)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_layer<G: WordGrid>(
    from: &mut dyn Read,
    sum: u32,
    n: usize,
) -> Result<TableLayer<G>, TableError> {
    let mut summing = Summing {
        from,
        checksum: Checksum::new(),
    };
    let starts = super::store::read_u32s(&mut summing, (1 << part_bits::<G>()) + 1);
    let starts = starts.map_err(TableError::Read)?;
    let low = super::store::read_u32s(&mut summing, n).map_err(TableError::Read)?;
    let values = super::store::read_f64s(&mut summing, n).map_err(TableError::Read)?;
    let checksum = summing.checksum.value();
    let is_whole = read_u64(from)? == checksum;
    let keys = Keys::from_parts(starts, low).filter(|_| is_whole);
    let keys = keys.ok_or(TableError::Damaged { layer: Some(sum) })?;
    Ok(TableLayer { sum, keys, values })
}

/// Reads on, and adds up.
struct Summing<'a> {
    from: &'a mut dyn Read,
    checksum: Checksum,
}

impl Read for Summing<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(bytes)?;
        self.checksum.update(&bytes[..n]);
        Ok(n)
    }
}
