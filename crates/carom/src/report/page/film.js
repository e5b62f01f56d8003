// How does the film play, and what does the eye look at?
//
// Around impacts the film slows down by itself. The whole of a run shorter than three seconds is shown slowed, a longer one as fast as it happened.

const player = { playing: false, times: 1, slowing: true, last: null, base: baseRate(), stretches: [], rate: 1, slowed: false };

/** Seconds of the run that pass in a second of film. */
function baseRate() {
  const long = span.length;
  const wall = long < 0.1 ? 12 : long < 3 ? 6 : Math.min(long, 30);
  if (wall === long) return 1;
  return roundRate(long / wall);
}

/** A rate near this one that can be said: 1:500, not 1:487. */
function roundRate(rate) {
  return rate <= 1 ? 1 / roundBelow(1 / rate) : roundBelow(rate);
}

// All the slow stretches together take half a minute at most, each a second and a half at most.
player.stretches = (() => {
  const wall = clamp(24 / Math.max(1, film.slow.length), 0.05, 1.5);
  return film.slow
    .filter((s) => Array.isArray(s) && s[1] > s[0])
    .map(([from, to]) => ({ from, to, rate: roundRate((to - from) / wall) }))
    .filter((s) => s.rate < 0.8 * player.base)
    .sort((a, b) => a.from - b.from);
})();

/** The rate at `t` and until when it holds. */
function rateAt(t) {
  if (player.slowing) {
    for (const stretch of player.stretches) {
      if (t < stretch.from) return { rate: player.base, until: stretch.from, slowed: false };
      if (t < stretch.to) return { rate: stretch.rate, until: stretch.to, slowed: true };
    }
  }
  return { rate: player.base, until: span.end, slowed: false };
}

function advance(seconds) {
  let left = seconds * player.times;
  let t = clock.t;
  for (let k = 0; k < 1000 && left > 0 && t < span.end; k++) {
    const { rate, until } = rateAt(t);
    const need = (until - t) / rate;
    if (need > left) {
      t += left * rate;
      left = 0;
    } else {
      // The end itself, never a hair before it: else the film would stay there.
      t = until;
      left -= need;
    }
  }
  goTo(t);
  if (t >= span.end) pause();
}

function tick(now) {
  if (!player.playing) return;
  const passed = player.last === null ? 0 : Math.min(0.1, (now - player.last) / 1000);
  player.last = now;
  advance(passed);
  if (player.playing) requestAnimationFrame(tick);
}

function play() {
  if (player.playing) return;
  if (clock.t >= span.end - 1e-9 * span.length) goTo(span.start);
  player.playing = true;
  player.last = null;
  showPlaying();
  requestAnimationFrame(tick);
}

function pause() {
  player.playing = false;
  showPlaying();
  changed("time");
}

function showPlaying() {
  if (!byId("play")) return;
  const button = byId("play");
  button.textContent = player.playing ? "❚❚" : "▶";
  button.setAttribute("aria-label", player.playing ? "Pause" : "Play");
  byId("stage").dataset.playing = player.playing;
}

const impactTimes = lazy(() => Array.from(new Set(episodes.map((e) => e.start).filter(Number.isFinite))).sort((a, b) => a - b));

function toImpact(direction) {
  const all = impactTimes();
  const hair = 1e-6 * span.length;
  const next = direction > 0 ? all.find((t) => t > clock.t + hair) : all.findLast((t) => t < clock.t - hair);
  if (next !== undefined) goTo(next);
}

// ── What the eye looks at ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const eye = { x: 0, y: 0, scale: 1, follow: null, zoom: 1, dx: 0, dy: 0 };
const traced = new Set();
const stageSize = { width: 0, height: 0 };
let arrowLength = 1;

/** What can be followed: each joint with play, each contact. */
const views = lazy(() => {
  const out = [];
  for (const joint of joints) {
    if (!joint.clearance) continue;
    const { bearing_radius: R, journal_radius: r, block, pin_radius: pin, play } = joint.clearance;
    const size = R || (pin ? 2 * pin : Math.max(0, ...listed(block).map(([x, y]) => Math.hypot(x, y)))) || bounds().size / 10;
    out.push({ name: joint.name, joint, reach: 1.5 * size, play: R ? R - r : play || 0, round: R > 0 });
  }
  touching.forEach((contact, c) => {
    if (out.some((view) => view.name === contact.name)) return;
    const [i, j] = contact.bodies || [0, 0];
    out.push({ name: contact.name, contact: c, carrier: j > 0 ? j : i, reach: reachOf([i, j]) });
  });
  return out;
});

