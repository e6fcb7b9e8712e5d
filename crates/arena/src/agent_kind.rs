//! What kinds of agents there are.

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
    /// Expectimax over a learned network.
    Ntuple,
    /// Best play from a table of the mini game.
    Exact,
}

impl AgentKind {
    /// All kinds, weakest first.
    pub const ALL: [AgentKind; 5] = [
        AgentKind::Random,
        AgentKind::Greedy,
        AgentKind::Heuristic,
        AgentKind::Ntuple,
        AgentKind::Exact,
    ];

    /// Whether there is such an agent for a variant.
    pub fn is_for(self, variant: Variant) -> bool {
        self != AgentKind::Exact || variant == Variant::Mini
    }

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            AgentKind::Random => "random",
            AgentKind::Greedy => "greedy",
            AgentKind::Heuristic => "heuristic",
            AgentKind::Ntuple => "ntuple",
            AgentKind::Exact => "exact",
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
            AgentKind::Ntuple => "expectimax over an n-tuple network, which learned from games",
            AgentKind::Exact => "best play, by the exact value of every afterstate",
        }
    }

    /// What the values are that the agent gives to slides.
    pub const fn unit(self) -> &'static str {
        match self {
            AgentKind::Random => "values are chances to be chosen",
            AgentKind::Greedy => "values are gains",
            AgentKind::Heuristic => "values are worth comparing with each other only",
            AgentKind::Ntuple => "values are what the network expects still to come",
            AgentKind::Exact => "values are expected points of best play",
        }
    }

    /// The keys that the agent takes, with what they mean.
    pub const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            AgentKind::Random | AgentKind::Greedy => &[],
            AgentKind::Exact => &[(
                "file",
                "a table that `afterstate exact --variant mini --table FILE` wrote; needed",
            )],
            AgentKind::Heuristic => &[
                DEPTH,
                NODES,
                PRUNE,
                MS,
                (
                    "objective",
                    "score, largest (the largest tile) or clear (65536 in akioi)",
                ),
            ],
            AgentKind::Ntuple => &[
                DEPTH,
                NODES,
                PRUNE,
                MS,
                (
                    "objective",
                    "score, largest or clear: chooses among the embedded networks",
                ),
                (
                    "file",
                    "a network to play by, see `afterstate networks`; needed where none is embedded",
                ),
            ],
        }
    }
}

const DEPTH: (&str, &str) = (
    "depth",
    "plies, 1 to 12; 1 looks at the afterstates only; 2..4 adapts to the board",
);
const NODES: (&str, &str) = ("nodes", "boards to look at for each slide");
const PRUNE: (&str, &str) = (
    "prune",
    "1000 looks no further where spawns come together once in a thousand times or less",
);
const MS: (&str, &str) = (
    "ms",
    "milliseconds for each slide; games then depend on the machine",
);
