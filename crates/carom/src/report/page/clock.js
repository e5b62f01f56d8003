// Which instant is looked at, and who must be drawn again?
//
// The film, the plots and the portraits share one clock: `t` is where the film stands, `hover` where the pointer is on a plot, `from` and `to` what the time axes show.
// However often something changes, each watcher is told once before the next picture.

const clock = { t: span.start, hover: null, from: span.start, to: span.end };
const watchers = [];
let changes = new Set();
let asked = false;

/** `redraw(changes)` is called with the set of what changed: "time", "hover", "window", "theme", "size", "view". */
function watch(redraw) {
  watchers.push(redraw);
  return redraw;
}

function changed(...what) {
  for (const one of what) changes.add(one);
  if (asked) return;
  asked = true;
  requestAnimationFrame(flush);
}

function flush() {
  asked = false;
  const now = changes;
  changes = new Set();
  for (const redraw of watchers) redraw(now);
}

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

function goTo(t) {
  clock.t = clamp(t, span.start, span.end);
  changed("time");
}

function hoverAt(t) {
  if (t === clock.hover) return;
  clock.hover = t === null ? null : clamp(t, span.start, span.end);
  changed("hover");
}

/** The instant that plots and film show: the pointer's while it is on a plot and the film stands still. */
const seen = () => (clock.hover !== null && !player.playing ? clock.hover : clock.t);

/** Shows the times `from` to `to` on every time axis; never less than a millionth of a millionth of the run. */
function lookAt(from, to) {
  const least = 1e-12 * span.length;
  let width = clamp(to - from, least, span.length);
  if (!Number.isFinite(width)) width = span.length;
  clock.from = clamp(from, span.start, span.end - width);
  clock.to = clock.from + width;
  changed("window");
}

function zoomTime(factor, about) {
  const width = (clock.to - clock.from) * factor;
  const part = (about - clock.from) / (clock.to - clock.from);
  lookAt(about - part * width, about + (1 - part) * width);
}