// About as much as the smaller of the two bodies.
function reachOf(pair) {
  const sizes = pair.filter((b) => b > 0).map((b) => Math.max(0, ...extents()[b].map(([x, y]) => Math.hypot(x, y))));
  const small = Math.min(...sizes.filter((size) => size > 0), bounds().size / 3);
  return Math.max(1.1 * small, bounds().size / 400);
}

/** Where a contact is, in the axes of one of its bodies: as it was when it last pushed, or will push next. */
const contactSpots = lazy(() => {
  const forces = film.forces();
  const spots = touching.map(() => ({ t: [], x: [], y: [] }));
  const t = film.t();
  const p = [0, 0, 0];
  for (let i = 0; i + 1 < forces.start.length && i < t.length; i++) {
    for (let k = forces.start[i]; k < forces.start[i + 1]; k++) {
      const c = forces.contact[k];
      const spot = spots[c];
      const view = views().find((one) => one.contact === c);
      if (!spot || !view) continue;
      pose(view.carrier, { i, f: 0 }, p);
      const [dx, dy] = [forces.x[k] - p[0], forces.y[k] - p[1]];
      const [cos, sin] = [Math.cos(p[2]), Math.sin(p[2])];
      spot.t.push(t[i]);
      spot.x.push(cos * dx + sin * dy);
      spot.y.push(-sin * dx + cos * dy);
    }
  }
  return spots;
});

function centreOf(view, at, t) {
  if (view.joint) return worldOf(view.joint.b, at);
  const spot = contactSpots()[view.contact];
  if (!spot || !spot.t.length) return placed(pose(view.carrier, at), [0, 0]);
  let k = Math.max(0, before(spot.t, t));
  if (k + 1 < spot.t.length && spot.t[k + 1] - t < t - spot.t[k]) k += 1;
  return placed(pose(view.carrier, at), [spot.x[k], spot.y[k]]);
}

function aim(width, height, at, t) {
  const box = bounds();
  if (eye.follow) {
    const [x, y] = centreOf(eye.follow, at, t);
    eye.scale = (eye.zoom * Math.min(width, height)) / (2 * eye.follow.reach);
    eye.x = x + eye.dx;
    eye.y = y + eye.dy;
  } else {
    const room = Math.min((width - 70) / (box.x1 - box.x0), (height - 110) / (box.y1 - box.y0));
    eye.scale = eye.zoom * Math.max(room, 1e-9);
    eye.x = (box.x0 + box.x1) / 2 + eye.dx;
    eye.y = (box.y0 + box.y1) / 2 + eye.dy - (eye.dx === 0 && eye.dy === 0 && eye.zoom === 1 ? 10 / eye.scale : 0);
  }
}

function fit(follow = null) {
  Object.assign(eye, { follow, zoom: 1, dx: 0, dy: 0 });
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.dataset.view === (follow ? follow.name : "")));
  const menu = byId("more-views");
  if (menu) menu.value = follow && Array.from(menu.options).some((o) => o.value === follow.name) ? follow.name : "";
  changed("view");
}

function zoomFilm(factor, x = stageSize.width / 2, y = stageSize.height / 2) {
  const before = eye.scale;
  const zoom = clamp(eye.zoom * factor, 0.05, 1e7);
  const now = before * (zoom / eye.zoom);
  eye.dx += (x - stageSize.width / 2) * (1 / before - 1 / now);
  eye.dy -= (y - stageSize.height / 2) * (1 / before - 1 / now);
  eye.zoom = zoom;
  changed("view");
}

// ── Traces, forces, orbits ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const tracks = new Map();

/** The way of a point through the whole film. */
function track(key) {
  if (!tracks.has(key)) {
    const [b, k] = key.split("/").map(Number);
    const local = k < 0 ? [0, 0] : listed(bodies[b].points)[k].at;
    const frames = film.t().length;
    const xy = new Float64Array(2 * frames);
    const p = [0, 0, 0];
    for (let i = 0; i < frames; i++) {
      pose(b, { i, f: 0 }, p);
      [xy[2 * i], xy[2 * i + 1]] = placed(p, local);
    }
    tracks.set(key, { b, local, xy });
  }
  return tracks.get(key);
}

