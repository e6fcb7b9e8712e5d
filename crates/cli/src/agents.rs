//! `afterstate agents`: what can be named where an agent is wanted.

use std::io::Write;

use afterstate_arena::{AgentKind, AgentSpec, AgentSpecError};
use afterstate_rules::Variant;
use serde::Serialize;

use crate::output;

pub(crate) const HELP: &str = "\
An agent is named NAME[:key=value,...]. Keys that are left out have the values shown; `default` stands for the \
agent recommended for the variant.

Examples:
  afterstate agents
  afterstate agents --json";

/// What `agents` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct VariantAgents {
    variant: &'static str,
    /// The agent that `default` stands for.
    default: String,
    agents: Vec<AgentEntry>,
}

#[derive(Serialize)]
struct AgentEntry {
    name: &'static str,
    description: &'static str,
    /// The agent with every key that was left out.
    full: String,
    keys: Vec<KeyEntry>,
}

#[derive(Serialize)]
struct KeyEntry {
    key: &'static str,
    description: &'static str,
}

/// Lists the agents of every variant.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let all = Variant::ALL
        .into_iter()
        .map(agents_of)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut out = output::standard();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&all)?)?;
    } else {
        for (idx, variant) in all.iter().enumerate() {
            if idx > 0 {
                writeln!(out)?;
            }
            print_readable(&mut out, variant)?;
        }
    }
    Ok(out.flush()?)
}

fn agents_of(variant: Variant) -> anyhow::Result<VariantAgents> {
    let entry = |kind: AgentKind| {
        let keys = kind.keys().iter();
        anyhow::Ok(AgentEntry {
            name: kind.name(),
            description: kind.description(),
            full: full_name(kind, variant)?.to_string(),
            keys: keys
                .map(|&(key, description)| KeyEntry { key, description })
                .collect(),
        })
    };
    Ok(VariantAgents {
        variant: variant.name(),
        default: AgentSpec::default_of(variant).to_string(),
        agents: AgentKind::ALL
            .into_iter()
            .filter(|kind| kind.is_for(variant))
            .map(entry)
            .collect::<anyhow::Result<_>>()?,
    })
}

/// The agent with every key that has a value by itself, and with `FILE` where it
/// cannot do without one.
fn full_name(kind: AgentKind, variant: Variant) -> Result<AgentSpec, AgentSpecError> {
    match AgentSpec::parse(kind.name(), variant) {
        Err(AgentSpecError::NoFile | AgentSpecError::NoNetwork { .. }) => {
            AgentSpec::parse(&format!("{}:file=FILE", kind.name()), variant)
        }
        named => named,
    }
}

fn print_readable(out: &mut impl Write, variant: &VariantAgents) -> std::io::Result<()> {
    writeln!(
        out,
        "{} (`default` is {})",
        variant.variant, variant.default
    )?;
    let names = variant.agents.iter().map(|agent| agent.full.len());
    let width = names.max().unwrap_or(0);
    for agent in &variant.agents {
        writeln!(out, "  {:width$}  {}", agent.full, agent.description)?;
        for key in &agent.keys {
            writeln!(out, "  {:width$}  {}: {}", "", key.key, key.description)?;
        }
    }
    Ok(())
}
