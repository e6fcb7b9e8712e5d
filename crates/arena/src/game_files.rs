//! The games of a run on disk, read and written one by one, so that a run of any
//! length takes the memory of a short one.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::files::scratch_file;
use crate::folder_error::{FolderError, at};
use crate::json_files::{LastLine, Lines, WholeFile, describe, to_json, to_json_line, write_whole};
use crate::plan::{FinishedSet, Plan};
use crate::records::{FinishedGame, ForeignGame, GameRecord, JournalLine, RunFile, Timing};
use crate::report::html_report;
use crate::summary::{Summary, SummaryTally};

pub(crate) const RUN: &str = "run.json";
pub(crate) const JOURNAL: &str = "journal.jsonl";
pub(crate) const GAMES: &str = "games.jsonl";
pub(crate) const TIMINGS: &str = "timings.jsonl";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const REPORT: &str = "report.html";

/// The games of `games.jsonl` with their timings, in the order of the file.
pub(crate) struct StoredGames<'a> {
    plan: &'a Plan,
    timings_path: PathBuf,
    games: Lines<GameRecord>,
    timings: Lines<Timing>,
}

impl<'a> StoredGames<'a> {
    /// The games of a folder.
    ///
    /// *Errors*: one of the two files cannot be opened.
    pub(crate) fn open(folder: &Path, plan: &'a Plan) -> Result<StoredGames<'a>, FolderError> {
        let timings_path = folder.join(TIMINGS);
        Ok(StoredGames {
            plan,
            games: Lines::open(&folder.join(GAMES), LastLine::IsWhole)?,
            timings: Lines::open(&timings_path, LastLine::IsWhole)?,
            timings_path,
        })
    }

    fn read(&mut self) -> Result<Option<FinishedGame>, FolderError> {
        let game = self.games.next()?;
        let timing = self.timings.next()?;
        let (game, timing) = match (game, timing) {
            (None, None) => return Ok(None),
            (Some(game), Some(timing)) if is_of(&timing, &game) => (game, timing),
            (game, timing) => {
                // Of the line that is missing, where one of the files is shorter.
                let n_games = self.games.line() + usize::from(game.is_none());
                let n_timings = self.timings.line() + usize::from(timing.is_none());
                return Err(FolderError::Content {
                    path: self.timings_path.clone(),
                    line: n_games.min(n_timings),
                    what: format!("expected the games of {GAMES} in the same order"),
                });
            }
        };
        let line = JournalLine {
            game,
            elapsed_ns: timing.elapsed_ns,
            nodes: timing.nodes,
            worker: timing.worker,
            judged: timing.judged,
        };
        game_of(&line, self.plan)
            .map(Some)
            .map_err(|what| self.games.wrong(what))
    }

    /// What is wrong with the game that was read last.
    pub(crate) fn wrong(&self, what: String) -> FolderError {
        self.games.wrong(what)
    }
}

impl Iterator for StoredGames<'_> {
    type Item = Result<FinishedGame, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn is_of(timing: &Timing, game: &GameRecord) -> bool {
    (&timing.variant, &timing.agent, timing.index) == (&game.variant, &game.agent, game.index)
}

/// The game that a line tells of.
///
/// *Errors*: what is wrong with it, for a game that is none of the plan's.
pub(crate) fn game_of(line: &JournalLine, plan: &Plan) -> Result<FinishedGame, String> {
    FinishedGame::from_line(line, plan).map_err(|reason| {
        let what = match reason {
            ForeignGame::Job => "is not of this run",
            ForeignGame::Outcome => "has an outcome other than over and cleared",
        };
        let GameRecord {
            variant,
            agent,
            index,
            ..
        } = &line.game;
        format!("game {index} of {variant} {agent} {what}")
    })
}

/// The games of a journal, which is in the order in which they ended, in the
/// order of results.
///
/// Where each line begins is noted in a file without a name, by the place of its
/// game, eight bytes a game: sorting would need the games in memory.
pub(crate) struct OrderedJournal<'a> {
    path: PathBuf,
    plan: &'a Plan,
    journal: BufReader<File>,
    /// Where `journal` is.
    position: u64,
    offsets: BufReader<File>,
    left: u64,
    text: Vec<u8>,
}

