// What else is there to say: the advice, the key numbers, the energy, the solver, the laws, the model?

function setUpHead() {
  byId("title").textContent = data.title || data.model_name || "A run of Carom";
  byId("version").textContent = data.version || "";
  const simulated = `${said(span.length, "s")} simulated`;
  const freedom = Number.isFinite(summary.degrees_of_freedom) ? counted(summary.degrees_of_freedom, "degree") + " of freedom" : null;
  const parts = [data.model_name, simulated, freedom, rigid ? methodWords() : null, listed(data.overrides).length ? `with ${listed(data.overrides).join(", ")}` : null];
  byId("lead").textContent = parts.filter(Boolean).join(" · ");
  byId("foot").textContent = `Written by Carom ${data.version || ""}. This file holds everything it shows; it needs no network.`;
}

/** How contacts were computed, where it was not by forces that follow from the indentation. */
function methodWords() {
  const method = summary.settings?.method || {};
  const meaning = { newton: "speeds (Newton)", poisson: "impulses (Poisson)", stronge: "energies (Stronge)" }[method.restitution];
  return `${method.contact} contact${meaning ? `, restitution of ${meaning}` : ""}`;
}

function setUpAdvice() {
  const advice = listed(data.advice);
  const host = byId("advice");
  const items = [];
  if (data.status && data.status !== "completed") {
    const at = instant(data.time?.end ?? span.end);
    const ended = { failed: `The run failed at ${at}.`, unfinished: `The run was killed, or is still going on: shown as far as its table goes, to ${at}.` };
    items.push(notice("grave", ended[data.status] ?? `The run was stopped at ${at}.`, data.reason || "", null));
  }
  const order = { grave: 0, warning: 1, note: 2 };
  const sorted = advice.map((one, i) => [one, i]).sort((a, b) => (order[a[0].level] ?? 1) - (order[b[0].level] ?? 1) || a[1] - b[1]);
  // All that is grave, and two of the others: the film should still be in sight.
  const grave = sorted.filter(([one]) => one.level === "grave").length;
  const shown = Math.max(2, Math.min(grave, 6));
  const [first, rest] = [sorted.slice(0, shown), sorted.slice(shown)];
  for (const [one] of first) items.push(adviceItem(one));
  if (rest.length) items.push(el("details", { class: "more" }, el("summary", {}, `${counted(rest.length, "more thing")} to know`), rest.map(([one]) => adviceItem(one))));
  if (!items.length) return;
  host.hidden = false;
  host.append(...items);
}

function adviceItem(one) {
  const go = Number.isFinite(one.time) && one.time >= span.start && one.time <= span.end && film.t().length
    ? el("button", { type: "button", class: "link", onclick: () => { pause(); goTo(one.time); byId("film").scrollIntoView({ behavior: still.matches ? "auto" : "smooth" }); } }, `show ${instant(one.time)}`)
    : null;
  const place = [one.element, one.count > 1 ? `${one.count} times` : null].filter(Boolean).join(", ");
  return notice(one.level, one.headline, one.what_to_do, place, go);
}

/** What is the matter in numbers, and then what to do about it. */
function adviceWords(text) {
  const [before, after] = text.split(/\s*What to do: /);
  if (after === undefined) return el("p", { class: "what" }, text);
  return [before ? el("p", { class: "soft" }, before) : null, el("p", { class: "what" }, el("b", {}, "What to do: "), after)];
}

function notice(level, headline, what, place, go) {
  const mark = { grave: ["✕", "Grave"], warning: ["!", "Warning"], note: ["i", "Note"] }[level] || ["!", "Warning"];
  return el(
    "div",
    { class: `notice ${level}`, "data-level": level },
    el("span", { class: "mark", role: "img", "aria-label": mark[1] }, mark[0]),
    el("div", {}, el("p", { class: "headline" }, headline, place ? el("span", { class: "soft" }, ` (${place})`) : null, go ? " " : null, go), what ? adviceWords(what) : null),
  );
}

