//! Agents that play by networks.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod games;
mod specs;
mod support;
