//! What a server is told, and what it allows.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, SystemClock};

/// What a server is told when it starts.
#[derive(Clone)]
pub struct Config {
    /// Where it listens; port 0 takes any that is free.
    pub addr: SocketAddr,
    /// The folder with everything that it keeps, made if it does not exist.
    pub data: PathBuf,
    /// The agent that gives hints and plays the automatic mode, as
    /// [`afterstate_arena::AgentSpec::parse`] takes it for every variant.
    pub agent: String,
    /// Whether starts, stops and requests are logged; faults always are.
    pub logs_requests: bool,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// What one visitor may ask for.
    pub limits: Limits,
}

impl Config {
    /// A server for players: the recommended agents, the machine's clock.
    pub fn new(addr: SocketAddr, data: PathBuf) -> Config {
        Config {
            addr,
            data,
            agent: "default".to_owned(),
            logs_requests: false,
            clock: Arc::new(SystemClock),
            limits: Limits::default(),
        }
    }
}

/// How often something may happen: up to `burst` at once, `per_second` for long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How many at once.
    pub burst: f64,
    /// How many a second in the long run.
    pub per_second: f64,
}

/// Bounds on what visitors ask for, so that none can starve the others. All
/// numbers are guesses: far above what a person or our page does, far below
/// what hurts.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Connections at a time; more wait until one is closed.
    pub connections: usize,
    /// How long a connection may take to send the head of a request, and stay
    /// idle.
    pub head_timeout: Duration,
    /// How long an answer may take, the reading of the body included.
    pub answer_timeout: Duration,
    /// Requests of one visitor that change something.
    pub requests: Rate,
    /// New games of one visitor.
    pub games: Rate,
    /// New visitors from one address.
    pub visitors: Rate,
    /// Threads that think about hints and automatic slides.
    pub thinkers: usize,
    /// Hints and automatic slides that wait for a thread.
    pub thoughts: usize,
    /// How long one request may think; it always makes one slide.
    pub think_time: Duration,
    /// Games that are kept in memory; others are read when they are asked for.
    pub live_games: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        // One core is left for those who play themselves.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            body_bytes: 1024,
            connections: 1024,
            head_timeout: Duration::from_secs(30),
            answer_timeout: Duration::from_secs(15),
            requests: Rate {
                burst: 120.0,
                per_second: 40.0,
            },
            games: Rate {
                burst: 30.0,
                per_second: 0.5,
            },
            visitors: Rate {
                burst: 256.0,
                per_second: 1.0,
            },
            thinkers: cores.saturating_sub(1).max(1),
            thoughts: 64,
            think_time: Duration::from_millis(50),
            live_games: 1024,
        }
    }
}
