//! Threads that think: hints and automatic slides, apart from those who play
//! themselves and one at a time for each visitor.

use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use afterstate_arena::{Advisor, AgentSpec, Shared};
use afterstate_rules::Variant;
use tokio::sync::oneshot;

/// Why a thought is not taken on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThinkRefusal {
    /// The visitor's last one is not done.
    OneAtATime,
    /// Too many wait.
    Busy,
}

/// What is done with the agent of a variant.
type Thought = Box<dyn FnOnce(&mut Advisor) + Send>;

/// The threads and their queue.
pub(crate) struct Thinkers {
    jobs: mpsc::SyncSender<(Variant, Thought)>,
    asking: Arc<Mutex<HashSet<i64>>>,
}

/// Holds a visitor's place until the thought is done.
struct Place {
    asking: Arc<Mutex<HashSet<i64>>>,
    visitor: i64,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        asking.remove(&self.visitor);
    }
}

/// What a thinking thread needs.
struct Worker {
    queue: Arc<Mutex<mpsc::Receiver<(Variant, Thought)>>>,
    specs: BTreeMap<Variant, AgentSpec>,
    shared: Shared,
}

impl Thinkers {
    /// Starts the threads. Networks are loaded when they are first asked, once
    /// for all threads.
    pub(crate) fn start(
        n_threads: usize,
        n_waiting: usize,
        specs: &BTreeMap<Variant, AgentSpec>,
    ) -> std::io::Result<Thinkers> {
        let (jobs, queue) = mpsc::sync_channel(n_waiting);
        let queue = Arc::new(Mutex::new(queue));
        let shared = Shared::default();
        for idx in 0..n_threads {
            let worker = Worker {
                queue: Arc::clone(&queue),
                specs: specs.clone(),
                shared: shared.clone(),
            };
            std::thread::Builder::new()
                .name(format!("thinker-{idx}"))
                .spawn(move || worker.work())?;
        }
        Ok(Thinkers {
            jobs,
            asking: Arc::default(),
        })
    }

    /// What `thought` returns, thought on one of the threads.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        visitor: i64,
        variant: Variant,
        thought: impl FnOnce(&mut Advisor) -> T + Send + 'static,
    ) -> Result<T, ThinkRefusal> {
        let is_first = {
            let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            asking.insert(visitor)
        };
        if !is_first {
            return Err(ThinkRefusal::OneAtATime);
        }
        let place = Place {
            asking: Arc::clone(&self.asking),
            visitor,
        };
        let (sender, answer) = oneshot::channel();
        let job: Thought = Box::new(move |advisor| {
            let thought = thought(advisor);
            drop(place);
            // Nobody to tell when the asker has gone.
            let _ = sender.send(thought);
        });
        self.jobs
            .try_send((variant, job))
            .map_err(|_| ThinkRefusal::Busy)?;
        answer.await.map_err(|_| ThinkRefusal::Busy)
    }
}

impl Worker {
    /// Until nobody can ask any more.
    fn work(self) {
        let mut advisors: BTreeMap<Variant, Advisor> = BTreeMap::new();
        loop {
            let next = {
                let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.recv()
            };
            let Ok((variant, thought)) = next else { return };
            // A thought that panics is lost, with a message on standard error; the
            // thread goes on with a new search.
            let result = catch_unwind(AssertUnwindSafe(|| {
                let advisor = advisors.entry(variant).or_insert_with(|| {
                    Advisor::load(&self.shared, variant, &self.specs[&variant])
                        .expect("agents with files are refused when the server starts")
                });
                thought(advisor);
            }));
            if result.is_err() {
                advisors.remove(&variant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::table::OFFERED;

    fn thinkers(n_waiting: usize) -> Thinkers {
        let specs = OFFERED.into_iter().map(|variant| {
            let spec = AgentSpec::parse("greedy", variant).expect("an agent of every variant");
            (variant, spec)
        });
        Thinkers::start(1, n_waiting, &specs.collect()).expect("a thread")
    }

    #[test]
    fn one_thought_of_a_visitor_at_a_time_and_few_that_wait() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_time()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let thinkers = Arc::new(thinkers(1));
            let (go, wait) = mpsc::channel::<()>();
            let long = Arc::clone(&thinkers);
            let first = tokio::spawn(async move {
                long.think(1, Variant::Mini, move |_| wait.recv().is_ok())
                    .await
            });
            tokio::time::sleep(Duration::from_millis(100)).await;
            let again = thinkers.think(1, Variant::Mini, |_| ()).await;
            assert_eq!(again, Err(ThinkRefusal::OneAtATime));
            let other = Arc::clone(&thinkers);
            let second = tokio::spawn(async move { other.think(2, Variant::Mini, |_| 2).await });
            tokio::time::sleep(Duration::from_millis(100)).await;
            let third = thinkers.think(3, Variant::Mini, |_| ()).await;
            assert_eq!(third, Err(ThinkRefusal::Busy));
            go.send(()).expect("the thread waits");
            assert_eq!(first.await.expect("no panic"), Ok(true));
            assert_eq!(second.await.expect("no panic"), Ok(2));
            // Who was refused has lost no place.
            assert_eq!(thinkers.think(3, Variant::Mini, |_| 3).await, Ok(3));
            assert_eq!(thinkers.think(1, Variant::Mini, |_| 1).await, Ok(1));
        });
    }
}
