//! Does the report work in a real browser, with a real mouse and keyboard?
//!
//! Headless Chromium opens the reports of six runs. The pictures it takes are left in `target/tmp/browser`, to be looked at.

#[path = "browser/cdp.rs"]
mod cdp;
mod folder;

/// One module, so that all of it can be left out by name where there is no browser.
mod in_a_real_browser {
    use std::fs;
    use std::path::PathBuf;

    use serde_json::{Value, json};

    use crate::cdp::Browser;
    use crate::folder::{Folder, carom_in, text};

    const LAYOUT: &str = include_str!("browser/layout.js");
    const WIDTHS: [u32; 2] = [1280, 800];
    const SCHEMES: [&str; 2] = ["light", "dark"];
    /// The instant the film shows, s.
    const FILM: &str = "Number(document.querySelector('#film-canvas').dataset.t)";
    const SCALE: &str = "Number(document.querySelector('#film-canvas').dataset.scale)";
    const FIRST_PLOT: &str = "#histories-plots .area";
    /// Left and right margin of a plot, as in plot.js.
    const MARGINS: [f64; 2] = [62.0, 14.0];

    /// A model that was run, and its report open in a browser.
    struct Report {
        name: &'static str,
        browser: Browser,
        start: f64,
        end: f64,
        _folder: Folder,
    }

    impl Report {
        fn of(name: &'static str, model: &str, settings: &[&str]) -> Self {
            let folder = Folder::new(&format!("page-{name}"));
            let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
            let model = models.join(model).display().to_string();
            let mut arguments = vec!["run", &model, "--out", "out", "--quiet"];
            for setting in settings {
                arguments.extend(["--set", setting]);
            }
            let output = carom_in(&folder.0, &arguments);
            assert!(output.status.success(), "{}", text(&output.stderr));
            let mut browser = Browser::start(name);
            browser.set(WIDTHS[0], 1000, "light", false);
            browser.open(&folder.0.join("out/report.html"));
            let start = browser.number("span.start");
            let end = browser.number("span.end");
            Self {
                name,
                browser,
                start,
                end,
                _folder: folder,
            }
        }

        /// Nothing overlaps or sticks out, light and dark, wide and narrow; a picture of each.
        fn looks_well(&mut self) {
            let pictures = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
            fs::create_dir_all(&pictures).expect("a folder for pictures");
            let mut backgrounds = Vec::new();
            for width in WIDTHS {
                for scheme in SCHEMES {
                    self.browser.set(width, 1000, scheme, false);
                    let tall = self.browser.number("document.documentElement.scrollHeight");
                    self.browser.set(width, tall as u32, scheme, false);
                    self.browser.settle();
                    let wrong = self.browser.ask(LAYOUT);
                    assert_eq!(wrong, json!([]), "{} at {width}, {scheme}", self.name);
                    let file = pictures.join(format!("{}-{width}-{scheme}.png", self.name));
                    self.browser.picture(&file);
                    let background = "getComputedStyle(document.body).backgroundColor";
                    backgrounds.push(self.browser.ask(background));
                }
            }
            assert_ne!(backgrounds[0], backgrounds[1], "dark is not light");
            self.browser.set(WIDTHS[0], 1000, "light", false);
        }

        fn part(&self, part: f64) -> f64 {
            self.start + part * (self.end - self.start)
        }

        #[track_caller]
        fn assert_near(&self, got: f64, expected: f64) {
            let off = (got - expected).abs() / (self.end - self.start);
            assert!(off < 0.01, "{}: {got}, not {expected}", self.name);
        }

        /// What the film's canvas shows, as a text that is another for another picture.
        fn frame(&mut self) -> Value {
            self.browser
                .ask("document.querySelector('#film-canvas').toDataURL()")
        }

        /// The film stands until it is asked to play, plays, stops, and follows the scrub bar.
        fn plays_and_scrubs(&mut self) {
            let rest = self.browser.number(FILM);
            self.browser.settle();
            let still = self.browser.number(FILM);
            assert_eq!(rest, still, "{}: nobody asked it to move", self.name);
            let first = self.frame();
            self.browser.click_on("#play");
            let playing = format!("{FILM} > {rest} && player.playing");
            self.browser.wait_for(&playing);
            let later = self.browser.number(FILM);
            self.browser.wait_for(&format!("{FILM} > {later}"));
            // The button has the keyboard: the space bar presses it.
            self.browser.press(" ", " ");
            self.browser.wait_for("!player.playing");
            self.browser.settle();
            let stopped = self.browser.number(FILM);
            self.browser.settle();
            assert_eq!(self.browser.number(FILM), stopped, "{}", self.name);

            let place = self.browser.inside("#scrub", 0.7, 0.5);
            self.browser.click(place);
            let got = self.browser.number(FILM);
            self.assert_near(got, self.part(0.7));
            let words = self.browser.ask("document.querySelector('#scrub').ariaValueText ?? document.querySelector('#scrub').getAttribute('aria-valuetext')");
            assert!(words.as_str().is_some_and(|w| w.ends_with('s')), "{words}");
            // Some models come to rest: only the start is sure to look different.
            let moved = self.frame() != first;
            assert!(moved, "{}: scrubbing moves it", self.name);
        }

