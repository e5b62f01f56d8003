//! Do `carom plot`, `animate` and `view` show what a run left behind, and say what is wrong?

mod folder;

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use folder::{Folder, carom_in, text};

/// A disc of 0.1 m that moves by 1 m in 2 s, over a floor it strikes in the middle; written by hand.
fn film() -> Value {
    json!({
        "format": 1,
        "scene": {
            "gravity": [0, -9.81],
            "bodies": [
                { "name": "ground", "shapes": [ { "name": "floor", "kind": "half-plane", "center": [0, 0], "normal": [0, 1] } ], "drawn": [] },
                { "name": "ball", "shapes": [ { "name": "skin", "kind": "circle", "center": [0, 0], "radius": 0.1 } ], "drawn": [] },
            ],
            "joints": [],
            "springs": [ { "name": "force.band", "kind": "spring", "a": { "body": 0, "at": [0, 0.4] }, "b": { "body": 1, "at": [0, 0] } } ],
            "contacts": [ { "name": "contact.floor", "bodies": [0, 1], "law": "hertz" } ],
        },
        "film": {
            "t": [0, 1, 1, 2],
            "poses": [0, 0.3, 0,  0.5, 0.1, 1,  0.5, 0.1, 1,  1, 0.3, 2],
            "forces": { "start": [0, 0, 1, 1, 1], "contact": [0], "x": [0.5], "y": [0], "fx": [0], "fy": [20] },
            "peak": 20,
            "slow": [[0.95, 1.05]],
        },
        "loops": [ { "episode": 1, "t": [0, 1e-3, 2e-3], "delta": [0, 1e-5, 0], "rate": [0.1, 0, -0.1], "force": [0, 20, 0] } ],
    })
}

/// A folder with results in it.
fn results(name: &str) -> Folder {
    let folder = Folder::new(&format!("pictures-{name}"));
    for (dir, shift) in [("a", 0.0), ("b", 0.25)] {
        let at = folder.0.join(dir);
        fs::create_dir(&at).expect("it is made");
        let mut table =
            String::from("t [s],ball.x [m],ball.y [m],ball.vx [m/s],contact.floor.force [N]\n");
        for i in 0..=200 {
            let t = f64::from(i) / 100.0;
            table += &format!("{t},{},{},{},NaN\n", 0.5 * t + shift, (t - 1.0).abs(), 0.5);
        }
        fs::write(at.join("trajectory.csv"), table).expect("it is written");
        let summary = json!({
            "model": { "title": "A ball & a floor" },
            "contacts": [
                { "contact": "contact.floor", "start": 0.5, "peak_force": 3.0 },
                { "contact": "contact.floor", "start": 1.0, "peak_force": 20.0 },
            ],
        });
        fs::write(at.join("summary.json"), summary.to_string()).expect("it is written");
        fs::write(at.join("film.json"), film().to_string()).expect("it is written");
    }
    folder
}

impl Folder {
    #[track_caller]
    fn does(&self, arguments: &[&str]) -> Output {
        let out = carom_in(&self.0, arguments);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        out
    }

