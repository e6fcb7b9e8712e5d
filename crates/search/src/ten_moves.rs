//! The best score in ten moves: a 3x3 board, classic slides, nothing spawns.
//!
//! Wanted are the largest score of at most `horizon` slides (ten in the task)
//! and, among the ways to it, the fewest slides. Three facts make that cheap:
//!
//! 1. A merge raises the sum of the tiles' potentials by exactly its gain, so
//!    the score at a reached board does not depend on the way there. The search
//!    goes over distinct boards by layers, not over sequences of slides, and
//!    the first layer in which a score is seen has the fewest slides to it.
//! 2. A symmetric image of a board has the images of its successors, so that
//!    boards are searched up to symmetry.
//! 3. Slides keep the sum of the tiles, and merging as long as there are two
//!    equal tiles ends, in whatever order, with one tile for each binary digit
//!    of that sum. The potential of those tiles is a bound, and the search
//!    stops at the first board that meets it.
//!
//! The second and third leave 23 of the 95 boards that an input of the task
//! reaches in ten slides on average, and 221 of at most 676.
//!
//! [`Solver`] answers for one board. [`solve_all`] answers for the whole input
//! space, not board by board but for all boards of one tile sum together: they
//! share what they reach.
//!
//! *Source*: RULES section 4.

mod all;
mod classes;
mod input;
mod solver;

pub use all::{Totals, solve_all};
pub use input::{InputError, parse_board};
pub use solver::{Best, HORIZON, Solver};
