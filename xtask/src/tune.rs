//! Weights of the heuristic, by CMA-ES.

use std::sync::atomic::{AtomicU64, Ordering};

use afterstate_arena::{FIXED, heuristic_fitness, weights_of};
use afterstate_eval::{LineWeights, Objective};
use afterstate_rules::Variant;
use anyhow::bail;
use cmaes::{CMAESOptions, DVector};

use crate::step::Outcome;

/// What to tune, and how long.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
    /// Plies of the search that plays
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    depth: u32,
    /// Games for each candidate
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Generations
    #[arg(long, value_name = "G", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    generations: u64,
    /// Candidates in a generation
    #[arg(long, value_name = "P", default_value_t = 12, value_parser = clap::value_parser!(u64).range(4..))]
    population: u64,
    /// Seed of the games and of the optimizer
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Step width of the first generation, in natural logarithms of factors
    #[arg(long, value_name = "W", default_value_t = 0.3)]
    sigma: f64,
    /// Weights to leave as they are (repeatable)
    #[arg(long, value_name = "NAME")]
    keep: Vec<String>,
}

/// Searches weights around those in the code, in factors, and prints what it
/// finds. A weight that is 0 stays 0, one below 0 stays below.
///
/// Each generation plays games of its own, lest weights be found that suit a
/// few games; what is printed is the mean of the search's distribution, not its
/// best candidate, which had luck.
///
/// *Errors*: a weight that does not exist.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let start = weights_of(args.variant, Objective::Score);
    let names = named(start).map(|(name, _)| name);
    for keep in &args.keep {
        if !names.clone().any(|name| name == *keep) {
            let names: Vec<String> = names.collect();
            bail!("no weight `{keep}`: expected one of {}", names.join(", "));
        }
    }
    let tuned: Vec<usize> = named(start)
        .enumerate()
        .filter(|(_, (name, weight))| {
            *weight != 0.0 && !FIXED.contains(&name.as_str()) && !args.keep.contains(name)
        })
        .map(|(index, _)| index)
        .collect();
    let weights_at = |point: &DVector<f64>| {
        let mut weights = start;
        let mut by_name = weights.by_name();
        for (&index, &exponent) in tuned.iter().zip(point.iter()) {
            *by_name[index].1 *= exponent.exp() as f32;
        }
        weights
    };
    let generation = AtomicU64::new(0);
    let fitness = |weights: &LineWeights| {
        let seed = args.seed + generation.load(Ordering::Relaxed);
        heuristic_fitness(args.variant, weights, args.depth, args.games, seed)
    };
    println!("start: mean log score {:.4}", fitness(&start));
    let mut optimizer = CMAESOptions::new(vec![0.0; tuned.len()], args.sigma)
        .population_size(args.population as usize)
        .max_generations(args.generations as usize)
        .seed(args.seed)
        .build(|point: &DVector<f64>| -fitness(&weights_at(point)))
        .map_err(|error| anyhow::anyhow!("the optimizer refuses its options: {error:?}"))?;
    for number in 1..=args.generations {
        generation.store(number, Ordering::Relaxed);
        let finished = optimizer.next_parallel();
        let mean = weights_at(optimizer.mean());
        let sigma = optimizer.sigma();
        println!(
            "generation {number}: sigma {sigma:.3}, mean {}",
            shown(&mean)
        );
        if finished.is_some() {
            break;
        }
    }
    generation.store(0, Ordering::Relaxed);
    let mean = weights_at(optimizer.mean());
    println!("end: mean log score {:.4}", fitness(&mean));
    Ok(Outcome::Passed)
}

/// The weights with their names.
fn named(mut weights: LineWeights) -> impl Iterator<Item = (String, f32)> + Clone {
    let named: Vec<(String, f32)> = weights
        .by_name()
        .into_iter()
        .map(|(name, weight)| (name, *weight))
        .collect();
    named.into_iter()
}

fn shown(weights: &LineWeights) -> String {
    let parts: Vec<String> = named(*weights)
        .map(|(name, weight)| format!("{name} {weight:.4}"))
        .collect();
    parts.join(", ")
}
