//! Why can a sweep not be kept, or not be gone on with?

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::study::sweep::Wrong;
use crate::study::sweep::work::Shard;

/// Why a sweep cannot be kept or gone on with.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The directory is no directory, or somebody else's.
    Taken {
        /// The directory.
        dir: PathBuf,
        /// What is there.
        holds: String,
        /// What can be done.
        hint: &'static str,
    },
    /// Another process is writing into it.
    Busy {
        /// The directory.
        dir: PathBuf,
        /// The number of the process, as it says; may be empty.
        process: String,
    },
    /// There is another sweep in it.
    Changed {
        /// The directory.
        dir: PathBuf,
        /// What is different.
        what: String,
    },
    /// What stands in it is not to be understood.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Parts of different studies cannot be joined.
    Unlike {
        /// Two directories.
        dirs: [PathBuf; 2],
    },
    /// Some points are in none of the parts.
    Incomplete {
        /// How many blocks are missing.
        missing: u64,
        /// How many there are in all.
        of: u64,
        /// The first points that are missing.
        from: u64,
        /// The last of those.
        to: u64,
        /// What `--shard` would compute just these, if few parts of equal parts do.
        shards: Vec<Shard>,
        /// The first of them that is there, but damaged or of another sweep, and which of these.
        damaged: Option<(PathBuf, String)>,
    },
    /// The study in a directory can no longer be read.
    Study(Wrong),
    /// A worker could not begin.
    Work(String),
    /// The system said no.
    System {
        /// What was to be done.
        doing: &'static str,
        /// With what.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl StoreError {
    /// Whether the caller's input is to blame rather than the machine.
    pub fn is_input(&self) -> bool {
        !matches!(self, StoreError::System { .. } | StoreError::Work(_))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Taken { dir, holds, hint } => {
                write!(f, "{} {holds}. Hint: {hint}", dir.display())
            }
            StoreError::Busy { dir, process } => write!(
                f,
                "{}: another process{} is computing a sweep there. Hint: wait for it or stop it, or name another directory; parts of one sweep (--shard) have a directory each",
                dir.display(),
                match process.as_str() {
                    "" => String::new(),
                    number => format!(" ({number})"),
                }
            ),
            StoreError::Changed { dir, what } => write!(
                f,
                "{} holds another sweep: {what}. Hint: another directory, or --force to begin afresh (what is there is thrown away)",
                dir.display()
            ),
            StoreError::Unreadable { path, why } => write!(f, "{}: {why}", path.display()),
            StoreError::Unlike { dirs: [one, other] } => write!(
                f,
                "{} and {} are parts of different studies. Hint: only what was computed from the same study, model and version can be joined",
                one.display(),
                other.display()
            ),
            StoreError::Incomplete {
                missing,
                of,
                from,
                to,
                shards,
                damaged,
            } => {
                let named = shards
                    .iter()
                    .map(|s| format!("--shard {}/{}", s.part + 1, s.of));
                let named: Vec<String> = named.collect();
                let compute = match named.as_slice() {
                    [] => "with --shard for what is missing".into(),
                    all => format!("with {}", all.join(" and with ")),
                };
                let damaged = match damaged {
                    Some((path, why)) => {
                        format!("; {} is damaged or foreign ({why})", path.display())
                    }
                    None => String::new(),
                };
                write!(
                    f,
                    "{missing} of {of} blocks of points are missing, the first of them with the points {from} to {to}{damaged}. Hint: run the same study {compute}, then --merge all directories"
                )
            }
            StoreError::Study(wrong) => match wrong.first() {
                Some(first) => write!(f, "the study can no longer be read: {}", first.message),
                None => write!(f, "the study can no longer be read"),
            },
            StoreError::Work(why) => f.write_str(why),
            StoreError::System {
                doing,
                path,
                source,
            } => write!(f, "cannot {doing} {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

pub(super) fn system(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.into();
    move |source| StoreError::System {
        doing,
        path,
        source,
    }
}
