// How does a quantity go with time?
//
// All time plots share the clock: one cursor, one window. A line with more points than pixels is drawn by the least and the greatest value of each column of pixels, so that no
// peak is lost however far one has zoomed out.

const LEFT = 62;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 24;
const plots = [];

/** A plot over time. `lines` are `{name, unit, t(), v()}`; `options`: title, unit, log, stacked, height, note, remove(name). */
class TimePlot {
  constructor(host, lines, options) {
    this.options = options;
    this.lines = [];
    this.hidden = new Set();
    this.base = el("canvas", { "aria-hidden": "true" });
    this.over = el("canvas", { class: "over", "aria-hidden": "true" });
    this.legend = el("div", { class: "legend" });
    this.name = el("span", { class: "plot-name" }, options.title || "");
    this.area = el("div", { class: "area", tabindex: "0", "data-keys": "", role: "img", style: `height:${options.height || 190}px` }, this.base, this.over);
    this.figure = el("figure", { class: "plot box", "data-plot": options.title || "" }, el("figcaption", {}, this.name, this.legend), this.area, options.note ? el("p", { class: "plot-note" }, options.note) : null);
    host.append(this.figure);
    for (const one of lines) this.add(one);
    this.visible = true;
    new IntersectionObserver((entries) => {
      this.visible = entries.at(-1).isIntersecting;
      if (this.visible) this.draw();
    }, { rootMargin: "200px" }).observe(this.figure);
    new ResizeObserver(() => this.draw()).observe(this.area);
    this.listen();
    watch((what) => {
      if (what.has("print")) return this.draw();
      if (!this.visible || !this.figure.isConnected) return;
      if (what.has("window") || what.has("theme")) this.draw();
      else this.cursor();
    });
    plots.push(this);
  }

  add(line) {
    const index = this.lines.length;
    const value = el("output", {});
    const swatch = el("canvas", { class: "swatch", "aria-hidden": "true" });
    const chip = el("button", { type: "button", class: "chip", "aria-pressed": "true", title: "Show or hide this line" }, swatch, el("span", { class: "chip-name" }, line.name), value);
    chip.addEventListener("click", () => {
      if (this.hidden.has(line)) this.hidden.delete(line);
      else this.hidden.add(line);
      chip.setAttribute("aria-pressed", String(!this.hidden.has(line)));
      this.draw();
    });
    const group = el("span", { class: "chip-group" }, chip);
    this.legend.append(group);
    if (this.options.remove) group.append(el("button", { type: "button", class: "close", "aria-label": `Remove ${line.name}`, title: `Remove ${line.name}`, onclick: () => this.options.remove(this, line) }, "×"));
    this.lines.push({ ...line, index, value, swatch, source: line });
    this.area.setAttribute("aria-label", `${this.options.title || "Plot"} over time: ${this.lines.map((one) => one.name).join(", ")}`);
  }

  shown() {
    return this.lines.filter((one) => !this.hidden.has(one.source));
  }

  x(t) {
    return LEFT + ((t - clock.from) / (clock.to - clock.from)) * (this.width - LEFT - RIGHT);
  }

  timeAt(x) {
    return clock.from + ((x - LEFT) / (this.width - LEFT - RIGHT)) * (clock.to - clock.from);
  }

  y(v) {
    const part = this.options.log ? Math.log10(v / this.low) / Math.log10(this.high / this.low) : (v - this.low) / (this.high - this.low);
    return this.height - BOTTOM - part * (this.height - BOTTOM - TOP);
  }

  /** Least and greatest of what is to be seen. */
  range() {
    let [low, high] = [Infinity, -Infinity];
    const take = (v) => {
      if (!Number.isFinite(v) || (this.options.log && !(v > 0))) return;
      if (v < low) low = v;
      if (v > high) high = v;
    };
    if (this.options.stacked) this.stack(take);
    else {
      for (const one of this.shown()) {
        const [t, v] = [one.t(), one.v()];
        const from = Math.max(0, before(t, clock.from));
        const to = Math.min(v.length - 1, before(t, clock.to));
        for (let i = from + 1; i <= to; i++) take(v[i]);
        take(valueAt(t, v, clock.from));
        take(valueAt(t, v, clock.to));
      }
    }
    for (const one of this.options.overlay || []) if (!this.options.stacked) take(one);
    if (!(high >= low)) [low, high] = this.options.log ? [0.1, 1] : [-1, 1];
    if (this.options.log) {
      [this.low, this.high] = high / low < 10 ? [low / 3, high * 3] : [low / 1.5, high * 1.5];
      return;
    }
    if (high === low) {
      const around = Math.abs(high) * 0.05 || 1;
      [low, high] = [low - around, high + around];
    }
    const room = 0.07 * (high - low);
    [this.low, this.high] = [this.options.stacked && low === 0 ? 0 : low - room, high + room];
  }

