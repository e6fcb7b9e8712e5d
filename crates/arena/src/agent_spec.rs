//! Agents by name and keys.

use core::fmt;
use core::time::Duration;
use std::path::Path;

use afterstate_eval::Objective;
use afterstate_rules::Variant;
use afterstate_search::{Depth, Limits};

use crate::agent_kind::AgentKind;
use crate::agent_spec_error::AgentSpecError;
use crate::networks::embedded_for;

/// The deepest search that can be asked for.
const MAX_DEPTH: u32 = 12;

/// The most boards that can be asked for, for each slide: days.
const MAX_NODES: u64 = 1_000_000_000_000;

/// The rarest ways that can be asked for, once in so many times.
const MAX_PRUNE: u64 = 1_000_000_000;

/// Boards that the contest's recommended player looks at for each slide: about
/// half a millisecond.
const CONTEST_NODES: u64 = 30_000;

/// Spawns that come together more rarely, once in so many times, are not looked
/// behind by it: whole searches of four plies take some four milliseconds, where
/// one may take (docs/experiments.md, 2026-11-30).
const CONTEST_PRUNE: u64 = 300;

/// The longest time that can be asked for, for each slide: an hour.
const MAX_MS: u32 = 3_600_000;

/// An agent by name and keys: `NAME[:key=value,…]`.
///
/// The text form is canonical: it names the agent in results and goes into the
/// seeds of its games. `default` is not an agent of its own but stands for the
/// one we would recommend, and results say which that was.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentSpec {
    kind: AgentKind,
    depth: Option<Plies>,
    nodes: Option<u64>,
    /// Afterstates reached once in so many times are not searched on.
    prune: Option<u64>,
    ms: Option<u32>,
    /// None for the score, and where it is left to the file.
    objective: Option<Objective>,
    file: Option<String>,
}

/// Plies from `least` to `most`: more where more is at stake, if they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Plies {
    least: u32,
    most: u32,
}

impl Plies {
    fn fixed(plies: u32) -> Plies {
        Plies {
            least: plies,
            most: plies,
        }
    }
}

impl AgentSpec {
    /// An agent without search.
    fn plain(kind: AgentKind) -> AgentSpec {
        AgentSpec {
            kind,
            depth: None,
            nodes: None,
            prune: None,
            ms: None,
            objective: None,
            file: None,
        }
    }

    /// The agent we would recommend for a variant. That of the contest may take a
    /// millisecond for a slide, those of others a tenth of it
    /// (docs/experiments.md, 2026-11-30).
    pub fn default_of(variant: Variant) -> AgentSpec {
        let network = |plies| AgentSpec {
            depth: Some(Plies::fixed(plies)),
            ..AgentSpec::plain(AgentKind::Ntuple)
        };
        match variant {
            Variant::Classic => network(2),
            Variant::Contest => AgentSpec {
                prune: Some(CONTEST_PRUNE),
                objective: Some(Objective::Largest),
                ..network(4)
            },
            Variant::Akioi => network(2),
            Variant::Mini => AgentSpec::heuristic_of(variant),
        }
    }

    /// The heuristic as far as it should search where nothing is said of it.
    ///
    /// The contest's has a budget instead of a depth: it looks further ahead
    /// the fewer ways there are to go on, which is where games are lost
    /// (docs/experiments.md, 2026-11-30).
    fn heuristic_of(variant: Variant) -> AgentSpec {
        let (depth, nodes) = match variant {
            Variant::Classic | Variant::Mini => (Some(3), None),
            Variant::Contest => (None, Some(CONTEST_NODES)),
            Variant::Akioi => (Some(2), None),
        };
        AgentSpec {
            depth: depth.map(Plies::fixed),
            nodes,
            ..AgentSpec::plain(AgentKind::Heuristic)
        }
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
        if !kind.is_for(variant) {
            return Err(AgentSpecError::Variant { kind, variant });
        }
        let mut spec = AgentSpec::plain(kind);
        let mut seen: Vec<&str> = Vec::new();
        for part in keys.into_iter().flat_map(|keys| keys.split(',')) {
            let bad_key = || AgentSpecError::Key {
                kind,
                found: shown(part),
            };
            let (key, value) = part.split_once('=').ok_or_else(bad_key)?;
            if !kind.keys().iter().any(|&(known, _)| known == key) {
                return Err(bad_key());
            }
            if seen.contains(&key) {
                return Err(AgentSpecError::Twice {
                    key: key.to_owned(),
                });
            }
            seen.push(key);
            spec.set(key, value, variant)?;
        }
        if name == "default" {
            spec.be_default(variant);
        }
        spec.fill_in(variant)?;
        Ok(spec)
    }

