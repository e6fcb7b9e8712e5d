//! Weights of the heuristic, by CMA-ES.

use afterstate_arena::{TUNABLE, Tunable, heuristic_fitness, weights_of};
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
    /// Weights to leave as they are (repeatable)
    #[arg(long, value_name = "NAME")]
    keep: Vec<String>,
}

/// Searches weights around those in the code, in factors, and prints what it
/// finds. A weight that is 0 stays 0.
///
/// *Errors*: a weight that does not exist.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    for name in &args.keep {
        if !TUNABLE.iter().any(|(known, _)| known == name) {
            let names: Vec<&str> = TUNABLE.iter().map(|&(name, _)| name).collect();
            bail!("no weight `{name}`: expected one of {}", names.join(", "));
        }
    }
    let start = weights_of(args.variant, Objective::Score);
    let tuned: Vec<Tunable> = TUNABLE
        .into_iter()
        .filter(|(name, weight)| {
            *weight(&mut start.clone()) != 0.0 && !args.keep.iter().any(|keep| keep == name)
        })
        .collect();
    let weights_at = |point: &DVector<f64>| {
        let mut weights = start;
        for (&(_, weight), &exponent) in tuned.iter().zip(point.iter()) {
            *weight(&mut weights) *= exponent.exp() as f32;
        }
        weights
    };
    let fitness = |weights: &LineWeights| {
        heuristic_fitness(args.variant, weights, args.depth, args.games, args.seed)
    };
    println!("start: mean log score {:.4}", fitness(&start));
    let mut optimizer = CMAESOptions::new(vec![0.0; tuned.len()], 0.5)
        .population_size(args.population as usize)
        .max_generations(args.generations as usize)
        .seed(args.seed)
        .build(|point: &DVector<f64>| -fitness(&weights_at(point)))
        .map_err(|error| anyhow::anyhow!("the optimizer refuses its options: {error:?}"))?;
    for generation in 1..=args.generations {
        let finished = optimizer.next_parallel();
        if let Some(best) = optimizer.overall_best_individual() {
            println!(
                "generation {generation}: best {:.4} {}",
                -best.value,
                shown(&tuned, &weights_at(&best.point))
            );
        }
        if finished.is_some() {
            break;
        }
    }
    let mean = weights_at(optimizer.mean());
    println!(
        "mean of the last generation: {:.4} {}",
        fitness(&mean),
        shown(&tuned, &mean)
    );
    Ok(Outcome::Passed)
}

fn shown(tuned: &[Tunable], weights: &LineWeights) -> String {
    let mut weights = *weights;
    let parts: Vec<String> = tuned
        .iter()
        .map(|&(name, weight)| format!("{name} {:.4}", weight(&mut weights)))
        .collect();
    parts.join(", ")
}
