//! Everything that shows the rules to be exact: each test compares the tables
//! with the naive twin of `afterstate-testkit`, with golden cases, or with
//! published figures.

mod enumeration;
mod golden;
mod lines;
mod perft;
mod properties;
mod spawns;
mod states;
mod support;
mod tracks;
mod users;
