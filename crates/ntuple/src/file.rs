//! Networks in files.
//!
//! ```text
//! 8 bytes  AFTERNET
//! u32      version
//! u32      length h of the header
//! h bytes  the header (bincode)
//! u64      checksum (XXH64) of all before
//! then, for each stage and group of patterns, three streams:
//!   u32    length z of the stream
//!   z bytes  the stream
//! u64      checksum (XXH64) of all streams
//! ```
//!
//! The streams of a group say which of its weights are not 0 and what they are
//! (`packing.rs`): frequencies (zstd), classes, bits. All numbers are
//! little-endian.

use core::fmt;
use std::io::{self, Read, Write};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use crate::grid::TupleGrid;
use crate::network::{Ends, Network, Stages};
use crate::packing::{Layout, MAX_BASE, Packed, pack, unpack};
use crate::pattern::PatternSet;

const MAGIC: [u8; 8] = *b"AFTERNET";

/// The version of the format.
const VERSION: u32 = 2;

/// The longest header, in bytes.
const MAX_HEADER: u32 = 1 << 16;

/// The most weights of a network, all stages together: 8 GiB in memory.
const MAX_WEIGHTS: u64 = 1 << 32;

/// What a network is and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkHeader {
    /// The variant of the game by name.
    pub variant: String,
    /// The tiles that spawn, with their weights.
    pub spawns: Vec<(i32, u32)>,
    /// What it plays for, by name.
    pub objective: String,
    /// How much a point of gain counts in its values.
    pub gain_weight: f32,
    /// The value of a board that clears the game.
    pub cleared: f32,
    /// The patterns as lists of cells.
    pub patterns: String,
    /// Kinds of cells that it tells apart.
    pub base: u32,
    /// The exponents of the largest tiles with which new stages begin.
    pub stages: Vec<u8>,
    /// What a weight of 1 is worth.
    pub unit: f32,
    /// The exponent of the largest tile that it was trained with.
    pub top: u8,
    /// How it was trained: names and values, in order.
    pub training: Vec<(String, String)>,
}

/// Why a file is not a network, or not the one that is needed.
#[derive(Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// It could not be read or written.
    Io(io::Error),
    /// It is something else.
    NotANetwork,
    /// It is of another version of the format.
    Version {
        /// That version.
        found: u32,
    },
    /// It ends too early.
    Truncated,
    /// It is not what was written.
    Damaged {
        /// The part that does not match its checksum or contradicts itself.
        part: &'static str,
    },
    /// It asks for more than a network can be.
    TooLarge {
        /// The number of weights.
        n_weights: u64,
    },
    /// It is a network for something else.
    Other {
        /// What differs.
        what: &'static str,
        /// That of the file.
        found: String,
        /// What is needed.
        wanted: String,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Io(error) => error.fmt(f),
            NetworkError::NotANetwork => f.write_str("not a network"),
            NetworkError::Version { found } => write!(
                f,
                "a network of version {found}: this program reads version {VERSION}"
            ),
            NetworkError::Truncated => f.write_str("the network ends too early"),
            NetworkError::Damaged { part } => write!(f, "the network's {part} is damaged"),
            NetworkError::TooLarge { n_weights } => write!(
                f,
                "a network of {n_weights} weights: there may be {MAX_WEIGHTS} at most"
            ),
            NetworkError::Other {
                what,
                found,
                wanted,
            } => {
                write!(f, "a network for {what} {found}: expected one for {wanted}")
            }
        }
    }
}

impl std::error::Error for NetworkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NetworkError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for NetworkError {
    fn from(error: io::Error) -> NetworkError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => NetworkError::Truncated,
            _ => NetworkError::Io(error),
        }
    }
}

const HASH_SEED: u64 = 0;

