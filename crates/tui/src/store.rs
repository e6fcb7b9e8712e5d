//! The folder in which games and records are kept.

use core::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use afterstate_arena::write_whole;
use afterstate_rules::Variant;

use crate::app::App;
use crate::saved::{
    DamageError, Record, SavedGame, game_from_bytes, game_to_bytes, record_from_bytes,
    record_to_bytes,
};

/// The longest file that is read: no game is kept in a longer one.
///
/// *Source*: RULES, facts about 4x4: at most 131,052 slides, a letter each.
const MAX_BYTES: u64 = 1 << 20;

/// As many damaged files are kept aside under numbers.
const MAX_ASIDE: u32 = 1000;

/// Why the folder is of no use.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no folder to be the default one.
    NoFolder,
    /// The folder cannot be made, or is none.
    Folder(PathBuf, io::Error),
    /// Another process plays the same variant from the folder.
    InUse(PathBuf, Variant),
    /// A file cannot be read.
    Read(PathBuf, io::Error),
    /// A file cannot be written.
    Write(PathBuf, io::Error),
    /// A damaged file is in the way: it cannot be kept aside.
    Aside(PathBuf, DamageError, io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NoFolder => f.write_str(
                "no home folder to keep games in, expected HOME or --data DIR to name a folder \
                 by its whole path",
            ),
            StoreError::Folder(path, error) => write!(
                f,
                "{}: {error}: expected a folder to keep games in (--data DIR)",
                path.display()
            ),
            StoreError::InUse(path, variant) => write!(
                f,
                "{}: another process plays {variant} from here: end that one, or choose another \
                 folder with --data DIR",
                path.display()
            ),
            StoreError::Read(path, error) => {
                write!(f, "{} cannot be read: {error}", path.display())
            }
            StoreError::Write(path, error) => {
                write!(f, "{} cannot be written: {error}", path.display())
            }
            StoreError::Aside(path, damage, error) => write!(
                f,
                "{} is damaged ({damage}) and cannot be kept aside: {error}",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}

/// The files of one variant in the folder, for this process alone.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    variant: Variant,
    /// Held until the process ends, however it does.
    _lock: Option<File>,
    kept_record: Option<Record>,
    kept_revision: Option<u64>,
}

/// What was in the folder.
#[derive(Debug)]
pub struct Found {
    /// The game that was saved.
    pub saved: Option<SavedGame>,
    /// The record.
    pub record: Option<Record>,
    /// What was wrong with either, a line each: the files are kept aside.
    pub complaints: Vec<String>,
}

/// The folder for games where nobody says otherwise: that which the system has
/// for data of programs.
///
/// *Errors*: there is none, or the environment names one by a path that depends
/// on where the program was started.
pub fn default_folder() -> Result<PathBuf, StoreError> {
    use etcetera::BaseStrategy;
    // Ignores values of XDG_DATA_HOME that are no whole path, as it must.
    let strategy =
        etcetera::base_strategy::choose_native_strategy().map_err(|_| StoreError::NoFolder)?;
    let folder = strategy.data_dir();
    if folder.is_absolute() {
        Ok(folder.join("afterstate"))
    } else {
        Err(StoreError::NoFolder)
    }
}

impl Store {
    /// The files of `variant` in `folder`, which is made if it is not there.
    ///
    /// *Errors*: the folder cannot be made, another process plays from there,
    /// or a file is there that can neither be read nor kept aside.
    pub fn open(folder: &Path, variant: Variant) -> Result<(Store, Found), StoreError> {
        let bad_folder = |error| StoreError::Folder(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(bad_folder)?;
        let mut store = Store {
            folder: folder.to_owned(),
            variant,
            _lock: None,
            kept_record: None,
            kept_revision: None,
        };
        store._lock = store.lock()?;
        let mut complaints = Vec::new();
        let saved = store.read("game", game_from_bytes, &mut complaints)?;
        let record = store.read("record", record_from_bytes, &mut complaints)?;
        store.kept_record = record;
        Ok((
            store,
            Found {
                saved,
                record,
                complaints,
            },
        ))
    }

    fn path(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{}-{what}.json", self.variant))
    }

    /// Keeps others out. Where that is not possible, as in a folder that cannot
    /// be written, there is nothing for others to spoil either.
    fn lock(&self) -> Result<Option<File>, StoreError> {
        let path = self.folder.join(format!("{}.lock", self.variant));
        let mut options = OpenOptions::new();
        let Ok(file) = options.create(true).append(true).open(path) else {
            return Ok(None);
        };
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => {
                Err(StoreError::InUse(self.folder.clone(), self.variant))
            }
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    /// What is in a file, if it is there; one that is damaged is put aside.
    fn read<T>(
        &self,
        what: &str,
        parse: impl FnOnce(&[u8], Variant) -> Result<T, DamageError>,
        complaints: &mut Vec<String>,
    ) -> Result<Option<T>, StoreError> {
        let path = self.path(what);
        let bytes = match read_short(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::Read(path, error)),
        };
        match parse(&bytes, self.variant) {
            Ok(parsed) => Ok(Some(parsed)),
            Err(damage) => match self.put_aside(&path, what) {
                Ok(aside) => {
                    complaints.push(format!(
                        "The saved {what} was damaged ({damage}) and is kept as {}.",
                        aside.display()
                    ));
                    Ok(None)
                }
                Err(error) => Err(StoreError::Aside(path, damage, error)),
            },
        }
    }

    /// Renames a file to one of its own; returns its name.
    fn put_aside(&self, path: &Path, what: &str) -> io::Result<PathBuf> {
        for number in 1..=MAX_ASIDE {
            let name = format!("{}-{what}.damaged-{number}.json", self.variant);
            let aside = self.folder.join(name);
            // Only this process names files so: it holds the lock.
            if fs::symlink_metadata(&aside).is_err() {
                fs::rename(path, &aside)?;
                return Ok(aside);
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Keeps the game and the record as they are now, if they have changed.
    ///
    /// *Errors*: a file cannot be written; it is as it was then, and the next
    /// call tries again.
    pub fn keep(&mut self, app: &App) -> Result<(), StoreError> {
        // First the record: a game that gives way to another is in it.
        let record = app.record();
        if let Some(new) = record.filter(|_| record != self.kept_record) {
            self.write("record", &record_to_bytes(new, self.variant))?;
            self.kept_record = record;
        }
        if self.kept_revision != Some(app.revision()) {
            let bytes = game_to_bytes(app.game(), app.is_cheated());
            self.write("game", &bytes)?;
            self.kept_revision = Some(app.revision());
        }
        Ok(())
    }

    /// Whether [`Store::keep`] has something to do.
    pub fn is_behind(&self, app: &App) -> bool {
        self.kept_revision != Some(app.revision()) || self.kept_record != app.record()
    }

    fn write(&self, what: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(what);
        let written = write_whole(&path, bytes).or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            // Somebody has removed the folder meanwhile.
            fs::create_dir_all(&self.folder)?;
            write_whole(&path, bytes)
        });
        written.map_err(|error| StoreError::Write(path, error))
    }
}

/// The bytes of a plain file; of one that is too long only the first too many.
fn read_short(path: &Path) -> io::Result<Vec<u8>> {
    // Anything but a file may keep us waiting for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
