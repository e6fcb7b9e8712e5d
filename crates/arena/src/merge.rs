//! The shards of a tournament, joined.

use core::fmt;
use std::path::{Path, PathBuf};

use crate::folder::{Folder, RestingRun};
use crate::folder_error::FolderError;
use crate::game_files::StoredGames;
use crate::plan::{Plan, Shard};
use crate::records::{FinishedGame, MergedShard, RunFile};
use crate::summary::Summary;
use crate::transcripts::copy_transcript;

/// Why shards cannot be joined.
#[derive(Debug)]
#[non_exhaustive]
pub enum MergeError {
    /// No folder was given.
    Nothing,
    /// What is wrong with a folder, one of the shards' or that of the result.
    Folder(FolderError),
    /// Two shards that are not of one tournament.
    Apart {
        /// The folder of the first shard.
        first: PathBuf,
        /// The folder that differs from it.
        other: PathBuf,
        /// Name of the field of `run.json`.
        field: &'static str,
        /// What the first has.
        was: String,
        /// What the other has.
        now: String,
    },
    /// A shard twice.
    Twice {
        /// The shard.
        shard: Shard,
        /// Both folders.
        folders: [PathBuf; 2],
    },
    /// Shards that are in none of the folders.
    Missing {
        /// Those that are missing, at most a few.
        shards: Vec<Shard>,
        /// How many are missing.
        n_missing: u64,
    },
    /// A shard that has not been played to its end.
    Unfinished {
        /// Its folder.
        path: PathBuf,
        /// The shard.
        shard: Shard,
        /// Games that it has.
        finished: u64,
        /// Games that it should have.
        games: u64,
    },
    /// A shard whose games are not all there, or not in order.
    Game {
        /// The folder of the shard.
        path: PathBuf,
        /// The shard.
        shard: Shard,
        /// What is wrong with which game.
        what: String,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Nothing => f.write_str("no folder is given, expected those of all shards"),
            MergeError::Folder(error) => error.fmt(f),
            MergeError::Apart {
                first,
                other,
                field,
                was,
                now,
            } => write!(
                f,
                "{}: not of the tournament of {}, with another {field}: {was} there, {now} here",
                other.display(),
                first.display()
            ),
            MergeError::Twice {
                shard,
                folders: [one, other],
            } => write!(
                f,
                "shard {shard} is there twice: {} and {}",
                one.display(),
                other.display()
            ),
            MergeError::Missing { shards, n_missing } => {
                let named: Vec<String> = shards.iter().map(Shard::to_string).collect();
                let verb = if *n_missing == 1 { "is" } else { "are" };
                write!(f, "shard {}", named.join(", "))?;
                if *n_missing > shards.len() as u64 {
                    write!(f, " and {} more", n_missing - shards.len() as u64)?;
                }
                write!(f, " {verb} missing, expected the folders of all shards")
            }
            MergeError::Unfinished {
                path,
                shard,
                finished,
                games,
            } => write!(
                f,
                "{}: shard {shard} has {finished} of {games} games, expected all: \
                 cargo xtask tournament --resume plays the others",
                path.display()
            ),
            MergeError::Game { path, shard, what } => {
                write!(f, "{}: shard {shard}: {what}", path.display())
            }
        }
    }
}

impl std::error::Error for MergeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MergeError::Folder(error) => error.source(),
            _ => None,
        }
    }
}

impl From<FolderError> for MergeError {
    fn from(error: FolderError) -> MergeError {
        MergeError::Folder(error)
    }
}

/// At most this many missing shards are named.
const NAMED: usize = 8;

/// Joins all shards of a tournament, in any order, to what one run of the whole
/// writes: `games.jsonl` is the same to the byte. The shards stay as they are.
/// Games are read and written one by one, whatever their number.
///
/// *Errors*: shards of different tournaments; one that is missing, is there
/// twice, or is not whole; a folder of the result that holds something already.
/// Nothing is written before every game was looked at.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Summary, MergeError> {
    let shards = in_order(folders)?;
    let first = shards.first().ok_or(MergeError::Nothing)?;
    let plan = first.plan.whole();
    for game in Merging::open(&shards, &plan)? {
        game?;
    }
    let merged = shards.iter().map(|shard| MergedShard {
        shard: shard.plan.shard(),
        threads: shard.run.threads,
        machine: shard.run.machine.clone(),
    });
    let run = RunFile {
        // Networks need not be where shards are merged.
        files: first.run.files.clone(),
        transcripts: first.run.transcripts,
        merged: merged.collect(),
        ..plan.run_file(shards.iter().map(|shard| shard.run.threads).sum())
    };
    let result = Folder::begin(out, plan.clone(), run)?;
    let games = Merging::open(&shards, &plan)?.map(|game| {
        let (shard, game) = game?;
        if shard.run.transcripts {
            copy_transcript(&shard.path, out, &game.record(&plan))?;
        }
        Ok(game)
    });
    result.write_merged(games)
}