        /// Wheel, buttons and Fit change the scale of the film.
        fn zooms(&mut self) {
            let whole = self.browser.number(SCALE);
            let middle = self.browser.inside("#film-canvas", 0.5, 0.5);
            self.browser.wheel(middle, -120.0);
            let untouched = self.browser.number(SCALE);
            assert_eq!(untouched, whole, "the wheel belongs to the page at first");
            let middle = self.browser.inside("#film-canvas", 0.5, 0.5);
            self.browser.click(middle);
            self.browser.wheel(middle, -120.0);
            self.browser.wait_for(&format!("{SCALE} > {whole} * 1.05"));
            let closer = self.browser.number(SCALE);
            self.browser.click_on("#zoom-in");
            assert!(self.browser.number(SCALE) > 1.4 * closer, "{}", self.name);
            let from = self.browser.inside("#film-canvas", 0.5, 0.5);
            let before = self.browser.number("eye.x");
            self.browser.drag(from, [from[0] + 80.0, from[1]]);
            assert!(self.browser.number("eye.x") < before, "a drag moves it");
            self.browser.click_on("[data-view='']");
            let again = self.browser.number(SCALE);
            assert!((again / whole - 1.0).abs() < 1e-9, "{again} {whole}");
        }

        /// The pointer on one plot is seen on all, and by the film; a click stays.
        fn links_cursors(&mut self) {
            let [left, top, width, height] = self.browser.place(FIRST_PLOT);
            let at = |part: f64| {
                let room = width - MARGINS[0] - MARGINS[1];
                [left + MARGINS[0] + part * room, top + 0.5 * height]
            };
            self.browser.point_at(at(0.4));
            let cursors = self
                .browser
                .ask("plots.filter((p) => p.visible).map((p) => Number(p.figure.dataset.cursor))");
            let cursors = cursors.as_array().expect("a list").clone();
            assert!(!cursors.is_empty());
            for cursor in cursors {
                let cursor = cursor.as_f64().expect("a time");
                self.assert_near(cursor, self.part(0.4));
            }
            let shown = self.browser.number(FILM);
            self.assert_near(shown, self.part(0.4));
            let words = "document.querySelector('#histories-plots .chip output').textContent";
            assert_ne!(self.browser.ask(words), json!("–"), "{}", self.name);
            self.browser.click(at(0.6));
            self.browser.point_at([5.0, 5.0]);
            let stays = self.browser.number(FILM);
            self.assert_near(stays, self.part(0.6));

            // A drag shows what lies between; a double click everything.
            self.browser.drag(at(0.3), at(0.5));
            let windows = self.browser.ask("plots.filter((p) => p.visible).map((p) => [Number(p.figure.dataset.from), Number(p.figure.dataset.to)])");
            for window in windows.as_array().expect("a list") {
                let side = |i: usize| window[i].as_f64().expect("a time");
                self.assert_near(side(0), self.part(0.3));
                self.assert_near(side(1), self.part(0.5));
            }
            let words = self
                .browser
                .ask("document.querySelector('#window-words').textContent");
            assert_ne!(words, json!(""));
            self.browser.wheel(at(0.5), -120.0);
            let narrower = self.browser.number("clock.to - clock.from");
            assert!(narrower < 0.19 * (self.end - self.start), "{narrower}");
            self.browser.double_click(at(0.5));
            let whole = self.browser.number("clock.to - clock.from");
            assert_eq!(whole, self.end - self.start);
        }

        /// Headings sort; a row moves the film and shows its contact.
        fn sorts(&mut self) {
            let order = "table.order.map((i) => episodes[i].peak_force)";
            let column = "Array.from(document.querySelectorAll('#episodes tbody tr'), (row) => episodes[row.dataset.row].peak_force)";
            self.browser.click_on("[data-sort='peak']");
            for falling in [true, false] {
                let all = self.browser.ask(order);
                let forces: Vec<f64> = numbers(&all);
                let ordered = forces
                    .windows(2)
                    .all(|w| if falling { w[0] >= w[1] } else { w[0] <= w[1] });
                assert!(ordered, "{}: {forces:?}", self.name);
                let seen = numbers(&self.browser.ask(column));
                assert_eq!(seen[..], forces[..seen.len()], "{}", self.name);
                let said = self
                    .browser
                    .ask("document.querySelector('th[data-key=peak]').ariaSort");
                let expected = if falling { "descending" } else { "ascending" };
                assert_eq!(said, json!(expected));
                self.browser.click_on("[data-sort='peak']");
            }
            self.browser.click_on("#episodes tbody tr");
            let row = "episodes[document.querySelector('#episodes tbody tr').dataset.row].start";
            let start = self.browser.number(row);
            let film = self.browser.number(FILM);
            self.assert_near(film, start);
            let chosen = "document.querySelector('#episodes tbody tr').ariaSelected";
            assert_eq!(self.browser.ask(chosen), json!("true"));
        }

