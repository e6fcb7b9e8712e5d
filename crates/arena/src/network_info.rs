//! What a network is, for people who have one in a file.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use afterstate_networks::EMBEDDED;
use afterstate_ntuple::{NetworkError, NetworkHeader, PatternSet, TupleGrid};
use afterstate_rules::{Spawns, Variant};
use serde::{Serialize, Serializer};

use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};
use crate::networks::{NetworkFileError, other, read_whole};

/// What a network is and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkInfo {
    /// The variant that it was trained for.
    pub variant: &'static str,
    /// The tiles that spawned, as numbers, with their weights.
    pub spawns: Vec<(i32, u32)>,
    /// What it plays for, by name.
    pub objective: String,
    /// How much a point of gain counts in its values.
    pub gain_weight: f32,
    /// The value of a board that clears the game.
    pub cleared_value: f32,
    /// The name of its patterns, or their cells where they have none.
    pub pattern_set: String,
    /// The patterns.
    pub patterns: Vec<PatternInfo>,
    /// Symmetric images of each pattern on the board, which share weights.
    pub images: usize,
    /// Kinds of cells that it tells apart.
    pub cell_kinds: u32,
    /// The largest tiles with which stages begin, each with weights of its own.
    /// There is one stage more: before the first of them.
    pub stages: Vec<u64>,
    /// Number of weights of all patterns and stages.
    pub weights: u64,
    /// Number of weights that are not 0.
    pub nonzero: u64,
    /// What a weight of 1 is worth.
    pub unit: f32,
    /// The largest tile that it was trained with.
    pub top_tile: u64,
    /// Size of the file.
    pub file_bytes: u64,
    /// Memory for its weights.
    pub memory_bytes: u64,
    /// How it was trained: names and values, in order.
    #[serde(serialize_with = "as_object")]
    pub training: Vec<(String, String)>,
}

/// A pattern of a network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PatternInfo {
    /// Its cells, row by row from the top left, each a hexadecimal digit.
    pub cells: String,
    /// Number of its weights in each stage.
    pub weights: u64,
}

/// A network that the program carries with it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EmbeddedInfo {
    /// The variant.
    pub variant: &'static str,
    /// What it plays for, by name.
    pub objective: &'static str,
    /// Size of the file.
    pub file_bytes: u64,
}

/// The networks that the program carries with it.
pub fn embedded_networks() -> Vec<EmbeddedInfo> {
    EMBEDDED
        .iter()
        .map(|network| EmbeddedInfo {
            variant: network.variant,
            objective: network.objective.name(),
            file_bytes: network.bytes.len() as u64,
        })
        .collect()
}

/// What the network in a file is.
///
/// *Cost*: the whole file is read, and takes the memory of its weights.
///
/// *Errors*: no such file, or one that is no network, whole.
pub fn inspect_network(path: &Path) -> Result<NetworkInfo, NetworkFileError> {
    inspect(path).map_err(|error| NetworkFileError::new(path, error))
}

fn inspect(path: &Path) -> Result<NetworkInfo, NetworkError> {
    let mut file = BufReader::new(File::open(path)?);
    let header = NetworkHeader::read(&mut file)?;
    file.rewind()?;
    let Ok(variant) = header.variant.parse::<Variant>() else {
        let known = Variant::ALL.map(Variant::name).join(", ");
        return Err(other("the game", &header.variant, &known));
    };
    let visitor = Inspect {
        variant,
        file_bytes: file.get_ref().metadata()?.len(),
        from: &mut file,
    };
    let spawn_set = variant.spawn_sets().swap_remove(0);
    visit_variant(variant, &spawn_set, visitor)
        .expect("the default spawn set of a variant fits its board")
}

struct Inspect<'a, F> {
    variant: Variant,
    file_bytes: u64,
    from: &'a mut F,
}

impl<F: Read> VariantVisitor for Inspect<'_, F> {
    type Output = Result<NetworkInfo, NetworkError>;

    fn visit<R: VariantRules>(self, _rules: R, _spawns: Spawns<R::Grid>) -> Self::Output {
        let (header, network) = read_whole::<R::Seen>(self.from)?;
        let tile = |exponent: u8| 1_u64 << exponent.min(63);
        let weights = network.weights();
        Ok(NetworkInfo {
            variant: self.variant.name(),
            pattern_set: network.patterns().to_string(),
            patterns: pattern_infos::<R::Seen>(network.patterns()),
            images: network.index().n_tuples() / network.patterns().patterns().len(),
            cell_kinds: header.base,
            stages: header.stages.iter().copied().map(tile).collect(),
            weights: weights.len() as u64,
            nonzero: weights.iter().filter(|&&weight| weight != 0).count() as u64,
            top_tile: tile(header.top),
            file_bytes: self.file_bytes,
            memory_bytes: size_of_val(weights) as u64,
            spawns: header.spawns,
            objective: header.objective,
            gain_weight: header.gain_weight,
            cleared_value: header.cleared,
            unit: header.unit,
            training: header.training,
        })
    }
}

fn pattern_infos<G: TupleGrid>(set: &PatternSet) -> Vec<PatternInfo> {
    set.patterns()
        .iter()
        .map(|pattern| PatternInfo {
            cells: pattern.to_string(),
            weights: u64::from(G::BASE).pow(pattern.cells().len() as u32),
        })
        .collect()
}

fn as_object<S: Serializer>(
    training: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(training.iter().map(|(name, value)| (name, value)))
}
