//! Games written down slide by slide, a file for each.

use std::fs;
use std::path::{Path, PathBuf};

use afterstate_play::Transcript;

use crate::folder_error::{FolderError, at};
use crate::json_files::WholeFile;
use crate::records::GameRecord;

/// The folder of transcripts, in that of the run.
pub(crate) const TRANSCRIPTS: &str = "transcripts";

/// The file of a game: its seed tells games of different agents apart.
pub(crate) fn transcript_name(variant: &str, index: u64, seed: u64) -> String {
    format!("{variant}-{index}-{seed:016x}.bin")
}

/// Writes a game down, whole or not at all.
pub(crate) fn write_transcript(
    folder: &Path,
    index: u64,
    transcript: &Transcript,
) -> Result<(), FolderError> {
    let name = transcript_name(transcript.variant.name(), index, transcript.seed);
    let mut file = WholeFile::create(&folder.join(name))?;
    file.write(&transcript.to_bytes())?;
    file.finish()
}

/// Copies the transcript of a game from the folder of a run to that of another.
///
/// *Errors*: it is not there, or cannot be written.
pub(crate) fn copy_transcript(
    from: &Path,
    to: &Path,
    game: &GameRecord,
) -> Result<(), FolderError> {
    let name = transcript_name(&game.variant, game.index, game.seed);
    let source: PathBuf = from.join(TRANSCRIPTS).join(&name);
    at(
        &source,
        fs::copy(&source, to.join(TRANSCRIPTS).join(&name)).map(drop),
    )
}