const orbits = new Map();

/** The journal's centre as its bearing sees it. */
function orbit(joint) {
  if (!orbits.has(joint.name)) {
    const frames = film.t().length;
    const xy = new Float64Array(2 * frames);
    for (let i = 0; i < frames; i++) [xy[2 * i], xy[2 * i + 1]] = eccentricity(joint, { i, f: 0 });
    orbits.set(joint.name, xy);
  }
  return orbits.get(joint.name);
}

function eccentricity(joint, at) {
  const [a, b] = [worldOf(joint.a, at), worldOf(joint.b, at)];
  const turn = pose(joint.b.body, at)[2];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
  return [c * dx + s * dy, -s * dx + c * dy];
}

/** A polyline through pairs of numbers, leaving out steps too small to be seen. */
function line(pen, xy, from, to, sx, sy) {
  pen.beginPath();
  let [lx, ly] = [NaN, NaN];
  for (let i = from; i < to; i++) {
    const [x, y] = [sx(xy[2 * i]), sy(xy[2 * i + 1])];
    if (i > from && i + 1 < to && Math.abs(x - lx) + Math.abs(y - ly) < 0.7) continue;
    if (i === from) pen.moveTo(x, y);
    else pen.lineTo(x, y);
    [lx, ly] = [x, y];
  }
}

