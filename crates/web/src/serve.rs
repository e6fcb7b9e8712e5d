//! The server: started, run, stopped.

use core::fmt;
use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use afterstate_arena::{AgentKind, AgentSpec, AgentSpecError};
use afterstate_rules::Variant;
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};

use crate::api::{self, App, Peer};
use crate::config::{Config, Limits};
use crate::log;
use crate::store::schema::FolderLock;
use crate::store::{OpenError, Store};
use crate::table::OFFERED;

/// How long open requests are waited for when the server stops.
const STOP_TIME: Duration = Duration::from_secs(5);

/// How long to wait before the next connection is asked for when the system
/// has none to give, as when all file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why a server does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The agent cannot be had for a variant that the page offers.
    Agent {
        /// The variant.
        variant: Variant,
        /// What is wrong.
        source: AgentSpecError,
    },
    /// The agent plays by a file or on the machine's clock.
    AgentKey {
        /// The agent.
        agent: String,
    },
    /// The folder or the database in it.
    Store(OpenError),
    /// The address cannot be had.
    Listen {
        /// Which one.
        addr: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The system has no threads.
    Threads(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Agent { variant, source } => write!(f, "agent for {variant}: {source}"),
            ServeError::AgentKey { agent } => write!(
                f,
                "agent `{agent}`: expected one without `file` and `ms`, for all variants alike"
            ),
            ServeError::Store(source) => source.fmt(f),
            ServeError::Listen { addr, source } => {
                write!(
                    f,
                    "address {addr} cannot be listened on: {source}: expected one of this machine \
                     with a port that is free (--addr IP:PORT)"
                )
            }
            ServeError::Threads(source) => write!(f, "no threads: {source}"),
        }
    }
}

// Each line names its cause already.
impl std::error::Error for ServeError {}

/// A server that listens, and answers once it is [run](Server::run).
pub struct Server {
    app: Arc<App>,
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    addr: SocketAddr,
    stop: Arc<watch::Sender<bool>>,
    _lock: FolderLock,
}

/// Stops a server, from any thread.
#[derive(Clone)]
pub struct StopHandle(Arc<watch::Sender<bool>>);

impl StopHandle {
    /// Has the server end once the requests that are there are answered.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Takes the folder, the database and the address.
    ///
    /// *Errors*: one of them cannot be had, or the agent is not one for all
    /// variants of the page.
    pub fn bind(config: Config) -> Result<Server, ServeError> {
        let specs = specs_of(&config.agent)?;
        let lock = FolderLock::take(&config.data).map_err(ServeError::Store)?;
        let store = Store::open(&config.data).map_err(ServeError::Store)?;
        let failed = |source| ServeError::Listen {
            addr: config.addr,
            source,
        };
        let listener = TcpListener::bind(config.addr).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let runtime = Builder::new_multi_thread()
            .enable_io()
            .enable_time()
            .thread_name("serve")
            .build()
            .map_err(ServeError::Threads)?;
        let listener = {
            let _context = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(failed)?
        };
        let app = App::new(config, store, specs).map_err(ServeError::Threads)?;
        Ok(Server {
            app: Arc::new(app),
            runtime,
            listener,
            addr,
            stop: Arc::new(watch::Sender::new(false)),
            _lock: lock,
        })
    }

    /// Where it listens, with the port that was found where 0 was asked for.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What stops it.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.stop))
    }

    /// Answers until it is stopped; then everything is stored and closed.
    pub fn run(self) {
        let logs = self.app.config.logs_requests;
        if logs {
            log::event("start");
        }
        let router = api::router(&self.app);
        let stopped = self.stop.subscribe();
        self.runtime.block_on(accept_all(
            &self.listener,
            &router,
            &self.app.config.limits,
            stopped,
        ));
        drop(self.listener);
        self.runtime.shutdown_timeout(STOP_TIME);
        self.app.store.close();
        if logs {
            log::event("stop");
        }
    }
}

/// The agent for each variant.
fn specs_of(agent: &str) -> Result<BTreeMap<Variant, AgentSpec>, ServeError> {
    let mut specs = BTreeMap::new();
    for variant in OFFERED {
        let spec = AgentSpec::parse(agent, variant)
            .map_err(|source| ServeError::Agent { variant, source })?;
        // The time of a thought is the server's to bound, and one file is not
        // for all variants.
        let has_key = spec.file().is_some() || spec.time_limit().is_some();
        if has_key || spec.kind() == AgentKind::Exact {
            return Err(ServeError::AgentKey {
                agent: agent.to_owned(),
            });
        }
        specs.insert(variant, spec);
    }
    Ok(specs)
}

async fn accept_all(
    listener: &tokio::net::TcpListener,
    router: &Router,
    limits: &Limits,
    mut stopped: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => break,
            accepted = accept(listener, &places) => accepted,
        };
        let Some((stream, peer, place)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Small answers go out at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            service.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_timeout)
            .max_buf_size(16 * 1024)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A connection that breaks is the browser's to open again.
            let _ = connection.await;
            drop(place);
        });
    }
    let _ = tokio::time::timeout(STOP_TIME, graceful.shutdown()).await;
}

type Accepted = (
    tokio::net::TcpStream,
    SocketAddr,
    tokio::sync::OwnedSemaphorePermit,
);

/// The next connection, once there is a place for it.
async fn accept(listener: &tokio::net::TcpListener, places: &Arc<Semaphore>) -> Option<Accepted> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let (stream, peer) = listener.accept().await.ok()?;
    Some((stream, peer, place))
}
