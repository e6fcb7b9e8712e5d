//! The database's tables, made and migrated when it is opened.

use core::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

/// The name of the database in the server's folder.
const DATABASE: &str = "afterstate.db";

/// What leads from each version to the next. A migration that was released is
/// never changed: the next one follows it.
const MIGRATIONS: &[&str] = &[
    // Times are milliseconds since 1970. A `name_key` is the name in lower case,
    // since names that differ in case alone are one name.
    "CREATE TABLE visitors (
        id INTEGER PRIMARY KEY,
        token_hash BLOB NOT NULL UNIQUE,
        name TEXT,
        name_key TEXT UNIQUE,
        named_at INTEGER,
        created_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        visitor INTEGER NOT NULL REFERENCES visitors ON DELETE CASCADE,
        variant TEXT NOT NULL,
        spawn_set TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        n_slides INTEGER NOT NULL,
        score INTEGER NOT NULL,
        largest INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('playing', 'cleared', 'over')),
        is_automatic INTEGER NOT NULL,
        is_undone INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_of_visitor ON games (visitor, variant, status);
    CREATE INDEX games_by_age ON games (changed_at);
    -- The slides of a game, 256 a row: u r d l, in capitals where the automatic
    -- mode made them.
    CREATE TABLE slides (
        game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
        chunk INTEGER NOT NULL,
        letters TEXT NOT NULL,
        PRIMARY KEY (game, chunk)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE bests (
        visitor INTEGER NOT NULL REFERENCES visitors ON DELETE CASCADE,
        variant TEXT NOT NULL,
        score INTEGER NOT NULL,
        PRIMARY KEY (visitor, variant)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL UNIQUE REFERENCES games,
        visitor INTEGER NOT NULL REFERENCES visitors,
        name TEXT,
        name_key TEXT,
        variant TEXT NOT NULL,
        score INTEGER NOT NULL,
        largest INTEGER NOT NULL,
        n_slides INTEGER NOT NULL,
        is_automatic INTEGER NOT NULL,
        submitted_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX records_in_order
        ON records (variant, score DESC, largest DESC, submitted_at, id);
    CREATE INDEX records_by_age ON records (submitted_at);
    CREATE INDEX records_by_name ON records (name_key);",
];

/// Why a database cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder, or the file that locks it.
    Folder {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another server has the folder.
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The file is no database, or is damaged, or cannot be written.
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// There is no database to be copied.
    Missing {
        /// Where one was expected.
        path: PathBuf,
    },
    /// The copy is not made.
    Copy {
        /// The file that was to be written.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The database is not one of this program's.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The database was written by a later release.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in it.
        found: usize,
    },
    /// The thread that writes cannot be started.
    Thread(io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Folder { path, source } => write!(
                f,
                "{}: {source}: expected a folder to keep games in (--data DIR)",
                path.display()
            ),
            OpenError::InUse { folder } => write!(
                f,
                "{}: another server has this folder, expected one that is not in use",
                folder.display()
            ),
            OpenError::Database { path, source } => {
                write!(f, "{}: no usable database: {source}", path.display())
            }
            OpenError::Missing { path } => write!(
                f,
                "{}: there is no database, expected the folder of a server (--data DIR)",
                path.display()
            ),
            OpenError::Copy { path, source } => write!(
                f,
                "{}: {source}: expected the name of a new file (--backup FILE)",
                path.display()
            ),
            OpenError::Foreign { path } => write!(
                f,
                "{}: another program's database, expected none or one of this program's",
                path.display()
            ),
            OpenError::Newer { path, found } => write!(
                f,
                "{}: version {found} of the database, expected at most {}: written by a later release",
                path.display(),
                MIGRATIONS.len()
            ),
            OpenError::Thread(source) => write!(f, "no thread for the database: {source}"),
        }
    }
}

// Each line names its cause already.
impl std::error::Error for OpenError {}

/// Opens the database of `folder` for the one server that has the folder.
pub(super) fn open(folder: &Path) -> Result<Connection, OpenError> {
    let path = folder.join(DATABASE);
    let failed = |source| OpenError::Database {
        path: path.clone(),
        source,
    };
    let mut connection = Connection::open(&path).map_err(failed)?;
    // First it is only looked at: what is damaged or not ours stays as it is.
    check(&connection).map_err(failed)?;
    let found = version(&connection).map_err(failed)?;
    if found > MIGRATIONS.len() {
        return Err(OpenError::Newer { path, found });
    }
    if !has_our_tables(&connection, found).map_err(failed)? {
        return Err(OpenError::Foreign { path });
    }
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;",
        )
        .map_err(failed)?;
    migrate(&mut connection, found).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Looks through the whole file: damage is told at the start, and not by the
/// first game that it hits.
fn check(connection: &Connection) -> rusqlite::Result<()> {
    let problem: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match problem.as_str() {
        "ok" => Ok(()),
        _ => Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT),
            Some(problem.lines().collect::<Vec<_>>().join(", ")),
        )),
    }
}

/// How many migrations the database has had.
fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

