//! Expectimax against a plain enumeration with the naive rules, and the cache
//! against a map.

mod batch;
mod cache;
mod narrow;
mod support;
mod values;
