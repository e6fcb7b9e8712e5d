//! Tables from files.

use core::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use afterstate_bitboard::FullNibbles;
use afterstate_rules::{ClassicRules, SpawnSet};
use afterstate_search::exact::{Objective, Problem, ProblemError, Table, TableError};

/// Why a file is no table to play by.
#[derive(Debug)]
pub struct TableFileError {
    path: PathBuf,
    what: What,
}

#[derive(Debug)]
enum What {
    Problem(ProblemError),
    Open(io::Error),
    Table(TableError),
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.what {
            // No file is to blame.
            What::Problem(error) => error.fmt(f),
            What::Open(_) => write!(f, "table {path}: it cannot be opened"),
            What::Table(error) => write!(f, "table {path}: {error}"),
        }
    }
}

impl std::error::Error for TableFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.what {
            What::Problem(_) => None,
            What::Open(error) => Some(error),
            What::Table(error) => error.source(),
        }
    }
}

/// The table of the mini game with these spawns and this objective.
///
/// *Errors*: a set of which there are no tables; no such file, or one that is
/// not this table, whole.
pub fn read_mini_table(
    path: &Path,
    spawns: &SpawnSet,
    objective: Objective,
) -> Result<Table<ClassicRules<FullNibbles<3, 3>>>, TableFileError> {
    let error = |what| TableFileError {
        path: path.to_owned(),
        what,
    };
    let problem = Problem::new(ClassicRules::on_grid(), spawns, objective)
        .map_err(|source| error(What::Problem(source)))?;
    let opened = File::open(path).and_then(|file| {
        let n_bytes = file.metadata()?.len();
        Ok((file, n_bytes))
    });
    let (mut file, n_bytes) = opened.map_err(|source| error(What::Open(source)))?;
    Table::read(&problem, &mut file, n_bytes).map_err(|source| error(What::Table(source)))
}
