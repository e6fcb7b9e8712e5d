#![doc = include_str!("../README.md")]

mod api;
mod clock;
mod config;
mod error;
mod log;
mod page;
mod rate;
mod seats;
mod serve;
mod session;
mod store;
mod table;
mod think;

pub use clock::{Clock, DAY_MS, ManualClock, SystemClock};
pub use config::{Config, Limits, Rate};
pub use serve::{ServeError, Server, StopHandle};
pub use store::OpenError;
pub use store::schema::back_up;
