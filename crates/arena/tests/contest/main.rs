//! Gradings of players in other processes, well-behaved and hostile. The
//! players are written for a Unix shell and for Python.
#![cfg(unix)]

mod built_in;
mod faults;
mod load;
mod processes;
mod support;
