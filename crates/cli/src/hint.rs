//! `afterstate hint`: the values of all slides of a board.

use std::io::Write;

use afterstate_arena::{AgentSpec, Hint, Shared, hint_with_spawns};
use afterstate_bitboard::Slide;
use afterstate_rules::{SpawnSet, Status, Variant};
use anyhow::Context;
use serde::Serialize;

use crate::input;
use crate::output;

pub(crate) const HELP: &str = "\
Standard input is a board: rows of cells divided by blanks, or all cells on one line, or JSON (an array of rows, or an \
object with such a `board`). Empty cells are 0, . or _, multipliers x1, x2 and x4 (in JSON 0, -1, -2 and -4). \
When the game is over, no slide is recommended; the exit status is 0 all the same.

Examples:
  echo 16 512 2 0 64 256 0 2 16 128 0 0 8 4 0 0 | afterstate hint --variant classic
  echo 2 8 0 2 4 0 0 0 2 | afterstate hint --variant mini --spawns 2:0.8,4:0.15,8:0.05
  echo '[[2, 2, 0], [0, 4, 0], [0, 0, 0]]' | afterstate hint --variant mini --agent greedy --json
  echo 2 2 0 0 0 0 0 0 0 | afterstate hint --variant mini --agent exact:file=mini.table";

/// What `hint` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rules: classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
    /// Who is asked: NAME[:key=value,...], see `afterstate agents`
    #[arg(long, value_name = "A", default_value = "default")]
    agent: String,
    /// What the game spawns: standard, contest, guide or live, or
    /// TILE:WEIGHT,... like 2:0.8,4:0.15,8:0.05 [default: the variant's own]
    #[arg(long, value_name = "SET")]
    spawns: Option<SpawnSet>,
    /// Print {"slide": ..., "values": {"up": ..., ...}}
    #[arg(long)]
    json: bool,
}

/// Reads a board and prints what an agent thinks of its slides.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let spec = AgentSpec::parse(&args.agent, args.variant)?;
    let spawn_set = match &args.spawns {
        Some(spawn_set) => spawn_set.clone(),
        None => args.variant.spawn_sets().swap_remove(0),
    };
    let input = input::read_whole()?;
    let shared = Shared::default();
    let hint = hint_with_spawns(&shared, args.variant, &spec, &spawn_set, &input)
        .with_context(|| format!("--spawns {}", spawn_set.name()))??;
    let mut out = output::standard();
    if args.json {
        let as_json = HintAsJson::new(&hint);
        writeln!(out, "{}", serde_json::to_string(&as_json)?)?;
    } else {
        print_readable(&mut out, &hint, &spec)?;
    }
    Ok(out.flush()?)
}

#[derive(Serialize)]
struct HintAsJson {
    slide: Option<&'static str>,
    values: ValuesAsJson,
}

#[derive(Serialize)]
struct ValuesAsJson {
    up: Option<Number>,
    right: Option<Number>,
    down: Option<Number>,
    left: Option<Number>,
}

/// A value with as many digits as it has.
#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Single(f32),
    Double(f64),
}

fn number_of(hint: &Hint, slide: Slide) -> Option<Number> {
    match &hint.exact {
        Some(values) => values[slide.idx()].map(Number::Double),
        None => hint.values.of(slide).map(Number::Single),
    }
}

impl HintAsJson {
    fn new(hint: &Hint) -> HintAsJson {
        HintAsJson {
            slide: hint.slide().map(Slide::name),
            values: ValuesAsJson {
                up: number_of(hint, Slide::Up),
                right: number_of(hint, Slide::Right),
                down: number_of(hint, Slide::Down),
                left: number_of(hint, Slide::Left),
            },
        }
    }
}

fn print_readable(out: &mut impl Write, hint: &Hint, spec: &AgentSpec) -> anyhow::Result<()> {
    writeln!(out, "{}\n", hint.board)?;
    let Some(slide) = hint.slide() else {
        let why = match hint.status {
            Status::Cleared => "the game is cleared",
            Status::Playing | Status::Over => "no slide is legal, the game is over",
        };
        writeln!(out, "slide: none ({why})")?;
        return Ok(());
    };
    let texts = Slide::ALL.map(|slide| number_of(hint, slide).map(value_text));
    let width = texts.iter().flatten().map(String::len).max().unwrap_or(0);
    for (each, text) in Slide::ALL.into_iter().zip(texts) {
        match text {
            Some(text) => writeln!(out, "{each:5}  {text:>width$}")?,
            None => writeln!(out, "{each:5}  not legal")?,
        }
    }
    writeln!(out, "\nslide: {slide}  ({spec}; {})", spec.kind().unit())?;
    Ok(())
}

/// Two digits are enough to see which is larger, but for what is exact.
fn value_text(value: Number) -> String {
    match value {
        Number::Single(value) => format!("{value:.2}"),
        Number::Double(value) => format!("{value:.6}"),
    }
}