function setUpFacts() {
  const tiles = [];
  const tile = (name, value, more, kind = "") => tiles.push(el("div", { class: `fact ${kind}` }, el("span", { class: "fact-name" }, name), el("span", { class: "fact-value" }, value), more ? el("span", { class: "fact-more" }, more) : null));
  if (episodes.length) {
    const over = episodes.filter((e) => e.end !== null).length;
    tile("Impacts", counted(contactCount, "contact"), over < episodes.length ? `${episodes.length - over} still touching at the end` : contactCount > episodes.length ? null : "all over by the end");
    const hardest = episodes.reduce((a, b) => (hardness(b) > hardness(a) ? b : a));
    const force = turns(hardest) ? "N m" : "N";
    tile("Hardest blow", said(hardness(hardest), rigid ? `${force} s` : force), `${hardest.contact}, ${instant(hardest.peak_force_time ?? hardest.start)}`);
    const fastest = episodes.reduce((a, b) => ((b.approach_speed || 0) > (a.approach_speed || 0) ? b : a));
    tile("Fastest approach", said(fastest.approach_speed, turns(fastest) ? "rad/s" : "m/s"), fastest.contact);
  }
  for (const [name, group] of Object.entries(summary.groups || {})) tile(name, counted(group.count, "grain"), `${counted(group.contacts, "contact")} at the end, ${digits(group.coordination, 3)} a grain`);
  const energy = summary.energy;
  if (energy) {
    const lost = Object.values(energy.dissipated || {}).reduce((a, b) => a + (b || 0), 0);
    if (lost > 0) tile("Energy lost", said(lost, "J"), energy.driver_work ? `${said(energy.driver_work, "J")} put in by drivers` : null);
    const scale = data.ledger?.scale || 0;
    const part = scale > 0 && Number.isFinite(energy.residual) ? Math.abs(energy.residual) / scale : NaN;
    tile("Energy balance", Number.isFinite(part) ? part < 1e-4 ? (part > 0 ? `holds to ${digits(part, 1)}` : "holds") : `open by ${digits(100 * part, 2)} %` : said(energy.residual, "J"), Number.isFinite(part) ? `${said(energy.residual, "J", 3)} of ${said(scale, "J", 3)}` : null);
  }
  const s = summary.statistics;
  if (s) tile("Work", counted(s.steps_accepted ?? 0, "step"), `${counted(s.rhs_evaluations ?? 0, "evaluation")}, ${counted(s.events ?? 0, "event")}`);
  tile("Trust", ...trust());
  byId("facts").append(...tiles);
  show("film");
}

/** In one word what the advice adds up to. */
function trust() {
  const levels = listed(data.advice).map((one) => one.level);
  if (data.status === "failed" || data.status === "unfinished") return ["Unfinished", "what there is may mislead", "bad"];
  if (levels.includes("grave")) return ["Not as it stands", "read the advice at the top first", "bad"];
  if (levels.includes("warning")) return ["With care", `${counted(levels.filter((l) => l === "warning").length, "warning")}: see the top`, "care"];
  const verified = summary.verified;
  if (verified?.numbers?.length && Number.isFinite(verified.least_digits)) return [`${counted(verified.least_digits, "digit")} at least`, `of ${counted(verified.numbers.length, "number")}, from ${counted(listed(verified.runs).length, "run")}`, "good"];
  return ["Nothing against it", levels.length ? "only notes: see the top" : "no warning was raised", "good"];
}

// ── Histories ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function setUpHistories() {
  if (!series.size) return;
  show("histories");
  byId("histories-hint").textContent = "Point to read values, click to move the film there. Drag to zoom, Shift and drag to move, double click for the whole run. Red ticks are impacts." + (data.series_left_out > 0 ? ` ${counted(data.series_left_out, "channel")} more stand in the trajectory only.` : "");
  const host = byId("histories-plots");
  const remove = (plot, line) => {
    const rest = plot.lines.map((one) => one.source).filter((one) => one !== line);
    const { title, unit } = plot.options;
    const next = plot.figure.nextSibling;
    plot.drop();
    if (!rest.length) return;
    const again = new TimePlot(host, rest, { title, unit, remove });
    host.insertBefore(again.figure, next);
  };
  const panels = listed(data.panels).length ? data.panels : Array.from(series.values()).slice(0, 4).map((one) => ({ title: one.name, unit: one.unit, channels: [one.name] }));
  for (const panel of panels) {
    const lines = listed(panel.channels).map((name) => series.get(name)).filter(Boolean);
    if (lines.length) new TimePlot(host, lines, { title: panel.title, unit: plainUnit(panel.unit || lines[0].unit), remove });
  }
  const choice = el("select", { id: "add-channel", "aria-label": "Add a channel" }, el("option", { value: "" }, "Add a channel…"));
  const groups = new Map();
  for (const one of series.values()) {
    const group = one.name.split(".").slice(0, -1).join(".") || "others";
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(one);
  }
  for (const [group, all] of groups) choice.append(el("optgroup", { label: group }, all.map((one) => el("option", { value: one.name }, `${one.name}${one.unit ? ` [${unitText(one.unit)}]` : ""}`))));
  choice.addEventListener("change", () => {
    const one = series.get(choice.value);
    choice.value = "";
    if (!one) return;
    const plot = new TimePlot(host, [one], { title: one.name, unit: one.unit, remove });
    plot.figure.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
    speak(`Added ${one.name}`);
  });
  const button = (text, label, action, id) => el("button", { type: "button", "aria-label": label, title: label, onclick: action, id }, text);
  byId("histories-bar").append(
    choice,
    button("+", "Zoom in on time", () => zoomTime(0.5, clamp(clock.t, clock.from, clock.to)), "time-in"),
    button("−", "Zoom out of time", () => zoomTime(2, clamp(clock.t, clock.from, clock.to)), "time-out"),
    button("Whole run", "Show the whole run", () => lookAt(span.start, span.end), "time-all"),
    el("output", { class: "soft", id: "window-words" }),
  );
  watch((what) => {
    if (!what.has("window") && !what.has("size")) return;
    byId("window-words").textContent = clock.to - clock.from < span.length ? `${instant(clock.from)} to ${instant(clock.to)}` : "";
  });
}

