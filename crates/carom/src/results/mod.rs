//! What is left of a run: its table, its summary, and what it takes to run it again?
//!
//! `trajectory` writes the table line by line while the run goes on, and reads it back; `grains` says what stands in the tables of grains, `number` how a number is written, `base64` how bytes are; `apart` sets two tables beside each other. The other files of a run stand behind the feature
//! `files`: `parquet` is the same table for programs, `summary` how the run ended, `manifest` all that is needed to repeat it, `film` what is to be seen of it (`thin` leaves out
//! what cannot be seen, `scene`, `laws` and `section` add what belongs to it, `packed` makes it short), `recording` writes them all, and `folder` puts files where they belong so that a run
//! that is killed leaves nothing that does not open.

pub mod apart;
pub mod base64;
#[cfg(feature = "files")]
pub mod film;
#[cfg(feature = "files")]
pub mod folder;
pub mod grains;
#[cfg(feature = "files")]
pub mod laws;
#[cfg(feature = "files")]
pub mod manifest;
pub mod number;
#[cfg(feature = "files")]
pub mod packed;
#[cfg(feature = "files")]
pub mod parquet;
#[cfg(feature = "files")]
pub mod recording;
#[cfg(feature = "files")]
pub mod scene;
pub mod section;
#[cfg(feature = "files")]
pub mod summary;
pub mod thin;
pub mod trajectory;

/// The files of a run, in the order in which they are compared: a difference shows first where it can be read best.
pub const FILES: [&str; 13] = [
    TRAJECTORY,
    SUMMARY,
    CONTACTS,
    GRAINS,
    SNAPSHOTS,
    PARQUET,
    SNAPSHOTS_PARQUET,
    PICTURE,
    CONTACTS_PICTURE,
    GRAINS_PICTURE,
    FILM,
    REPORT,
    MANIFEST,
];
/// The table.
pub const TRAJECTORY: &str = "trajectory.csv";
/// The same for programs.
pub const PARQUET: &str = "trajectory.parquet";
/// How the run ended.
pub const SUMMARY: &str = "summary.json";
/// One line a contact.
pub const CONTACTS: &str = "contacts.csv";
/// Where the grains are at the end, if there are any.
pub const GRAINS: &str = "grains.csv";
/// Where they were on the way, if that is asked for.
pub const SNAPSHOTS: &str = "snapshots.csv";
/// The same for programs.
pub const SNAPSHOTS_PARQUET: &str = "snapshots.parquet";
/// The channels over time.
pub const PICTURE: &str = "trajectory.svg";
/// The force of the first contacts.
pub const CONTACTS_PICTURE: &str = "contacts.svg";
/// The grains at the end.
pub const GRAINS_PICTURE: &str = "grains.svg";
/// What is to be seen of the run: poses, forces, curves, energies.
pub const FILM: &str = "film.json";
/// The run for people: one page that needs nothing else.
pub const REPORT: &str = "report.html";
/// Runs of one model by several methods, side by side: for people, as a picture, for programs.
pub const METHODS: [&str; 3] = ["methods.html", "methods.svg", "methods.json"];
/// All that is needed to repeat the run.
pub const MANIFEST: &str = "manifest.json";
