//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static N_FILES: AtomicU64 = AtomicU64::new(0);

/// A name that no other process and no other file of this one has.
fn own_name(stem: &str) -> String {
    let number = N_FILES.fetch_add(1, Ordering::Relaxed);
    format!(".{stem}.{}-{number}.part", std::process::id())
}

/// A file in `folder` that vanishes with this process, however it ends.
pub(crate) fn scratch_file(folder: &Path) -> io::Result<File> {
    let path = folder.join(own_name("afterstate-layers"));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // FILE_FLAG_DELETE_ON_CLOSE.
        options.custom_flags(0x0400_0000);
    }
    let file = options.open(&path)?;
    // An open file without a name is there until it is closed.
    #[cfg(not(windows))]
    fs::remove_file(&path)?;
    Ok(file)
}

/// Writes a file that is there whole or as it was before, whenever the process
/// or the machine stops.
///
/// *Errors*: the folder is not there or cannot be written, or the disk is full;
/// the file is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.finish().map(drop)
}

/// A file under a name of its own that takes its place when it is whole, and is
/// removed otherwise.
pub(crate) struct AtomicFile<'a> {
    path: &'a Path,
    part: PathBuf,
    file: BufWriter<File>,
    is_done: bool,
}

impl<'a> AtomicFile<'a> {
    pub(crate) fn create(path: &'a Path) -> io::Result<AtomicFile<'a>> {
        let Some(name) = path.file_name().filter(|_| !path.is_dir()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let part = path.with_file_name(own_name(&name.to_string_lossy()));
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&part)?;
        Ok(AtomicFile {
            path,
            part,
            file: BufWriter::with_capacity(1 << 16, file),
            is_done: false,
        })
    }

    /// Puts the file in its place; returns its length.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.file.flush()?;
        let file = self.file.get_ref();
        file.sync_all()?;
        let n_bytes = file.metadata()?.len();
        fs::rename(&self.part, self.path)?;
        self.is_done = true;
        Ok(n_bytes)
    }
}

impl Write for AtomicFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            // There is nobody to tell when it fails.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Writes to a file until told to stop.
pub(crate) struct Stoppable<'a, 'b> {
    pub(crate) file: &'a mut AtomicFile<'b>,
    pub(crate) stop: &'a AtomicBool,
}

impl Write for Stoppable<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            // Not `Interrupted`, upon which writing is tried again.
            return Err(io::Error::other("stopped"));
        }
        self.file.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Seek, Write};
    use std::sync::atomic::AtomicBool;

    use super::{AtomicFile, Stoppable, scratch_file};

    fn names(folder: &std::path::Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder can be read");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries
            .map(|entry| name(entry.expect("an entry")))
            .collect()
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("table");
        fs::write(&path, "old").expect("the folder can be written");
        let mut file = AtomicFile::create(&path).expect("the folder can be written");
        assert_eq!(names(folder.path()).len(), 2);
        let stop = AtomicBool::new(false);
        let mut stoppable = Stoppable {
            file: &mut file,
            stop: &stop,
        };
        stoppable.write_all(b"new and").expect("it can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let stoppable = &mut Stoppable {
            file: &mut file,
            stop: &stop,
        };
        assert!(stoppable.write_all(b" more").is_err());
        drop(file);
        assert_eq!(names(folder.path()), ["table"]);
        assert_eq!(fs::read(&path).expect("it is there"), b"old");

        let mut file = AtomicFile::create(&path).expect("the folder can be written");
        file.file.write_all(b"newer").expect("it can be written");
        assert_eq!(file.finish().expect("it takes its place"), 5);
        assert_eq!(names(folder.path()), ["table"]);
        assert_eq!(fs::read(&path).expect("it is there"), b"newer");
        assert!(AtomicFile::create(folder.path()).is_err());
    }

    #[test]
    fn a_scratch_file_has_no_name() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let mut file = scratch_file(folder.path()).expect("the folder can be written");
        #[cfg(not(windows))]
        assert!(names(folder.path()).is_empty());
        file.write_all(b"layer").expect("it can be written");
        file.rewind().expect("it can be read again");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("it can be read");
        assert_eq!(text, "layer");
        drop(file);
        assert!(names(folder.path()).is_empty());
    }
}