/// The shards by their number, all of one tournament, each there once and
/// played to its end.
fn in_order(folders: &[PathBuf]) -> Result<Vec<RestingRun>, MergeError> {
    let mut shards = Vec::new();
    for path in folders {
        shards.push(RestingRun::open(path)?);
    }
    if let Some(first) = shards.first() {
        for other in &shards[1..] {
            belong_together(first, other)?;
        }
    }
    shards.sort_by_key(|shard| shard.plan.shard().part());
    for pair in shards.windows(2) {
        let shard = pair[0].plan.shard();
        if shard == pair[1].plan.shard() {
            let folders = [pair[0].path.clone(), pair[1].path.clone()];
            return Err(MergeError::Twice { shard, folders });
        }
    }
    all_there(&shards)?;
    for shard in &shards {
        if let Some(finished) = shard.n_unfinished()? {
            return Err(MergeError::Unfinished {
                path: shard.path.clone(),
                shard: shard.plan.shard(),
                finished,
                games: shard.plan.n_games(),
            });
        }
    }
    Ok(shards)
}

fn belong_together(first: &RestingRun, other: &RestingRun) -> Result<(), MergeError> {
    let apart = |field, was: String, now: String| MergeError::Apart {
        first: first.path.clone(),
        other: other.path.clone(),
        field,
        was,
        now,
    };
    let (one, two) = (first.plan.shard(), other.plan.shard());
    if one.of() != two.of() {
        let parts = |shard: Shard| format!("{} parts", shard.of());
        return Err(apart("number of shards", parts(one), parts(two)));
    }
    let same_part = RunFile {
        shard: other.run.shard,
        ..first.run.clone()
    };
    match same_part.difference(&other.run) {
        Some((field, was, now)) => Err(apart(field, was, now)),
        None => Ok(()),
    }
}

fn all_there(shards: &[RestingRun]) -> Result<(), MergeError> {
    let Some(first) = shards.first() else {
        return Ok(());
    };
    let of = first.plan.shard().of();
    let n_missing = of - shards.len() as u64;
    if n_missing == 0 {
        return Ok(());
    }
    // As many parts as folders and a few more hold what is to be named.
    let is_there = |part: &u64| {
        shards
            .binary_search_by_key(part, |shard| shard.plan.shard().part())
            .is_ok()
    };
    let missing = (1..=of).filter(|part| !is_there(part));
    let named = missing.filter_map(|part| Shard::new(part, of)).take(NAMED);
    Err(MergeError::Missing {
        shards: named.collect(),
        n_missing,
    })
}

/// The games of all shards in the order of the whole. Games were dealt to the
/// shards one by one, and so they take turns.
struct Merging<'a> {
    shards: &'a [RestingRun],
    games: Vec<StoredGames<'a>>,
    whole: &'a Plan,
    position: u64,
}

impl<'a> Merging<'a> {
    fn open(shards: &'a [RestingRun], whole: &'a Plan) -> Result<Merging<'a>, FolderError> {
        let games: Result<Vec<StoredGames<'a>>, FolderError> = shards
            .iter()
            .map(|shard| StoredGames::open(&shard.path, &shard.plan))
            .collect();
        Ok(Merging {
            shards,
            games: games?,
            whole,
            position: 0,
        })
    }

    /// The game that is next in the whole, with its shard; `None` after the
    /// last one.
    fn read(&mut self) -> Result<Option<(&'a RestingRun, FinishedGame)>, MergeError> {
        if self.position == self.whole.n_games() {
            return self.nothing_follows().map(|()| None);
        }
        let turn = (self.position % self.shards.len() as u64) as usize;
        let shard = &self.shards[turn];
        let due = self.whole.job_in(self.position);
        let name = self.whole.name_of(due);
        let found = self.games[turn].next().transpose()?;
        let found = found.ok_or_else(|| wrong(shard, format!("{name} is missing")))?;
        if found.job() != due {
            let other = self.whole.name_of(found.job());
            return Err(wrong(
                shard,
                if found.job() < due {
                    format!("{other} is there twice")
                } else {
                    format!("{name} is missing, {other} is in its place")
                },
            ));
        }
        self.position += 1;
        Ok(Some((shard, found)))
    }

    fn nothing_follows(&mut self) -> Result<(), MergeError> {
        for (shard, games) in self.shards.iter().zip(&mut self.games) {
            if let Some(game) = games.next().transpose()? {
                let name = self.whole.name_of(game.job());
                return Err(wrong(shard, format!("{name} is there twice")));
            }
        }
        Ok(())
    }
}

impl<'a> Iterator for Merging<'a> {
    type Item = Result<(&'a RestingRun, FinishedGame), MergeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn wrong(shard: &RestingRun, what: String) -> MergeError {
    MergeError::Game {
        path: shard.path.clone(),
        shard: shard.plan.shard(),
        what,
    }
}
