//! A shell command in a process group of its own, which ends as a whole.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for what was killed to be gone.
const GONE_WITHIN: Duration = Duration::from_millis(200);

/// How long between two looks at a process.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// A command with all processes that it starts, as far as they stay in its
/// group: what makes itself a session of its own (`setsid`) gets away.
///
/// Dropping it ends it.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    child: Child,
    status: Option<ExitStatus>,
}

/// The standard streams of a command.
pub(super) struct Streams {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

impl ProcessGroup {
    /// Has the shell run `command`.
    ///
    /// *Errors*: no process can be started. That the shell finds no such
    /// command shows in its exit status only.
    pub(super) fn start(command: &str) -> io::Result<(ProcessGroup, Streams)> {
        let mut child = system::shell(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let streams = Streams {
            stdin: child.stdin.take().expect("standard input is piped"),
            stdout: child.stdout.take().expect("standard output is piped"),
            stderr: child.stderr.take().expect("standard error is piped"),
        };
        let group = ProcessGroup {
            child,
            status: None,
        };
        Ok((group, streams))
    }

    /// Whether the command itself has ended; others of its group may go on.
    pub(super) fn has_ended(&mut self) -> bool {
        self.status.is_some() || system::has_ended(&mut self.child)
    }

    /// Waits until the command itself has ended, at most this long; whether it
    /// has.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
        let started = Instant::now();
        while !self.has_ended() {
            if started.elapsed() >= time {
                return false;
            }
            std::thread::sleep(LOOK_EVERY);
        }
        true
    }

    /// Kills what is left of the group; how the command itself ended, unless
    /// the system does not tell.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // The command is waited for after the kill: until then its process
            // id, and with it that of the group, belongs to nobody else.
            system::kill(&mut self.child);
            self.status = self.child.wait().ok();
            let started = Instant::now();
            while system::lives_on(&self.child) && started.elapsed() < GONE_WITHIN {
                std::thread::sleep(LOOK_EVERY);
            }
        }
        self.status
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
mod system {
    use std::os::unix::process::CommandExt;

    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
    };

    use super::{Child, Command};

    pub(super) fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(text).process_group(0);
        command
    }

    /// Looks without taking the exit status away, unlike `Child::try_wait`,
    /// after which the process id may be given to another process.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(
            waitid(WaitId::Pid(Pid::from_child(child)), options),
            Ok(None)
        )
    }

    pub(super) fn kill(child: &mut Child) {
        // It fails when everybody has ended, which is as good.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }

    /// Whether anybody of the group is left. Not to be trusted for long, since
    /// the process ids may be given to others.
    pub(super) fn lives_on(child: &Child) -> bool {
        test_kill_process_group(Pid::from_child(child)).is_ok()
    }
}

#[cfg(windows)]
mod system {
    use std::os::windows::process::CommandExt;
    use std::process::Stdio;

    use super::{Child, Command};

    /// Its own group, so that Ctrl-C reaches the grader alone.
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;

    pub(super) fn shell(text: &str) -> Command {
        let mut command = Command::new("cmd");
        // `cmd` has its own rules for quotes: with /S it takes everything
        // between the outer ones as it stands.
        command
            .raw_arg(format!("/D /S /C \"{text}\""))
            .creation_flags(CREATE_NEW_PROCESS_GROUP);
        command
    }

    /// The open handle keeps the process id from being given to another.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    /// The tree of processes, by the tool of the system: a job object would
    /// need `unsafe` or one more dependency. What outlives its parent is not
    /// found.
    pub(super) fn kill(child: &mut Child) {
        let _ = Command::new("taskkill")
            .args(["/T", "/F", "/PID", &child.id().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = child.kill();
    }

    pub(super) fn lives_on(_child: &Child) -> bool {
        false
    }
}