    /// The same agent with a time for each slide, in milliseconds, and no other
    /// limit.
    ///
    /// *Errors*: an agent that does not search, or a time out of range.
    pub fn at_time(&self, ms: u32, variant: Variant) -> Result<AgentSpec, AgentSpecError> {
        let takes_time = self.kind.keys().iter().any(|&(key, _)| key == "ms");
        if !takes_time {
            return Err(AgentSpecError::Key {
                kind: self.kind,
                found: format!("ms={ms}"),
            });
        }
        let mut spec = self.clone();
        (spec.depth, spec.nodes, spec.prune) = (None, None, None);
        spec.set("ms", &ms.to_string(), variant)?;
        Ok(spec)
    }

    /// Whether it was said how far to search.
    fn is_limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.ms.is_some()
    }

    /// Fills in what the default agent has of its own, as far as it was left out.
    fn be_default(&mut self, variant: Variant) {
        let default = AgentSpec::default_of(variant);
        if self.objective.is_none() && self.file.is_none() {
            self.objective = default.objective;
        }
        let has_network = self.file.is_some() || embedded_for(variant, self.objective()).is_some();
        if self.kind == AgentKind::Ntuple && !has_network {
            // Of an objective that no network was trained for.
            self.kind = AgentKind::Heuristic;
        } else if !self.is_limited() {
            (self.depth, self.nodes) = (default.depth, default.nodes);
            // Pruning is for its own depth.
            self.prune = self.prune.or(default.prune);
        }
    }

    /// Fills in what was left out.
    ///
    /// *Errors*: what cannot be left out.
    fn fill_in(&mut self, variant: Variant) -> Result<(), AgentSpecError> {
        if self.file.is_none() {
            self.objective = self.objective.filter(|&each| each != Objective::Score);
        }
        let objective = self.objective();
        let is_limited = self.is_limited();
        match self.kind {
            AgentKind::Random | AgentKind::Greedy => {}
            AgentKind::Exact if self.file.is_none() => return Err(AgentSpecError::NoFile),
            AgentKind::Exact => {}
            AgentKind::Ntuple
                if self.file.is_none() && embedded_for(variant, objective).is_none() =>
            {
                return Err(AgentSpecError::NoNetwork { variant, objective });
            }
            AgentKind::Ntuple if !is_limited => self.depth = Some(Plies::fixed(1)),
            AgentKind::Heuristic if !is_limited => {
                let filled = AgentSpec::heuristic_of(variant);
                (self.depth, self.nodes) = (filled.depth, filled.nodes);
            }
            AgentKind::Ntuple | AgentKind::Heuristic => {}
        }
        Ok(())
    }

    /// Sets what a key that the agent takes says.
    fn set(&mut self, key: &str, value: &str, variant: Variant) -> Result<(), AgentSpecError> {
        match key {
            "file" if value.is_empty() => {
                return Err(AgentSpecError::Value {
                    key: "file",
                    found: String::new(),
                    accepted: "the path of a file".to_owned(),
                });
            }
            "file" => self.file = Some(value.to_owned()),
            "depth" => self.depth = Some(parse_depth(value)?),
            "nodes" => self.nodes = Some(parse_number("nodes", value, MAX_NODES)?),
            "prune" => self.prune = Some(parse_number("prune", value, MAX_PRUNE)?),
            "ms" => {
                let ms = parse_number("ms", value, u64::from(MAX_MS))?;
                self.ms = Some(u32::try_from(ms).expect("the number is at most MAX_MS"));
            }
            _ => self.objective = Some(parse_objective(value, variant)?),
        }
        Ok(())
    }

    /// The kind of the agent.
    pub fn kind(&self) -> AgentKind {
        self.kind
    }

    /// How far the agent searches, but for the time. Where only a budget is
    /// given, the depth is the deepest that can be asked for; agents that do not
    /// search do not care.
    pub fn limits(&self) -> Limits {
        let depth = match self.depth {
            None => Depth::Fixed(MAX_DEPTH),
            Some(Plies { least, most }) if least == most => Depth::Fixed(most),
            Some(Plies { least, most }) => Depth::Adaptive { least, most },
        };
        Limits {
            depth,
            max_nodes: self.nodes,
            min_probability: self.prune.map_or(0.0, |n| 1.0 / n as f32),
            ..Limits::to_depth(depth.most())
        }
    }

    /// The time for each slide, if there is a limit.
    pub fn time_limit(&self) -> Option<Duration> {
        self.ms.map(|ms| Duration::from_millis(u64::from(ms)))
    }

    /// What the agent plays for. One that plays by a network in a file plays for
    /// what the file says, whatever this is.
    pub fn objective(&self) -> Objective {
        self.objective.unwrap_or(Objective::Score)
    }

    /// The agent that goes on where this one has got the tile that its network is
    /// for: by the embedded network for the score.
    pub(crate) fn after_goal(&self) -> AgentSpec {
        AgentSpec {
            objective: None,
            file: None,
            ..self.clone()
        }
    }

    /// What the file that the agent plays by has to be for, if that was said.
    pub(crate) fn objective_of_file(&self) -> Option<Objective> {
        self.objective
    }

    /// The file that the agent plays by, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().map(Path::new)
    }

    /// Whether games depend on the speed of the machine and not on the seed
    /// alone.
    pub fn is_machine_dependent(&self) -> bool {
        self.ms.is_some()
    }

    /// A rough guess of what a slide takes, in nanoseconds: for the order in
    /// which games are played, not for their results.
    pub(crate) fn cost_ns(&self) -> u64 {
        let per_node = match self.kind {
            AgentKind::Random | AgentKind::Greedy | AgentKind::Exact => return 0,
            AgentKind::Heuristic => 20,
            AgentKind::Ntuple => 60,
        };
        let by_depth = 30_u64
            .saturating_pow(self.limits().depth.most())
            .saturating_mul(per_node / 20);
        let by_nodes = self.nodes.map_or(u64::MAX, |n| n.saturating_mul(per_node));
        let by_time = self.ms.map_or(u64::MAX, |ms| u64::from(ms) * 1_000_000);
        by_depth.min(by_nodes).min(by_time)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let depth = self.depth.map(|plies| match plies {
            Plies { least, most } if least == most => format!("depth={most}"),
            Plies { least, most } => format!("depth={least}..{most}"),
        });
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let prune = self.prune.map(|n| format!("prune={n}"));
        let ms = self.ms.map(|ms| format!("ms={ms}"));
        let objective = self.objective.map(|each| format!("objective={each}"));
        let file = self.file.as_ref().map(|file| format!("file={file}"));
        let keys = [depth, nodes, prune, ms, objective, file]
            .into_iter()
            .flatten();
        for (divider, key) in core::iter::once(':')
            .chain(core::iter::repeat(','))
            .zip(keys)
        {
            write!(f, "{divider}{key}")?;
        }
        Ok(())
    }
}