// ── Energy ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function setUpEnergy() {
  const ledger = data.ledger;
  if (!ledger || !listed(ledger.parts).length) return;
  const t = lazy(() => numbers(ledger.t));
  const rows = ledger.parts.map((part) => ({ name: part.name, kind: part.kind, unit: "J", t, v: lazy(() => numbers(part.v)) }));
  const size = (row) => row.v().reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const supplied = rows.filter((row) => row.kind === "work");
  const stored = rows.filter((row) => !supplied.includes(row));
  const all = stored.map((row) => ({ row, most: size(row) }));
  const greatest = Math.max(...all.map((one) => one.most), 0);
  if (!(greatest > 0)) return;
  show("energy");
  byId("energy-hint").textContent = "Stacked: what is stored and what has been lost so far. The line is what there was at the start and was put in since; if the balance holds, it runs along the top.";
  // A height has no natural zero: counted from the lowest of the run, the stack stays above the axis.
  const lifted = (row) => {
    const least = row.v().reduce((a, b) => Math.min(a, b), Infinity);
    return { row: { ...row, name: "gravitational, from its least", v: lazy(() => Float64Array.from(row.v(), (v) => v - least)) }, least };
  };
  let least = 0;
  let visible = all.filter((one) => one.most > 1e-9 * greatest).map((one) => one.row);
  visible = visible.map((row) => {
    if (row.name !== "gravitational") return row;
    const up = lifted(row);
    least = up.least;
    return up.row;
  });
  // More than seven colours cannot be told apart: the least are put together.
  if (visible.length > 7) {
    const ranked = visible.filter((row) => row.kind === "heat").sort((a, b) => size(b) - size(a));
    const small = ranked.slice(Math.max(1, 6 - (visible.length - ranked.length)));
    const rest = { name: `${small.length} others`, kind: "heat", unit: "J", t, v: lazy(() => t().map((_, i) => small.reduce((sum, row) => sum + row.v()[i], 0))) };
    visible = [...visible.filter((row) => !small.includes(row)), rest];
  }
  const order = ["gravitational", "kinetic", "elastic"];
  const rank = (row) => { const i = order.findIndex((name) => row.name.startsWith(name)); return i < 0 ? 9 : i; };
  visible.sort((a, b) => rank(a) - rank(b));
  const total = lazy(() => {
    const first = stored.reduce((sum, row) => sum + (row.v()[0] || 0), 0) - least;
    return t().map((_, i) => first + supplied.reduce((sum, row) => sum + (row.v()[i] - row.v()[0]), 0));
  });
  const names = visible.map((row) => ({ ...row, name: row.kind === "heat" ? `lost in ${row.name.replace(/^dissipated\./, "")}` : row.name }));
  const host = byId("energy-plots");
  new TimePlot(host, [...names, { name: "at the start, and put in", unit: "J", t, v: total, outline: true }], { title: "Energy", unit: "J", stacked: true, height: 260 });
  if (ledger.residual) {
    const residual = { name: "what does not balance", unit: "J", t, v: lazy(() => numbers(ledger.residual)) };
    new TimePlot(host, [residual], { title: "Residual", unit: "J", height: 120, note: ledger.scale > 0 ? `The energies above are of the order of ${said(ledger.scale, "J", 2)}.` : null });
  }
}

