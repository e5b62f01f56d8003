//! How does a run become files, from its first sample to its last?

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use crate::results::film::Film;
use crate::results::folder::{Folder, FolderError};
use crate::results::manifest::{Manifest, sha256, sha256_of};
use crate::results::summary::{self, About};
use crate::results::trajectory::{Column, Writer};
use crate::results::{
    CONTACTS, CONTACTS_PICTURE, FILES, FILM, GRAINS, GRAINS_PICTURE, MANIFEST, PARQUET, PICTURE,
    REPORT, SNAPSHOTS, SNAPSHOTS_PARQUET, SUMMARY, TRAJECTORY, grains, parquet,
};
use crate::system::{Frame, Observer, Outcome, Progress, Snapshot, Status, System, Warning};

/// Bytes for a reason that is not known yet.
const ROOM: usize = 2048;

/// A run that is being written down. Its summary says from the start on that it did not end by itself, until [`Recording::finish`] knows better.
#[derive(Debug)]
pub struct Recording {
    folder: Folder,
    manifest: Manifest,
    warnings: Vec<Warning>,
    table: Writer<File>,
    /// Where the grains are on the way, if that is asked for.
    snapshots: Option<Writer<File>>,
    /// What is to be seen, if a report is wanted.
    film: Option<Box<Film>>,
    /// What stands in the summary besides.
    besides: Vec<(String, Value)>,
    calls: u64,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The contents of `summary.json`.
    pub summary: Value,
    /// The names of the files.
    pub files: Vec<String>,
}

/// What draws the pictures, each as SVG text; `None` if there is nothing to draw.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// Draws the table at a path that has so many lines.
    pub table: &'a dyn Fn(&Path, u64) -> io::Result<Option<String>>,
    /// Draws the contacts.
    pub contacts: &'a dyn Fn(&Outcome) -> io::Result<Option<String>>,
    /// Draws the grains.
    pub grains: &'a dyn Fn(&Outcome) -> io::Result<Option<String>>,
    /// Makes the page that shows a film, a summary and what the manifest says of the model.
    pub page: &'a dyn Fn(&Value, &Value, &Manifest) -> String,
}

impl Recording {
    /// Begins. `manifest` says what is run, its files left empty; `warnings` are those noticed while the model was read.
    pub fn begin(
        folder: Folder,
        system: &System,
        manifest: Manifest,
        warnings: Vec<Warning>,
    ) -> Result<Recording, FolderError> {
        let hash = sha256(manifest.model.text.as_bytes());
        let about = About {
            hash: &hash,
            overrides: &manifest.overrides,
            warnings: &warnings,
        };
        let mut begun = summary::text(&summary::begun(system, &about));
        // A full disk takes no new file: the reason is then written over this one, and finds room.
        begun.push_str(&" ".repeat(ROOM));
        folder.put(SUMMARY, begun.as_bytes())?;
        folder.put(CONTACTS, summary::CONTACTS_HEAD.as_bytes())?;
        let columns = Column::of(system.model(), system.channels());
        let table = Writer::new(folder.growing(TRAJECTORY)?, &columns);
        let model = system.model();
        let asked = model.simulation.snapshot_step.is_some() && model.of_grains().next().is_some();
        let snapshots = match asked {
            true => Some(Writer::new(folder.growing(SNAPSHOTS)?, &grains::columns())),
            false => None,
        };
        let film = manifest.report.then(|| Box::new(Film::new(system)));
        Ok(Self {
            folder,
            manifest,
            warnings,
            table,
            snapshots,
            film,
            besides: Vec::new(),
            calls: 0,
        })
    }

    /// Puts something more into the summary under a key of its own.
    pub fn add(&mut self, key: &str, value: Value) {
        self.besides.push((key.into(), value));
    }

