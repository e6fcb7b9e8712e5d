//! Checksums of what agents play by.

use core::hash::Hasher;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use afterstate_eval::Objective;
use afterstate_ntuple::NetworkHeader;
use afterstate_rules::Variant;
use twox_hash::XxHash64;

use crate::agent_kind::AgentKind;
use crate::agent_spec::AgentSpec;
use crate::folder_error::{FolderError, at};
use crate::networks::{embedded_for, goes_on, objective_named};
use crate::plan::{Plan, PlanEntry};
use crate::records::PlayedBy;

/// The files and embedded networks that the agents of a plan play by, in order
/// and each once.
///
/// *Errors*: a file that cannot be read.
pub(crate) fn played_by(plan: &Plan) -> Result<Vec<PlayedBy>, FolderError> {
    let mut files = Vec::new();
    for entry in plan.entries() {
        files.extend(of_entry(entry)?);
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn of_entry(entry: &PlanEntry) -> Result<Vec<PlayedBy>, FolderError> {
    let spec = &entry.spec;
    let first = match (spec.kind(), spec.file()) {
        (AgentKind::Random | AgentKind::Greedy | AgentKind::Heuristic, _) => None,
        (AgentKind::Exact | AgentKind::Ntuple, Some(path)) => {
            let hash = at(path, hash_of_file(path))?;
            Some(named(path.display().to_string(), hash))
        }
        (AgentKind::Exact | AgentKind::Ntuple, None) => {
            of_embedded(entry.variant, spec.objective())
        }
    };
    let goes_on = spec.kind() == AgentKind::Ntuple && goes_on(entry.variant, objective(spec));
    let then = goes_on.then(|| of_embedded(entry.variant, Objective::Score));
    Ok(first.into_iter().chain(then.flatten()).collect())
}

/// What an agent's network is for. A file that is none is refused elsewhere.
fn objective(spec: &AgentSpec) -> Objective {
    let Some(path) = spec.file() else {
        return spec.objective();
    };
    let header = File::open(path).ok().and_then(|file| {
        let header = NetworkHeader::read(&mut BufReader::new(file));
        header.ok()
    });
    header.map_or(spec.objective(), |header| {
        objective_named(&header.objective)
    })
}

fn of_embedded(variant: Variant, objective: Objective) -> Option<PlayedBy> {
    let bytes = embedded_for(variant, objective)?;
    let name = format!("(embedded {variant} {objective})");
    Some(named(name, XxHash64::oneshot(0, bytes)))
}

fn named(file: String, hash: u64) -> PlayedBy {
    PlayedBy {
        file,
        xxh64: format!("{hash:016x}"),
    }
}

fn hash_of_file(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut hasher = XxHash64::with_seed(0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finish()),
            n_bytes => hasher.write(&buffer[..n_bytes]),
        }
    }
}
