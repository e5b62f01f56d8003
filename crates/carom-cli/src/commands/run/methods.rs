//! How is one model run by several methods of contact, and what is left of them together?

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::model::ContactMethod;
use carom::model::diagnostic::listing;
use carom::report::methods::{Methods, Ran};
use carom::results::METHODS;
use carom::results::folder::Folder;
use carom::system::Status;
use serde_json::{Map, Value, json};

use super::super::{errors_json, note, print, print_json, table};
use super::{Arguments, Asked, METHOD, one, refused, stop_on_signals};
use crate::trouble::Trouble;

/// Runs the methods one after the other, each into a folder of its own, and sets them beside each other.
pub fn run(
    arguments: &Arguments,
    asked: &Asked,
    methods: &[ContactMethod],
    said: &mut bool,
) -> Result<(), Trouble> {
    if let Some(out) = &arguments.out {
        clear(out, arguments.force)?;
    }
    // One for all of them: a handler can be set only once.
    let stop: RefCell<Option<Arc<AtomicBool>>> = RefCell::new(None);
    let stopping = || Arc::clone(stop.borrow_mut().get_or_insert_with(stop_on_signals));
    let mut runs = Vec::new();
    let mut entries = Map::new();
    let mut title = asked.source.name.clone();
    let mut failed = Vec::new();
    for method in methods {
        let name = method.name();
        let mut asked = asked.clone();
        asked.take(*method);
        let folder = arguments.out.as_deref().map(|out| out.join(name));
        let ended = match one(arguments, &asked, folder.as_deref(), &stopping) {
            Ok(ran) => {
                if !arguments.quiet && !arguments.json {
                    print(&format!("{name}: {}\n", ran.told))?;
                }
                if let Some(trouble) = ran.trouble(folder.as_deref()) {
                    failed.push(format!("{name}: {trouble}"));
                }
                title = ran.title;
                entries.insert(name.into(), ran.summary.clone());
                let stopped = ran.status == Status::Stopped;
                runs.push(Ran {
                    method: *method,
                    folder,
                    ended: Ok(ran.summary),
                });
                // Who stops one does not want the next to begin.
                if stopped {
                    break;
                }
                continue;
            }
            Err(trouble) => trouble,
        };
        let errors = errors_json(&ended);
        let words: Vec<String> = errors
            .iter()
            .map(|e| {
                let of = |key: &str| e[key].as_str().unwrap_or_default();
                match (of("path"), of("message")) {
                    ("", message) => message.into(),
                    (path, message) => format!("{path}: {message}"),
                }
            })
            .collect();
        match ended {
            Trouble::Model(list) => {
                note(&format!("{name} refuses this model:\n{}\n", listing(&list)));
            }
            Trouble::Input(list) => return Err(Trouble::Input(list)),
            Trouble::Output(error) => return Err(Trouble::Output(error)),
            Trouble::Failed(reason) => {
                failed.push(format!("{name}: {reason}"));
            }
        }
        let status = json!({ "status": "refused", "errors": errors });
        entries.insert(name.into(), status);
        runs.push(Ran {
            method: *method,
            folder: None,
            ended: Err(words),
        });
    }
    // With nothing to show there is nothing to compare: what is wrong was said.
    if runs.iter().all(|run| run.ended.is_err()) && failed.is_empty() {
        if arguments.json {
            *said = true;
            print_json(&json!({ "status": "refused", "methods": entries }))?;
        }
        return Err(Trouble::input(format!(
            "no method takes this model. Hint: {METHOD} says how contacts are computed, and above stands what each refuses"
        )));
    }
    let name = Path::new(&asked.source.name).file_name();
    let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let unread = |error| Trouble::Failed(format!("cannot compare: {error}"));
    let together = Methods::of(&title, &name, runs).map_err(unread)?;
    let mut written = Vec::new();
    if let Some(out) = &arguments.out {
        written = write(out, &together, arguments.no_report)?;
    }
    if arguments.json {
        *said = true;
        let mut value = together.json();
        if let Some(value) = value.as_object_mut() {
            let told = value.remove("methods");
            value.insert("comparison".into(), told.unwrap_or_default());
            value.insert("methods".into(), Value::Object(entries));
        }
        print_json(&value)?;
    } else if !arguments.quiet {
        let (head, rows) = together.rows();
        let mut text = table(&head, &rows, &[1, 3]);
        for sentence in together.words() {
            text += &format!("\n{sentence}\n");
        }
        match &arguments.out {
            Some(out) => {
                text += &format!("\nwritten to {}: {}\n", out.display(), written.join(", "))
            }
            None => {
                text += "\nnothing is written; --out DIR draws the methods over each other and says how far they are apart\n"
            }
        }
        print(&text)?;
    }
    match failed.as_slice() {
        [] => Ok(()),
        some => Err(Trouble::Failed(some.join("\n"))),
    }
}

/// Removes what earlier runs left: also those of methods that are not asked for now, which would be taken for theirs.
fn clear(out: &Path, force: bool) -> Result<(), Trouble> {
    let _ = Folder::open(out, force).map_err(refused)?;
    for name in METHODS {
        // What is not there need not go.
        let _ = fs::remove_file(out.join(name));
    }
    for method in ContactMethod::ALL {
        let folder = out.join(method.name());
        if folder.is_dir() {
            let _ = Folder::open(&folder, force).map_err(refused)?;
            // Somebody's own files keep it there.
            let _ = fs::remove_dir(&folder);
        }
    }
    Ok(())
}

fn write(out: &Path, together: &Methods, plain: bool) -> Result<Vec<&'static str>, Trouble> {
    let folder = Folder::open(out, true).map_err(refused)?;
    let [page, picture, json] = METHODS;
    let text = format!("{:#}\n", together.json());
    folder.put(json, text.as_bytes()).map_err(refused)?;
    if plain {
        return Ok(vec![json]);
    }
    let drawn = together.picture();
    let drawn =
        drawn.map_err(|error| Trouble::Failed(format!("cannot draw {picture}: {error}")))?;
    let mut names = vec![page];
    if let Some(drawn) = &drawn {
        folder.put(picture, drawn.as_bytes()).map_err(refused)?;
        names.push(picture);
    }
    let text = together.page(drawn.as_deref());
    folder.put(page, text.as_bytes()).map_err(refused)?;
    names.push(json);
    Ok(names)
}
