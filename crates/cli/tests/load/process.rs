//! `afterstate serve` as a process, for the tests that start, kill and stop it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that is killed with the test.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) addr: SocketAddr,
}

impl Process {
    /// A server on a free port; its agent plays at once and ends games soon.
    pub(crate) fn start(data: &Path) -> Process {
        Process::start_at("127.0.0.1:0", data)
    }

    /// The same on this address.
    pub(crate) fn start_at(addr: &str, data: &Path) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_afterstate"))
            .args(["serve", "--addr", addr, "--agent", "greedy", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("it is piped");
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        read.expect("the server says where it listens");
        let addr = line
            .trim()
            .strip_prefix("http://")
            .and_then(|addr| addr.parse().ok());
        let addr = addr.unwrap_or_else(|| panic!("no address: {line}"));
        Process { child, addr }
    }

    /// The death that nothing can be done about.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
