//! Do `carom new`, `carom check` and `carom schema` do what they say with model files?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use carom::model::starter;

fn carom_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}

/// An empty folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

#[test]
fn a_new_file_is_the_one_in_the_folder_of_models() {
    let folder = Folder::new("new");
    let mut there = 0;
    for kind in starter::ALL {
        let out = carom_in(&folder.0, &["new", kind.name]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let name = format!("{}.toml", kind.name);
        let written = fs::read_to_string(folder.0.join(&name)).expect("it is there");
        let model = models().join(&name);
        if kind.count().is_some() && std::env::var_os("CAROM_UPDATE").is_some() && model.exists() {
            fs::write(&model, &written).expect("it can be written");
        }
        if let Ok(known) = fs::read_to_string(&model) {
            assert!(
                known == written,
                "models/{name} is not what `carom new` writes: CAROM_UPDATE=1 cargo test -p carom-cli --test model_files"
            );
            there += 1;
        }
        let out = carom_in(&folder.0, &["new", kind.name, "-"]);
        assert_eq!(text(&out.stdout), written);
    }
    assert_eq!(there, starter::ALL.len() - 1, "all but the chain");
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = Folder::new("new-again");
    let path = folder.0.join("mine.toml");
    fs::write(&path, "precious").expect("it can be written");
    let out = carom_in(&folder.0, &["new", "pendulum", "mine.toml"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(&path).expect("still there"), "precious");
    let out = carom_in(&folder.0, &["new", "pendulum", "mine.toml", "--force"]);
    assert_eq!(out.status.code(), Some(0));
    assert!(
        fs::read_to_string(&path)
            .expect("there")
            .contains("Pendulum")
    );
    // A folder that is not there is a failure, not a wrong input.
    let out = carom_in(&folder.0, &["new", "pendulum", "no/where.toml"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("where.toml"));
}

#[test]
fn a_count_is_for_those_that_count() {
    let folder = Folder::new("count");
    let out = carom_in(&folder.0, &["new", "chain", "-", "--count", "3"]);
    let chain = text(&out.stdout);
    assert!(
        chain.contains("link3 =") && !chain.contains("link4"),
        "{chain}"
    );
    for (arguments, said) in [
        (&["new", "pendulum", "--count", "3"][..], "nothing to count"),
        (&["new", "chain", "--count", "0"], "1 to 10000"),
        (&["new", "chain", "--count", "10001"], "1 to 10000"),
        (&["new", "pendulem"], "pendulum"),
        (&["new"], "KIND"),
    ] {
        let out = carom_in(&folder.0, arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(out.stdout.is_empty(), "{arguments:?}");
        let message = text(&out.stderr);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    assert_eq!(fs::read_dir(&folder.0).expect("there").count(), 0);
}