        /// A page that has done its work in silence and on its own.
        fn was_quiet(self) {
            let Self {
                mut browser, name, ..
            } = self;
            // Whatever is still on its way.
            browser.settle();
            assert_eq!(browser.complaints, Vec::<String>::new(), "{name}");
            let outside = |url: &&String| !url.starts_with("file:") && !url.starts_with("data:");
            let outside: Vec<&String> = browser.requests.iter().filter(outside).collect();
            assert!(outside.is_empty(), "{name} asked for {outside:?}");
        }
    }

    fn numbers(list: &Value) -> Vec<f64> {
        let list = list.as_array().expect("a list");
        list.iter().filter_map(Value::as_f64).collect()
    }

    #[test]
    fn a_joint_with_play_is_looked_into() {
        let mut report = Report::of("slider-crank-clearance", "slider-crank-clearance.toml", &[]);
        report.plays_and_scrubs();
        report.zooms();
        report.links_cursors();
        report.sorts();
        let whole = report.browser.number(SCALE);
        report.browser.click_on("[data-view='joint.pin']");
        let closer = report.browser.number(SCALE);
        assert!(closer > 3.0 * whole, "{closer} against {whole}");
        // The bearing stays in the middle while the mechanism runs.
        let place = report.browser.inside("#scrub", 0.31, 0.5);
        report.browser.click(place);
        let off = "(() => { const [x, y] = worldOf(eye.follow.joint.b, moment(seen())); return Math.hypot(x - eye.x, y - eye.y); })()";
        assert!(report.browser.number(off) < 1e-9);
        report.looks_well();
        report.was_quiet();
    }

    #[test]
    fn a_bouncing_ball_plays_by_itself_unless_motion_is_unwanted() {
        let mut report = Report::of("bouncing-ball", "bouncing-ball.toml", &[]);
        report.plays_and_scrubs();
        report.zooms();
        report.links_cursors();
        report.sorts();
        report.looks_well();
        report.browser.set(1280, 1000, "light", true);
        report.browser.call("Page.reload", json!({}));
        report.browser.wait_for("document.documentElement?.dataset.ready !== undefined && player.playing && clock.t > span.start");
        // Nothing has the keyboard yet: the space bar is the film's.
        report.browser.press(" ", " ");
        report.browser.wait_for("!player.playing");
        report.was_quiet();
    }

    #[test]
    fn two_pendulums_are_shown() {
        let mut report = Report::of("two-pendulums", "two-pendulums.toml", &[]);
        report.plays_and_scrubs();
        report.zooms();
        report.links_cursors();
        report.sorts();
        report.looks_well();
        report.was_quiet();
    }

    #[test]
    fn ten_boxes_are_shown() {
        let settings = ["simulation.end=1 s"];
        let mut report = Report::of("box-stack", "box-stack.toml", &settings);
        report.plays_and_scrubs();
        report.zooms();
        report.links_cursors();
        report.sorts();
        report.looks_well();
        report.was_quiet();
    }

    #[test]
    fn newtons_cradle_is_shown() {
        let mut report = Report::of("newtons-cradle", "newtons-cradle.toml", &[]);
        report.plays_and_scrubs();
        report.zooms();
        report.links_cursors();
        report.sorts();
        report.looks_well();
        report.was_quiet();
    }

    /// A ball so soft that it sinks in by more than half its radius: the numbers mean nothing, and the page says so before it shows them.
    #[test]
    fn a_mistake_in_physics_stands_at_the_top_with_what_to_do() {
        let settings = ["contact.floor.stiffness=500 N/m^1.5", "simulation.end=2 s"];
        let mut report = Report::of("mistake", "bouncing-ball.toml", &settings);
        let first = "document.querySelector('#advice .notice')";
        let level = report.browser.ask(&format!("{first}.dataset.level"));
        assert_eq!(level, "grave");
        let all = report.browser.ask(&format!("{first}.textContent"));
        let told = |words: &str| all.as_str().is_some_and(|all| all.contains(words));
        assert!(
            told("pressed deep into each other") && told("What to do"),
            "{all}"
        );
        let words = report
            .browser
            .ask(&format!("{first}.querySelector('.what').textContent"));
        assert!(words.as_str().is_some_and(|w| w.len() > 20), "{words}");
        let above = format!(
            "{first}.getBoundingClientRect().bottom <= document.querySelector('#film').getBoundingClientRect().top"
        );
        assert_eq!(report.browser.ask(&above), json!(true));
        report.looks_well();
        report.was_quiet();
    }
}
