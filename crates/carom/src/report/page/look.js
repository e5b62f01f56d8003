// Which colours, light or dark, and how crisp?

const look = { dark: false, ink: "", soft: "", grid: "", paper: "", card: "", accent: "", alarm: "", lines: [] };
const DASHES = [[], [7, 4], [2, 3], [8, 3, 2, 3], [4, 6]];
const darkness = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

function readLook() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  Object.assign(look, { ink: of("--ink"), soft: of("--soft"), grid: of("--grid"), paper: of("--paper"), card: of("--card"), accent: of("--accent"), alarm: of("--alarm") });
  look.lines = [0, 1, 2, 3, 4, 5, 6].map((i) => of(`--line-${i}`));
  look.dark = isDark();
}

const isDark = () => (document.documentElement.dataset.theme || (darkness.matches ? "dark" : "light")) === "dark";

// Opened from a file, a browser may keep nothing for us.
function kept(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  readLook();
  const button = byId("theme");
  button.textContent = isDark() ? "☀ Light" : "☾ Dark";
  changed("theme");
}

function setUpLook() {
  setTheme(kept("carom-theme"));
  byId("theme").addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    kept("carom-theme", next);
    setTheme(next);
  });
  darkness.addEventListener("change", () => setTheme(document.documentElement.dataset.theme));
  // Paper is white: the canvases are drawn anew in ink before they are printed.
  let theme;
  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    setTheme("light");
    for (const redraw of watchers) redraw(new Set(["theme", "print"]));
  });
  addEventListener("afterprint", () => setTheme(theme));
}

/** A colour between two, given as #rrggbb. */
function mix(a, b, part) {
  const of = (colour, i) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  const channel = (i) => Math.round(of(a, i) + part * (of(b, i) - of(a, i)));
  return `rgb(${channel(0)} ${channel(1)} ${channel(2)})`;
}

const lineColour = (i) => look.lines[i % look.lines.length];
// Every seven lines the pattern changes too, so that no two of the first thirty-five are alike.
const lineDash = (i) => DASHES[i % DASHES.length];

/** A canvas with as many pixels as the screen has, drawn in CSS pixels. Returns its context and its size. */
function crisp(canvas) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const ratio = Math.min(devicePixelRatio || 1, 3);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.lineJoin = "round";
  pen.lineCap = "butt";
  pen.font = "12px system-ui, sans-serif";
  return { pen, width, height };
}