/// A number of plain digits from 1 to `most`.
fn plain_number(text: &str, most: u64) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.filter(|number| (1..=most).contains(number))
}

fn parse_number(key: &'static str, value: &str, most: u64) -> Result<u64, AgentSpecError> {
    plain_number(value, most).ok_or_else(|| AgentSpecError::Value {
        key,
        found: shown(value),
        accepted: format!("1 to {most}"),
    })
}

/// `N` or `A..B`.
fn parse_depth(value: &str) -> Result<Plies, AgentSpecError> {
    let (least, most) = value.split_once("..").unwrap_or((value, value));
    let number = |text| {
        let number = plain_number(text, u64::from(MAX_DEPTH))?;
        u32::try_from(number).ok()
    };
    number(least)
        .zip(number(most))
        .filter(|(least, most)| least <= most)
        .map(|(least, most)| Plies { least, most })
        .ok_or_else(|| AgentSpecError::Value {
            key: "depth",
            found: shown(value),
            accepted: format!("1 to {MAX_DEPTH}, or a range of these like 2..4"),
        })
}

fn parse_objective(value: &str, variant: Variant) -> Result<Objective, AgentSpecError> {
    let accepted: &[Objective] = match variant {
        Variant::Akioi => &Objective::ALL,
        // Nothing ends these games but the last slide.
        Variant::Classic | Variant::Contest | Variant::Mini => {
            &[Objective::Score, Objective::Largest]
        }
    };
    accepted
        .iter()
        .copied()
        .find(|objective| objective.name() == value)
        .ok_or_else(|| {
            let names: Vec<&str> = accepted.iter().map(|each| each.name()).collect();
            let (last, others) = names.split_last().expect("there is an objective");
            AgentSpecError::Value {
                key: "objective",
                found: shown(value),
                accepted: format!("{} or {last} for {variant}", others.join(", ")),
            }
        })
}

/// A part of the input as an error repeats it: on one line and not too long.
pub(crate) fn shown(part: &str) -> String {
    part.chars().take(40).flat_map(char::escape_debug).collect()
}