function drawTraces(pen, width, height, at) {
  const sx = (x) => width / 2 + (x - eye.x) * eye.scale;
  const sy = (y) => height / 2 - (y - eye.y) * eye.scale;
  for (const key of traced) {
    const { b, local, xy } = track(key);
    pen.strokeStyle = bodyColour(b);
    pen.globalAlpha = 0.3;
    pen.lineWidth = 1;
    line(pen, xy, at.i, xy.length / 2, sx, sy);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.lineWidth = 1.6;
    line(pen, xy, 0, at.i + 1, sx, sy);
    const [x, y] = placed(pose(b, at), local);
    pen.lineTo(sx(x), sy(y));
    pen.stroke();
    pen.fillStyle = bodyColour(b);
    pen.beginPath();
    pen.arc(sx(x), sy(y), 3, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** Pixels a newton: the largest force of the whole run is as long as a fifth of the picture. */
const arrowScale = (width, height) => (film.peak > 0 ? (arrowLength * 0.22 * Math.min(width, height)) / film.peak : 0);

function drawForces(pen, width, height, at) {
  const forces = film.forces();
  const scale = arrowScale(width, height);
  if (!scale || at.i + 1 >= forces.start.length) return;
  const [k0, k1] = [forces.start[at.i], forces.start[at.i + 1]];
  const k2 = at.i + 2 < forces.start.length ? forces.start[at.i + 2] : k1;
  // The same contacts in both frames: in between on a straight line.
  let alike = k2 - k1 === k1 - k0;
  for (let k = k0; alike && k < k1; k++) alike = forces.contact[k] === forces.contact[k + k1 - k0];
  const f = alike ? at.f : 0;
  const between = (row, k) => (f ? row[k] + f * (row[k + k1 - k0] - row[k]) : row[k]);
  pen.strokeStyle = pen.fillStyle = look.alarm;
  for (let k = k0; k < k1; k++) {
    const x = width / 2 + (between(forces.x, k) - eye.x) * eye.scale;
    const y = height / 2 - (between(forces.y, k) - eye.y) * eye.scale;
    arrow(pen, x, y, between(forces.fx, k) * scale, -between(forces.fy, k) * scale);
  }
}

function arrow(pen, x, y, dx, dy) {
  pen.beginPath();
  pen.arc(x, y, 2.5, 0, 2 * Math.PI);
  pen.fill();
  const long = Math.hypot(dx, dy);
  if (!(long > 3)) return;
  const [ux, uy] = [dx / long, dy / long];
  const head = Math.min(11, 0.5 * long);
  pen.lineWidth = 2.6;
  pen.beginPath();
  path(pen, [[x, y], [x + dx - 0.8 * head * ux, y + dy - 0.8 * head * uy]]);
  pen.stroke();
  pen.beginPath();
  path(pen, [[x + dx, y + dy], [x + dx - head * ux - 0.45 * head * uy, y + dy - head * uy + 0.45 * head * ux], [x + dx - head * ux + 0.45 * head * uy, y + dy - head * uy - 0.45 * head * ux]]);
  pen.closePath();
  pen.fill();
}

/** The play of a joint, magnified: the circle is as far as the journal can go before it presses. */
function drawOrbit(pen, width, view, at, t) {
  const size = clamp(0.32 * width, 120, 230);
  const [x0, y0] = [width - size - 12, 12];
  const half = size / 2;
  const xy = orbit(view.joint);
  let reach = view.play;
  for (let k = 0; k < xy.length; k += 2) reach = Math.max(reach, Math.hypot(xy[k], xy[k + 1]));
  const scale = (0.38 * size) / (reach || 1);
  const [sx, sy] = [(x) => x0 + half + x * scale, (y) => y0 + half + 4 - y * scale];
  pen.save();
  pen.fillStyle = look.card;
  pen.strokeStyle = look.grid;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(x0, y0, size, size, 8);
  pen.fill();
  pen.stroke();
  pen.clip();
  pen.strokeStyle = look.soft;
  pen.setLineDash([4, 3]);
  pen.beginPath();
  pen.arc(sx(0), sy(0), view.play * scale, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
  const colour = bodyColour(view.joint.a.body);
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.25;
  line(pen, xy, 0, xy.length / 2, sx, sy);
  pen.stroke();
  pen.globalAlpha = 1;
  pen.lineWidth = 1.8;
  line(pen, xy, Math.max(0, before(film.t(), t - 0.06 * span.length)), at.i + 1, sx, sy);
  const [ex, ey] = eccentricity(view.joint, at);
  pen.lineTo(sx(ex), sy(ey));
  pen.stroke();
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(sx(ex), sy(ey), 4, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = look.soft;
  pen.textAlign = "left";
  pen.font = "11px system-ui, sans-serif";
  pen.fillText("Journal in its bearing", x0 + 9, y0 + 16);
  const magnified = scale / eye.scale;
  pen.fillText(`play ${said(view.play, "m", 3)}, drawn ×${digits(magnified, 2)}`, x0 + 9, y0 + size - 9);
  pen.restore();
}

function drawScales(pen, width, height) {
  const y = height - 16;
  const wanted = clamp(0.16 * width, 60, 140) / eye.scale;
  const long = roundBelow(wanted);
  pen.strokeStyle = pen.fillStyle = look.ink;
  pen.lineWidth = 1.5;
  pen.textAlign = "left";
  const wide = long * eye.scale;
  pen.beginPath();
  path(pen, [[14, y - 4], [14, y + 4]]);
  path(pen, [[14, y], [14 + wide, y]]);
  path(pen, [[14 + wide, y - 4], [14 + wide, y + 4]]);
  pen.stroke();
  pen.fillText(said(long, "m", 2), 14, y - 9);
  const scale = arrowScale(width, height);
  if (!scale) return;
  const force = roundBelow(clamp(0.14 * width, 50, 110) / scale);
  const x = 14 + wide + 34;
  pen.strokeStyle = pen.fillStyle = look.alarm;
  arrow(pen, x, y, force * scale, 0);
  pen.fillText(said(force, "N", 2), x, y - 9);
}

// ── The stage and its controls ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function setUpFilm() {
  const frames = film.t().length;
  if (!frames || !bodies.length) return false;
  const canvas = el("canvas", { id: "film-canvas", tabindex: "0", role: "img", "aria-label": "The mechanism at the instant chosen. Space plays, arrow keys move in time, plus and minus zoom." });
  const now = el("output", { class: "film-time", id: "film-time" });
  const badge = el("span", { class: "badge", id: "film-badge" });
  const tip = el("span", { class: "tip", id: "film-tip" });
  const scrub = el("input", { type: "range", id: "scrub", min: "0", max: "1", step: "any", value: "0", "aria-label": "Instant of the film" });
  const strip = el("canvas", { class: "strip", id: "impact-strip", "aria-hidden": "true" });
  const button = (text, label, action, extra = {}) => el("button", { type: "button", "aria-label": label, title: label, onclick: action, ...extra }, text);

  const speed = el("select", { id: "speed", "aria-label": "Speed of the film" });
  for (const times of [0.1, 0.25, 0.5, 1, 2, 4, 10]) speed.append(el("option", { value: times, selected: times === 1 }, ratioText(player.base * times)));
  speed.addEventListener("change", () => {
    player.times = Number(speed.value);
    changed("time");
  });
  const slow = el("input", { type: "checkbox", id: "slow", checked: true });
  slow.addEventListener("change", () => {
    player.slowing = slow.checked;
    changed("time");
  });
  const arrows = el("input", { type: "range", id: "arrows", min: "-1", max: "2", step: "0.05", value: "0", "aria-label": "Length of the force arrows" });
  arrows.addEventListener("input", () => {
    arrowLength = 10 ** Number(arrows.value);
    changed("view");
  });

  const transport = el(
    "div",
    { class: "bar" },
    button("▶", "Play", () => (player.playing ? pause() : play()), { id: "play", class: "main" }),
    episodes.length ? button("⇤", "To the impact before", () => toImpact(-1), { id: "impact-before" }) : null,
    episodes.length ? button("⇥", "To the next impact", () => toImpact(1), { id: "impact-next" }) : null,
    el("label", {}, "Speed ", speed),
    player.stretches.length ? el("label", { class: "check" }, slow, "Slow motion at impacts") : null,
    film.peak > 0 ? el("label", {}, "Arrows ", arrows) : null,
    traceMenu(),
  );
  const zooms = el(
    "div",
    { class: "bar views", role: "group", "aria-label": "What to look at" },
    button("+", "Zoom in", () => zoomFilm(1.5), { id: "zoom-in" }),
    button("−", "Zoom out", () => zoomFilm(1 / 1.5), { id: "zoom-out" }),
    button("Fit", "The whole mechanism", () => fit(), { "data-view": "", "aria-pressed": "true" }),
    viewButtons(button),
  );
  byId("stage").append(el("div", { class: "screen" }, canvas, el("div", { class: "film-words" }, now, badge), tip), el("div", { class: "scrub" }, episodes.length ? strip : null, scrub), transport, zooms);
  show("film");
  // A flat mechanism needs no tall picture.
  const box = bounds();
  byId("stage").style.setProperty("--tall", String(clamp((box.y1 - box.y0) / (box.x1 - box.x0), 0.1, 2).toFixed(3)));

  scrub.addEventListener("input", () => {
    pause();
    goTo(span.start + Number(scrub.value) * span.length);
  });
  strip.addEventListener("click", (event) => {
    const box = strip.getBoundingClientRect();
    goTo(span.start + ((event.clientX - box.left - 8) / (box.width - 16)) * span.length);
  });
  handle(canvas, tip);

  const drawFilm = () => {
    const { pen, width, height } = crisp(canvas);
    if (!(width > 0)) return;
    Object.assign(stageSize, { width, height });
    const t = seen();
    const at = moment(t);
    aim(width, height, at, t);
    pen.fillStyle = look.paper;
    pen.fillRect(0, 0, width, height);
    drawScene(pen, width, height, eye, at, { t });
    drawTraces(pen, width, height, at);
    drawForces(pen, width, height, at);
    drawScales(pen, width, height);
    if (eye.follow && eye.follow.round) drawOrbit(pen, width, eye.follow, at, t);
    const { rate, slowed } = rateAt(clock.t);
    now.textContent = instant(t);
    badge.textContent = slowed ? `slow motion ${ratioText(rate * player.times)}` : ratioText(rate * player.times);
    badge.classList.toggle("on", slowed);
    const part = (clock.t - span.start) / span.length;
    scrub.value = String(part);
    scrub.setAttribute("aria-valuetext", instant(clock.t));
    canvas.dataset.t = t;
    canvas.dataset.scale = eye.scale;
  };
  let stripDrawn = false;
  watch((what) => {
    if (what.has("theme") || what.has("size") || !stripDrawn) {
      drawStrip(strip);
      stripDrawn = true;
    }
    drawFilm();
  });
  new ResizeObserver(() => changed("size")).observe(canvas);
  return true;
}

/** A rate of the film as people say it: 1:500, or 4× for faster than life. */
function ratioText(rate) {
  if (rate > 1.0001) return `${digits(rate, 2)}×`;
  return `1:${Number((1 / rate).toPrecision(2)).toLocaleString("en").replace(/,/g, "\u202f")}`;
}

/** How hard each impact was, along the time axis of the scrub bar. */
function drawStrip(canvas) {
  const { pen, width, height } = crisp(canvas);
  const x = (t) => 8 + ((t - span.start) / span.length) * (width - 16);
  pen.fillStyle = mix(look.paper, look.soft, 0.25);
  for (const { from, to } of player.stretches) pen.fillRect(x(from), height - 3, Math.max(1, x(to) - x(from)), 3);
  const most = episodes.reduce((most, e) => Math.max(most, hardness(e)), 1e-300);
  pen.fillStyle = look.alarm;
  for (const e of episodes) {
    if (!Number.isFinite(e.start)) continue;
    const tall = Math.max(2, (height - 4) * Math.sqrt(hardness(e) / most));
    pen.fillRect(x(e.start) - 0.6, height - 3 - tall, 1.2, tall);
  }
}

function traceMenu() {
  const items = [];
  for (let b = 1; b < bodies.length; b++) {
    const points = [[-1, `${bodies[b].name} (its mass centre)`], ...listed(bodies[b].points).map((point, k) => [k, `${bodies[b].name}.${point.name}`])];
    for (const [k, name] of points) {
      const box = el("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        if (box.checked) traced.add(`${b}/${k}`);
        else traced.delete(`${b}/${k}`);
        changed("view");
      });
      items.push(el("label", { class: "check" }, box, name));
    }
  }
  if (!items.length) return null;
  return el("details", { class: "menu" }, el("summary", {}, "Traces"), el("div", { class: "menu-list" }, items.slice(0, 200)));
}

function viewButtons(button) {
  const all = views();
  const out = all.slice(0, 5).map((view) => button(view.name, `Look at ${view.name} and follow it`, () => fit(view), { "data-view": view.name, "aria-pressed": "false" }));
  if (all.length > 5) {
    const menu = el("select", { id: "more-views", "aria-label": "Look at another contact" }, el("option", { value: "" }, `${all.length - 5} more…`), all.slice(5).map((view) => el("option", { value: view.name }, view.name)));
    menu.addEventListener("change", () => fit(all.find((view) => view.name === menu.value) || null));
    out.push(menu);
  }
  return out;
}

/** Pointer, wheel and keys on the film. The wheel belongs to the page until the film has been clicked on. */
function handle(canvas, tip) {
  const held = new Map();
  let pinch = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.offsetX, event.offsetY]);
    pinch = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = held.get(event.pointerId);
    if (!last) return;
    const here = [event.offsetX, event.offsetY];
    held.set(event.pointerId, here);
    if (held.size === 1) {
      eye.dx -= (here[0] - last[0]) / eye.scale;
      eye.dy += (here[1] - last[1]) / eye.scale;
      changed("view");
    } else if (held.size === 2) {
      const [a, b] = [...held.values()];
      const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (pinch > 0) zoomFilm(apart / pinch, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      pinch = apart;
    }
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => held.delete(event.pointerId));
  canvas.addEventListener("dblclick", () => fit(eye.follow));
  let hide;
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) {
        tip.textContent = "Click the picture first, or hold Ctrl, to zoom with the wheel";
        tip.classList.add("on");
        clearTimeout(hide);
        hide = setTimeout(() => tip.classList.remove("on"), 1600);
        return;
      }
      event.preventDefault();
      zoomFilm(Math.exp(-clamp(event.deltaY, -200, 200) * 0.0025), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.closest && target.closest("input:not(#scrub), select, textarea, button, summary, a, [data-keys]")) return;
    const act = {
      " ": () => (player.playing ? pause() : play()),
      ".": () => stepFrame(1),
      ",": () => stepFrame(-1),
      "]": () => toImpact(1),
      "[": () => toImpact(-1),
      "+": () => zoomFilm(1.25),
      "-": () => zoomFilm(1 / 1.25),
      f: () => fit(),
      ...(target.id === "scrub" ? {} : { ArrowRight: () => goTo(clock.t + span.length / (event.shiftKey ? 20 : 200)), ArrowLeft: () => goTo(clock.t - span.length / (event.shiftKey ? 20 : 200)) }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function stepFrame(by) {
  pause();
  const t = film.t();
  let i = before(t, clock.t) + by;
  while (i > 0 && i < t.length - 1 && t[i] === clock.t) i += by;
  goTo(t[clamp(i, 0, t.length - 1)]);
}
