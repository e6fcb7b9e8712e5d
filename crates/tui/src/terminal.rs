//! The terminal taken over, and given back however the program ends.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    self, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
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
        let options = TerminalOptions {
            // The size is asked for here, since some terminals have none.
            viewport: Viewport::Fixed(area(size)),
        };
        let terminal = Terminal::with_options(CrosstermBackend::new(io::stdout()), options);
        let terminal = terminal.inspect_err(|_| give_back())?;
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
            self.terminal.resize(area(size))?;
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
        self.terminal.resize(area(self.size))?;
        self.terminal.clear()
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

fn area((columns, rows): (u16, u16)) -> Rect {
    Rect::new(0, 0, columns, rows)
}

/// Whether the terminal is still there. One that was closed without telling
/// this process is found out by asking only.
#[cfg(unix)]
pub(crate) fn is_there() -> bool {
    rustix::termios::tcgetattr(io::stdin()).is_ok()
}

#[cfg(not(unix))]
pub(crate) fn is_there() -> bool {
    true
}
