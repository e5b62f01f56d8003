//! How is a sweep kept on the disk, so that one that was killed goes on where it was?
//!
//! `DIR/sweep.json` pins the study: its text, its model and the hash of all that decides about results. Every block of points becomes a file of `DIR/parts` as soon as it is done, under another name
//! first and renamed: what is there is whole. When no block is missing all parts are joined to `DIR/results.parquet`.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::model::file::{Source, Table};
use crate::results::manifest::sha256;
use crate::results::number;

use super::laboratory::Laboratory;
use super::output::Of;
use super::parts::{Cells, Results, Writer};
use super::picture::of_fit;
use super::work::{Shard, Worker};
use super::{Held, Study, Subject, Wrong, read};

/// The joined table.
pub const RESULTS: &str = "results.parquet";
/// The same for people.
pub const RESULTS_CSV: &str = "results.csv";
const MANIFEST: &str = "sweep.json";
/// There while a process writes, with its number in it.
const LOCK: &str = "sweep.lock";
const PARTS: &str = "parts";
/// What a sweep writes besides its parts and pictures.
const FILES: [&str; 6] = [
    MANIFEST,
    RESULTS,
    RESULTS_CSV,
    "summary.json",
    "fits.csv",
    "index.html",
];
const FORMAT: u64 = 2;

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
            } => {
                let named = shards
                    .iter()
                    .map(|s| format!("--shard {}/{}", s.part + 1, s.of));
                let named: Vec<String> = named.collect();
                let compute = match named.as_slice() {
                    [] => "with --shard for what is missing".into(),
                    all => format!("with {}", all.join(" and with ")),
                };
                write!(
                    f,
                    "{missing} of {of} blocks of points are missing, the first of them with the points {from} to {to}. Hint: run the same study {compute}, then --merge all directories"
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

fn system(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.into();
    move |source| StoreError::System {
        doing,
        path,
        source,
    }
}

/// What was found where a sweep is to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Nothing.
    Fresh,
    /// Parts of the same sweep.
    Resumed,
    /// All of it.
    Complete,
}

/// A directory with a sweep.
pub struct Store {
    dir: PathBuf,
    /// Held while this writes.
    lock: Option<File>,
    /// Whether the system keeps others out.
    alone: bool,
    remark: Option<String>,
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // One that stays is taken over by the next.
            let _ = fs::remove_file(self.dir.join(LOCK));
        }
    }
}

/// What decides about results, as a text: everything but titles, pictures and fits.
fn key(study: &Study) -> String {
    let mut text = format!(
        "carom {}\nblock {}\n{:?}\n{:?}\n",
        env!("CARGO_PKG_VERSION"),
        study.block,
        study.design,
        study.varied
    );
    for o in &study.outputs {
        text += &format!(
            "{:?} {:?} {:?} {:?} {:?} {} {:?}\n",
            o.name, o.text, o.take, o.element, o.from, o.width, o.unit
        );
    }
    match &study.subject {
        Subject::Model(model) => {
            text += &format!(
                "{:?}\n{:?}\n{}\n",
                model.set, model.section, model.source.text
            );
            for table in &model.tables {
                text += &format!("{}\n{}\n", table.path.display(), table.text);
            }
        }
        Subject::Impact(about) => {
            let Laboratory {
                law,
                speed,
                mass,
                restitution,
                exact,
                rtol,
                values,
                targets,
            } = about.as_ref();
            text += &format!(
                "{law:?} {speed:?} {mass:?} {restitution:?} {exact} {rtol:?} {values:?} {targets:?}\n"
            );
        }
    }
    text
}

impl Study {
    /// The SHA-256 of all that decides about results: not of titles, pictures and fits.
    pub fn hash(&self) -> String {
        sha256(key(self).as_bytes())
    }
}

