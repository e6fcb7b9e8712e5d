//! The program as people run it: what it prints, what it says of bad input,
//! and its exit status. One file, one command.

mod agents;
mod browser;
// The browser's part is that of the tests of the server itself.
#[path = "../../../web/tests/api/client.rs"]
mod client;
mod exact;
mod hint;
mod networks;
#[path = "../load/process.rs"]
mod process;
mod readme;
mod replay;
mod serve;
mod slide;
mod support;
mod ten_moves;
mod usage;
