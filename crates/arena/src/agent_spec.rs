use core::fmt;

use afterstate_rules::Variant;

/// The kinds of agents that can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentKind {
    /// Uniform among the legal slides.
    Random,
    /// Largest gain.
    Greedy,
    /// Expectimax over the line heuristic.
    Heuristic,
}

impl AgentKind {
    /// All kinds, weakest first.
    pub const ALL: [AgentKind; 3] = [AgentKind::Random, AgentKind::Greedy, AgentKind::Heuristic];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            AgentKind::Random => "random",
            AgentKind::Greedy => "greedy",
            AgentKind::Heuristic => "heuristic",
        }
    }

    /// What the agent does, in one line.
    pub const fn description(self) -> &'static str {
        match self {
            AgentKind::Random => "any legal slide, each with the same chance",
            AgentKind::Greedy => {
                "the slide with the largest gain; up, right, down, left among equals"
            }
            AgentKind::Heuristic => {
                "expectimax over rows and columns: empty cells, merges, order, few large tiles"
            }
        }
    }

    /// The keys that the agent takes, with what they mean.
    pub const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            AgentKind::Random | AgentKind::Greedy => &[],
            AgentKind::Heuristic => &[("depth", "plies, 1 to 12; 1 looks at the afterstates only")],
        }
    }
}

/// The deepest search that can be asked for.
const MAX_DEPTH: u32 = 12;

/// An agent by name and keys: `NAME[:key=value,…]`.
///
/// The text form is canonical: it names the agent in results and goes into the
/// seeds of its games. `default` is not an agent of its own but stands for the
/// one we would recommend, and results say which that was.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentSpec {
    kind: AgentKind,
    depth: Option<u32>,
}

impl AgentSpec {
    /// An agent without search.
    fn plain(kind: AgentKind) -> AgentSpec {
        AgentSpec { kind, depth: None }
    }

    /// The line heuristic searched to `depth` plies.
    fn heuristic(depth: u32) -> AgentSpec {
        AgentSpec {
            kind: AgentKind::Heuristic,
            depth: Some(depth),
        }
    }

    /// The agent we would recommend for a variant.
    pub fn default_of(variant: Variant) -> AgentSpec {
        AgentSpec::heuristic(default_depth(variant))
    }

    /// The agents of a tournament of which nothing is said: the default of the
    /// variant and two weaker ones, weakest first.
    pub fn usual(variant: Variant) -> [AgentSpec; 3] {
        [
            AgentSpec::plain(AgentKind::Random),
            AgentSpec::plain(AgentKind::Greedy),
            AgentSpec::default_of(variant),
        ]
    }

    /// The agent that `text` names for `variant`, keys left out filled in, and
    /// `default` by the agent it stands for.
    ///
    /// *Errors*: an unknown name, a key the agent does not take or takes only
    /// once, or a value out of range, each with what would be accepted.
    pub fn parse(text: &str, variant: Variant) -> Result<AgentSpec, AgentSpecError> {
        let (name, keys) = text
            .split_once(':')
            .map_or((text, None), |(name, keys)| (name, Some(keys)));
        let kind = match name {
            "default" => AgentSpec::default_of(variant).kind,
            _ => AgentKind::ALL
                .into_iter()
                .find(|kind| kind.name() == name)
                .ok_or_else(|| AgentSpecError::Name { found: shown(name) })?,
        };
        let mut spec = AgentSpec::plain(kind);
        for part in keys.into_iter().flat_map(|keys| keys.split(',')) {
            let bad_key = || AgentSpecError::Key {
                kind,
                found: shown(part),
            };
            let (key, value) = part.split_once('=').ok_or_else(bad_key)?;
            if !kind.keys().iter().any(|&(known, _)| known == key) {
                return Err(bad_key());
            }
            // Only one key exists so far.
            if spec.depth.replace(parse_depth(value)?).is_some() {
                return Err(AgentSpecError::Twice {
                    key: key.to_owned(),
                });
            }
        }
        if kind == AgentKind::Heuristic && spec.depth.is_none() {
            spec.depth = Some(default_depth(variant));
        }
        Ok(spec)
    }

    /// The kind of the agent.
    pub fn kind(&self) -> AgentKind {
        self.kind
    }

    /// Plies of search, for agents that search.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }
}

/// Chosen so that the usual tournament takes less than two minutes on two
/// cores.
fn default_depth(variant: Variant) -> u32 {
    match variant {
        Variant::Classic | Variant::Contest | Variant::Mini => 3,
        Variant::Akioi => 2,
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match self.depth {
            Some(depth) => write!(f, ":depth={depth}"),
            None => Ok(()),
        }
    }
}

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

fn parse_depth(value: &str) -> Result<u32, AgentSpecError> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let depth = value.parse().ok().filter(|_| is_number);
    depth
        .filter(|depth| (1..=MAX_DEPTH).contains(depth))
        .ok_or_else(|| AgentSpecError::Value {
            key: "depth",
            found: shown(value),
            accepted: format!("1 to {MAX_DEPTH}"),
        })
}

/// A part of the input as an error repeats it: on one line and not too long.
fn shown(part: &str) -> String {
    part.chars().take(40).flat_map(char::escape_debug).collect()
}