impl Store {
    /// Opens a directory for a sweep. A directory with another sweep, or with anything else, is refused unless `force`; then what a sweep has written there is thrown away, and nothing else.
    pub fn open(dir: &Path, study: &Study, force: bool) -> Result<(Store, Beginning), StoreError> {
        let mut store = Store::at(dir);
        if dir.exists() && !dir.is_dir() {
            return Err(StoreError::Taken {
                dir: dir.into(),
                holds: "is a file".into(),
                hint: "name a directory",
            });
        }
        // Before anything is looked at: another process may be beginning there, too.
        fs::create_dir_all(dir).map_err(system("make", dir))?;
        store.lock()?;
        let manifest = dir.join(MANIFEST);
        let mut beginning = Beginning::Fresh;
        let mut now = Kept::of(study);
        match Kept::drawn(&manifest) {
            Some(drawn) if force => store.clear(&drawn)?,
            _ if !force && manifest.exists() => {
                let there = Kept::read(&manifest)?;
                let changed = |what: String| StoreError::Changed {
                    dir: dir.into(),
                    what,
                };
                if there.version != env!("CARGO_PKG_VERSION") {
                    return Err(changed(format!(
                        "it was made by version {}, and this is version {}",
                        there.version,
                        env!("CARGO_PKG_VERSION")
                    )));
                }
                if there.hash != study.hash() {
                    return Err(changed(there.difference(study)));
                }
                now.pictures.extend(there.pictures);
                now.pictures.sort();
                now.pictures.dedup();
                store.tidy(&now.pictures)?;
                beginning = match dir.join(RESULTS).exists() {
                    true => Beginning::Complete,
                    false => Beginning::Resumed,
                };
            }
            _ => store.claim(&now.pictures, force)?,
        }
        // Parts come after: a directory with parts is a sweep's.
        store.put(MANIFEST, now.text().as_bytes())?;
        let parts = dir.join(PARTS);
        if beginning != Beginning::Complete {
            fs::create_dir_all(&parts).map_err(system("make", &parts))?;
        }
        Ok((store, beginning))
    }

    /// For reading, or before it is locked.
    fn at(dir: &Path) -> Store {
        Store {
            dir: dir.into(),
            lock: None,
            alone: false,
            remark: None,
        }
    }