fn read_array<const N: usize>(from: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads `n` bytes; takes memory only as they come.
fn read_bytes(from: &mut dyn Read, n: u64) -> Result<Vec<u8>, NetworkError> {
    let mut bytes = Vec::new();
    let n_read = from.take(n).read_to_end(&mut bytes)?;
    if (n_read as u64) < n {
        return Err(NetworkError::Truncated);
    }
    Ok(bytes)
}

impl NetworkHeader {
    /// What a network is for and where it comes from; what it knows of itself is
    /// filled in by [`Network::write`].
    pub fn about(
        variant: &str,
        spawns: &[(i32, u32)],
        objective: &str,
        training: &[(&str, &str)],
    ) -> NetworkHeader {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        NetworkHeader {
            variant: variant.to_owned(),
            spawns: spawns.to_vec(),
            objective: objective.to_owned(),
            gain_weight: 0.0,
            cleared: 0.0,
            patterns: String::new(),
            base: 0,
            stages: Vec::new(),
            unit: 0.0,
            top: 0,
            training: training.iter().map(owned).collect(),
        }
    }

    /// Reads what a network says of itself, up to where its weights begin.
    ///
    /// *Errors*: it is no network of this version, or damaged.
    pub fn read(from: &mut dyn Read) -> Result<NetworkHeader, NetworkError> {
        let magic: [u8; 8] = read_array(from).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => NetworkError::NotANetwork,
            _ => NetworkError::Io(error),
        })?;
        if magic != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        let version = u32::from_le_bytes(read_array(from)?);
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let length = u32::from_le_bytes(read_array(from)?);
        let damaged = NetworkError::Damaged { part: "header" };
        if length > MAX_HEADER {
            return Err(damaged);
        }
        let bytes = read_bytes(from, length.into())?;
        let checksum = u64::from_le_bytes(read_array(from)?);
        if checksum != header_hash(&bytes) {
            return Err(damaged);
        }
        let config = bincode::config::standard();
        match bincode::serde::decode_from_slice(&bytes, config) {
            Ok((header, n_read)) if n_read == bytes.len() => Ok(header),
            _ => Err(damaged),
        }
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let bytes = bincode::serde::encode_to_vec(self, bincode::config::standard())
            .map_err(io::Error::other)?;
        to.write_all(&MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&(bytes.len() as u32).to_le_bytes())?;
        to.write_all(&bytes)?;
        to.write_all(&header_hash(&bytes).to_le_bytes())
    }

    /// The value that training gave the name.
    pub fn training(&self, name: &str) -> Option<&str> {
        let named = self.training.iter().find(|(each, _)| each == name);
        named.map(|(_, value)| value.as_str())
    }
}

/// The hash of all that comes before it: magic, version, length, header.
fn header_hash(bytes: &[u8]) -> u64 {
    let mut before = Vec::with_capacity(16 + bytes.len());
    before.extend(MAGIC);
    before.extend(VERSION.to_le_bytes());
    before.extend((bytes.len() as u32).to_le_bytes());
    before.extend(bytes);
    XxHash64::oneshot(HASH_SEED, &before)
}

impl<G: TupleGrid> Network<G> {
    /// Writes the network. Patterns, stages and whatever else it knows of itself
    /// are put into the header as they are.
    ///
    /// *Errors*: it cannot be written.
    pub fn write(&self, header: &NetworkHeader, to: &mut dyn Write) -> io::Result<()> {
        let header = NetworkHeader {
            patterns: self.patterns().cells(),
            stages: self.stages().exponents().to_vec(),
            base: G::BASE,
            unit: self.unit(),
            top: self.top(),
            gain_weight: self.ends().gain_weight,
            cleared: self.ends().cleared,
            ..header.clone()
        };
        header.write(to)?;
        let mut hasher = XxHash64::with_seed(HASH_SEED);
        for stage in self.weights().chunks(self.index().n_weights()) {
            for (members, range) in self.index().groups() {
                let packed = pack(&stage[range], layout::<G>(members.len()));
                let models = compress_to_vec(&packed.models[..], CompressionLevel::Fastest);
                for stream in [models, packed.classes, packed.bits] {
                    let length = u32::try_from(stream.len()).map_err(io::Error::other)?;
                    for part in [&length.to_le_bytes()[..], &stream] {
                        core::hash::Hasher::write(&mut hasher, part);
                        to.write_all(part)?;
                    }
                }
            }
        }
        to.write_all(&core::hash::Hasher::finish(&hasher).to_le_bytes())
    }

