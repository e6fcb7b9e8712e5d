//! The program as people run it: what it prints, what it says of bad input,
//! and its exit status. One file, one command.

mod agents;
mod exact;
mod hint;
mod networks;
mod readme;
mod slide;
mod support;
mod ten_moves;
mod usage;
