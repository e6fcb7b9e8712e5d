//! The program without a terminal: what keys do, what is seen, what is kept.
//! Tests are named after the reports in which users told of the fault.

mod automatic;
mod fuzz;
mod games;
mod screens;
mod store;
mod support;