    /// Reads a network with its header.
    ///
    /// *Cost*: memory for the weights only after the header has been found whole
    /// and right, and then as they come.
    ///
    /// *Errors*: it is no network of this version, damaged, or for another
    /// board.
    pub fn read(from: &mut dyn Read) -> Result<(NetworkHeader, Network<G>), NetworkError> {
        let header = NetworkHeader::read(from)?;
        let mut network = Network::of_header(&header)?;
        let n_weights = network.index().n_weights();
        let groups: Vec<_> = network.index().groups().collect();
        let n_streams = 3 * groups.len() * network.stages().n_stages();
        let mut hasher = XxHash64::with_seed(HASH_SEED);
        let mut streams = Vec::new();
        for _ in 0..n_streams {
            let length: [u8; 4] = read_array(from)?;
            let stream = read_bytes(from, u32::from_le_bytes(length).into())?;
            core::hash::Hasher::write(&mut hasher, &length);
            core::hash::Hasher::write(&mut hasher, &stream);
            streams.push(stream);
        }
        // What is not as it was written is not even looked at.
        let checksum = u64::from_le_bytes(read_array(from)?);
        if checksum != core::hash::Hasher::finish(&hasher) {
            return Err(NetworkError::Damaged { part: "checksum" });
        }
        let mut streams = streams.into_iter();
        let mut next = || streams.next().unwrap_or_default();
        for stage in network.weights_mut().chunks_mut(n_weights) {
            for (members, range) in &groups {
                let packed = Packed {
                    models: unpacked(&next())?,
                    classes: next(),
                    bits: next(),
                };
                let weights = &mut stage[range.clone()];
                // Written out so that each is compiled for the one layout it has.
                let read = match members.len() {
                    1 => unpack(&packed, layout::<G>(1), weights),
                    _ => unpack(&packed, layout::<G>(2), weights),
                };
                read.ok_or(DAMAGED_LIST)?;
            }
        }
        Ok((header, network))
    }

    /// The network of zeros that fits a header.
    fn of_header(header: &NetworkHeader) -> Result<Network<G>, NetworkError> {
        let damaged = |part| NetworkError::Damaged { part };
        if header.base != G::BASE {
            return Err(NetworkError::Other {
                what: "cells of",
                found: format!("{} kinds", header.base),
                wanted: format!("{} kinds", G::BASE),
            });
        }
        let patterns = PatternSet::parse::<G>(&header.patterns).map_err(|_| damaged("patterns"))?;
        let n_weights = patterns
            .n_weights(header.base)
            .saturating_mul(header.stages.len() as u64 + 1);
        if n_weights > MAX_WEIGHTS {
            return Err(NetworkError::TooLarge { n_weights });
        }
        if !header.stages.is_sorted() {
            return Err(damaged("stages"));
        }
        if !(header.unit.is_finite() && header.unit > 0.0) {
            return Err(damaged("unit"));
        }
        if !(header.gain_weight.is_finite() && header.cleared.is_finite()) {
            return Err(damaged("value of gains"));
        }
        let ends = Ends {
            gain_weight: header.gain_weight,
            cleared: header.cleared,
        };
        let stages = Stages::new(header.stages.clone());
        Ok(Network::zeroed(
            patterns,
            stages,
            header.unit,
            ends,
            header.top,
        )?)
    }
}

/// The most bytes of the frequencies of a group, far more than there can be.
const MAX_MODELS: u64 = 1 << 20;

const DAMAGED_LIST: NetworkError = NetworkError::Damaged {
    part: "list of weights",
};

#[inline(always)]
fn layout<G: TupleGrid>(n_members: usize) -> Layout {
    const { assert!(G::BASE <= MAX_BASE) };
    Layout {
        base: G::BASE as usize,
        n_members,
    }
}

fn unpacked(stream: &[u8]) -> Result<Vec<u8>, NetworkError> {
    let Ok(decoder) = StreamingDecoder::new(stream) else {
        return Err(DAMAGED_LIST);
    };
    let mut bytes = Vec::new();
    match decoder.take(MAX_MODELS + 1).read_to_end(&mut bytes) {
        Ok(n) if n as u64 <= MAX_MODELS => Ok(bytes),
        _ => Err(DAMAGED_LIST),
    }
}
