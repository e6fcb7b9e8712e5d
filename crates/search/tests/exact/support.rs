//! Solving with nothing in the way.

#![allow(dead_code, reason = "each test program takes what it needs")]

use core::sync::atomic::AtomicBool;

use afterstate_bitboard::{FullNibbles, Nibbles, WordGrid};
use afterstate_rules::{ClassicRules, Rules, SpawnSet, ValueGrid};
use afterstate_search::exact::{
    Keep, Objective, Problem, Resources, Solution, SolveError, Table, solve,
};

pub(crate) fn problem<const R: usize, const C: usize>(
    set: &SpawnSet,
    objective: Objective,
) -> Problem<ClassicRules<Nibbles<R, C>>>
where
    Nibbles<C, R>: ValueGrid,
{
    Problem::new(ClassicRules::on_grid(), set, objective).expect("a problem that can be posed")
}

/// The same on the grid with tiles for all spawns.
pub(crate) fn full_problem<const R: usize, const C: usize>(
    set: &SpawnSet,
    objective: Objective,
) -> Problem<ClassicRules<FullNibbles<R, C>>>
where
    FullNibbles<C, R>: ValueGrid,
{
    Problem::new(ClassicRules::on_grid(), set, objective).expect("a problem that can be posed")
}

pub(crate) fn solve_within<R: Rules>(
    problem: &Problem<R>,
    max_bytes: u64,
    keep: Keep,
) -> Result<Solution<R::Grid>, SolveError>
where
    R::Grid: WordGrid,
{
    let resources = Resources {
        max_bytes,
        scratch: Some(Box::new(tempfile::tempfile)),
        stop: &AtomicBool::new(false),
        watch: &mut |_| {},
    };
    solve(problem, resources, keep)
}

/// The solution with all the memory it wants.
pub(crate) fn solved<R: Rules>(problem: &Problem<R>) -> Solution<R::Grid>
where
    R::Grid: WordGrid,
{
    solve_within(problem, u64::MAX, Keep::Table).expect("nothing is in the way")
}

pub(crate) fn table_bytes<R: Rules>(problem: &Problem<R>) -> Vec<u8>
where
    R::Grid: WordGrid,
{
    let mut bytes = Vec::new();
    solved(problem)
        .write_table(&mut bytes)
        .expect("memory can be written");
    bytes
}

pub(crate) fn table<R: Rules>(problem: &Problem<R>) -> Table<R>
where
    R::Grid: WordGrid,
{
    let bytes = table_bytes(problem);
    Table::read(problem, &mut bytes.as_slice(), bytes.len() as u64).expect("the table reads back")
}
