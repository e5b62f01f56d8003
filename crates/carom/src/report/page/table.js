// Which contacts were there, how hard, and did each give back what was asked of it?

// Where nothing gives way, a blow has an impulse, and neither a force nor a depth.
const rigid = ["piecewise", "time-stepping"].includes(summary.settings?.method?.contact);
const COLUMNS = [
  { key: "contact", head: "Contact", of: (e) => e.contact + (e.side ? ` (${e.side})` : "") + (e.point_number > 1 ? ` · point ${e.point_number}` : ""), text: true },
  { key: "start", head: "From", of: (e) => e.start, say: (v) => instant(v) },
  { key: "duration", head: "Lasted", of: (e) => e.duration, say: (v) => lasted(v), none: "to the end", wide: true },
  { key: "approach", head: "Approach", of: (e) => e.approach_speed, say: (v, e) => said(v, turns(e) ? "rad/s" : "m/s"), roomy: true },
  { key: "impulse", head: "Impulse", of: (e) => e.impulse, say: (v, e) => said(v, turns(e) ? "N m s" : "N s"), rigid: true },
  { key: "peak", head: "Peak force", of: (e) => e.peak_force, say: (v, e) => said(v, turns(e) ? "N m" : "N"), rigid: false },
  { key: "depth", head: "Indentation", of: (e) => e.max_indentation, say: (v, e) => said(v, turns(e) ? "rad" : "m"), wide: true, rigid: false },
  { key: "lost", head: "Energy lost", of: (e) => lostIn(e), say: (v) => said(v, "J"), wide: true },
  { key: "asked", head: "e asked", of: (e) => e.restitution?.requested, say: (v) => digits(v, 3), title: "Restitution asked for", roomy: true },
  { key: "got", head: "e got", of: (e) => e.restitution?.newton, say: (v) => digits(v, 3), title: "Restitution measured: separation speed over approach speed" },
  { key: "type", head: "Kind", of: (e) => e.impact_type, text: true, wider: true },
  { key: "warnings", head: "To know", of: (e) => listed(e.warnings).length, say: (v, e) => shortWarnings(e), text: true, roomy: true },
].filter((column) => column.rigid === undefined || column.rigid === rigid);
const ROWS = 20;

const lasted = (duration) => (rigid && duration === 0 ? "an instant" : said(duration, "s"));

function lostIn(e) {
  const lost = e.dissipated_energy;
  if (lost === null || lost === undefined) return null;
  return typeof lost === "number" ? lost : (lost.normal || 0) + (lost.friction || 0);
}

// The whole sentence stands beside the loop; in the row there is room for its first words.
function shortWarnings(e) {
  const all = listed(e.warnings);
  if (!all.length) return "";
  const words = {
    "validity-speed": "too fast for the law",
    "validity-speed-unknown": "speed not judged",
    yield: "beyond yield",
    "large-contact": "large contact",
    "restitution-differs": "gave back another restitution",
    "restitution-range": "restitution out of range",
    "slow-touch": "very slow touch",
    "limit-near": "near the law’s end",
    conformal: "surfaces hug each other",
    tension: "pulled at the end",
    "tension-clamped": "a pull was cut off",
    creep: "crept where it should stick",
  };
  const names = all.map((w) => words[w.code] || String(w.code || w.message || "").replace(/-/g, " "));
  return names.join("; ");
}

/** What blows are ranked by: the largest force, or the impulse where there is none; of bodies that stay together, that of their first touch, not of their weight. */
function hardness(e) {
  if (!rigid) return Math.abs(e.peak_force || 0);
  return Math.abs((e.duration === 0 ? e.impulse : e.effective_mass * e.approach_speed) || 0);
}

const loops = lazy(() => {
  const out = new Map();
  for (const one of listed(data.loops)) out.set(one.episode, one);
  return out;
});

const table = { order: [], by: "start", up: true, page: 0, chosen: null, only: "" };

