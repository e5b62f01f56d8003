// How is a number said, and how is an element of the page made?

const PREFIXES = [[1e-12, "p"], [1e-9, "n"], [1e-6, "µ"], [1e-3, "m"], [1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]];
const SUPER = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹", ".": "·" };

const raised = (text) => Array.from(String(text), (c) => SUPER[c] ?? c).join("");

/** `m/s^2` as `m/s²`, `N m` as `N·m`. */
function unitText(unit) {
  return unit.replace(/\^(-?[\d.]+|n)/g, (_, power) => (power === "n" ? "ⁿ" : raised(power))).replace(/ /g, "·");
}

// Only a first factor without a power can carry a prefix; kilograms have theirs already.
const takesPrefix = (unit) => /^(m|s|N|J|W|Pa|rad|Hz)(?![\w^])/.test(unit);

/** The factor and the unit in which numbers up to `most` read best. */
function scaleFor(most, unit) {
  if (!(most > 0) || !Number.isFinite(most)) return { factor: 1, unit: unitText(unit) };
  if (takesPrefix(unit)) {
    let best = PREFIXES[0];
    for (const one of PREFIXES) if (most >= one[0] * 0.9995) best = one;
    return { factor: best[0], unit: best[1] + unitText(unit) };
  }
  if (most >= 1e5 || most < 1e-3) {
    const power = 3 * Math.floor(Math.log10(most) / 3 + 1e-9);
    return { factor: 10 ** power, unit: `10${raised(power)}${unit ? " " + unitText(unit) : ""}` };
  }
  return { factor: 1, unit: unitText(unit) };
}

/** A number with at most so many digits, without empty zeros and with a real minus. */
function digits(value, count = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text;
  if (size >= 1e6 || size < 1e-4) {
    const [head, power] = value.toExponential(count - 1).split("e");
    const short = head.includes(".") ? head.replace(/\.?0+$/, "") : head;
    text = `${short}·10${raised(Number(power))}`;
    return text.replace(/^(-?)1·/, "$1").replace(/^-/, "−");
  }
  text = value.toPrecision(count);
  if (text.includes("e")) text = String(Math.round(value));
  if (text.includes(".")) text = text.replace(/\.?0+$/, "");
  return text.replace("-", "−");
}

/** A value with its unit: 45870 N as `45.87 kN`. */
function said(value, unit = "", count = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return unit ? `0 ${unitText(unit)}` : "0";
  const scale = takesPrefix(unit) ? scaleFor(Math.abs(value), unit) : { factor: 1, unit: unitText(unit) };
  // Dust far below the least prefix reads better as a power of ten.
  if (Math.abs(value) < 1e-13 && unit) return `${digits(value, 2)} ${unitText(unit)}`;
  const text = digits(value / scale.factor, count);
  return scale.unit ? `${text} ${scale.unit}` : text;
}

/** An instant, with digits enough to tell it from its neighbours in the film. */
function instant(t, count) {
  const scale = scaleFor(Math.max(Math.abs(span.start), Math.abs(span.end)), "s");
  const places = count ?? Math.max(0, 4 - Math.floor(Math.log10(Math.max(span.length / scale.factor, 1e-9))));
  return `${(t / scale.factor).toFixed(Math.min(places, 9)).replace("-", "−")} ${scale.unit}`;
}

const counted = (n, one, many = one + "s") => `${n.toLocaleString("en").replace(/,/g, "\u202f")} ${n === 1 ? one : many}`;

/** A round number of one, two or five with its power of ten, not above `x`. */
function roundBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  const head = x / power;
  return (head >= 5 ? 5 : head >= 2 ? 2 : 1) * power;
}

/** Places for about `count` labels from `low` to `high`. */
function ticks(low, high, count) {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const head = rough / power;
  const step = (head < 1.5 ? 1 : head < 3 ? 2 : head < 7 ? 5 : 10) * power;
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k === 0 ? 0 : k * step);
  // One label alone says nothing of the scale.
  return out.length < 2 && count < 20 ? ticks(low, high, count + 1) : out;
}

/** The label of a tick among others that are `step` apart. */
function tickText(value, step) {
  const places = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  return value.toFixed(places).replace("-", "−");
}

/** An element with attributes and children; `on…` are listeners. Text is always text, never markup. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** A list of names with their values. */
const factList = (pairs) => el("dl", { class: "facts-list" }, pairs.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));

const byId = (id) => document.getElementById(id);

function show(id) {
  byId(id).hidden = false;
}

function speak(text) {
  byId("spoken").textContent = text;
}

/** Puts a text on the clipboard; a page opened from a file may only have the old way to do it. */
async function copy(text, button) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    const area = el("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  const before = button.textContent;
  button.textContent = done ? "Copied" : "Not allowed here";
  setTimeout(() => (button.textContent = before), 1500);
}
