//! How is a sweep kept on the disk, so that one that was killed goes on where it was?
//!
//! `DIR/sweep.json` pins the study: its text, its model and the hash of all that decides about results. Every block of points becomes a file of `DIR/parts` as soon as it is done, under another name
//! first and renamed: what is there is whole; one that was damaged since, or that is of another sweep, is computed again. When no block is missing all parts are joined to `DIR/results.parquet`.

mod error;
mod kept;

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub use error::StoreError;
use error::system;
use kept::Kept;

use super::parts::{Results, Writer};
use super::work::{Shard, Worker};
use super::{Study, read};

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
        /// So often another process may end at the very moment.
        const TRIES: usize = 100;
        let path = self.dir.join(LOCK);
        let failed = |error| system("lock", &path)(error);
        let own = std::process::id().to_string();
        for _ in 0..TRIES {
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
                Err(TryLockError::WouldBlock) => return Err(self.busy(process)),
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
                write!(file, "{own}")
            };
            note().map_err(failed)?;
            // Who had it may have taken it away after it was opened here: then this is no lock that anybody sees.
            if fs::read_to_string(&path).is_ok_and(|there| there == own) {
                self.lock = Some(file);
                return Ok(());
            }
            self.remark = None;
        }
        Err(self.busy(String::new()))
    }

    fn busy(&self, process: String) -> StoreError {
        StoreError::Busy {
            dir: self.dir.clone(),
            process,
        }
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
                    "another directory, or --force to write beside what is there",
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

    /// A part that is there and can be opened; nothing if there is none. `hash` is that of the study, which is not found anew for every part.
    fn opened<'s>(
        &self,
        study: &'s Study,
        hash: &str,
        block: u64,
    ) -> Option<io::Result<Results<'s>>> {
        let path = self.part(block);
        let first = block.saturating_mul(study.block);
        let rows = study.block.min(study.points().saturating_sub(first));
        path.exists()
            .then(|| Results::part(study, &path, hash, first, rows))
    }

    /// What is there of a part. Every number is read: a disk that was full or a machine that lost its power leaves parts that are none.
    fn state(&self, study: &Study, hash: &str, block: u64) -> State {
        let read = self.opened(study, hash, block);
        match read.map(|part| part.and_then(|part| part.check())) {
            Some(Ok(())) => State::Whole,
            Some(Err(error)) => State::Damaged(error.to_string()),
            None => State::Missing,
        }
    }

    /// The blocks that are not there yet, or damaged.
    pub fn missing(&self, study: &Study, shard: Shard) -> Vec<u64> {
        let hash = study.hash();
        let ours = (0..study.blocks()).filter(|block| shard.has(*block));
        ours.filter(|block| self.state(study, &hash, *block) != State::Whole)
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
        let hash = study.hash();
        let done = |worker: &mut Result<Worker<'_>, String>, number: u64| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let worked = match worker {
                Ok(worker) => match worker.block(number, stop, point) {
                    Some(block) => self.whole(&self.part(number), |out| {
                        let mut writer = Writer::part(study, out, &hash, block.first)?;
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
            // Not before the table is on the disk, whatever becomes of the machine.
            let path = self.dir.join(RESULTS);
            let kept = File::open(&path).and_then(|file| file.sync_all());
            kept.map_err(system("write", &path))?;
            self.leave_parts();
        }
        Ok(())
    }

    /// Throws the parts away, once they are joined.
    pub fn leave_parts(&self) {
        let parts = self.dir.join(PARTS);
        let part = |name: &str| is_part(name) || half_written(name).is_some_and(is_part);
        // What cannot be removed is in nobody's way.
        let _ = remove(&parts, part);
        let _ = fs::remove_dir(&parts);
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

/// What is there of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Whole,
    /// Why it is of no use here.
    Damaged(String),
    Missing,
}

/// Which blocks are whole in none of these directories; an error that names them if there are any.
fn complete(study: &Study, from: &[&Store]) -> Result<(), StoreError> {
    let (mut lacking, mut damaged) = (Vec::new(), None);
    let hash = study.hash();
    for block in 0..study.blocks() {
        let mut is_whole = false;
        let mut broken = None;
        for store in from {
            match store.state(study, &hash, block) {
                State::Whole => is_whole = true,
                State::Damaged(why) => broken = Some((store.part(block), why)),
                State::Missing => continue,
            }
            if is_whole {
                break;
            }
        }
        if !is_whole {
            lacking.push(block);
            damaged = damaged.or(broken);
        }
    }
    let Some(first) = lacking.first() else {
        return Ok(());
    };
    let from = first.saturating_mul(study.block);
    let to = from.saturating_add(study.block).min(study.points());
    Err(StoreError::Incomplete {
        missing: lacking.len() as u64,
        of: study.blocks(),
        from,
        to: to.saturating_sub(1),
        shards: shards(&lacking, study.blocks()),
        damaged,
    })
}

/// Joins the parts of all blocks, each of which stands in one of these directories.
fn join(to: &Store, study: &Study, from: &[&Store]) -> Result<(), StoreError> {
    // A part that cannot be read is another matter than a table that cannot be written.
    let mut unread = None;
    let hash = study.hash();
    let written = to.whole(&to.dir.join(RESULTS), |out| {
        let mut writer = Writer::whole(study, out)?;
        for block in 0..study.blocks() {
            let mut there = from.iter().filter(|store| store.part(block).exists());
            let one = match (there.clone().count(), there.next()) {
                (0 | 1, one) => one,
                _ => from
                    .iter()
                    .find(|store| store.state(study, &hash, block) == State::Whole),
            };
            let path = one.unwrap_or(&to).part(block);
            let mut told = Ok(());
            let gone = || Err(io::Error::from(io::ErrorKind::NotFound));
            let part = one.and_then(|store| store.opened(study, &hash, block));
            let read = part.unwrap_or_else(gone).and_then(|part| {
                part.each(|cells| {
                    told = writer.write(&cells.outputs, &cells.failures, &cells.warnings);
                    match &told {
                        Ok(()) => Ok(()),
                        Err(error) => Err(error.kind().into()),
                    }
                })
            });
            told?;
            if let Err(error) = read {
                let why = error.to_string();
                unread = Some(StoreError::Unreadable {
                    path,
                    why: format!(
                        "this part is damaged or foreign ({why}). Hint: the command that computed it, given again, computes it anew"
                    ),
                });
                return Err(error);
            }
        }
        writer.close()
    });
    match unread {
        Some(error) => Err(error),
        None => written,
    }
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
    if let Err(lacks) = complete(&study, &from) {
        let mut whole = from.iter().filter(|store| store.dir.join(RESULTS).exists());
        return Err(match whole.next() {
            Some(whole) => StoreError::Unreadable {
                path: whole.dir.clone(),
                why: "this sweep is whole already: there is nothing to join".into(),
            },
            None => lacks,
        });
    }
    let (store, _) = Store::open(out, &study, force)?;
    join(&store, &study, &from)?;
    if !dirs.iter().any(same) {
        let _ = fs::remove_dir(store.dir.join(PARTS));
    }
    Ok((study, store))
}
