use std::sync::{Condvar, Mutex, PoisonError};

/// Lets only so many players start at a time.
///
/// Starting an interpreter takes thousands of times as long as an answer. With
/// more games at once than the machine has cores, all of them starting
/// together would make each other late for their first answer.
#[derive(Debug)]
pub(super) struct Starts {
    n_free: Mutex<usize>,
    freed: Condvar,
}

impl Starts {
    /// At most `n_at_once` starts at a time.
    pub(super) fn new(n_at_once: usize) -> Starts {
        Starts {
            n_free: Mutex::new(n_at_once.max(1)),
            freed: Condvar::new(),
        }
    }

    /// Waits for its turn, which ends when the result is dropped.
    pub(super) fn turn(&self) -> Turn<'_> {
        let n_free = self.n_free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut n_free = self
            .freed
            .wait_while(n_free, |n_free| *n_free == 0)
            .unwrap_or_else(PoisonError::into_inner);
        *n_free -= 1;
        Turn { starts: self }
    }
}

/// Somebody's turn to start.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    starts: &'a Starts,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut n_free = self
            .starts
            .n_free
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *n_free += 1;
        self.starts.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::Starts;

    #[test]
    fn no_more_start_than_may() {
        let starts = Starts::new(2);
        let (n_now, n_most, n_all) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let _turn = starts.turn();
                    let now = n_now.fetch_add(1, Ordering::SeqCst) + 1;
                    n_most.fetch_max(now, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    n_now.fetch_sub(1, Ordering::SeqCst);
                    n_all.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(n_most.into_inner(), 2);
        assert_eq!(n_all.into_inner(), 16);
    }
}
