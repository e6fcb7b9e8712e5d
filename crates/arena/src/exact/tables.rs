//! Tables from files.

use core::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use afterstate_bitboard::Mini;
use afterstate_rules::{ClassicRules, MiniRules, SpawnSet};
use afterstate_search::exact::{Objective, Problem, Table, TableError};

/// Why a file is no table to play by.
#[derive(Debug)]
pub struct TableFileError {
    path: PathBuf,
    what: What,
}

#[derive(Debug)]
enum What {
    Open(io::Error),
    Table(TableError),
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}: ", self.path.display())?;
        match &self.what {
            What::Open(_) => f.write_str("it cannot be opened"),
            What::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.what {
            What::Open(error) => Some(error),
            What::Table(error) => error.source(),
        }
    }
}

/// The table of the mini game with its standard spawns and this objective.
///
/// *Errors*: no such file, or one that is not this table, whole.
pub fn read_mini_table(
    path: &Path,
    objective: Objective,
) -> Result<Table<MiniRules>, TableFileError> {
    let error = |what| TableFileError {
        path: path.to_owned(),
        what,
    };
    let opened = File::open(path).and_then(|file| {
        let n_bytes = file.metadata()?.len();
        Ok((file, n_bytes))
    });
    let (mut file, n_bytes) = opened.map_err(|source| error(What::Open(source)))?;
    let problem = Problem::new(
        ClassicRules::<Mini>::on_grid(),
        &SpawnSet::STANDARD,
        objective,
    )
    .expect("the mini board has the tiles of its own spawns");
    Table::read(&problem, &mut file, n_bytes).map_err(|source| error(What::Table(source)))
}
