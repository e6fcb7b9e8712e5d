use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use afterstate_arena::Shared;
use afterstate_arena::contest::{GradePlan, GradePlayer, Grades, PlayerCommand, grade};

/// A grading by one command.
pub(crate) struct Grader {
    pub(crate) n_cases: u32,
    pub(crate) n_threads: usize,
    pub(crate) limit_ms: u64,
    pub(crate) seed: u64,
}

/// Three cases, two at a time, with a limit that no test waits for.
pub(crate) const USUAL: Grader = Grader {
    n_cases: 3,
    n_threads: 2,
    limit_ms: 60_000,
    seed: 1,
};

/// As [`USUAL`], with a limit for players that are meant to miss it.
pub(crate) const HASTY: Grader = Grader {
    limit_ms: 300,
    ..USUAL
};

impl Grader {
    /// Grades `command`, and makes sure that every case has been played and
    /// that no process is left.
    #[track_caller]
    pub(crate) fn grade(&self, command: &str) -> Grades {
        self.grade_until(command, &AtomicBool::new(false))
            .expect("nothing stops the grading")
    }

    #[track_caller]
    pub(crate) fn grade_until(&self, command: &str, stop: &AtomicBool) -> Option<Grades> {
        let mark = next_mark();
        let plan = GradePlan {
            player: GradePlayer::Command(PlayerCommand {
                command: format!("export AFTERSTATE_MARK={mark}; {command}"),
                time_limit: Duration::from_millis(self.limit_ms),
            }),
            n_cases: self.n_cases,
            seed: self.seed,
            n_threads: self.n_threads,
        };
        let n_watched = AtomicU32::new(0);
        let grades = grade(&Shared::default(), &plan, stop, |_| {
            n_watched.fetch_add(1, Ordering::Relaxed);
        });
        if let Some(grades) = &grades {
            assert_eq!(grades.grading.cases().len(), self.n_cases as usize);
            assert_eq!(grades.error_outputs.len(), self.n_cases as usize);
            assert_eq!(n_watched.into_inner(), self.n_cases);
        }
        assert_eq!(processes_with(&mark), Vec::<String>::new(), "{command}");
        grades
    }

    /// The verdict of all cases, which must be the same, with award 0.
    #[track_caller]
    pub(crate) fn only_verdict(&self, command: &str) -> String {
        let grades = self.grade(command);
        let cases = grades.grading.cases();
        let first = cases[0].verdict.to_string();
        for case in cases {
            assert_eq!(case.verdict.to_string(), first, "{command}");
            assert_eq!(case.award(), 0, "{command}");
        }
        first
    }
}

/// A shell loop that does `answer` whenever a slide is asked for.
pub(crate) fn answering(answer: &str) -> String {
    format!("while read -r line; do case $line in slide) {answer};; esac; done")
}

/// The Python player with these options; `None`, and a line that says so, where
/// there is no Python.
pub(crate) fn python_player(options: &str) -> Option<String> {
    let works = |python: &str| {
        let mut command = Command::new(python);
        command.args(["-c", "import sys; sys.exit(sys.version_info < (3, 6))"]);
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    // The system's own comes first: it starts faster than a manager of versions.
    let pythons = ["/usr/bin/python3", "python3"];
    let Some(python) = pythons.into_iter().find(|python| works(python)) else {
        eprintln!("SKIPPED: there is no python3 to run tests/data/player.py");
        return None;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/player.py");
    Some(format!("exec {python} '{script}' {options}"))
}

/// A word that no other grading on this machine uses.
fn next_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("mark-{}-{number}-end", std::process::id())
}

/// The command lines of living processes that have the mark on theirs or in
/// their environment. A killed process may take a moment to be gone, since its
/// last parent, the system's, is in no hurry.
#[cfg(target_os = "linux")]
pub(crate) fn processes_with(mark: &str) -> Vec<String> {
    let started = Instant::now();
    loop {
        let found = living_processes_with(mark);
        if found.is_empty() || started.elapsed() > Duration::from_secs(2) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
fn living_processes_with(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")
        .expect("Linux has /proc")
        .flatten()
    {
        let read = |file: &str| std::fs::read(entry.path().join(file)).unwrap_or_default();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace('\0', " ");
        let command_line = text(read("cmdline"));
        if command_line.contains(mark) || text(read("environ")).contains(mark) {
            found.push(command_line);
        }
    }
    found
}

/// Elsewhere only the command lines can be looked at.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processes_with(mark: &str) -> Vec<String> {
    let started = Instant::now();
    loop {
        let output = Command::new("ps").args(["-A", "-o", "command"]).output();
        let output = output.expect("a Unix system has ps");
        let found: Vec<String> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter(|line| line.contains(mark))
            .map(str::to_owned)
            .collect();
        if found.is_empty() || started.elapsed() > Duration::from_secs(2) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
