//! `afterstate networks`: the embedded networks, and what is in a file.

use std::io::{self, Write};
use std::path::PathBuf;

use afterstate_arena::{NetworkInfo, embedded_networks, inspect_network};
use afterstate_bitboard::tile_text;

use crate::output;

pub(crate) const HELP: &str = "\
An agent plays by a network that is embedded, or by one in a file: ntuple:file=FILE. Without a file this lists the \
embedded ones. Of a file it reads all, and says what it is for, how it is built and how it was trained.

Examples:
  afterstate networks
  afterstate networks mini.network
  afterstate networks mini.network --json";

/// What `networks` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A network in a file [default: list the embedded ones]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Lists the embedded networks, or inspects a file.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = output::standard();
    match &args.file {
        Some(path) => {
            let info = inspect_network(path)?;
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&info)?)?;
            } else {
                print_readable(&mut out, &info)?;
            }
        }
        None => {
            let all = embedded_networks();
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&all)?)?;
            } else if all.is_empty() {
                writeln!(out, "no network is embedded; agents take one by file=FILE")?;
            }
            for network in all.iter().filter(|_| !args.json) {
                let (variant, objective) = (network.variant, network.objective);
                let bytes = network.file_bytes;
                writeln!(out, "{variant:<8} {objective:<8} {bytes:>9} bytes")?;
            }
        }
    }
    Ok(out.flush()?)
}

fn print_readable(out: &mut impl Write, info: &NetworkInfo) -> io::Result<()> {
    let spawns: Vec<String> = info
        .spawns
        .iter()
        .map(|&(number, weight)| format!("{}:{weight}", tile_text(number)))
        .collect();
    let n_patterns = info.patterns.len();
    writeln!(
        out,
        "game       {}, spawns {}",
        info.variant,
        spawns.join(",")
    )?;
    writeln!(out, "objective  {}", output::one_line(&info.objective))?;
    if info.cleared_value != 0.0 || info.gain_weight != 1.0 {
        let (gain, cleared) = (info.gain_weight, info.cleared_value);
        writeln!(
            out,
            "pays       {gain} for a point of gain, {cleared} for clearing"
        )?;
    }
    let (set, images) = (&info.pattern_set, info.images);
    writeln!(
        out,
        "patterns   {set}: {n_patterns}, each in {images} symmetric images that share weights"
    )?;
    for pattern in &info.patterns {
        writeln!(out, "  {}: {} weights", pattern.cells, pattern.weights)?;
    }
    let n_stages = info.stages.len() + 1;
    let begins: Vec<String> = info.stages.iter().map(u64::to_string).collect();
    match begins.as_slice() {
        [] => writeln!(out, "stages     1")?,
        begins => writeln!(out, "stages     {n_stages}, from {}", begins.join(", "))?,
    }
    let (weights, nonzero) = (info.weights, info.nonzero);
    let kinds = info.cell_kinds;
    writeln!(
        out,
        "weights    {weights} for {kinds} kinds of cells, {nonzero} of them not 0"
    )?;
    writeln!(out, "unit       {}", info.unit)?;
    writeln!(out, "top tile   {}", info.top_tile)?;
    let (file, memory) = (info.file_bytes, info.memory_bytes);
    writeln!(out, "size       {file} bytes, {memory} in memory")?;
    writeln!(out, "training")?;
    let names = info.training.iter().map(|(name, _)| name.len());
    let width = names.max().unwrap_or(0).min(20);
    for (name, value) in &info.training {
        let (name, value) = (output::one_line(name), output::one_line(value));
        writeln!(out, "  {name:width$}  {value}")?;
    }
    Ok(())
}