function setUpTable() {
  if (!episodes.length) return;
  show("contacts");
  const names = Array.from(new Set(episodes.map((e) => e.contact)));
  byId("contacts-hint").textContent =
    `${counted(contactCount, "contact")}${names.length > 1 ? ` at ${counted(names.length, "place")}` : ""}. Click a heading to sort, a row to see ${rigid ? "all that is known of it" : "its force"} and to move the film there.` +
    (contactCount > episodes.length ? ` ${episodes.length} of them are listed here, the first and the hardest; all stand in contacts.csv.` : "") +
    (rigid ? " Bodies strike at an instant here: there are impulses, and no forces over indentation to draw." : loops().size < episodes.length ? ` The loops of ${loops().size} are kept: the first, the hardest and the longest.` : "");
  const head = el("tr");
  for (const column of COLUMNS) {
    const button = el("button", { type: "button", "data-sort": column.key, title: column.title || `Sort by ${column.head.toLowerCase()}` }, column.head);
    button.addEventListener("click", () => {
      table.up = table.by === column.key ? !table.up : column.key === "contact" || column.key === "type" || column.key === "start";
      table.by = column.key;
      table.page = 0;
      sortTable();
      fillTable();
      speak(`Sorted by ${column.head}, ${table.up ? "least" : "greatest"} first`);
    });
    head.append(el("th", { scope: "col", class: classOf(column), "data-key": column.key }, button));
  }
  const before = el("button", { type: "button", id: "page-before", onclick: () => turn(-1) }, "‹ Before");
  const after = el("button", { type: "button", id: "page-after", onclick: () => turn(1) }, "Next ›");
  const filter = el("select", { id: "only", "aria-label": "Which contacts to list" }, el("option", { value: "" }, "All contacts"), el("option", { value: "!" }, "Those with something to know"), names.slice(0, 500).map((name) => el("option", { value: name }, name)));
  filter.addEventListener("change", () => {
    table.only = filter.value;
    table.page = 0;
    sortTable();
    fillTable();
  });
  byId("contacts-table").append(
    el("div", { class: "bar" }, filter, el("span", { class: "grow" }), el("span", { id: "page-words", class: "soft" }), before, after),
    el("div", { class: "scroller" }, el("table", { id: "episodes" }, el("caption", { class: "unseen" }, "Contacts of the run"), el("thead", {}, head), el("tbody"))),
  );
  sortTable();
  fillTable();
  setUpDetail();
}

const classOf = (column) => [column.text ? "" : "number", column.wide ? "wide" : "", column.wider ? "wider" : "", column.roomy ? "roomy" : ""].join(" ").trim() || null;

function turn(by) {
  table.page += by;
  fillTable();
}

function sortTable() {
  const column = COLUMNS.find((one) => one.key === table.by);
  const keys = episodes.map((e) => column.of(e));
  const listedRows = episodes.map((_, i) => i).filter((i) => !table.only || (table.only === "!" ? listed(episodes[i].warnings).length : episodes[i].contact === table.only));
  const missing = (v) => v === null || v === undefined || Number.isNaN(v);
  table.order = listedRows.sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    // What is not known stands last, whichever way one sorts.
    if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
    const first = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
    return (table.up ? first : -first) || a - b;
  });
}

function fillTable() {
  const pages = Math.max(1, Math.ceil(table.order.length / ROWS));
  table.page = clamp(table.page, 0, pages - 1);
  const body = document.querySelector("#episodes tbody");
  const rows = table.order.slice(table.page * ROWS, (table.page + 1) * ROWS).map((i) => {
    const e = episodes[i];
    const cells = COLUMNS.map((column) => {
      const v = column.of(e);
      const missing = v === null || v === undefined || Number.isNaN(v);
      const text = missing ? (column.none ?? "–") : column.say ? column.say(v, e) : String(v);
      return el("td", { class: classOf(column), "data-key": column.key, title: column.key === "warnings" && v ? listed(e.warnings).map((w) => w.message).join("\n") : null }, text);
    });
    const row = el("tr", { tabindex: "0", "data-keys": "", "data-row": i, "aria-selected": String(table.chosen === i) }, cells);
    row.addEventListener("click", () => choose(i));
    row.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(i);
      }
    });
    return row;
  });
  body.replaceChildren(...rows);
  for (const th of document.querySelectorAll("#episodes th")) th.setAttribute("aria-sort", th.dataset.key === table.by ? (table.up ? "ascending" : "descending") : "none");
  byId("page-words").textContent = table.order.length ? `${table.page * ROWS + 1}–${Math.min(table.order.length, (table.page + 1) * ROWS)} of ${table.order.length}` : "none";
  byId("page-before").disabled = table.page === 0;
  byId("page-after").disabled = table.page >= pages - 1;
}

