//! What is kept: one SQLite database, one thread that writes it.
//!
//! Jobs wait in a queue; the thread takes all that are there, does them in one
//! transaction and answers when it is committed. So an answer that says stored
//! is stored, and a thousand slides a second are some dozens of commits.
//!
//! A commit survives the death of the process, however sudden. The death of the
//! machine may take the slides of the last moments with it, but no submission
//! and no name: jobs that are [`Lasting`](Durability::Lasting) wait for the disk.

pub(crate) mod games;
pub(crate) mod names;
pub(crate) mod records;
pub(crate) mod schema;

use core::fmt;
use std::path::Path;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

pub use schema::OpenError;

/// Jobs of one transaction at most, so that the first need not wait for long.
const BATCH: usize = 256;

/// Jobs that wait at most; whoever comes then waits for a place.
const QUEUE: usize = 4096;

/// What a job's answer has to outlive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// The process.
    Usual,
    /// The machine.
    Lasting,
}

/// Why a job was not done. Nothing of it is stored then.
#[derive(Debug, Clone)]
pub(crate) enum StoreError {
    /// What SQLite says.
    Database(Arc<rusqlite::Error>),
    /// The store is closed, or was closed meanwhile.
    Closed,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Database(error) => write!(f, "the database: {error}"),
            StoreError::Closed => f.write_str("the database is closed"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Database(Arc::new(error))
    }
}

/// Tells whoever waits for a job how its transaction ended.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

struct Job {
    durability: Durability,
    run: Box<dyn FnOnce(&Connection) -> Answer + Send>,
}

/// The way to the thread that writes.
pub(crate) struct Store {
    jobs: Mutex<Option<mpsc::SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the database in `folder`, making and migrating it as needed.
    pub(crate) fn open(folder: &Path) -> Result<Store, OpenError> {
        let connection = schema::open(folder)?;
        let (jobs, queue) = mpsc::sync_channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(connection, &queue))
            .map_err(OpenError::Thread)?;
        Ok(Store {
            jobs: Mutex::new(Some(jobs)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Does `job` in a transaction, and returns what it returned once that is
    /// committed.
    ///
    /// *Errors*: the job's own, which undoes that job alone, or the commit's.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        durability: Durability,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, answer) = oneshot::channel();
        let run = move |connection: &Connection| -> Answer {
            let result = in_savepoint(connection, job);
            Box::new(move |committed| {
                let result = result.map_err(StoreError::from);
                // Nobody to tell when the asker has gone.
                let _ = sender.send(committed.and(result));
            })
        };
        let mut job = Job {
            durability,
            run: Box::new(run),
        };
        loop {
            match self.submit(job)? {
                None => break,
                Some(refused) => job = refused,
            }
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Puts a job in the queue; gives it back when the queue is full.
    fn submit(&self, job: Job) -> Result<Option<Job>, StoreError> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        match jobs.as_ref().ok_or(StoreError::Closed)?.try_send(job) {
            Ok(()) => Ok(None),
            Err(mpsc::TrySendError::Full(job)) => Ok(Some(job)),
            Err(mpsc::TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    /// Waits for what is in the queue and closes the database.
    pub(crate) fn close(&self) {
        let jobs = self
            .jobs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(jobs);
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            // A thread that failed has told so by itself.
            let _ = thread.join();
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.close();
    }
}

/// Does a job so that its failure undoes nothing else of the transaction.
fn in_savepoint<T>(
    connection: &Connection,
    job: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    let result = job(connection);
    if result.is_err() {
        connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
    }
    connection.prepare_cached("RELEASE job")?.execute([])?;
    result
}

/// The thread: until nobody can send any more.
fn write_all(connection: Connection, queue: &mpsc::Receiver<Job>) {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        batch.extend(queue.try_iter().take(BATCH - 1));
        let lasting = batch
            .iter()
            .any(|job| job.durability == Durability::Lasting);
        let mut answers = Vec::with_capacity(batch.len());
        let committed = begin(&connection, lasting).and_then(|()| {
            answers.extend(batch.drain(..).map(|job| (job.run)(&connection)));
            connection.execute_batch("COMMIT")
        });
        if committed.is_err() && !connection.is_autocommit() {
            // What cannot be rolled back either shows at the next BEGIN.
            let _ = connection.execute_batch("ROLLBACK");
        }
        let committed = committed.map_err(StoreError::from);
        for answer in answers {
            answer(committed.clone());
        }
        // Jobs of a transaction that never began are dropped here, and with
        // them their senders, which tells the askers.
    }
    // So that a copy of the one file is the whole of it; a failure leaves the
    // journal beside it, which the next start reads.
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
}

fn begin(connection: &Connection, lasting: bool) -> rusqlite::Result<()> {
    connection.execute_batch(match lasting {
        true => "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
        false => "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_runtime<T>(task: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime")
            .block_on(task)
    }

    /// The number of rows of a table.
    fn count(connection: &Connection) -> rusqlite::Result<i64> {
        connection.query_row("SELECT count(*) FROM bests", [], |row| row.get(0))
    }

    fn insert(connection: &Connection, score: i64) -> rusqlite::Result<usize> {
        connection.execute("INSERT INTO bests VALUES (1, 'mini', ?1)", [score])
    }

    #[test]
    fn a_job_that_fails_undoes_itself_alone() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let store = Store::open(folder.path()).expect("a new database");
        in_runtime(async {
            let made = store.run(Durability::Lasting, |connection| {
                connection.execute(
                    "INSERT INTO visitors (token_hash, created_at, seen_at) VALUES (x'00', 0, 0)",
                    [],
                )
            });
            assert_eq!(made.await.expect("a row is written"), 1);
            let failed = store.run(Durability::Usual, |connection| {
                insert(connection, 5)?;
                insert(connection, 6)
            });
            assert!(matches!(failed.await, Err(StoreError::Database(_))));
            let rows = store.run(Durability::Usual, count).await;
            assert_eq!(rows.expect("rows are counted"), 0);
        });
        store.close();
        in_runtime(async {
            let late = store.run(Durability::Usual, count).await;
            assert!(matches!(late, Err(StoreError::Closed)));
        });
    }
}
