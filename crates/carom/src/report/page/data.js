"use strict";
// What did the run leave behind?
//
// One JSON value; long rows of numbers stand in it as base64 of little-endian floats and are unpacked when somebody asks for them.

const data = JSON.parse(document.getElementById("data").textContent);

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

/** A row of numbers, however it was packed; an empty one for nothing. */
function numbers(packed) {
  if (packed == null) return new Float64Array(0);
  if (Array.isArray(packed)) return Float64Array.from(packed, (x) => (x === null ? NaN : x));
  if (typeof packed.f64 === "string") return new Float64Array(bytes(packed.f64));
  if (typeof packed.f32 === "string") return new Float32Array(bytes(packed.f32));
  return new Float64Array(0);
}

/** A value that is worked out when it is first needed. */
function lazy(make) {
  let made = false;
  let value;
  return () => {
    if (!made) {
      value = make();
      made = true;
    }
    return value;
  };
}

const listed = (value) => (Array.isArray(value) ? value : []);

// A mere number has the unit 1, which nobody wants to read.
const plainUnit = (unit) => (!unit || unit === "1" ? "" : unit);

/** Every recorded channel by its name: `{name, unit, t(), v()}`. */
const series = new Map();
for (const one of listed(data.series)) {
  const v = lazy(() => numbers(one.v));
  series.set(one.name, { name: one.name, unit: plainUnit(one.unit), t: lazy(() => numbers(one.t)), v });
}

const recorded = data.film || {};
const film = {
  // A heap of grains alone has no bodies to film: then its own frames count.
  t: lazy(() => (numbers(recorded.t).length || !data.grains ? numbers(recorded.t) : numbers(data.grains.t))),
  poses: lazy(() => numbers(recorded.poses)),
  slow: listed(recorded.slow),
  peak: recorded.peak || 0,
  forces: lazy(() => {
    const f = recorded.forces || {};
    const of = (key) => numbers(f[key]);
    return { start: of("start"), contact: of("contact"), x: of("x"), y: of("y"), fx: of("fx"), fy: of("fy") };
  }),
};

const summary = data.summary || {};
const episodes = listed(summary.contacts);
// Of very many contacts the page holds the first, the hardest and the longest.
const contactCount = Math.max(summary.contacts_total || 0, episodes.length);
const scene = data.scene || {};

const span = (() => {
  const t = film.t();
  const time = data.time || {};
  const start = Number.isFinite(time.start) ? time.start : t.length ? t[0] : 0;
  let end = Number.isFinite(time.end) ? time.end : t.length ? t[t.length - 1] : start;
  if (!(end > start)) end = t.length && t[t.length - 1] > start ? t[t.length - 1] : start + 1;
  return { start, end, length: end - start };
})();

/** The last index whose time is not after `t`; -1 if there is none. */
function before(times, t) {
  let low = -1;
  let high = times.length;
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (times[mid] <= t) low = mid;
    else high = mid;
  }
  return low;
}

/** Between two neighbours on a straight line; NaN outside of what was recorded. */
function valueAt(times, values, t) {
  const n = Math.min(times.length, values.length);
  if (n === 0) return NaN;
  const i = Math.min(before(times, t), n - 1);
  if (i < 0) return t >= times[0] - 1e-9 * span.length ? values[0] : NaN;
  if (i === n - 1) return t <= times[i] + 1e-6 * span.length ? values[i] : NaN;
  const gap = times[i + 1] - times[i];
  const f = gap > 0 ? (t - times[i]) / gap : 0;
  return f === 0 ? values[i] : values[i] + f * (values[i + 1] - values[i]);
}

/** Whether the contact of an episode is a stop that turns: its travel is an angle, and its force a moment. */
const turns = (episode) => episode.unit === "rad";