    /// Keeps other processes out for as long as this lives. The system gives a lock back when its process ends, however that ends: one that is left can be taken over.
    fn lock(&mut self) -> Result<(), StoreError> {
        let path = self.dir.join(LOCK);
        let failed = |error| system("lock", &path)(error);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        let mut process = String::new();
        // What cannot be read names nobody.
        let _ = file.read_to_string(&mut process);
        let process = process.trim().to_string();
        let locked = file.try_lock();
        self.alone = locked.is_ok();
        match locked {
            Ok(()) if process.is_empty() => {}
            Ok(()) => {
                self.remark = Some(format!(
                    "process {process} ended without giving {} back: it is taken over",
                    self.dir.display()
                ));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Busy {
                    dir: self.dir.clone(),
                    process,
                });
            }
            Err(TryLockError::Error(error)) => {
                self.remark = Some(format!(
                    "{} cannot be locked ({error}): see to it that no other process writes into it",
                    self.dir.display()
                ));
            }
        }
        let mut note = || -> io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        note().map_err(failed)?;
        self.lock = Some(file);
        Ok(())
    }

    /// What there is to say of its lock.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Sees to it that a sweep may begin where there is none: nothing else is there, or by `force` nothing that it would overwrite.
    fn claim(&self, pictures: &[String], force: bool) -> Result<(), StoreError> {
        let parts = self.dir.join(PARTS);
        let is_empty = fs::read_dir(&parts).is_ok_and(|mut all| all.next().is_none());
        // What is left of a sweep that was stopped at its first write.
        let begun = |name: &str| {
            name == LOCK || name == PARTS && is_empty || half_written(name) == Some(MANIFEST)
        };
        let entries = fs::read_dir(&self.dir).map_err(system("read", &self.dir))?;
        let names = entries
            .filter_map(Result::ok)
            .map(|entry| entry.file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let mut others: Vec<String> = names.filter(|name| !begun(name)).collect();
        others.sort();
        let taken = |holds: String, hint| StoreError::Taken {
            dir: self.dir.clone(),
            holds,
            hint,
        };
        match others.first() {
            None => return self.tidy(pictures),
            Some(name) if !force => {
                return Err(taken(
                    format!("is not empty: {name} is there"),
                    "another directory, or --force to write into it all the same",
                ));
            }
            Some(_) => {}
        }
        others.retain(|name| name == PARTS || is_ours(name, pictures));
        match others.is_empty() {
            true => Ok(()),
            false => Err(taken(
                format!(
                    "holds files of the names that a sweep writes, and no sweep has written them: {}",
                    others.join(", ")
                ),
                "another directory, or take them away; --force throws away sweeps only",
            )),
        }
    }

    /// Throws away all that a sweep with these pictures has written. What pins it stays until it is written anew: whoever is stopped meanwhile can still tell whose directory it is.
    fn clear(&self, pictures: &[String]) -> Result<(), StoreError> {
        self.tidy(pictures)?;
        remove(&self.dir, |name| {
            name != MANIFEST && is_ours(name, pictures)
        })?;
        let parts = self.dir.join(PARTS);
        remove(&parts, is_part)?;
        // What is left in it is somebody else's.
        let _ = fs::remove_dir(&parts);
        Ok(())
    }

    /// Removes what processes left half-written that were killed.
    fn tidy(&self, pictures: &[String]) -> Result<(), StoreError> {
        if !self.alone {
            return Ok(());
        }
        let ours = |name: &str| half_written(name).is_some_and(|name| is_ours(name, pictures));
        remove(&self.dir, ours)?;
        let part = |name: &str| half_written(name).is_some_and(is_part);
        remove(&self.dir.join(PARTS), part)
    }

    /// A file that is there when it is complete, or not at all.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.whole(&self.dir.join(name), |out| out.write_all(bytes))
    }

    /// The same, of what is written bit by bit.
    pub fn stream(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        self.whole(&self.dir.join(name), |out| write(out))
    }

    fn whole(
        &self,
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        // Two processes may be at the same part: each has a name of its own until it is done.
        name.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(name);
        let written = || -> io::Result<()> {
            let mut out = BufWriter::new(File::create(&part)?);
            write(&mut out)?;
            out.flush()?;
            drop(out);
            fs::rename(&part, path)
        };
        written().map_err(|error| {
            // What is left of it is of no use; if it cannot be removed either, the error below says enough.
            let _ = fs::remove_file(&part);
            system("write", path)(error)
        })
    }

    fn part(&self, block: u64) -> PathBuf {
        self.dir.join(PARTS).join(format!("{block:08}.parquet"))
    }

    /// A part that is there and whole.
    fn results<'s>(&self, study: &'s Study, block: u64) -> Option<Results<'s>> {
        let path = self.part(block);
        let first = block.saturating_mul(study.block);
        let rows = study.block.min(study.points().saturating_sub(first));
        // A part that does not open (a disk that was full, a machine that lost its power) is computed again.
        path.exists()
            .then(|| Results::part(study, &path, first, rows).ok())
            .flatten()
    }

    /// The blocks that are not there yet.
    pub fn missing(&self, study: &Study, shard: Shard) -> Vec<u64> {
        let ours = (0..study.blocks()).filter(|block| shard.has(*block));
        ours.filter(|block| self.results(study, *block).is_none())
            .collect()
    }

    /// Computes these blocks, each a file as soon as it is done; on so many threads, or on all there are if none. `point` hears of every point, and whether it has results. Whether all was done: not if it was stopped.
    pub fn compute(
        &self,
        study: &Study,
        blocks: &[u64],
        threads: Option<usize>,
        stop: &AtomicBool,
        point: &(dyn Fn(bool) + Sync),
    ) -> Result<bool, StoreError> {
        let trouble: Mutex<Option<StoreError>> = Mutex::new(None);
        let done = |worker: &mut Result<Worker<'_>, String>, number: u64| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let worked = match worker {
                Ok(worker) => match worker.block(number, stop, point) {
                    Some(block) => self.whole(&self.part(number), |out| {
                        let mut writer = Writer::new(study, out, block.first)?;
                        writer.write(&block.columns, &block.failures, &block.warnings)?;
                        writer.close()
                    }),
                    None => Ok(()),
                },
                Err(why) => Err(StoreError::Work(why.clone())),
            };
            if let Err(error) = worked {
                stop.store(true, Ordering::Relaxed);
                if let Ok(mut trouble) = trouble.lock() {
                    trouble.get_or_insert(error);
                }
            }
        };
        each(study, blocks, threads, &done)?;
        match trouble.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(!stop.load(Ordering::Relaxed)),
        }
    }

    /// Joins all parts to one table and throws them away, if `tidy`.
    pub fn join(&self, study: &Study, tidy: bool) -> Result<(), StoreError> {
        join(self, study, &[self])?;
        if tidy {
            for block in 0..study.blocks() {
                let _ = fs::remove_file(self.part(block));
            }
            let parts = self.dir.join(PARTS);
            // Half-written parts of a process that was killed.
            for entry in fs::read_dir(&parts)
                .into_iter()
                .flatten()
                .filter_map(Result::ok)
            {
                if entry.path().extension().is_some_and(|end| end == "part") {
                    let _ = fs::remove_file(entry.path());
                }
            }
            let _ = fs::remove_dir(&parts);
        }
        Ok(())
    }

    /// The joined table.
    pub fn open_results<'s>(&self, study: &'s Study) -> Result<Results<'s>, StoreError> {
        let path = self.dir.join(RESULTS);
        Results::open(study, &path).map_err(|error| self.unreadable(error))
    }

    /// That the joined table cannot be read: the system said no, or the table is damaged.
    pub fn unreadable(&self, error: io::Error) -> StoreError {
        let path = self.dir.join(RESULTS);
        match error.raw_os_error() {
            Some(_) => system("read", &path)(error),
            None => StoreError::Unreadable {
                path,
                why: format!(
                    "the table is damaged ({error}). Hint: with --force it is thrown away and computed, or joined, anew"
                ),
            },
        }
    }
}