// ── Phase portraits and sections ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Two series that were thinned each for itself, at the instants of both. */
function together(a, b) {
  const [ta, tb] = [a.t(), b.t()];
  const t = [];
  let [i, j] = [0, 0];
  while (i < ta.length || j < tb.length) {
    if (j >= tb.length || (i < ta.length && ta[i] < tb[j])) t.push(ta[i++]);
    else if (i >= ta.length || tb[j] < ta[i]) t.push(tb[j++]);
    else {
      // Two values at one instant are the two sides of an event.
      t.push(ta[i]);
      i += 1;
      j += 1;
    }
  }
  const [va, vb] = [a.v(), b.v()];
  return { t: Float64Array.from(t), x: Float64Array.from(t, (s) => valueAt(ta, va, s)), y: Float64Array.from(t, (s) => valueAt(tb, vb, s)) };
}

function setUpMotion() {
  const pairs = listed(data.phase).filter((one) => series.has(one.x) && series.has(one.v)).slice(0, 12);
  const section = data.section && listed(data.section.points).length ? data.section : null;
  if (!pairs.length && !section) return;
  show("motion");
  const host = byId("motion-plots");
  byId("motion-hint").textContent = "Speed over place. The ring is the film's instant; a click moves the film. What lies outside the times shown above is drawn faint.";
  for (const one of pairs) {
    const [x, v] = [series.get(one.x), series.get(one.v)];
    const portrait = new Portrait(host, { title: one.name, x: { name: x.name, unit: x.unit }, y: { name: v.name, unit: v.unit }, windowed: true });
    const curve = together(x, v);
    portrait.set([{ name: one.name, ...curve }]);
  }
  if (!section) return;
  byId("motion-head").textContent = pairs.length ? "Phase portraits and sections" : "Poincaré sections";
  for (const one of section.points) {
    const [x, v] = [one.x_name || "", one.v_name || ""];
    const unit = (name) => series.get(name)?.unit || "";
    const portrait = new Portrait(host, { title: `Section: ${one.name}`, x: { name: x, unit: unit(x) }, y: { name: v || "", unit: unit(v) }, note: `Once a period of ${section.driver} (${said(section.period, "s")}).` });
    portrait.set([{ name: one.name, x: numbers(one.x), y: numbers(one.v), dots: true }]);
  }
}