  draw() {
    const { pen, width, height } = crisp(this.base);
    if (!(width > 0)) return;
    Object.assign(this, { width, height });
    this.range();
    this.figure.dataset.from = clock.from;
    this.figure.dataset.to = clock.to;
    this.axes(pen);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP - 6, width - LEFT - RIGHT, height - TOP - BOTTOM + 7);
    pen.clip();
    this.impacts(pen);
    if (this.options.stacked) this.areas(pen);
    else for (const one of this.shown()) this.line(pen, one);
    pen.restore();
    for (const one of this.lines) this.sample(one);
    this.cursor();
  }

  sample(one) {
    const { pen, width, height } = crisp(one.swatch);
    pen.strokeStyle = pen.fillStyle = lineColour(one.index);
    if (this.options.stacked && !one.outline) {
      pen.globalAlpha = 0.75;
      return pen.fillRect(0, 1, width, height - 2);
    }
    pen.lineWidth = 2;
    pen.setLineDash(one.outline ? [] : lineDash(one.index));
    if (one.outline) pen.strokeStyle = look.ink;
    pen.beginPath();
    path(pen, [[0, height / 2], [width, height / 2]]);
    pen.stroke();
  }

  axes(pen) {
    const { width, height, options } = this;
    pen.fillStyle = look.soft;
    pen.strokeStyle = look.grid;
    pen.lineWidth = 1;
    const most = Math.max(Math.abs(this.low), Math.abs(this.high));
    const scale = scaleFor(options.log ? 1 : most, options.unit || "");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    if (options.log) this.decades(pen);
    else {
      const marks = ticks(this.low / scale.factor, this.high / scale.factor, Math.max(2, (height - TOP - BOTTOM) / 36));
      const step = marks.length > 1 ? marks[1] - marks[0] : 1;
      for (const mark of marks) {
        const y = Math.round(this.y(mark * scale.factor)) + 0.5;
        pen.strokeStyle = look.grid;
        pen.beginPath();
        path(pen, [[LEFT, y], [width - RIGHT, y]]);
        pen.stroke();
        pen.fillText(tickText(mark, step), LEFT - 6, y);
      }
    }
    this.name.textContent = (options.title || "") + (scale.unit ? ` [${scale.unit}]` : "");
    // Far inside a long run the digits that change come last: the labels count from the left edge.
    const wide = clock.to - clock.from;
    const offset = wide < 1e-4 * Math.max(Math.abs(clock.from), Math.abs(clock.to)) ? clock.from : 0;
    const time = scaleFor(offset ? wide : Math.max(Math.abs(clock.from), Math.abs(clock.to)), "s");
    const marks = ticks((clock.from - offset) / time.factor, (clock.to - offset) / time.factor, Math.max(2, (width - LEFT - RIGHT) / 95));
    const step = marks.length > 1 ? marks[1] - marks[0] : 1;
    pen.textBaseline = "alphabetic";
    const unit = offset ? `${time.unit} after ${instant(offset, 9)}` : time.unit;
    pen.textAlign = "right";
    const room = width - RIGHT - pen.measureText(unit).width - 8;
    pen.fillText(unit, width - RIGHT, height - 7);
    pen.textAlign = "center";
    for (const mark of marks) {
      const x = Math.round(this.x(mark * time.factor + offset)) + 0.5;
      pen.strokeStyle = look.grid;
      pen.beginPath();
      path(pen, [[x, TOP], [x, height - BOTTOM]]);
      pen.stroke();
      const text = tickText(mark, step);
      if (x + pen.measureText(text).width / 2 < room) pen.fillText(text, x, height - 7);
    }
    if (this.low < 0 && this.high > 0 && !options.log) {
      pen.strokeStyle = look.soft;
      const y = Math.round(this.y(0)) + 0.5;
      pen.beginPath();
      path(pen, [[LEFT, y], [width - RIGHT, y]]);
      pen.stroke();
    }
  }

  decades(pen) {
    const [from, to] = [Math.ceil(Math.log10(this.low) - 1e-9), Math.floor(Math.log10(this.high) + 1e-9)];
    const every = Math.max(1, Math.ceil((to - from + 1) / Math.max(2, (this.height - TOP - BOTTOM) / 24)));
    for (let power = from; power <= to; power += every) {
      const y = Math.round(this.y(10 ** power)) + 0.5;
      pen.beginPath();
      path(pen, [[LEFT, y], [this.width - RIGHT, y]]);
      pen.stroke();
      pen.fillText(said(10 ** power, this.options.unit || "", 1), LEFT - 6, y);
    }
  }

  /** A tick at the top for every impact; lines through the plot while there are few of them. */
  impacts(pen) {
    const all = impactTimes();
    const [from, to] = [before(all, clock.from), before(all, clock.to)];
    const few = to - from <= 40;
    pen.strokeStyle = look.alarm;
    pen.lineWidth = 1;
    let last = -1;
    for (let k = from + 1; k <= to; k++) {
      const x = Math.round(this.x(all[k])) + 0.5;
      if (x === last) continue;
      last = x;
      pen.globalAlpha = 0.9;
      pen.beginPath();
      path(pen, [[x, TOP - 6], [x, TOP]]);
      pen.stroke();
      if (!few) continue;
      pen.globalAlpha = 0.22;
      pen.beginPath();
      path(pen, [[x, TOP], [x, this.height - BOTTOM]]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  line(pen, one) {
    const [t, v] = [one.t(), one.v()];
    const n = Math.min(t.length, v.length);
    const from = Math.max(0, before(t, clock.from));
    const to = Math.min(n - 1, before(t, clock.to) + 1);
    pen.strokeStyle = one.outline ? look.ink : lineColour(one.index);
    pen.lineWidth = 1.6;
    pen.setLineDash(one.outline ? [] : lineDash(one.index));
    pen.beginPath();
    const dense = to - from > 3 * this.width;
    let down = false;
    const good = (value) => Number.isFinite(value) && (!this.options.log || value > 0);
    if (!dense) {
      for (let i = from; i <= to; i++) {
        if (!good(v[i])) {
          down = false;
          continue;
        }
        const [x, y] = [this.x(t[i]), this.y(v[i])];
        if (down) pen.lineTo(x, y);
        else pen.moveTo(x, y);
        // A lone point between gaps is still to be seen.
        if (!down && !good(v[i + 1])) pen.lineTo(x + 1.5, y);
        down = true;
      }
    } else {
      pen.setLineDash([]);
      let column = null;
      const close = () => {
        if (!column) return;
        const { x, first, low, high, last } = column;
        if (down) pen.lineTo(x, first);
        else pen.moveTo(x, first);
        pen.lineTo(x, low);
        pen.lineTo(x, high);
        pen.lineTo(x, last);
        down = true;
      };
      for (let i = from; i <= to; i++) {
        if (!good(v[i])) continue;
        const x = Math.round(this.x(t[i]));
        const y = this.y(v[i]);
        if (column && column.x === x) {
          column.low = Math.min(column.low, y);
          column.high = Math.max(column.high, y);
          column.last = y;
        } else {
          close();
          column = { x, first: y, low: y, high: y, last: y };
        }
      }
      close();
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  /** Calls `each(value)` with every edge of the stack that is to be seen. */
  stack(each) {
    const parts = this.shown().filter((one) => !one.outline);
    each(0);
    if (!parts.length) return;
    const t = parts[0].t();
    for (const i of this.columns(t)) {
      let [up, down] = [0, 0];
      for (const one of parts) {
        const v = one.v()[i];
        if (v > 0) up += v;
        else if (v < 0) down += v;
      }
      each(up);
      each(down);
    }
  }

  /** About one index a pixel, from just before the window to just after it. */
  columns(t) {
    const from = Math.max(0, before(t, clock.from));
    const to = Math.min(t.length - 1, before(t, clock.to) + 1);
    const every = Math.max(1, Math.floor((to - from) / (2 * (this.width || 800))));
    const out = [];
    for (let i = from; i <= to; i += every) out.push(i);
    if (out.at(-1) !== to) out.push(to);
    return out;
  }

  areas(pen) {
    const parts = this.shown().filter((one) => !one.outline);
    if (parts.length) {
      const t = parts[0].t();
      const columns = this.columns(t);
      const up = new Float64Array(columns.length);
      const down = new Float64Array(columns.length);
      for (const one of parts) {
        const v = one.v();
        const [inner, outer] = [[], []];
        columns.forEach((i, k) => {
          const x = this.x(t[i]);
          const side = v[i] < 0 ? down : up;
          inner.push([x, this.y(side[k])]);
          if (Number.isFinite(v[i])) side[k] += v[i];
          outer.push([x, this.y(side[k])]);
        });
        pen.fillStyle = lineColour(one.index);
        pen.globalAlpha = 0.75;
        pen.beginPath();
        path(pen, inner);
        for (let k = outer.length - 1; k >= 0; k--) pen.lineTo(...outer[k]);
        pen.closePath();
        pen.fill();
      }
      pen.globalAlpha = 1;
    }
    for (const one of this.shown()) if (one.outline) this.line(pen, one);
  }

  cursor() {
    const { pen, width, height } = crisp(this.over);
    if (!(width > 0) || !this.width) return;
    const mark = (t, colour, dash) => {
      if (t < clock.from || t > clock.to) return;
      const x = this.x(t);
      pen.strokeStyle = colour;
      pen.lineWidth = 1.2;
      pen.setLineDash(dash);
      pen.beginPath();
      path(pen, [[x, TOP], [x, height - BOTTOM]]);
      pen.stroke();
      pen.setLineDash([]);
    };
    mark(clock.t, look.accent, []);
    if (clock.hover !== null) mark(clock.hover, look.ink, [3, 3]);
    const t = clock.hover ?? clock.t;
    for (const one of this.lines) {
      const v = valueAt(one.t(), one.v(), t);
      one.value.textContent = said(v, one.unit);
      if (this.options.stacked || this.hidden.has(one.source) || !Number.isFinite(v) || t < clock.from || t > clock.to) continue;
      if (this.options.log && !(v > 0)) continue;
      pen.fillStyle = lineColour(one.index);
      pen.beginPath();
      pen.arc(this.x(t), this.y(v), 3, 0, 2 * Math.PI);
      pen.fill();
    }
    if (clock.hover !== null && this.area.matches(":hover")) {
      pen.fillStyle = look.ink;
      const text = instant(clock.hover);
      const wide = pen.measureText(text).width;
      const x = clamp(this.x(clock.hover) + 6, LEFT, width - RIGHT - wide);
      pen.textAlign = "left";
      pen.fillStyle = look.card;
      pen.fillRect(x - 3, height - BOTTOM - 17, wide + 6, 16);
      pen.fillStyle = look.ink;
      pen.fillText(text, x, height - BOTTOM - 5);
    }
    if (this.drag && this.drag.kind === "zoom") {
      pen.fillStyle = look.accent;
      pen.globalAlpha = 0.15;
      pen.fillRect(Math.min(this.drag.x0, this.drag.x), TOP, Math.abs(this.drag.x - this.drag.x0), height - TOP - BOTTOM);
      pen.globalAlpha = 1;
    }
    this.figure.dataset.cursor = t;
  }

  listen() {
    const area = this.area;
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      area.setPointerCapture(event.pointerId);
      const x = clamp(event.offsetX, LEFT, this.width - RIGHT);
      this.drag = { x0: x, x, kind: event.shiftKey ? "pan" : "wait", from: clock.from, to: clock.to };
    });
    area.addEventListener("pointermove", (event) => {
      const x = clamp(event.offsetX, LEFT, this.width - RIGHT);
      const drag = this.drag;
      if (drag) {
        drag.x = x;
        if (drag.kind === "wait" && Math.abs(x - drag.x0) > 4) drag.kind = "zoom";
        if (drag.kind === "pan") {
          const by = ((drag.x0 - x) / (this.width - LEFT - RIGHT)) * (drag.to - drag.from);
          lookAt(drag.from + by, drag.to + by);
        }
      }
      hoverAt(this.timeAt(x));
      this.cursor();
    });
    const end = (event) => {
      const drag = this.drag;
      this.drag = null;
      if (!drag || event.type === "pointercancel") return;
      if (drag.kind === "wait") {
        goTo(this.timeAt(drag.x));
        if (player.playing) pause();
      } else if (drag.kind === "zoom") lookAt(this.timeAt(Math.min(drag.x0, drag.x)), this.timeAt(Math.max(drag.x0, drag.x)));
    };
    area.addEventListener("pointerup", end);
    area.addEventListener("pointercancel", end);
    area.addEventListener("pointerleave", () => hoverAt(null));
    area.addEventListener("dblclick", () => lookAt(span.start, span.end));
    area.addEventListener(
      "wheel",
      (event) => {
        const mine = event.ctrlKey || event.metaKey || document.activeElement === area || event.offsetY > this.height - BOTTOM;
        if (!mine) return;
        event.preventDefault();
        const wide = clock.to - clock.from;
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) lookAt(clock.from + (event.deltaX / this.width) * wide, clock.to + (event.deltaX / this.width) * wide);
        else zoomTime(Math.exp(clamp(event.deltaY, -200, 200) * 0.0025), clamp(this.timeAt(event.offsetX), clock.from, clock.to));
      },
      { passive: false },
    );
    area.addEventListener("keydown", (event) => {
      const wide = clock.to - clock.from;
      const act = {
        ArrowRight: () => goTo(clock.t + wide / 200),
        ArrowLeft: () => goTo(clock.t - wide / 200),
        "+": () => zoomTime(0.7, clamp(clock.t, clock.from, clock.to)),
        "-": () => zoomTime(1 / 0.7, clamp(clock.t, clock.from, clock.to)),
        Home: () => lookAt(span.start, span.end),
        " ": () => (player.playing ? pause() : play()),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
  }

  drop() {
    this.figure.remove();
    plots.splice(plots.indexOf(this), 1);
  }
}
