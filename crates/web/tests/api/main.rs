//! Everything that a server can be asked, over real connections.

mod client;
mod games;
mod leaderboard;
mod page;
mod refusals;
mod support;
mod twin;
mod users;
