//! How is a real browser told what to do?
//!
//! Over the DevTools protocol: JSON on a WebSocket of this machine. The browser has a profile of its own, no window, and ends with the test.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client};

use crate::folder::Folder;

/// An answer that takes longer will not come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    last: u64,
    /// What the page complained of: exceptions, errors and warnings on its console.
    pub complaints: Vec<String>,
    /// What the page asked the network for.
    pub requests: Vec<String>,
    _profile: Folder,
}

/// The browser of this machine: `CAROM_BROWSER`, or one of the usual names on the path.
pub fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let usual = ["chromium", "chromium-browser", "google-chrome"];
    let names = std::env::var_os("CAROM_BROWSER").into_iter();
    let names = names.chain(usual.map(Into::into)).map(PathBuf::from);
    // A whole path stays what it is when it is joined to a folder.
    let files = names.flat_map(|name| {
        let folders = std::env::split_paths(&path);
        folders.map(|f| f.join(&name)).collect::<Vec<_>>()
    });
    let mut files = files;
    files.find(|file| file.is_file())
}

impl Browser {
    /// Starts it with an empty page.
    pub fn start(name: &str) -> Self {
        let program = find().expect(
            "a browser: install chromium, or name one in CAROM_BROWSER; ./test does that by itself",
        );
        let profile = Folder::new(&format!("browser-{name}"));
        let child = Command::new(program)
            .args([
                "--headless=new",
                // It opens nothing but files this test has made.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-extensions",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.0.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let (port, path) = address(&profile.0);
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the browser listens");
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("a time limit");
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = client(url, stream).expect("the browser speaks");
        let mut browser = Self {
            child,
            socket,
            session: None,
            last: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", target);
        browser.session = attached["sessionId"].as_str().map(String::from);
        for room in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{room}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let text = Message::text(message.to_string());
        self.socket.send(text).expect("the browser hears");
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers") else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("the browser sends JSON");
            if message["id"] == json!(id) {
                assert!(
                    message["error"].is_null(),
                    "{method}: {}",
                    message["error"]["message"]
                );
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        let about = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => {
                self.complaints.push(about["exceptionDetails"].to_string())
            }
            "Runtime.consoleAPICalled"
                if about["type"] == "error" || about["type"] == "warning" =>
            {
                self.complaints.push(about["args"].to_string());
            }
            "Log.entryAdded" if about["entry"]["level"] == "error" => {
                self.complaints.push(about["entry"]["text"].to_string());
            }
            "Network.requestWillBeSent" => {
                let url = about["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(url.into());
            }
            _ => {}
        }
    }

    /// The value of an expression in the page; a promise is waited for.
    pub fn ask(&mut self, expression: &str) -> Value {
        let question =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", question);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].clone()
    }

    /// The same as a number.
    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.ask(expression);
        let number = value.as_f64();
        number.unwrap_or_else(|| panic!("{expression} is no number but {value}"))
    }

    /// Asks until it is true.
    pub fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.ask(expression) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "never true: {expression}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until what has changed is drawn.
    pub fn settle(&mut self) {
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))");
    }

    /// Opens a file and waits until the page says that it is ready.
    pub fn open(&mut self, file: &Path) {
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for("document.readyState === 'complete' && document.documentElement.dataset.ready !== undefined");
        self.settle();
    }

    /// Size of the page, CSS pixels, `light` or `dark`, and whether what moves by itself is wanted.
    pub fn set(&mut self, width: u32, height: u32, scheme: &str, motion: bool) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let motion = if motion { "no-preference" } else { "reduce" };
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ] });
        self.call("Emulation.setEmulatedMedia", features);
        self.settle();
    }

    /// Moves, presses or releases the mouse, or turns its wheel.
    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], more: Value) {
        let mut event = json!({ "type": kind, "x": x, "y": y });
        for (key, value) in more.as_object().into_iter().flatten() {
            event[key] = value.clone();
        }
        self.call("Input.dispatchMouseEvent", event);
    }

    pub fn point_at(&mut self, place: [f64; 2]) {
        self.mouse("mouseMoved", place, json!({}));
        self.settle();
    }

    pub fn click(&mut self, place: [f64; 2]) {
        self.clicks(place, 1);
    }

    pub fn double_click(&mut self, place: [f64; 2]) {
        self.clicks(place, 1);
        self.clicks(place, 2);
    }

    fn clicks(&mut self, place: [f64; 2], count: u32) {
        self.mouse("mouseMoved", place, json!({}));
        let left = json!({ "button": "left", "buttons": 1, "clickCount": count });
        self.mouse("mousePressed", place, left.clone());
        self.mouse("mouseReleased", place, left);
        self.settle();
    }

    pub fn drag(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.mouse("mouseMoved", from, json!({}));
        let held = json!({ "button": "left", "buttons": 1, "clickCount": 1 });
        self.mouse("mousePressed", from, held.clone());
        for part in [0.3, 0.7, 1.0] {
            let between = |i: usize| from[i] + part * (to[i] - from[i]);
            self.mouse("mouseMoved", [between(0), between(1)], held.clone());
        }
        self.mouse("mouseReleased", to, held);
        self.settle();
    }

    /// Turns the wheel; away from the hand is negative.
    pub fn wheel(&mut self, place: [f64; 2], turn: f64) {
        self.mouse("mouseWheel", place, json!({ "deltaX": 0, "deltaY": turn }));
        self.settle();
    }

    pub fn press(&mut self, key: &str, text: &str) {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "text": text });
            self.call("Input.dispatchKeyEvent", event);
        }
        self.settle();
    }

    /// Left, top, width and height of an element that is brought into view first.
    pub fn place(&mut self, selector: &str) -> [f64; 4] {
        let expression = format!(
            "(() => {{ const node = document.querySelector({selector:?}); node.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const r = node.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; }})()"
        );
        let value = self.ask(&expression);
        let side = |i: usize| value[i].as_f64().unwrap_or_else(|| panic!("{selector}"));
        [side(0), side(1), side(2), side(3)]
    }

    /// The place in an element at these parts of its width and height.
    pub fn inside(&mut self, selector: &str, across: f64, down: f64) -> [f64; 2] {
        let [left, top, width, height] = self.place(selector);
        [left + across * width, top + down * height]
    }

    pub fn click_on(&mut self, selector: &str) {
        let place = self.inside(selector, 0.5, 0.5);
        self.click(place);
    }

    /// A picture of what is to be seen, PNG.
    pub fn picture(&mut self, file: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let text = shot["data"].as_str().expect("a picture");
        fs::write(file, bytes(text)).expect("the picture is written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to close it ends its own children; killed it might leave some behind.
        self.session = None;
        let close = json!({ "id": u64::MAX >> 12, "method": "Browser.close" });
        let asked = self.socket.send(Message::text(close.to_string())).is_ok();
        let start = Instant::now();
        while asked && start.elapsed() < Duration::from_secs(5) {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the browser listens: it writes that into its profile once it does.
fn address(profile: &Path) -> (u16, String) {
    let file = profile.join("DevToolsActivePort");
    let start = Instant::now();
    loop {
        if let Ok(text) = fs::read_to_string(&file)
            && let Some((port, path)) = text.trim().split_once('\n')
            && let Ok(port) = port.parse()
        {
            return (port, path.to_string());
        }
        assert!(start.elapsed() < PATIENCE, "the browser does not listen");
        sleep(Duration::from_millis(20));
    }
}

/// Base64, as pictures come.
fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    out
}