// ── One contact ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const detail = { loop: null, words: null, which: "delta" };

function setUpDetail() {
  const host = byId("contacts-detail");
  host.hidden = false;
  const angular = episodes.every((e) => turns(e));
  const force = { name: angular ? "moment" : "force", unit: angular ? "N m" : "N" };
  if (loops().size) {
    detail.loop = new Portrait(host, { title: "Force over indentation", x: { name: "indentation", unit: angular ? "rad" : "m" }, y: force });
    detail.course = new Portrait(host, { title: "Force over time", x: { name: "time since touch", unit: "s" }, y: force });
  }
  detail.words = el("div", { class: "box episode", id: "episode" });
  host.append(detail.words);
  // The hardest blow is what one wants to see first.
  let hardest = 0;
  const better = (i) => hardness(episodes[i]) > hardness(episodes[hardest]);
  for (let i = 1; i < episodes.length; i++) if (better(i)) hardest = i;
  choose(hardest, false);
}

function choose(i, move = true) {
  table.chosen = i;
  for (const row of document.querySelectorAll("#episodes tbody tr")) row.setAttribute("aria-selected", String(Number(row.dataset.row) === i));
  const e = episodes[i];
  const where = `${COLUMNS[0].of(e)} at ${instant(e.start)}`;
  if (detail.loop) {
    const loop = loops().get(i);
    detail.loop.figure.classList.toggle("empty", !loop);
    detail.course.figure.classList.toggle("empty", !loop);
    const [t, delta, f] = loop ? [numbers(loop.t), numbers(loop.delta), numbers(loop.force)] : [[], [], []];
    const since = Float64Array.from(t, (x) => x + e.start);
    detail.loop.set([{ name: where, x: delta, y: f, t: since, colour: 0 }], loop ? "Force over indentation" : "Force over indentation: not kept for this contact");
    detail.course.set([{ name: where, x: t, y: f, t: since, colour: 1 }], loop ? "Force over time" : "Force over time: not kept for this contact");
  }
  const turning = turns(e);
  const [v, f] = [turning ? "rad/s" : "m/s", turning ? "N m" : "N"];
  const r = e.restitution || {};
  const lost = e.dissipated_energy || {};
  const facts = [
    ["Law", e.law],
    ["Lasted", e.duration === null ? "to the end of the run" : lasted(e.duration)],
    ["Approach speed", said(e.approach_speed, v)],
    ["Separation speed", said(e.separation_speed, v)],
    ["Sliding speed at touch", said(e.tangential_speed, "m/s")],
    ["Peak force", said(e.peak_force, f)],
    ["Largest indentation", said(e.max_indentation, turning ? "rad" : "m")],
    ["Impulse", said(e.impulse, turning ? "N m s" : "N s")],
    ["Impulse of the blow alone", said(e.blow_impulse ?? null, turning ? "N m s" : "N s")],
    ["Impulse along the surface", e.tangential_impulse ? said(e.tangential_impulse, "N s") : null],
    ["Effective mass", said(e.effective_mass, turning ? "kg m^2" : "kg")],
    ["Energy lost, pressing together", said(lost.compression, "J")],
    ["Energy lost, coming apart", said(lost.restitution, "J")],
    ["Energy lost by friction", said(lost.friction, "J")],
    ["Restitution asked for", digits(r.requested ?? NaN)],
    ["Restitution measured (Newton)", digits(r.newton ?? NaN)],
    ["by impulses (Poisson)", digits(r.poisson ?? NaN)],
    ["by energies (Stronge)", digits(r.stronge ?? NaN)],
    ["Kind", e.impact_type || "–"],
    ["Time stuck", said(e.stick_time, "s")],
  ].filter(([, value]) => value && value !== "–" && value !== "0 s");
  detail.words.replaceChildren(
    el("h3", {}, where),
    ...listed(e.warnings).map((w) => el("p", { class: "remark" }, w.message, w.hint ? el("span", { class: "soft" }, ` ${w.hint}`) : null)),
    factList(facts),
  );
  if (!move) return;
  pause();
  goTo(e.start);
  speak(`Contact ${where}`);
}
