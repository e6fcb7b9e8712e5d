//! Small boards solved completely: the value of best play from every board
//! that a game can come to.
//!
//! A [`Problem`] is rules, spawns and an [`Objective`]. [`solve`] answers it for
//! classic rules, in three steps:
//!
//! 1. *Enumeration*, layer by layer. A slide keeps the sum of the tiles and a
//!    spawn adds its tile, so the boards of one sum come from those of the few
//!    sums below. Boards are kept up to symmetry.
//! 2. *Values*, from the last layer back: an afterstate is worth the mean over
//!    its spawns, a board the best of its slides. Only the layers that one spawn
//!    can reach are needed at a time.
//! 3. What is wanted of it: the value of the opening, or a [`Table`] of all
//!    afterstates.
//!
//! In akioi a slide may keep the sum or lower the number of tiles at no gain in
//! sum, so a board can come back; [`solve_cyclic`] sweeps over all boards until
//! nothing changes by more than a stated residual.
//!
//! Conventions of counting: a *state* is a board before the player's slide,
//! boards of openings and boards without a legal slide included; an
//! *afterstate* is a board after a legal slide. Where the objective is a tile, a
//! game ends when it is made: such boards are counted apart, and nothing is
//! counted that could only come after them.

mod cyclic;
mod keys;
mod layered;
mod passes;
mod problem;
mod solution;
mod store;
mod table;
mod table_file;

pub use cyclic::{CyclicSolution, solve_cyclic};
pub use layered::solve;
pub use problem::{Objective, ObjectiveError, Problem, ProblemError};
pub use solution::{Count, Counts, Keep, LayerCounts, Progress, Resources, Solution, SolveError};
pub use store::Scratch;
pub use table::{Table, TableError};
