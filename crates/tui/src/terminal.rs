//! The terminal taken over, and given back however the program ends.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

/// The size that is assumed where a terminal does not say.
const USUAL_SIZE: (u16, u16) = (80, 24);

/// Whether the terminal is ours at the moment.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back, if it is taken. There is nobody to tell when that
/// fails, and the rest is done all the same.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), ResetColor, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// The terminal, taken over until this is dropped.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    size: (u16, u16),
}

impl Screen {
    /// Takes the terminal over: keys come one by one and unseen, and what was on
    /// it comes back at the end. A panic, on whatever thread, gives it back
    /// before it tells of itself.
    ///
    /// *Errors*: the terminal does not do that.
    pub fn take() -> io::Result<Screen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let tell = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                give_back();
                tell(info);
            }));
        });
        take_over()?;
        let size = size();
        let terminal = blank(size).inspect_err(|_| give_back())?;
        Ok(Screen { terminal, size })
    }

    /// Draws a picture; after a panic elsewhere nothing, since the terminal is
    /// not ours any more.
    ///
    /// *Errors*: the terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        if !IS_TAKEN.load(Ordering::SeqCst) {
            return Err(io::Error::other("a part of the program has failed"));
        }
        let size = size();
        if size != self.size {
            self.size = size;
            self.terminal = blank(size)?;
        }
        self.terminal.draw(draw).map(drop)
    }

    /// Columns and rows of the last picture.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Forgets what is on the screen, so that all of it is drawn anew.
    ///
    /// *Errors*: the terminal is gone.
    pub fn clear(&mut self) -> io::Result<()> {
        self.terminal = blank(self.size)?;
        Ok(())
    }

    /// Gives the terminal back, stops the process until the shell lets it go on,
    /// and takes the terminal again.
    ///
    /// *Errors*: the terminal is gone.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> io::Result<()> {
        use rustix::process::{Signal, getpid, kill_process};
        give_back();
        kill_process(getpid(), Signal::TSTP)?;
        self.retake()
    }

    /// Takes the terminal again, after somebody else has had it.
    ///
    /// *Errors*: the terminal is gone.
    pub fn retake(&mut self) -> io::Result<()> {
        // What is taken already is not taken: first the one, then the other.
        give_back();
        take_over()?;
        self.clear()
    }

    /// Does nothing, where a shell cannot stop a process.
    ///
    /// *Errors*: none.
    #[cfg(not(unix))]
    pub fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    let mut stdout = io::stdout();
    let entered = execute!(stdout, EnterAlternateScreen, Hide).and_then(|()| stdout.flush());
    entered.inspect_err(|_| give_back())
}

/// Columns and rows.
fn size() -> (u16, u16) {
    match terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        _ => USUAL_SIZE,
    }
}

/// An empty screen of this size, which is asked for here, since some terminals
/// have none.
///
/// Not by the library's own resizing and clearing: both ask the terminal where
/// its cursor is, and the answer goes to the thread that reads keys, so that
/// they wait for two seconds and fail.
fn blank((columns, rows): (u16, u16)) -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    execute!(io::stdout(), Clear(ClearType::All))?;
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
    Terminal::with_options(
        CrosstermBackend::new(io::stdout()),
        TerminalOptions { viewport },
    )
}

/// How the terminal is found that was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "not every system tells"))]
pub(crate) enum State {
    /// As it was left, or never taken.
    Ours,
    /// Somebody has set it back, as a shell does when a signal stops the process.
    Changed,
    /// It was closed without telling this process, which only asking finds out.
    Gone,
}

/// Looks at the terminal. It costs a call of the system.
#[cfg(unix)]
pub(crate) fn state() -> State {
    use rustix::termios::{LocalModes, tcgetattr};
    match tcgetattr(io::stdin()) {
        Err(_) => State::Gone,
        Ok(modes) => {
            let reads_lines = modes.local_modes.contains(LocalModes::ICANON);
            match reads_lines && IS_TAKEN.load(Ordering::SeqCst) {
                true => State::Changed,
                false => State::Ours,
            }
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn state() -> State {
    State::Ours
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::Screen;

    const PANICS: &str = "AFTERSTATE_TEST_PANICS";

    /// The part of the test below that is run in a terminal.
    #[test]
    fn panics_where_it_is_told_to() {
        if std::env::var_os(PANICS).is_some() {
            let mut screen = Screen::take().expect("a terminal");
            screen.draw(|_| ()).expect("a picture");
            panic!("on purpose");
        }
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_tells_of_itself() {
        let socket = format!("afterstate-panic-{}", std::process::id());
        let tmux = |args: &[&str]| {
            Command::new("tmux")
                .args(["-L", &socket])
                .args(args)
                .output()
        };
        let this = std::env::current_exe().expect("the test's own program");
        let line = format!(
            "RUST_BACKTRACE=0 {PANICS}=1 '{}' --nocapture terminal::tests::panics_where_it_is_told_to; \
             stty -a | tr ' ' '\\n' | grep -c -x -e echo -e icanon | sed s/^/sane=/; sleep 60",
            this.display()
        );
        let begun = [
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "80",
            "-y",
            "24",
            &line,
        ];
        if tmux(&begun).is_err() {
            eprintln!("skipped: no tmux, which has the terminal");
            return;
        }
        let shown = [
            "display-message",
            "-p",
            "alternate=#{alternate_on} cursor=#{cursor_flag}",
        ];
        let begun = Instant::now();
        loop {
            let screen = tmux(&["capture-pane", "-p"]).expect("tmux is there").stdout;
            let screen = String::from_utf8_lossy(&screen);
            if screen.contains("on purpose") && screen.contains("sane=2") {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{screen}");
            thread::sleep(Duration::from_millis(50));
        }
        let state = tmux(&shown).expect("tmux is there").stdout;
        assert_eq!(
            String::from_utf8_lossy(&state).trim(),
            "alternate=0 cursor=1"
        );
        let _ = tmux(&["kill-server"]);
    }
}
