//! Networks that agents play by.

use core::any::Any;
use core::fmt;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use afterstate_eval::Objective;
use afterstate_networks::embedded;
use afterstate_ntuple::{Network, NetworkError, NetworkHeader, TupleGrid};
use afterstate_rules::{Spawns, Variant};

use crate::agent_spec::{AgentSpec, shown};
use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};

/// Why a file is no network to play by.
#[derive(Debug)]
pub struct NetworkFileError {
    path: PathBuf,
    error: NetworkError,
}

impl NetworkFileError {
    pub(crate) fn new(path: &Path, error: NetworkError) -> NetworkFileError {
        NetworkFileError {
            path: path.to_owned(),
            error,
        }
    }
}

impl fmt::Display for NetworkFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network {}: ", self.path.display())?;
        match &self.error {
            NetworkError::Io(_) => f.write_str("it cannot be read"),
            error => error.fmt(f),
        }
    }
}

impl std::error::Error for NetworkFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

/// Networks that all workers of a process share, each read once.
#[derive(Clone, Default)]
pub(crate) struct Networks {
    read: Arc<Mutex<BTreeMap<Source, Loaded>>>,
}

/// Where a network is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    File(PathBuf),
    Embedded(Variant, Objective),
}

impl Source {
    fn of(spec: &AgentSpec, variant: Variant) -> Source {
        match spec.file() {
            Some(path) => Source::File(path.to_owned()),
            None => Source::Embedded(variant, spec.objective()),
        }
    }
}

#[derive(Clone)]
struct Loaded {
    header: NetworkHeader,
    /// The layout of its boards is that of the variant in the header.
    network: Arc<dyn Any + Send + Sync>,
}

impl Loaded {
    fn objective(&self) -> Objective {
        objective_named(&self.header.objective)
    }
}

/// A network, and what it is for.
pub(crate) struct Found<G> {
    pub(crate) network: Arc<Network<G>>,
    pub(crate) objective: Objective,
}

impl Networks {
    /// Reads the network of an agent, if it has not been.
    ///
    /// *Errors*: no such file, or one that is not the network of a game on the
    /// boards of `variant`, with the objective that the agent names.
    pub(crate) fn load(&self, variant: Variant, spec: &AgentSpec) -> Result<(), NetworkFileError> {
        let source = Source::of(spec, variant);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let objective = spec.objective_of_file();
        let loaded = match (&source, read.get(&source)) {
            (_, Some(loaded)) => check(&loaded.header, variant, objective).map(|()| loaded.clone()),
            (Source::File(path), None) => File::open(path)
                .map_err(NetworkError::Io)
                .and_then(|file| read_for(variant, objective, &mut BufReader::new(file))),
            (Source::Embedded(..), None) => {
                let bytes = embedded_for(variant, spec.objective())
                    .expect("an agent without a file has an embedded network");
                read_for(variant, objective, &mut Cursor::new(bytes))
            }
        };
        match loaded {
            Ok(loaded) => {
                read.insert(source, loaded);
                Ok(())
            }
            Err(error) => {
                let path = spec.file().unwrap_or(Path::new("(embedded)"));
                Err(NetworkFileError::new(path, error))
            }
        }
    }

    /// The network of an agent.
    ///
    /// *Panics*: when it was not loaded.
    pub(crate) fn get<R: VariantRules>(
        &self,
        variant: Variant,
        spec: &AgentSpec,
    ) -> Found<R::Seen> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = read.get(&Source::of(spec, variant));
        let loaded = loaded.expect("a network is loaded before there is an agent that needs it");
        let network = Arc::clone(&loaded.network).downcast();
        Found {
            network: network.expect("a network is kept for boards of its variant"),
            objective: loaded.objective(),
        }
    }
}

/// The embedded network for a game and an objective. Where there is none for the
/// contest, that of classic, which is the same game but for its spawns.
pub(crate) fn embedded_for(variant: Variant, objective: Objective) -> Option<&'static [u8]> {
    let of = |game: Variant| embedded(game.name(), objective);
    match variant {
        Variant::Contest => of(variant).or_else(|| of(Variant::Classic)),
        _ => of(variant),
    }
}

/// The objective of this name. One that no game has is played like the score.
pub(crate) fn objective_named(name: &str) -> Objective {
    let mut all = Objective::ALL.into_iter();
    all.find(|each| each.name() == name)
        .unwrap_or(Objective::Score)
}

/// Whether a player by a network for this objective goes on by another one where
/// it has got what it was after.
pub(crate) fn goes_on(variant: Variant, objective: Objective) -> bool {
    objective == Objective::Largest && embedded_for(variant, Objective::Score).is_some()
}

/// Whether networks of one variant can look at the boards of the other: they
/// may differ in what spawns, and people want to compare.
fn share_boards(one: Variant, other: Variant) -> bool {
    let is_classic = |variant| matches!(variant, Variant::Classic | Variant::Contest);
    one == other || is_classic(one) && is_classic(other)
}

/// A network for something else than what is needed.
pub(crate) fn other(what: &'static str, found: &str, wanted: &str) -> NetworkError {
    NetworkError::Other {
        what,
        found: shown(found),
        wanted: wanted.to_owned(),
    }
}

fn check(
    header: &NetworkHeader,
    variant: Variant,
    objective: Option<Objective>,
) -> Result<(), NetworkError> {
    let found = header.variant.parse();
    if !found.is_ok_and(|found| share_boards(found, variant)) {
        return Err(other("the game", &header.variant, variant.name()));
    }
    match objective {
        Some(wanted) if wanted.name() != header.objective => {
            Err(other("the objective", &header.objective, wanted.name()))
        }
        _ => Ok(()),
    }
}

fn read_for(
    variant: Variant,
    objective: Option<Objective>,
    from: &mut (impl Read + Seek),
) -> Result<Loaded, NetworkError> {
    // Before the weights, which take time and memory.
    check(&NetworkHeader::read(from)?, variant, objective)?;
    from.rewind()?;
    let spawn_set = variant.spawn_sets().swap_remove(0);
    visit_variant(variant, &spawn_set, ReadWhole { from })
        .expect("the default spawn set of a variant fits its board")
}

struct ReadWhole<'a, F> {
    from: &'a mut F,
}

impl<F: Read> VariantVisitor for ReadWhole<'_, F> {
    type Output = Result<Loaded, NetworkError>;

    fn visit<R: VariantRules>(self, _rules: R, _spawns: Spawns<R::Grid>) -> Self::Output {
        let (header, network) = read_whole::<R::Seen>(self.from)?;
        Ok(Loaded {
            header,
            network: Arc::new(network),
        })
    }
}

/// Reads a network behind which nothing follows.
pub(crate) fn read_whole<G: TupleGrid>(
    from: &mut impl Read,
) -> Result<(NetworkHeader, Network<G>), NetworkError> {
    let (header, network) = Network::read(from)?;
    match from.read(&mut [0])? {
        0 => Ok((header, network)),
        _ => Err(NetworkError::Damaged { part: "end" }),
    }
}
