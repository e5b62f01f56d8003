// How many digits are to be believed, if somebody has asked?

function setUpBelieved() {
  const verified = summary.verified;
  if (!verified) return;
  show("believed");
  byId("believed-words").append(...listed(verified.words).map((text) => el("p", {}, text)));
  const cell = (text, left) => el("td", { class: left ? null : "number" }, text);
  const table = (head, rows, name, left) =>
    el(
      "div",
      { class: "box table-box" },
      el("h3", {}, name),
      el("div", { class: "scroller", tabindex: "0", "aria-label": name, "data-keys": "" }, el("table", {}, el("thead", {}, el("tr", {}, head.map((text, i) => el("th", { scope: "col", class: left.includes(i) ? null : "number" }, text)))), el("tbody", {}, rows))),
    );
  // As many digits as are believed, and no more: of what is nothing, two say how large it is.
  const shown = (one) => (one.verdict.startsWith("zero") ? 2 : Math.min(15, Math.max(2, one.digits ?? 2)));
  // What is no more than rounding is nothing.
  const told = (one) => (one.verdict.startsWith("zero") && Math.abs(one.value) <= one.rounding ? 0 : one.value);
  const value = (one) => (one.value === null ? "–" : `${digits(told(one), shown(one))} ${unitText(one.unit || "")}`.trim());
  const error = (one) => (one.error === null ? "–" : digits(one.error, 2));
  const trusted = (one) => el("td", { class: one.digits === null ? "number doubtful" : "number" }, one.verdict);
  const rows = listed(verified.numbers).map((one) =>
    el("tr", {}, el("th", { scope: "row" }, one.name), cell(one.what, true), cell(value(one)), cell(error(one)), trusted(one), cell(one.best_digits === null ? "–" : String(one.best_digits)), cell(one.order === null ? "–" : digits(one.order, 2))),
  );
  const host = byId("believed-tables");
  host.append(table(["Number", "What", "Value", "Error", "Believed", "Best", "Order"], rows, "Numbers", [0, 1]));
  const contacts = listed(verified.contacts?.list);
  if (contacts.length) {
    const turns = Number.isFinite(verified.period);
    const dash = { digits: null, verdict: "–", value: null, error: null };
    const rows = contacts.map((one, i) => {
      const start = one.start ?? dash;
      const kinds = ["start", "peak_force", "impulse", "restitution"].map((key) => (one[key] ? trusted(one[key]) : cell("–")));
      return el("tr", {}, el("th", { scope: "row" }, `${i + 1}, ${one.contact}`), cell(start.value === null ? "–" : instant(start.value, 9)), cell(error(start)), turns ? cell(Number.isFinite(one.start_error_turns) ? digits(one.start_error_turns, 2) : "–") : null, kinds);
    });
    host.append(table(["Contact", "Starts", "Error (s)", turns ? "Of a turn" : null, "Start", "Peak force", "Impulse", "Restitution"].filter(Boolean), rows, "Contacts", [0]));
  }
  const runs = listed(verified.runs).map((run) =>
    el("tr", {}, el("th", { scope: "row" }, run.role), cell(run.integrator, true), cell(run.step === null ? digits(run.rtol, 2) : said(run.step, "s")), cell(String(run.contacts)), cell(String(run.steps_accepted)), cell(run.energy_residual === null ? "–" : digits(run.energy_residual, 2)), cell(run.status, true)),
  );
  host.append(table(["Run", "Method", "Tolerance or step", "Contacts", "Steps", "Residual (J)", "Ended"], runs, "Runs", [0, 1, 6]));
}
