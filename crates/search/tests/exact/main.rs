//! Small boards solved: published and independently computed figures, a literal
//! recursion over the naive rules, and what is said of tables and of memory.

mod akioi;
mod expectimax;
mod late_boards;
mod literal;
mod references;
mod resources;
mod support;
mod tables;