/// Whether a database of this version has the tables that are to be expected,
/// none in a new one.
fn has_our_tables(connection: &Connection, found: usize) -> rusqlite::Result<bool> {
    let count = |condition: &str| -> rusqlite::Result<i64> {
        let query = format!("SELECT count(*) FROM sqlite_schema WHERE type = 'table' {condition}");
        connection.query_row(&query, [], |row| row.get(0))
    };
    match found {
        0 => Ok(count("")? == 0),
        _ => Ok(count("AND name IN ('visitors', 'games', 'slides', 'bests', 'records')")? == 5),
    }
}

/// Brings the tables up to date from the version that was found, each step in a
/// transaction of its own.
fn migrate(connection: &mut Connection, found: usize) -> rusqlite::Result<()> {
    for (idx, migration) in MIGRATIONS.iter().enumerate().skip(found) {
        let step = connection.transaction()?;
        step.execute_batch(migration)?;
        step.pragma_update(None, "user_version", idx as i64 + 1)?;
        step.commit()?;
    }
    Ok(())
}

/// Keeps other servers out of a folder for as long as it lives.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: fs::File,
}

impl FolderLock {
    /// Makes the folder if there is none, and takes it.
    pub(crate) fn take(folder: &Path) -> Result<FolderLock, OpenError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| OpenError::Folder { path, source }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let path = folder.join("lock");
        let file = fs::File::create(&path).map_err(failed(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(fs::TryLockError::WouldBlock) => Err(OpenError::InUse {
                folder: folder.to_owned(),
            }),
            Err(fs::TryLockError::Error(source)) => Err(failed(&path)(source)),
        }
    }
}

/// Copies the database of a server, which may be running, into a new file that
/// another server can start from.
///
/// *Errors*: there is no database in `folder`, or `target` exists already or
/// cannot be written.
pub fn back_up(folder: &Path, target: &Path) -> Result<(), OpenError> {
    let path = folder.join(DATABASE);
    if !path.is_file() {
        return Err(OpenError::Missing { path });
    }
    let failed = |source| OpenError::Database {
        path: path.clone(),
        source,
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&path, flags).map_err(failed)?;
    connection
        .busy_timeout(std::time::Duration::from_secs(5))
        .map_err(failed)?;
    connection
        .execute("VACUUM INTO ?1", [target.to_string_lossy()])
        .map_err(|source| OpenError::Copy {
            path: target.to_owned(),
            source,
        })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_made_once_and_opened_again() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        for _ in 0..2 {
            let connection = open(folder.path()).expect("a database");
            let version = connection.pragma_query_value(None, "user_version", |row| row.get(0));
            assert_eq!(version, Ok(MIGRATIONS.len() as i64));
            let mode =
                connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
            assert_eq!(mode.as_deref(), Ok("wal"));
        }
    }

    #[test]
    fn a_database_of_a_later_release_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let connection = open(folder.path()).expect("a database");
        connection
            .pragma_update(None, "user_version", 99)
            .expect("the version is set");
        drop(connection);
        let error = open(folder.path()).expect_err("a later release's");
        assert!(
            error
                .to_string()
                .contains("version 99 of the database, expected at most 1")
        );
    }

    #[test]
    fn what_is_no_database_is_named() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        fs::write(folder.path().join(DATABASE), "no database".repeat(500)).expect("a file");
        let error = open(folder.path()).expect_err("no database");
        assert!(
            error
                .to_string()
                .contains("afterstate.db: no usable database"),
            "{error}"
        );
    }

    /// Damage in the middle of the file is seen at once, and nothing is written.
    #[test]
    fn a_damaged_database_is_refused_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let connection = open(folder.path()).expect("a database");
        connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
            .expect("one file");
        drop(connection);
        let path = folder.path().join(DATABASE);
        let mut bytes = fs::read(&path).expect("the database");
        let half = bytes.len() / 2 / 4096 * 4096;
        bytes[half..half + 4096].fill(0x55);
        fs::write(&path, &bytes).expect("the database is spoiled");
        let error = open(folder.path())
            .expect_err("a damaged database")
            .to_string();
        assert!(
            error.contains("afterstate.db: no usable database: "),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(fs::read(&path).is_ok_and(|now| now == bytes));
    }

    #[test]
    fn a_database_of_another_program_is_left_alone() {
        for sql in ["CREATE TABLE visitors (x)", "PRAGMA user_version = 1"] {
            let folder = tempfile::tempdir().expect("a folder for the test");
            let path = folder.path().join(DATABASE);
            let other = Connection::open(&path).expect("a file");
            other.execute_batch(sql).expect("another program's");
            drop(other);
            let bytes = fs::read(&path).expect("the database");
            let error = open(folder.path()).expect_err("another program's");
            assert!(matches!(error, OpenError::Foreign { .. }), "{error}");
            assert!(fs::read(&path).is_ok_and(|now| now == bytes));
        }
    }

    #[test]
    fn a_folder_has_one_server() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let inner = folder.path().join("new/folder");
        let lock = FolderLock::take(&inner).expect("a free folder");
        assert!(matches!(
            FolderLock::take(&inner),
            Err(OpenError::InUse { .. })
        ));
        drop(lock);
        FolderLock::take(&inner).expect("a folder that is free again");
    }
}