impl<'a> OrderedJournal<'a> {
    /// The games of a folder's journal, which are those of `finished`.
    ///
    /// *Errors*: a line that is no game of the plan; files that cannot be read
    /// or written.
    pub(crate) fn open(
        folder: &Path,
        plan: &'a Plan,
        finished: &FinishedSet,
    ) -> Result<OrderedJournal<'a>, FolderError> {
        let path = folder.join(JOURNAL);
        let mut lines = Lines::<JournalLine>::open(&path, LastLine::MayBeCut)?;
        let mut out = BufWriter::new(at(folder, scratch_file(folder))?);
        let ranks = finished.ranks();
        let (mut left, mut next) = (0, 0);
        loop {
            let offset = lines.n_bytes();
            let Some(line) = lines.next()? else { break };
            let game = game_of(&line, plan).map_err(|what| lines.wrong(what))?;
            let rank = plan.slot(game.job()).and_then(|slot| ranks.rank(slot));
            let rank = rank.expect("every game of the journal was entered");
            if rank != next {
                at(folder, out.seek(SeekFrom::Start(8 * rank)))?;
            }
            at(folder, out.write_all(&offset.to_le_bytes()))?;
            next = rank + 1;
            left += 1;
        }
        let mut offsets = at(folder, out.into_inner().map_err(std::io::Error::from))?;
        at(folder, offsets.rewind())?;
        Ok(OrderedJournal {
            plan,
            journal: BufReader::new(at(&path, File::open(&path))?),
            path,
            position: 0,
            offsets: BufReader::new(offsets),
            left,
            text: Vec::new(),
        })
    }

    fn read(&mut self) -> Result<FinishedGame, FolderError> {
        let mut offset = [0; 8];
        at(&self.path, self.offsets.read_exact(&mut offset))?;
        let offset = u64::from_le_bytes(offset);
        let distance = offset.wrapping_sub(self.position).cast_signed();
        // Within what is buffered, where games ended nearly in their order.
        at(&self.path, self.journal.seek_relative(distance))?;
        self.text.clear();
        let n_read = at(&self.path, self.journal.read_until(b'\n', &mut self.text))?;
        self.position = offset + n_read as u64;
        let wrong = |what| FolderError::Content {
            path: self.path.clone(),
            line: 1,
            what: format!("byte {offset}: {what}"),
        };
        let line = serde_json::from_slice(&self.text).map_err(|error| wrong(describe(&error)))?;
        game_of(&line, self.plan).map_err(wrong)
    }
}

impl Iterator for OrderedJournal<'_> {
    type Item = Result<FinishedGame, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(self.read())
    }
}

/// Sums games up, in the order of results.
///
/// *Errors*: those of the games.
pub(crate) fn sum_up<E>(
    run: &RunFile,
    games: impl Iterator<Item = Result<FinishedGame, E>>,
) -> Result<Summary, E> {
    let mut tally = SummaryTally::new(run);
    for game in games {
        tally.add(&game?);
    }
    Ok(tally.finish())
}

/// Writes games, in the order of results, and what they come to, in one pass.
///
/// *Errors*: those of the games; a file that cannot be written.
pub(crate) fn write_results<E: From<FolderError>>(
    folder: &Path,
    plan: &Plan,
    run: &RunFile,
    games: impl Iterator<Item = Result<FinishedGame, E>>,
) -> Result<Summary, E> {
    let mut games_file = WholeFile::create(&folder.join(GAMES))?;
    let mut timings_file = WholeFile::create(&folder.join(TIMINGS))?;
    let written = games.map(|game| {
        let game = game?;
        games_file.write(&to_json_line(&game.record(plan)))?;
        timings_file.write(&to_json_line(&game.timing(plan)))?;
        Ok(game)
    });
    let summary = sum_up::<E>(run, written)?;
    games_file.finish()?;
    timings_file.finish()?;
    write_summary(folder, &summary)?;
    Ok(summary)
}

/// Writes what the games of a run come to.
pub(crate) fn write_summary(folder: &Path, summary: &Summary) -> Result<(), FolderError> {
    write_whole(&folder.join(SUMMARY), &to_json(summary))?;
    write_whole(&folder.join(REPORT), &html_report(summary))?;
    sync_folder(folder);
    Ok(())
}

/// Asks the disk for the names in a folder. Not every system can be asked, and
/// where it cannot there is nothing to be done.
pub(crate) fn sync_folder(path: &Path) {
    let _ = File::open(path).and_then(|folder| folder.sync_all());
}