    /// Writes all that is left to write. `wall` is the time the run took, s; `draw` makes the pictures, if they are wanted.
    pub fn finish(
        self,
        system: &System,
        outcome: &Outcome,
        wall: f64,
        draw: Option<Draw<'_>>,
    ) -> Result<Recorded, FolderError> {
        let Recording {
            folder,
            mut manifest,
            warnings,
            table,
            snapshots,
            film,
            besides,
            calls,
        } = self;
        let hash = sha256(manifest.model.text.as_bytes());
        let overrides = manifest.overrides.clone();
        let about = About {
            hash: &hash,
            overrides: &overrides,
            warnings: &warnings,
        };
        let path = folder.at(TRAJECTORY);
        let mut summary = summary::ended(system, &about, outcome, wall);
        if let Some(all) = summary.as_object_mut() {
            all.extend(besides);
        }
        let write = || -> Result<(), FolderError> {
            let rows = table.finish().map_err(|e| folder.failed(TRAJECTORY, e))?;
            folder.put(CONTACTS, summary::contacts_table(outcome).as_bytes())?;
            let reader = || File::open(&path).map(BufReader::new);
            folder.whole(PARQUET, |out| parquet::write(reader()?, out))?;
            if !outcome.groups.is_empty() {
                folder.put(GRAINS, grains::table(&outcome.groups).as_bytes())?;
            }
            if let Some(snapshots) = snapshots {
                let _ = snapshots
                    .finish()
                    .map_err(|e| folder.failed(SNAPSHOTS, e))?;
                let reader = || File::open(folder.at(SNAPSHOTS)).map(BufReader::new);
                folder.whole(SNAPSHOTS_PARQUET, |out| parquet::write(reader()?, out))?;
            }
            if let Some(draw) = draw {
                let drawn = [
                    (PICTURE, (draw.table)(&path, rows)),
                    (CONTACTS_PICTURE, (draw.contacts)(outcome)),
                    (GRAINS_PICTURE, (draw.grains)(outcome)),
                ];
                for (name, picture) in drawn {
                    if let Some(picture) = picture.map_err(|e| folder.failed(name, e))? {
                        folder.put(name, picture.as_bytes())?;
                    }
                }
            }
            if let Some(film) = film {
                let film = film.finish(system, outcome);
                folder.put(FILM, format!("{film}\n").as_bytes())?;
                if let Some(draw) = draw {
                    let page = (draw.page)(&film, &summary, &manifest);
                    folder.put(REPORT, page.as_bytes())?;
                }
            }
            folder.put(SUMMARY, summary::text(&summary).as_bytes())
        };
        if let Err(error) = write() {
            let reason = error.to_string();
            let mut lost = outcome.clone();
            lost.status = Status::Failed;
            lost.reason = Some(reason.clone());
            let lost = summary::text(&summary::ended(system, &about, &lost, wall));
            if folder.put(SUMMARY, lost.as_bytes()).is_err() {
                let mut begun = summary::begun(system, &about);
                if let Some(place) = begun.get_mut("reason") {
                    *place = reason.into();
                }
                // Where not even this can be written, the summary of the start stays.
                let _ = folder.over(SUMMARY, &summary::text(&begun));
            }
            return Err(error);
        }
        manifest.settings = summary.get("settings").cloned().unwrap_or_default();
        manifest.stopped_after = (outcome.status == Status::Stopped).then_some(calls);
        manifest.files = Vec::new();
        for name in FILES.into_iter().filter(|name| *name != MANIFEST) {
            let path = folder.at(name);
            if path.exists() {
                let hash = sha256_of(&path).map_err(|e| folder.failed(name, e))?;
                manifest.files.push((name.into(), hash));
            }
        }
        folder.put(MANIFEST, manifest.text().as_bytes())?;
        let mut files: Vec<String> = manifest.files.into_iter().map(|file| file.0).collect();
        files.push(MANIFEST.into());
        Ok(Recorded { summary, files })
    }
}

impl Observer for Recording {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.table.sample(t, values);
    }

    fn snapshot(&mut self, t: f64, grains: &Snapshot<'_>) {
        if let Some(snapshots) = &mut self.snapshots {
            grains::lines(grains, |cells| snapshots.line(t, &cells));
        }
    }

    /// The film is taken from frames.
    fn watches(&self) -> bool {
        self.film.is_some()
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        if let Some(film) = &mut self.film {
            film.frame(frame);
        }
    }

    fn grains(&mut self, t: f64, grains: &Snapshot<'_>) {
        if let Some(film) = &mut self.film {
            film.grains(t, grains);
        }
    }

    /// Ends a run whose table can no longer be written, and one that was stopped before where it was stopped then.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.calls += 1;
        if self.manifest.stopped_after == Some(self.calls) {
            return ControlFlow::Break(());
        }
        if let Some(snapshots) = &mut self.snapshots {
            snapshots.progress(progress)?;
        }
        self.table.progress(progress)
    }
}
