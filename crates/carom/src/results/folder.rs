//! Where do the files of a run go, so that nothing of anybody's is lost and nothing half-written is left?
//!
//! A directory that has anything in it is left alone unless the caller insists, and then only the files that a run writes are replaced. All files but the growing table appear under
//! their names when they are complete: they are written beside under a name with `.part`, and renamed.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::results::FILES;

/// The directory of one run.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Why a directory cannot be used or a file not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// It is not a directory.
    IsFile {
        /// Its path.
        path: PathBuf,
    },
    /// There is something in it, and nobody said that it may be replaced.
    NotEmpty {
        /// Its path.
        path: PathBuf,
        /// A name in it.
        holds: String,
    },
    /// The system said no.
    System {
        /// What was to be done.
        doing: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl FolderError {
    /// Whether another directory would have been fine: the caller's choice, not the machine's trouble.
    pub fn is_input(&self) -> bool {
        !matches!(self, FolderError::System { .. })
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::IsFile { path } => {
                let path = path.display();
                write!(f, "{path} is not a directory. Hint: name a directory")
            }
            FolderError::NotEmpty { path, holds } => write!(
                f,
                "{} is not empty: {holds} is there. Hint: another directory, or --force to replace the files of a run in it",
                path.display()
            ),
            FolderError::System {
                doing,
                path,
                source,
            } => write!(f, "cannot {doing} {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FolderError::System { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl Folder {
    /// Whether a run may write here: there is no such directory yet, it is empty, or `force` says that what a run writes may be replaced. Nothing is touched.
    pub fn allows(path: &Path, force: bool) -> Result<(), FolderError> {
        if !path.exists() {
            return Ok(());
        }
        if !path.is_dir() {
            return Err(FolderError::IsFile { path: path.into() });
        }
        if force {
            return Ok(());
        }
        let names = fs::read_dir(path).map_err(|e| system("read", path, e))?;
        // The first in order of the alphabet: the same words whatever the file system.
        let names = names.filter_map(Result::ok).map(|entry| entry.file_name());
        match names.min() {
            None => Ok(()),
            Some(name) => Err(FolderError::NotEmpty {
                path: path.into(),
                holds: name.to_string_lossy().into_owned(),
            }),
        }
    }

    /// Makes the directory, if need be, and clears away what an earlier run left in it.
    pub fn open(path: &Path, force: bool) -> Result<Folder, FolderError> {
        Folder::allows(path, force)?;
        fs::create_dir_all(path).map_err(|e| system("make", path, e))?;
        let folder = Folder { path: path.into() };
        for name in FILES {
            // An old table beside a new summary would be taken for one run.
            for old in [folder.at(name), folder.part(name)] {
                match fs::remove_file(&old) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => {
                        return Err(system("replace", &old, e));
                    }
                    _ => {}
                }
            }
        }
        Ok(folder)
    }

    /// Where a file of this name stands.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn part(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.part"))
    }

    /// What is said of a file of this name that could not be written.
    pub(crate) fn failed(&self, name: &str, source: io::Error) -> FolderError {
        system("write", &self.at(name), source)
    }

    /// A file that grows under its own name.
    pub fn growing(&self, name: &str) -> Result<File, FolderError> {
        let path = self.at(name);
        File::create(&path).map_err(|e| system("write", &path, e))
    }

    /// A file that is there when it is complete, or not at all.
    pub fn whole(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        let (path, part) = (self.at(name), self.part(name));
        let written = || -> io::Result<()> {
            let mut out = BufWriter::new(File::create(&part)?);
            write(&mut out)?;
            out.flush()?;
            drop(out);
            fs::rename(&part, &path)
        };
        written().map_err(|error| {
            // What is left of it is of no use; if it cannot be removed either, the error below says enough.
            let _ = fs::remove_file(&part);
            system("write", &path, error)
        })
    }

    /// Writes over a file that is there, in its own place: what a full disk still takes. Only if it is no longer than what is there; the rest is blank.
    pub(crate) fn over(&self, name: &str, text: &str) -> io::Result<()> {
        let mut file = File::options().write(true).open(self.at(name))?;
        let there = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        let blank = there
            .checked_sub(text.len())
            .ok_or(io::ErrorKind::FileTooLarge)?;
        file.write_all(text.as_bytes())?;
        file.write_all(" ".repeat(blank).as_bytes())
    }

    /// The same as [`Folder::whole`] for bytes at hand.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        self.whole(name, |out| out.write_all(bytes))
    }
}

fn system(doing: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::System {
        doing,
        path: path.into(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_written_over_in_its_own_place_where_no_new_file_can_be_made() {
        let path = std::env::temp_dir().join(format!("carom-folder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folder = Folder::open(&path, false).expect("it can be made");
        let name = "summary.json";
        folder
            .put(name, b"{ \"a\": 1 }        \n")
            .expect("there is room");
        // A directory in the way stands for a disk that takes no new file.
        fs::create_dir(folder.part(name)).expect("it can be made");
        assert!(folder.put(name, b"{}").is_err());
        folder.over(name, "{ \"reason\": 2 }").expect("it fits");
        let text = fs::read_to_string(folder.at(name)).expect("it is there");
        assert_eq!(text.trim_end(), "{ \"reason\": 2 }");
        // What does not fit is not begun.
        assert!(folder.over(name, &"long ".repeat(20)).is_err());
        let text = fs::read_to_string(folder.at(name)).expect("it is there");
        assert_eq!(text.trim_end(), "{ \"reason\": 2 }");
        fs::remove_dir_all(&path).expect("it can be removed");
    }
}