function setUpReactions() {
  const all = listed(data.reactions).map((name) => series.get(name)).filter(Boolean);
  if (!all.length) return;
  show("reactions");
  const groups = new Map();
  for (const one of all) {
    const key = `${one.name.split(".").slice(0, -1).join(".")}|${one.unit}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  let k = 0;
  for (const [key, lines] of groups) {
    if (k++ >= 12) break;
    new TimePlot(byId("reactions-plots"), lines, { title: key.split("|")[0], unit: lines[0].unit, height: 150 });
  }
  if (groups.size > 12) byId("reactions-plots").append(el("p", { class: "hint" }, `${groups.size - 12} more can be added above.`));
}

// ── Solver, laws, model ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function setUpSolver() {
  const solver = data.solver;
  const s = summary.statistics;
  const settings = summary.settings?.solver;
  if (!solver && !s) return;
  show("solver");
  const words = [];
  if (settings) words.push(`Method ${settings.integrator}${settings.rtol ? `, relative tolerance ${digits(settings.rtol, 2)}` : ""}.`);
  if (s) words.push(`${counted(s.steps_accepted ?? 0, "step")}, ${s.steps_rejected ?? 0} more tried in vain; ${counted(s.rhs_evaluations ?? 0, "evaluation")} of the equations of motion; ${counted(s.events ?? 0, "event")} located.`);
  if (rigid) words.push(`Contacts: ${methodWords()}${summary.settings.method.simultaneous === "in-turns" ? ", blows at one instant in turns" : ""}.`);
  byId("solver-hint").textContent = words.join(" ");
  if (solver?.h && numbers(solver.h).length > 1) {
    const step = { name: "step", unit: "s", t: lazy(() => numbers(solver.t)), v: lazy(() => numbers(solver.h)) };
    new TimePlot(byId("solver-plots"), [step], { title: "Step size", unit: "s", log: true, height: 160 });
  }
  const work = listed(solver?.work).filter((one) => one.steps || one.evaluations);
  if (work.length) {
    const most = Math.max(...work.map((one) => one.evaluations || one.steps || 0), 1);
    const rows = work.map((one) => {
      const part = (one.evaluations || one.steps || 0) / most;
      const words = [Number.isFinite(one.evaluations) ? counted(one.evaluations, "evaluation") : null, counted(one.steps ?? 0, "step")].filter(Boolean).join(", ");
      return el("tr", {}, el("th", { scope: "row" }, one.phase), el("td", {}, el("span", { class: "gauge", style: `width:${(100 * part).toFixed(1)}%` }), el("span", { class: "soft" }, words)));
    });
    byId("solver-tables").append(el("div", { class: "box card" }, el("h3", {}, "Where the work went"), el("table", { class: "plain" }, el("tbody", {}, rows))));
  }
  const chosen = settings ? Object.entries(settings).filter(([, v]) => v !== null && typeof v !== "object") : [];
  if (chosen.length) byId("solver-tables").append(el("div", { class: "box card" }, el("h3", {}, "Settings"), factList(chosen.map(([key, v]) => [key.replace(/_/g, " "), typeof v === "number" ? digits(v) : String(v)]))));
}

function setUpLaws() {
  const laws = listed(data.laws);
  if (!laws.length) return;
  show("laws");
  for (const law of laws) byId("laws-cards").append(lawCard(law));
}

function lawCard(law) {
  const cite = law.citation;
  const citation = typeof cite === "string" ? cite : cite ? [`${cite.authors} (${cite.year})`, cite.title, cite.journal, cite.equation].filter(Boolean).join(", ") : "";
  const error = law.restitution_error;
  const units = law.units || {};
  const parameters = Object.entries(law.parameters || {}).map(([name, v]) => (v !== null && typeof v === "object" ? [name.replace(/_/g, " "), v.value, plainUnit(v.unit)] : [name.replace(/_/g, " "), v, plainUnit(units[name])]));
  const value = (v, unit) => (typeof v === "number" ? said(v, unit) : v === null || v === undefined ? "–" : String(v));
  return el(
    "article",
    { class: "box card law" },
    el("h3", {}, law.id),
    listed(law.used_by).length ? el("p", { class: "soft users" }, law.used_by.join(", ")) : null,
    el("p", { class: "formula" }, law.formula || ""),
    parameters.length ? factList(parameters.map(([name, v, unit]) => [name, value(v, unit)])) : null,
    rigid ? el("p", {}, el("b", {}, "Here: "), lawPart(law)) : null,
    law.derived && !rigid ? el("p", { class: "soft" }, "The stiffness follows from materials and radii at each touch.") : null,
    law.validity ? el("p", {}, el("b", {}, "Holds for "), law.validity) : null,
    error ? el("p", {}, el("b", {}, "Restitution error: "), typeof error === "string" ? error : error.text || "") : null,
    law.notes ? el("p", {}, law.notes) : null,
    law.erratum ? el("p", { class: "soft" }, el("b", {}, "In print: "), law.erratum) : null,
    citation ? el("p", { class: "soft cite" }, citation) : null,
  );
}

/** What is left of a law where nothing gives way. */
function lawPart(law) {
  const method = summary.settings?.method || {};
  if (law.kind === "friction") return `${method.contact} contact uses the coefficients of this law only, as Coulomb’s friction.`;
  const meaning = { newton: "of speeds, Newton’s", poisson: "of impulses, Poisson’s", stronge: "of energies, Stronge’s" }[method.restitution] || "of speeds";
  return `${method.contact} contact uses no force of this law, only its restitution (as a ratio ${meaning}): the one asked for, or what the law returns at the speed of the blow where it takes none.`;
}

function setUpModel() {
  if (!data.model && !data.command) return;
  show("model");
  const host = byId("model-box");
  const block = (name, text, id) => {
    const button = el("button", { type: "button" }, "Copy");
    button.addEventListener("click", () => copy(text, button));
    host.append(el("div", { class: "bar" }, el("h3", {}, name), el("span", { class: "grow" }), button), el("pre", { id, tabindex: "0", "data-keys": "", "aria-label": name }, text));
  };
  if (data.command) block("Command", data.command, "command");
  if (data.model) block(data.model_name || "Model", data.model, "model-text");
}

function setUpContents() {
  const nav = byId("contents");
  for (const section of document.querySelectorAll("main > section:not([hidden])")) {
    const name = section.id === "film" ? "Film" : section.querySelector("h2").textContent;
    nav.append(el("a", { href: `#${section.id}` }, name));
  }
}
