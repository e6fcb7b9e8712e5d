//! `afterstate serve`: the games in a browser.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use afterstate_web::{Config, Server, back_up};
use anyhow::anyhow;

use crate::output;

pub(crate) const HELP: &str = "\
Serves akioi, classic and mini with a leaderboard, until it is interrupted. Everything is kept in the folder of --data: \
a server that is started again, or was killed, goes on where it was. The interface for programs is in docs/api.md. \
Other machines reach it by --addr 0.0.0.0:2048; put a proxy with https before it on the open network.

Examples:
  afterstate serve
  afterstate serve --addr 127.0.0.1:8080 --data games
  afterstate serve --data games --backup copy.db";

/// What `serve` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:2048", value_parser = addr)]
    addr: SocketAddr,
    /// The folder for games, names and results
    #[arg(long, value_name = "DIR", default_value = "afterstate.data")]
    data: PathBuf,
    /// Who gives hints and plays the automatic mode: an agent that all
    /// variants have, see `afterstate agents`
    #[arg(long, value_name = "A", default_value = "default")]
    agent: String,
    /// Log each request on standard error, without personal data
    #[arg(long)]
    log: bool,
    /// Copy the database of DIR, in use or not, into a new FILE, and end
    #[arg(long, value_name = "FILE")]
    backup: Option<PathBuf>,
}

/// An address to listen on.
///
/// *Errors*: anything else, with what would be accepted.
fn addr(text: &str) -> anyhow::Result<SocketAddr> {
    let parsed = text.parse();
    parsed.map_err(|_| {
        anyhow!("expected an IP address and a port, as in 127.0.0.1:2048 or [::1]:2048")
    })
}

/// Serves until it is interrupted.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(target) = &args.backup {
        return Ok(back_up(&args.data, target)?);
    }
    let mut config = Config::new(args.addr, args.data.clone());
    config.agent.clone_from(&args.agent);
    config.logs_requests = args.log;
    let server = Server::bind(config)?;
    let stop = server.stop_handle();
    ctrlc::set_handler(move || stop.stop())?;
    let mut out = output::standard();
    writeln!(out, "http://{}", server.addr())?;
    out.flush()?;
    drop(out);
    server.run();
    Ok(())
}
