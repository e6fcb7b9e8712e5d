//! Gradings of the built-in player, and of players in other processes,
//! well-behaved and hostile. These are written for a Unix shell and for Python.

mod built_in;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod load;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod support;
