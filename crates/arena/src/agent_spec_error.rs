//! What is wrong with the name of an agent.

use core::fmt;

use afterstate_eval::Objective;
use afterstate_rules::Variant;

use crate::agent_kind::AgentKind;

/// Why a text names no agent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentSpecError {
    /// No agent has this name.
    Name {
        /// What was read.
        found: String,
    },
    /// A part that is not `key=value`, or a key that the agent does not take.
    Key {
        /// The agent.
        kind: AgentKind,
        /// What was read.
        found: String,
    },
    /// An agent that is not for this variant.
    Variant {
        /// The agent.
        kind: AgentKind,
        /// The variant.
        variant: Variant,
    },
    /// The agent `exact` without its table.
    NoFile,
    /// The agent `ntuple` without a file where no network is embedded.
    NoNetwork {
        /// The variant.
        variant: Variant,
        /// What it was to play for.
        objective: Objective,
    },
    /// A key given twice.
    Twice {
        /// The key.
        key: String,
    },
    /// A value out of range.
    Value {
        /// The key.
        key: &'static str,
        /// What was read.
        found: String,
        /// What would be accepted.
        accepted: String,
    },
}

impl fmt::Display for AgentSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentSpecError::Name { found } => {
                let names: Vec<&str> = AgentKind::ALL.iter().map(|kind| kind.name()).collect();
                write!(
                    f,
                    "agent `{found}`: no such agent, expected {} or default",
                    names.join(", ")
                )
            }
            AgentSpecError::Key { kind, found } => {
                let keys: Vec<&str> = kind.keys().iter().map(|&(key, _)| key).collect();
                let accepted = if keys.is_empty() {
                    "no keys".to_owned()
                } else {
                    keys.join(", ") + "=VALUE"
                };
                write!(f, "agent {}, `{found}`: expected {accepted}", kind.name())
            }
            AgentSpecError::Variant { kind, variant } => {
                let variants = Variant::ALL.into_iter().filter(|&each| kind.is_for(each));
                let names: Vec<&str> = variants.map(Variant::name).collect();
                write!(
                    f,
                    "agent {}: not for {variant}, expected {}",
                    kind.name(),
                    names.join(", ")
                )
            }
            AgentSpecError::NoFile => f.write_str(
                "agent exact: expected exact:file=FILE, a table that `afterstate exact --variant \
                 mini --table FILE` writes",
            ),
            AgentSpecError::NoNetwork { variant, objective } => write!(
                f,
                "agent ntuple: no network is embedded for {variant} and objective {objective}, \
                 expected ntuple:file=FILE"
            ),
            AgentSpecError::Twice { key } => write!(f, "agent key `{key}` is given twice"),
            AgentSpecError::Value {
                key,
                found,
                accepted,
            } => {
                write!(f, "agent key `{key}`: `{found}`, expected {accepted}")
            }
        }
    }
}

impl std::error::Error for AgentSpecError {}