/// The name under which a file will be whole, of one that is being written.
fn half_written(name: &str) -> Option<&str> {
    let (name, process) = name.strip_suffix(".part")?.rsplit_once('.')?;
    process.parse::<u32>().is_ok().then_some(name)
}

/// Whether a sweep with these pictures writes a file of this name beside its parts.
fn is_ours(name: &str, pictures: &[String]) -> bool {
    let picture = name.strip_suffix(".svg").or(name.strip_suffix(".png"));
    FILES.contains(&name) || picture.is_some_and(|name| pictures.iter().any(|p| p == name))
}

/// Whether this is the name of a part.
fn is_part(name: &str) -> bool {
    let number = name.strip_suffix(".parquet");
    number.is_some_and(|n| n.len() >= 8 && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Removes the files of a directory whose names are such.
fn remove(dir: &Path, such: impl Fn(&str) -> bool) -> Result<(), StoreError> {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(&such) {
            let path = entry.path();
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(system("remove", &path)(error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The parts of as few equal ones as possible that hold these blocks and no others; none where there are no such parts.
fn shards(lacking: &[u64], blocks: u64) -> Vec<Shard> {
    /// More parts than this are not guessed at, nor listed.
    const MOST: u64 = 64;
    const LISTED: usize = 4;
    let of = |of: u64| {
        let missing = |part: &u64| lacking.contains(part);
        let parts = (0..of).filter(missing).map(|part| Shard { part, of });
        let parts: Vec<Shard> = parts.collect();
        let fits = (0..blocks).all(|block| {
            let is_lacking = lacking.binary_search(&block).is_ok();
            is_lacking == parts.iter().any(|part| part.has(block))
        });
        (fits && parts.len() <= LISTED).then_some(parts)
    };
    (1..=MOST.min(blocks)).find_map(of).unwrap_or_default()
}

fn join(to: &Store, study: &Study, from: &[&Store]) -> Result<(), StoreError> {
    let mut lacking: Vec<u64> = Vec::new();
    for block in 0..study.blocks() {
        if from
            .iter()
            .all(|store| store.results(study, block).is_none())
        {
            lacking.push(block);
        }
    }
    if let Some(first) = lacking.first() {
        let from = first.saturating_mul(study.block);
        return Err(StoreError::Incomplete {
            missing: lacking.len() as u64,
            of: study.blocks(),
            from,
            to: from
                .saturating_add(study.block)
                .min(study.points())
                .saturating_sub(1),
            shards: shards(&lacking, study.blocks()),
        });
    }
    to.whole(&to.dir.join(RESULTS), |out| {
        let mut writer = Writer::new(study, out, 0)?;
        for block in 0..study.blocks() {
            let part = from.iter().find_map(|store| store.results(study, block));
            let part =
                part.ok_or_else(|| io::Error::other(format!("the part {block} has gone")))?;
            part.each(|cells| writer.write(&cells.outputs, &cells.failures, &cells.warnings))?;
        }
        writer.close()
    })
}

/// Every block to a worker.
#[cfg(feature = "threads")]
fn each<'s>(
    study: &'s Study,
    blocks: &[u64],
    threads: Option<usize>,
    done: &(dyn Fn(&mut Result<Worker<'s>, String>, u64) + Sync),
) -> Result<(), StoreError> {
    use rayon::prelude::*;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build();
    let pool = pool.map_err(|error| StoreError::Work(format!("no threads: {error}")))?;
    // The next one in line to whoever is free: blocks take very different times, and what is done is then what comes first.
    let next = std::sync::atomic::AtomicUsize::new(0);
    let hands = pool.current_num_threads().min(blocks.len().max(1));
    pool.install(|| {
        (0..hands).into_par_iter().with_max_len(1).for_each(|_| {
            let mut worker = Worker::new(study);
            while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                done(&mut worker, *block);
            }
        });
    });
    Ok(())
}

#[cfg(not(feature = "threads"))]
fn each<'s>(
    study: &'s Study,
    blocks: &[u64],
    _threads: Option<usize>,
    done: &(dyn Fn(&mut Result<Worker<'s>, String>, u64) + Sync),
) -> Result<(), StoreError> {
    let mut worker = Worker::new(study);
    blocks.iter().for_each(|block| done(&mut worker, *block));
    Ok(())
}

/// Joins what several directories hold of the same study into another one.
pub fn merge(dirs: &[PathBuf], out: &Path, force: bool) -> Result<(Study, Store), StoreError> {
    let mut first: Option<(PathBuf, Kept)> = None;
    for dir in dirs {
        let kept = Kept::read(&dir.join(MANIFEST))?;
        match &first {
            Some((one, known)) if known.hash != kept.hash || known.version != kept.version => {
                return Err(StoreError::Unlike {
                    dirs: [one.clone(), dir.clone()],
                });
            }
            Some(_) => {}
            None => first = Some((dir.clone(), kept)),
        }
    }
    let Some((dir, kept)) = first else {
        return Err(StoreError::Unreadable {
            path: out.into(),
            why: "there is nothing to join".into(),
        });
    };
    let study = read(kept.held).map_err(StoreError::Study)?;
    if study.hash() != kept.hash {
        return Err(StoreError::Changed {
            dir,
            what: "its study or the program has changed since".into(),
        });
    }
    let same = |dir: &PathBuf| match (dir.canonicalize(), out.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    // Into one of them: what is there stays there.
    let force = force && !dirs.iter().any(same);
    let stores: Vec<Store> = dirs.iter().map(|dir| Store::at(dir)).collect();
    // Whether all is there is known before anything is made.
    let from: Vec<&Store> = stores.iter().collect();
    let lacks = (0..study.blocks()).any(|block| {
        from.iter()
            .all(|store| store.results(&study, block).is_none())
    });
    if lacks && let Some(whole) = from.iter().find(|store| store.dir.join(RESULTS).exists()) {
        return Err(StoreError::Unreadable {
            path: whole.dir.clone(),
            why: "this sweep is whole already: there is nothing to join".into(),
        });
    }
    let nowhere = Store::at(out);
    if lacks {
        join(&nowhere, &study, &from)?;
    }
    let (store, _) = Store::open(out, &study, force)?;
    join(&store, &study, &from)?;
    if !dirs.iter().any(same) {
        let _ = fs::remove_dir(store.dir.join(PARTS));
    }
    Ok((study, store))
}

/// What `sweep.json` holds.
struct Kept {
    version: String,
    hash: String,
    points: u64,
    columns: Vec<String>,
    /// The names of all pictures that were asked for here.
    pictures: Vec<String>,
    held: Held,
    model_hash: String,
}

impl Kept {
    fn of(study: &Study) -> Self {
        let model = study.held.model.as_ref();
        let fits = study.fits.iter().map(|fit| of_fit(&fit.name));
        let pictures = study.pictures.iter().map(|p| p.name.clone());
        let mut pictures: Vec<String> = pictures.chain(fits).collect();
        pictures.sort();
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            hash: study.hash(),
            points: study.points(),
            columns: study.columns().into_iter().map(|c| c.0).collect(),
            pictures,
            held: study.held.clone(),
            model_hash: model.map_or_else(String::new, |m| sha256(m.text.as_bytes())),
        }
    }

    fn text(&self) -> String {
        // Where files stood on one machine means nothing on another.
        let name = |source: &Source| {
            let name = Path::new(&source.name).file_name();
            name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let source = |source: &Source| json!({ "name": name(source), "text": source.text });
        let held = &self.held;
        let pairs: Vec<Value> = held
            .overrides
            .iter()
            .map(|(path, value)| json!([path, value]))
            .collect();
        let tables = held
            .tables
            .iter()
            .map(|t| json!({ "path": t.path.display().to_string(), "text": t.text }));
        let value = json!({
            "format": FORMAT,
            "program": "carom",
            "version": self.version,
            "hash": self.hash,
            "points": self.points,
            "columns": self.columns,
            "pictures": self.pictures,
            "study": source(&held.study),
            "set": pairs,
            "model": held.model.as_ref().map(source),
            "model_sha256": self.model_hash,
            "tables": tables.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }

    /// The pictures of the sweep of whatever version that this file pins; nothing if it pins none.
    fn drawn(path: &Path) -> Option<Vec<String>> {
        let value: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
        let is = value.get("program")?.as_str()? == "carom" && value.get("study")?.is_object();
        let all = value.get("pictures").and_then(Value::as_array);
        let names = all.into_iter().flatten().filter_map(Value::as_str);
        is.then(|| names.map(String::from).collect())
    }

    fn read(path: &Path) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Unreadable {
            path: path.into(),
            why,
        };
        let text = fs::read_to_string(path).map_err(|e| {
            wrong(format!(
                "cannot be read: {e}. Hint: a directory that `carom sweep --out` wrote"
            ))
        })?;
        let value: Value =
            serde_json::from_str(&text).map_err(|e| wrong(format!("it is not JSON: {e}")))?;
        let word =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(String::from);
        let lacks = |key: &str| wrong(format!("it has no `{key}`, or one of a wrong kind"));
        if value.get("format").and_then(Value::as_u64) != Some(FORMAT) {
            return Err(lacks("format"));
        }
        let source = |value: &Value| Some(Source::new(word(value, "name")?, word(value, "text")?));
        let study = value
            .get("study")
            .and_then(source)
            .ok_or_else(|| lacks("study"))?;
        let list = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let pair = |pair: &Value| {
            let at = |i: usize| pair.get(i).and_then(Value::as_str).map(String::from);
            Some((at(0)?, at(1)?))
        };
        let table = |value: &Value| {
            Some(Table {
                path: word(value, "path")?.into(),
                text: word(value, "text")?,
            })
        };
        Ok(Self {
            version: word(&value, "version").ok_or_else(|| lacks("version"))?,
            hash: word(&value, "hash").ok_or_else(|| lacks("hash"))?,
            points: value.get("points").and_then(Value::as_u64).unwrap_or(0),
            columns: list("columns")
                .iter()
                .filter_map(Value::as_str)
                .map(String::from)
                .collect(),
            pictures: list("pictures")
                .iter()
                .filter_map(Value::as_str)
                .map(String::from)
                .collect(),
            model_hash: word(&value, "model_sha256").unwrap_or_default(),
            held: Held {
                study,
                overrides: list("set").iter().filter_map(pair).collect(),
                model: value.get("model").and_then(source),
                tables: list("tables").iter().filter_map(table).collect(),
            },
        })
    }

    /// What is not as it was.
    fn difference(&self, study: &Study) -> String {
        let now = Kept::of(study);
        if self.model_hash != now.model_hash {
            let named = now.held.model.as_ref().map(|model| model.name.as_str());
            return changed("the model file", named.unwrap_or_default());
        }
        let read = |kept: &Kept, path: &Path| {
            let mut tables = kept.held.tables.iter();
            tables.find(|t| t.path == path).map(|t| t.text.clone())
        };
        let both = self.held.tables.iter().chain(&now.held.tables);
        for table in both {
            if read(self, &table.path) != read(&now, &table.path) {
                return changed("a table of the model", &table.path.display().to_string());
            }
        }
        if self.columns != now.columns {
            let names = |columns: &[String]| {
                columns
                    .iter()
                    .take(8)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            return format!(
                "it has the columns {}, and the study now {}",
                names(&self.columns),
                names(&now.columns)
            );
        }
        if self.points != now.points {
            return format!(
                "it has {} points, and the study now {}",
                self.points, now.points
            );
        }
        if self.held.overrides != now.held.overrides {
            return "other values are set in the study (--set) than when it was begun".into();
        }
        changed("the study file", &now.held.study.name)
    }
}

/// That a file is not as it was.
fn changed(what: &str, name: &str) -> String {
    format!("{what} has changed since it was begun ({name}); with that as it was, it goes on")
}

/// What came of a sweep, column by column.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Points in all.
    pub points: u64,
    /// Points without results.
    pub failed: u64,
    /// Why, and how often; the most frequent first. Reasons that differ in their numbers only are one, in the words of the first point. Of more than a hundred the rest is counted under an empty one.
    pub reasons: Vec<(String, u64)>,
    /// The first point that failed for each of these reasons.
    pub examples: Vec<u64>,
    /// What runs warned of, by its code: at how many points, and how often in all; the most frequent first.
    pub warnings: Vec<(String, u64, u64)>,
    /// One an output: least, mean and largest of all numbers in it, and how many there are.
    pub outputs: Vec<[f64; 4]>,
    /// One an output: at how many points that did not fail it has no number, or one that is infinite; of samples, at how many one of them is such.
    pub missing: Vec<u64>,
}

impl Tally {
    /// Reads all rows once.
    pub fn of(study: &Study, results: &Results<'_>) -> io::Result<Tally> {
        /// More reasons than anybody reads.
        const MOST: usize = 100;
        let mut tally = Tally {
            outputs: vec![[f64::INFINITY, 0.0, f64::NEG_INFINITY, 0.0]; study.outputs.len()],
            missing: vec![0; study.outputs.len()],
            ..Tally::default()
        };
        let mut reasons: BTreeMap<String, (u64, u64, String)> = BTreeMap::new();
        let mut warned: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        results.each(|cells: &Cells| {
            tally.points += cells.rows as u64;
            for (i, failure) in cells
                .failures
                .iter()
                .enumerate()
                .filter(|(_, why)| !why.is_empty())
            {
                tally.failed += 1;
                let kind = kind_of(failure);
                let full = reasons.len() >= MOST && !reasons.contains_key(&kind);
                let (kind, own) = match full {
                    true => (String::new(), String::new()),
                    false => (kind, failure.clone()),
                };
                let first = || (0, cells.first + i as u64, own);
                reasons.entry(kind).or_insert_with(first).0 += 1;
            }
            for word in cells.warnings.iter().flat_map(|w| w.split(' ')) {
                let (code, count) = word.split_once('×').unwrap_or((word, "1"));
                if code.is_empty() {
                    continue;
                }
                let entry = warned.entry(code.to_string()).or_insert((0, 0));
                entry.0 += 1;
                entry.1 += count.parse::<u64>().unwrap_or(1);
            }
            let mut place = 0;
            let tallies = tally.outputs.iter_mut().zip(&mut tally.missing);
            for (output, (tally, missing)) in study.outputs.iter().zip(tallies) {
                let own = || cells.outputs.iter().skip(place).take(output.width);
                for column in own() {
                    for value in column.iter().filter(|value| value.is_finite()) {
                        let [low, sum, high, count] = tally;
                        *low = low.min(*value);
                        *high = high.max(*value);
                        *sum += value;
                        *count += 1.0;
                    }
                }
                let is_there =
                    |row: usize| own().all(|c| c.get(row).is_some_and(|value| value.is_finite()));
                let ran = |row: &usize| cells.failures.get(*row).is_none_or(String::is_empty);
                let rows = (0..cells.rows).filter(ran);
                *missing += rows.filter(|row| !is_there(*row)).count() as u64;
                place += output.width;
            }
            Ok(())
        })?;
        for [low, sum, high, count] in &mut tally.outputs {
            if *count > 0.0 {
                *sum /= *count;
            } else {
                [*low, *sum, *high] = [f64::NAN; 3];
            }
        }
        let warned = warned.into_iter();
        tally.warnings = warned.map(|(code, (at, all))| (code, at, all)).collect();
        tally.warnings.sort_by_key(|w| std::cmp::Reverse(w.1));
        let mut all: Vec<(u64, u64, String)> = reasons.into_values().collect();
        all.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
        tally.examples = all.iter().map(|(_, point, _)| *point).collect();
        tally.reasons = all
            .into_iter()
            .map(|(count, _, own)| (own, count))
            .collect();
        Ok(tally)
    }

    /// What is to be said of outputs that have no number at points that did not fail; whether they have none at all goes before.
    pub fn without_numbers(&self, study: &Study) -> Vec<(bool, String)> {
        let ran = self.points - self.failed;
        let which = match self.failed {
            0 => "points",
            _ => "points that did not fail",
        };
        let counts = self.outputs.iter().zip(&self.missing);
        let outputs = study.outputs.iter().zip(counts);
        let all = outputs.filter(|(_, (_, missing))| **missing > 0);
        all.map(|(output, (found, missing))| {
            let none = found[3] == 0.0;
            let at = match none {
                true => format!("any of {ran} {which}"),
                false => format!("{missing} of {ran} {which}"),
            };
            let why = match output.of {
                Of::Contacts(_) => "no contact there has one".into(),
                _ => format!("`{}` is infinite or not defined there", output.text),
            };
            let words = format!("output `{}` has no number at {at} ({why})", output.name);
            (none, words)
        })
        .collect()
    }
}

/// A reason without its numbers: failures that differ by their numbers only are alike.
fn kind_of(failure: &str) -> String {
    let mut kind = String::new();
    for word in failure.split_inclusive(' ') {
        let bare = word.trim_matches([' ', ',', ';', ':', '.', '(', ')']);
        match bare.parse::<f64>() {
            Ok(_) if !bare.is_empty() => kind += &word.replace(bare, "…"),
            _ => kind += word,
        }
    }
    kind
}

/// A text as one cell of comma-separated values.
pub(super) fn quoted(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!(
            "\"{}\"",
            text.replace('"', "\"\"").replace(['\n', '\r'], " ")
        ),
        false => text.to_string(),
    }
}

/// Writes a table of results as comma-separated values: heads `name [unit]`, one line a point.
pub fn write_csv(study: &Study, results: &Results<'_>, out: &mut dyn Write) -> io::Result<()> {
    let heads = study
        .columns()
        .into_iter()
        .map(|(name, unit)| match unit.is_empty() {
            true => name,
            false => format!("{name} [{unit}]"),
        });
    let heads: Vec<String> = std::iter::once("point".into())
        .chain(heads)
        .chain(["failure".into()])
        .chain(study.warns().then(|| "warnings".into()))
        .collect();
    writeln!(out, "{}", heads.join(","))?;
    let words: Vec<Option<&[String]>> = study
        .design
        .levels()
        .iter()
        .map(|levels| levels.words())
        .collect();
    let mut line = Vec::new();
    results.each(|cells| {
        for row in 0..cells.rows {
            line.clear();
            write!(line, "{}", cells.first + row as u64)?;
            for (column, words) in cells.varied.iter().zip(&words) {
                let value = column.get(row).copied().unwrap_or(f64::NAN);
                line.push(b',');
                match words {
                    Some(words) => line.extend(
                        quoted(words.get(value as usize).map_or("", String::as_str)).bytes(),
                    ),
                    None => number::write(&mut line, value)?,
                }
            }
            for column in &cells.outputs {
                line.push(b',');
                number::write(&mut line, column.get(row).copied().unwrap_or(f64::NAN))?;
            }
            line.push(b',');
            line.extend(quoted(cells.failures.get(row).map_or("", String::as_str)).bytes());
            if let Some(warnings) = cells.warnings.get(row) {
                line.push(b',');
                line.extend(warnings.bytes());
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    })
}
