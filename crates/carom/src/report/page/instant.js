// What are the numbers of an analysis that knows no time: a position of rest, small vibrations?

const timeless = listed(data.instant).length > 0 || Array.isArray(summary.modes) || summary.rest !== undefined;

function setUpInstant() {
  if (!timeless) return;
  document.documentElement.classList.add("timeless");
  const simulated = byId("lead").textContent.split(" · ").filter((part) => !/ simulated$/.test(part));
  byId("lead").textContent = simulated.join(" · ");
  show("histories");
  byId("histories-head").textContent = Array.isArray(summary.modes) ? "Small vibrations" : "At rest";
  const host = byId("histories-plots");
  const row = (cells) => el("tr", {}, cells.map((cell, i) => el(i ? "td" : "th", i ? { class: "number" } : { scope: "row" }, cell)));
  const card = (title, rows, head) => host.append(el("div", { class: "box card" }, el("h3", {}, title), el("table", { class: "plain" }, head ? el("thead", {}, el("tr", {}, head.map((word) => el("th", { scope: "col" }, word)))) : null, el("tbody", {}, rows))));
  const modes = listed(summary.modes);
  if (modes.length) card("Modes", modes.map((mode, i) => row([String(i + 1), said(mode.frequency, "Hz"), said(mode.natural_frequency, "Hz"), digits(mode.damping_ratio)])), ["Mode", "Frequency", "Undamped", "Damping ratio"]);
  const stability = summary.rest && summary.rest.stability;
  byId("histories-hint").textContent = stability ? `The position is ${stability}.` : "About the position at the start.";
  const values = listed(data.instant);
  if (values.length) card("Values", values.map((one) => row([one.name, said(one.value, one.unit, 6)])));
}
