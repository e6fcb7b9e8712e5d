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
            OpenError::Folder { path, source } => write!(f, "{}: {source}", path.display()),
            OpenError::InUse { folder } => write!(
                f,
                "{}: another server has this folder, expected one that is not in use",
                folder.display()
            ),
            OpenError::Database { path, source } => {
                write!(f, "{}: no usable database: {source}", path.display())
            }
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

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OpenError::Folder { source, .. } | OpenError::Thread(source) => Some(source),
            OpenError::Database { source, .. } => Some(source),
            OpenError::InUse { .. } | OpenError::Newer { .. } => None,
        }
    }
}

/// Opens the database of `folder` for the one server that has the folder.
pub(super) fn open(folder: &Path) -> Result<Connection, OpenError> {
    let path = folder.join(DATABASE);
    let failed = |source| OpenError::Database {
        path: path.clone(),
        source,
    };
    let mut connection = Connection::open(&path).map_err(failed)?;
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;",
        )
        .map_err(failed)?;
    let found = migrate(&mut connection).map_err(failed)?;
    if found > MIGRATIONS.len() {
        return Err(OpenError::Newer { path, found });
    }
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Brings the tables up to date, each step in a transaction of its own; returns
/// the version that was found.
fn migrate(connection: &mut Connection) -> rusqlite::Result<usize> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    for (idx, migration) in MIGRATIONS.iter().enumerate().skip(found) {
        let step = connection.transaction()?;
        step.execute_batch(migration)?;
        step.pragma_update(None, "user_version", idx as i64 + 1)?;
        step.commit()?;
    }
    Ok(found)
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
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| OpenError::Database { path, source }
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&path, flags).map_err(failed(&path))?;
    connection
        .busy_timeout(std::time::Duration::from_secs(5))
        .map_err(failed(&path))?;
    connection
        .execute("VACUUM INTO ?1", [target.to_string_lossy()])
        .map_err(failed(target))?;
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