    #[track_caller]
    fn refuses(&self, arguments: &[&str], said: &[&str]) {
        let out = carom_in(&self.0, arguments);
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(out.stdout.is_empty(), "{arguments:?}");
        for said in said {
            assert!(stderr.contains(said), "`{said}` is not in\n{stderr}");
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

/// The pictures of a GIF as a person sees them, one over the other, with their size.
fn pictures(folder: &Folder, name: &str) -> (usize, usize, Vec<Vec<[u8; 3]>>) {
    let file = fs::File::open(folder.0.join(name)).expect("it is there");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).expect("it is a GIF");
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut now = vec![[0_u8; 3]; width * height];
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("it can be decoded") {
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let x = usize::from(frame.left) + i % usize::from(frame.width);
            let y = usize::from(frame.top) + i / usize::from(frame.width);
            if pixel[3] > 0 {
                now[y * width + x].copy_from_slice(&pixel[..3]);
            }
        }
        all.push(now.clone());
    }
    (width, height, all)
}

/// The box around all pixels of nearly this colour: left, top, right, bottom.
fn around(picture: &[[u8; 3]], width: usize, colour: [u8; 3]) -> Option<[f64; 4]> {
    let mut found: Option<[f64; 4]> = None;
    for (i, pixel) in picture.iter().enumerate() {
        let far = (0..3).map(|k| pixel[k].abs_diff(colour[k])).max();
        if far < Some(24) {
            let (x, y) = ((i % width) as f64, (i / width) as f64);
            let b = found.get_or_insert([x, y, x, y]);
            *b = [
                b[0].min(x),
                b[1].min(y),
                b[2].max(x + 1.0),
                b[3].max(y + 1.0),
            ];
        }
    }
    found
}

/// Edge of the first body, and force arrows.
const BLUE: [u8; 3] = [0x00, 0x66, 0xa0];
const RED: [u8; 3] = [0xd1, 0x1f, 0x2a];

#[test]
fn a_gif_has_the_pictures_it_says_and_its_bodies_move_as_the_film_does() {
    let folder = results("gif");
    let out = folder.does(&["animate", "a", "--out", "m.gif", "--json", "--width", "480"]);
    let said: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let (width, height, pictures) = pictures(&folder, "m.gif");
    // Two seconds in real time, 25 pictures a second, both ends.
    assert_eq!(said["pictures"], 51);
    assert_eq!(said["speed"], "real time");
    assert_eq!((pictures.len(), width), (51, 480));
    assert_eq!(
        (said["width"].as_u64(), said["height"].as_u64()),
        (Some(480), Some(height as u64))
    );
    let boxes: Vec<[f64; 4]> = pictures
        .iter()
        .map(|p| around(p, width, BLUE).expect("the ball is seen"))
        .collect();
    // The ball is 0.2 m wide and moves by 1 m: five times its own width, evenly; and goes down by its width and up again.
    let wide = boxes[0][2] - boxes[0][0];
    for (i, b) in boxes.iter().enumerate() {
        let share = i as f64 / 50.0;
        let x = boxes[0][0] + 5.0 * wide * share;
        let y = boxes[0][1] + wide * (1.0 - (2.0 * share - 1.0).abs());
        assert!((b[0] - x).abs() < 3.5, "{i}: {b:?} {x}");
        assert!((b[1] - y).abs() < 3.5, "{i}: {b:?} {y}");
        assert!((b[2] - b[0] - wide).abs() < 2.5, "{i}: {b:?}");
    }
    // The force is seen while it acts and not before; below the scene stands the scale of forces, always.
    let red = |i: usize| {
        let scene = &pictures[i][..(height - 34) * width];
        around(scene, width, RED)
    };
    assert!(red(20).is_none() && red(30).is_none());
    let arrow = red(25).expect("the ball is struck in the middle of the time");
    let ball = boxes[25];
    assert!(
        (0.5 * (arrow[0] + arrow[2] - ball[0] - ball[2])).abs() < 2.0,
        "{arrow:?} {ball:?}"
    );
    assert!((arrow[3] - ball[3]).abs() < 4.0, "{arrow:?} {ball:?}");
}

#[test]
fn the_same_film_gives_the_same_bytes_and_nothing_is_overwritten_unasked() {
    let folder = results("same");
    for name in ["one.gif", "two.gif", "one.svg", "two.svg"] {
        folder.does(&["animate", "a", "--out", name, "--quiet"]);
    }
    let bytes = |name: &str| fs::read(folder.0.join(name)).expect("it is there");
    assert!(bytes("one.gif") == bytes("two.gif"));
    assert!(bytes("one.svg") == bytes("two.svg"));
    folder.refuses(
        &["animate", "a", "--out", "one.gif"],
        &["is there already", "--force"],
    );
    folder.does(&["animate", "a", "--out", "one.gif", "--force"]);
    // Nothing half-written is left.
    let entries = fs::read_dir(&folder.0).expect("it is there").flatten();
    assert!(
        entries
            .into_iter()
            .all(|e| !e.file_name().to_string_lossy().ends_with(".part"))
    );
}

#[test]
fn an_svg_that_moves_is_well_formed_and_needs_nothing_else() {
    let folder = results("svg");
    folder.does(&["animate", "a", "--out", "m.svg", "--slow-motion"]);
    let svg = folder.read("m.svg");
    well_formed(&svg);
    for part in [
        "@keyframes b1{",
        "@keyframes s0{",
        "A ball &amp; a floor",
        "slow motion 1:",
    ] {
        assert!(svg.contains(part), "`{part}` is not in\n{svg}");
    }
    // Nothing is fetched, nothing is run.
    for part in ["<script", "href", "@import", "url(http"] {
        assert!(!svg.contains(part), "{part}");
    }
    // All that is used is there.
    for used in svg.split("url(#").skip(1) {
        let name = used.split(')').next().unwrap_or_default();
        assert!(svg.contains(&format!("id=\"{name}\"")), "{name}");
    }
}

/// Every tag that is opened is closed, in order, and no letter that XML forbids stands in a text.
#[track_caller]
fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.trim_end().split('<').skip(1) {
        let (tag, after) = piece.split_once('>').expect("a tag ends");
        let bare = after
            .replace("&amp;", "")
            .replace("&lt;", "")
            .replace("&gt;", "")
            .replace("&quot;", "");
        assert!(!bare.contains('&'), "{after}");
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') && !tag.starts_with('!') && !tag.starts_with('?') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn slow_motion_makes_a_movie_longer_and_says_so() {
    let folder = results("slow");
    let said = |arguments: &[&str]| {
        let out =
            folder.does(&[&["animate", "a", "--json", "--force", "--out"], arguments].concat());
        serde_json::from_slice::<Value>(&out.stdout).expect("one JSON value")
    };
    let slow = said(&["m.gif", "--slow-motion"]);
    assert_eq!(slow["speed"], "real time, slow motion 1:20");
    // 1.9 s as they are and 0.1 s in 2 s: 3.9 s are 98 steps of 0.04 s, the last one not a whole one.
    assert_eq!(slow["pictures"], 99);
    let part = said(&[
        "m.gif", "--from", "500 ms", "--to", "1.5", "--speed", "1:4", "--fps", "10",
    ]);
    assert_eq!(
        (&part["pictures"], &part["speed"]),
        (&json!(41), &json!("1:4 of real time"))
    );
}

#[test]
fn what_is_wrong_with_a_movie_is_said_at_once() {
    let folder = results("wrong");
    fs::write(folder.0.join("b/film.json"), "{}").expect("it is written");
    for (arguments, said) in [
        (
            &["nowhere", "--out", "m.mp4", "--speed", "fast"][..],
            &["nowhere is not there", ".gif or .svg", "--speed fast"][..],
        ),
        (
            &["a", "--out", "m.gif", "--zoom", "contact.flor"],
            &["contact.floor"],
        ),
        (
            &["a", "--out", "m.gif", "--width", "3"],
            &["width = 3", "160 to 3840"],
        ),
        (&["a", "--out", "m.gif", "--fps", "500"], &["fps = 500"]),
        (&["a", "--out", "m.gif", "--from", "3"], &["from = 3"]),
        (&["a", "--out", "m.gif", "--from", "1 kg"], &["--from"]),
        (
            &["a", "--out", "m.gif", "--speed", "1e-6"],
            &["pictures, more than"],
        ),
        (&["b", "--out", "m.gif"], &["film.json: scene: is missing"]),
    ] {
        folder.refuses(&[&["animate"], arguments].concat(), said);
    }
    fs::remove_file(folder.0.join("b/film.json")).expect("it was there");
    folder.refuses(
        &["animate", "b", "--out", "m.gif"],
        &["film.json is not there", "--no-report"],
    );
}

#[test]
fn a_figure_is_as_large_on_paper_as_asked_and_marks_the_contacts() {
    let folder = results("figure");
    folder.does(&[
        "plot", "a", "-c", "ball.x", "-c", "ball.vx", "--out", "fig.svg", "--width", "90 mm",
        "--height", "120",
    ]);
    let svg = folder.read("fig.svg");
    well_formed(&svg);
    assert!(svg.contains(r#"width="90.00mm""#), "{}", &svg[..300]);
    let height = svg
        .split(r#"height=""#)
        .nth(1)
        .and_then(|s| s.split("mm").next());
    let height: f64 = height.expect("it has a height").parse().expect("a number");
    assert!((height - 120.0).abs() < 1.0, "{height}");
    for part in ["ball.x", "ball.vx", "a contact", "A ball &amp; a floor"] {
        assert!(svg.contains(part), "{part}");
    }
    folder.does(&[
        "plot", "a", "-c", "ball.x", "--out", "fig.png", "--width", "90",
    ]);
    let png = fs::read(folder.0.join("fig.png")).expect("it is there");
    assert_eq!(&png[1..4], b"PNG");
    // 300 dots an inch: 90 mm are 1063.
    let width = u32::from_be_bytes([png[16], png[17], png[18], png[19]]);
    assert!(width.abs_diff(1063) <= 2, "{width}");
}

#[test]
fn curves_come_as_they_stand_in_the_table() {
    let folder = results("curves");
    let json = |arguments: &[&str]| {
        let out = folder.does(&[&["plot", "--json"], arguments].concat());
        serde_json::from_slice::<Value>(&out.stdout).expect("one JSON value")
    };
    let over = json(&[
        "a",
        "--channel",
        "ball.y",
        "--against",
        "ball.x",
        "--from",
        "1",
    ]);
    assert_eq!(over["over"]["channel"], "ball.x");
    assert_eq!(over["curves"][0]["x"][0], 0.5);
    assert_eq!(over["curves"][0]["y"][0], 0.0);
    assert_eq!(over["curves"][0]["x"].as_array().map(Vec::len), Some(101));
    // Two runs over each other.
    let both = json(&["a", "b", "--channel", "*.x"]);
    let names: Vec<&str> = both["curves"]
        .as_array()
        .expect("curves")
        .iter()
        .filter_map(|c| c["run"].as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(both["curves"][1]["y"][0], 0.25);
    let list = json(&["a", "--list"]);
    assert_eq!(
        list[0]["channels"][3],
        json!({ "name": "ball.vx", "unit": "m/s" })
    );
    // A channel without a number is left out, and that is said.
    let out = folder.does(&["plot", "a", "-c", "ball.x", "-c", "contact"]);
    assert!(text(&out.stderr).contains("`contact.floor.force` has no number"));
    let drawn = text(&out.stdout);
    assert!(
        drawn.contains("ball.x [m]") && drawn.contains("t [s]"),
        "{drawn}"
    );
    assert!(
        drawn.lines().all(|line| line.chars().count() <= 80),
        "{drawn}"
    );
}

#[test]
fn the_course_of_a_contact_is_drawn_if_it_was_kept() {
    let folder = results("loop");
    folder.does(&["plot", "a", "--contact", "2", "--out", "loop.svg"]);
    let svg = folder.read("loop.svg");
    assert!(
        svg.contains("indentation") && svg.contains("2 contact.floor at 1 s"),
        "{svg}"
    );
    folder.does(&["plot", "a", "b", "--contact", "floor"]);
    folder.refuses(
        &["plot", "a", "--contact", "1"],
        &["was not kept", "these are there: 2"],
    );
    folder.refuses(
        &["plot", "a", "--contact", "7"],
        &["2 contacts, counted from 1"],
    );
    folder.refuses(
        &["plot", "a", "--contact", "wall"],
        &["these did: contact.floor"],
    );
}

#[test]
fn everything_that_is_wrong_with_a_figure_is_said_at_once() {
    let folder = results("refused");
    folder.refuses(
        &[
            "plot",
            "a",
            "-c",
            "ball.z",
            "-c",
            "bal.vx",
            "--against",
            "bll.x",
            "--out",
            "fig.pdf",
            "--from",
            "2",
            "--to",
            "1",
        ],
        &[
            "`ball.z`",
            "ball.x",
            "`bal.vx`; nearest: ball.vx",
            "--against: there is no channel `bll.x`",
            ".svg or .png",
            "must be before",
        ],
    );
    folder.refuses(&["plot", "a", "--from", "5"], &["nothing to draw"]);
    folder.refuses(
        &["plot", "nowhere", "folder"],
        &["nowhere is not there", "folder is not there", "carom run"],
    );
    folder.refuses(
        &[
            "plot", "a", "-c", "ball.x", "--out", "f.svg", "--width", "3",
        ],
        &["60 to 1000 mm"],
    );
    folder.refuses(
        &["plot", "a", "--against", "ball"],
        &["means several channels: ball.x, ball.y, ball.vx"],
    );
    fs::write(folder.0.join("plain.txt"), "x").expect("it is written");
    folder.refuses(&["plot", "plain.txt"], &["is no folder of results"]);
}

#[test]
fn a_report_is_found_and_made_anew_where_it_is_missing_or_old() {
    let folder = results("view");
    let page = folder.0.join("a/report.html");
    // Nothing is there yet.
    let out = folder.does(&["view", "a", "--print"]);
    let path = text(&out.stdout);
    assert!(path.trim_end().ends_with("report.html"), "{path}");
    assert!(text(&out.stderr).contains("made anew"));
    let made = fs::read_to_string(path.trim_end()).expect("it is there");
    assert!(made.contains("A ball & a floor"), "the page has the title");
    // What is there stays.
    fs::write(&page, "<!doctype html>").expect("it is written");
    let out = folder.does(&["view", "a", "--print"]);
    assert!(!text(&out.stderr).contains("made anew"));
    // Unless the results are newer.
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let file = fs::File::options()
        .write(true)
        .open(&page)
        .expect("it is there");
    file.set_modified(old).expect("its time can be set");
    drop(file);
    folder.does(&["view", "a", "--print"]);
    assert_eq!(fs::read_to_string(&page).expect("it is there"), made);
    folder.refuses(&["view", "nowhere"], &["nowhere is not there"]);
}

#[test]
fn two_turns_of_a_slider_crank_are_a_small_movie() {
    let folder = Folder::new("pictures-turns");
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/slider-crank-clearance.toml"
    );
    folder.does(&["run", model, "--out", "turns", "--quiet"]);
    folder.does(&["animate", "turns", "--out", "turns.gif"]);
    folder.does(&["animate", "turns", "--out", "turns.svg"]);
    let size = |name: &str| fs::metadata(folder.0.join(name)).map_or(0, |m| m.len());
    let (gif, svg) = (size("turns.gif"), size("turns.svg"));
    assert!((100_000..1_500_000).contains(&gif), "{gif}");
    assert!((20_000..300_000).contains(&svg), "{svg}");
    // The slider, the third body, is as far to the left after half a turn, 6 ms of 24, as the crank is long twice: 100 mm, of which 20 are drawn as the length scale.
    let (width, _, pictures) = pictures(&folder, "turns.gif");
    assert_eq!((width, pictures.len()), (640, 121));
    let green = [0x00, 0x79, 0x5a];
    let [a, b] = [0, 30].map(|i| around(&pictures[i], width, green).expect("the slider is seen"));
    // Its bearing has a radius of 10 mm and a block of 42 mm around it.
    let scale = (a[2] - a[0]) / 42.0;
    let moved = (a[0] - b[0]) / scale;
    assert!((moved - 100.0).abs() < 2.5, "{moved} mm");
    folder.does(&[
        "animate", "turns", "--out", "pin.gif", "--fps", "5", "--zoom", "pin", "--to", "1 ms",
    ]);
    folder.does(&["plot", "turns", "--contact", "1", "--out", "loop.svg"]);
}
