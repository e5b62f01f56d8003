// How does one quantity go with another?
//
// Loops of force over indentation, phase portraits, Poincaré sections. A drag zooms, a double click resets; where the points have times, the clock's instant is marked and a click goes there.

/** Curves are `{name, x, y, t?, dots?, faint?}`; options: title, x: {name, unit}, y: {name, unit}, note. */
class Portrait {
  constructor(host, options) {
    this.options = options;
    this.curves = [];
    this.window = null;
    this.base = el("canvas", { "aria-hidden": "true" });
    this.over = el("canvas", { class: "over", "aria-hidden": "true" });
    this.readout = el("output", { class: "readout" });
    this.area = el("div", { class: "area square", tabindex: "0", "data-keys": "", role: "img", "aria-label": `${options.title}: ${options.y.name} over ${options.x.name}` }, this.base, this.over);
    this.name = el("span", { class: "plot-name" }, options.title);
    this.figure = el("figure", { class: "plot box", "data-portrait": options.title }, el("figcaption", {}, this.name, this.readout), this.area, options.note ? el("p", { class: "plot-note" }, options.note) : null);
    host.append(this.figure);
    this.visible = true;
    new IntersectionObserver((entries) => {
      this.visible = entries.at(-1).isIntersecting;
      if (this.visible) this.draw();
    }, { rootMargin: "200px" }).observe(this.figure);
    new ResizeObserver(() => this.draw()).observe(this.area);
    watch((what) => {
      if (what.has("print")) return this.draw();
      if (!this.visible || !this.figure.isConnected) return;
      if (what.has("theme") || (what.has("window") && options.windowed)) this.draw();
      else this.cursor();
    });
    this.listen();
  }

  set(curves, title) {
    this.curves = curves;
    if (title) this.name.textContent = title;
    this.window = null;
    this.draw();
  }

  ranges() {
    if (this.window) return this.window;
    const out = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    for (const curve of this.curves) {
      for (let i = 0; i < curve.x.length; i++) {
        const [x, y] = [curve.x[i], curve.y[i]];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        if (x < out.x0) out.x0 = x;
        if (x > out.x1) out.x1 = x;
        if (y < out.y0) out.y0 = y;
        if (y > out.y1) out.y1 = y;
      }
    }
    if (!(out.x1 >= out.x0)) return { x0: 0, x1: 1, y0: 0, y1: 1 };
    const widen = (low, high) => (high > low ? [low - 0.05 * (high - low), high + 0.05 * (high - low)] : [low - (Math.abs(low) * 0.05 || 1), high + (Math.abs(low) * 0.05 || 1)]);
    [out.x0, out.x1] = widen(out.x0, out.x1);
    [out.y0, out.y1] = widen(out.y0, out.y1);
    return out;
  }

  draw() {
    const { pen, width, height } = crisp(this.base);
    if (!(width > 0)) return;
    Object.assign(this, { width, height, r: this.ranges() });
    const { r, options } = this;
    const [bottom, left] = [40, LEFT];
    this.sx = (x) => left + ((x - r.x0) / (r.x1 - r.x0)) * (width - left - RIGHT);
    this.sy = (y) => height - bottom - ((y - r.y0) / (r.y1 - r.y0)) * (height - bottom - TOP);
    const xs = scaleFor(Math.max(Math.abs(r.x0), Math.abs(r.x1)), options.x.unit);
    const ys = scaleFor(Math.max(Math.abs(r.y0), Math.abs(r.y1)), options.y.unit);
    pen.strokeStyle = look.grid;
    pen.fillStyle = look.soft;
    pen.lineWidth = 1;
    const xm = ticks(r.x0 / xs.factor, r.x1 / xs.factor, Math.max(2, (width - left) / 80));
    const ym = ticks(r.y0 / ys.factor, r.y1 / ys.factor, Math.max(2, (height - bottom) / 40));
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    for (const mark of xm) {
      const x = Math.round(this.sx(mark * xs.factor)) + 0.5;
      pen.beginPath();
      path(pen, [[x, TOP], [x, height - bottom]]);
      pen.stroke();
      pen.fillText(tickText(mark, xm.length > 1 ? xm[1] - xm[0] : 1), x, height - bottom + 15);
    }
    const unit = (name, scale) => `${name}${scale.unit ? ` [${scale.unit}]` : ""}`;
    pen.fillText(unit(options.x.name, xs), (left + width - RIGHT) / 2, height - 6);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const mark of ym) {
      const y = Math.round(this.sy(mark * ys.factor)) + 0.5;
      pen.beginPath();
      path(pen, [[left, y], [width - RIGHT, y]]);
      pen.stroke();
      pen.fillText(tickText(mark, ym.length > 1 ? ym[1] - ym[0] : 1), left - 6, y);
    }
    pen.save();
    pen.translate(11, (TOP + height - bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(unit(options.y.name, ys), 0, 0);
    pen.restore();
    pen.save();
    pen.beginPath();
    pen.rect(left, TOP - 4, width - left - RIGHT, height - bottom - TOP + 5);
    pen.clip();
    this.curves.forEach((curve, index) => this.curve(pen, curve, index));
    pen.restore();
    this.cursor();
  }

  curve(pen, curve, index) {
    const colour = lineColour(curve.colour ?? index);
    pen.strokeStyle = pen.fillStyle = colour;
    if (curve.dots) {
      for (let i = 0; i < curve.x.length; i++) {
        pen.beginPath();
        pen.arc(this.sx(curve.x[i]), this.sy(curve.y[i]), 2.2, 0, 2 * Math.PI);
        pen.fill();
      }
      return;
    }
    const windowed = this.options.windowed && curve.t && (clock.from > span.start || clock.to < span.end);
    const runs = windowed ? [[0, curve.x.length, 0.18], [Math.max(0, before(curve.t, clock.from)), before(curve.t, clock.to) + 1, 1]] : [[0, curve.x.length, 1]];
    pen.lineWidth = 1.6;
    for (const [from, to, alpha] of runs) {
      pen.globalAlpha = alpha;
      pen.beginPath();
      let down = false;
      let [lx, ly] = [0, 0];
      for (let i = from; i < to; i++) {
        const [x, y] = [this.sx(curve.x[i]), this.sy(curve.y[i])];
        if (!Number.isFinite(x + y)) {
          down = false;
          continue;
        }
        if (down && i + 1 < to && Math.abs(x - lx) + Math.abs(y - ly) < 0.5) continue;
        if (down) pen.lineTo(x, y);
        else pen.moveTo(x, y);
        [lx, ly] = [x, y];
        down = true;
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  cursor() {
    const { pen, height } = crisp(this.over);
    if (!this.width || !this.sx) return;
    if (this.drag && this.drag.moved) {
      const { x0, y0, x, y } = this.drag;
      pen.fillStyle = look.accent;
      pen.globalAlpha = 0.15;
      pen.fillRect(Math.min(x0, x), Math.min(y0, y), Math.abs(x - x0), Math.abs(y - y0));
      pen.globalAlpha = 1;
    }
    const t = clock.hover ?? clock.t;
    this.curves.forEach((curve, index) => {
      if (!curve.t) return;
      const [x, y] = [valueAt(curve.t, curve.x, t), valueAt(curve.t, curve.y, t)];
      if (!Number.isFinite(x + y)) return;
      pen.fillStyle = look.card;
      pen.strokeStyle = lineColour(curve.colour ?? index);
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(this.sx(x), this.sy(y), 4.5, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    });
    if (this.near) {
      const { x, y } = this.near;
      pen.fillStyle = look.ink;
      pen.beginPath();
      pen.arc(this.sx(x), this.sy(y), 3.5, 0, 2 * Math.PI);
      pen.fill();
      this.readout.textContent = `${said(x, this.options.x.unit)}, ${said(y, this.options.y.unit)}`;
    } else this.readout.textContent = "";
  }

  nearest(px, py) {
    let best = null;
    let least = 40 ** 2;
    for (const curve of this.curves) {
      for (let i = 0; i < curve.x.length; i++) {
        const d = (this.sx(curve.x[i]) - px) ** 2 + (this.sy(curve.y[i]) - py) ** 2;
        if (d < least) {
          least = d;
          best = { x: curve.x[i], y: curve.y[i], t: curve.t ? curve.t[i] : null };
        }
      }
    }
    return best;
  }

  listen() {
    const { area } = this;
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      area.setPointerCapture(event.pointerId);
      this.drag = { x0: event.offsetX, y0: event.offsetY, x: event.offsetX, y: event.offsetY, moved: false };
    });
    area.addEventListener("pointermove", (event) => {
      if (this.drag) {
        Object.assign(this.drag, { x: event.offsetX, y: event.offsetY });
        if (Math.hypot(this.drag.x - this.drag.x0, this.drag.y - this.drag.y0) > 5) this.drag.moved = true;
      }
      this.near = this.nearest(event.offsetX, event.offsetY);
      this.cursor();
    });
    area.addEventListener("pointerleave", () => {
      this.near = null;
      this.cursor();
    });
    area.addEventListener("pointercancel", () => (this.drag = null));
    area.addEventListener("pointerup", () => {
      const drag = this.drag;
      this.drag = null;
      if (!drag) return;
      if (!drag.moved) {
        if (this.near && this.near.t !== null) goTo(this.near.t);
        return;
      }
      const { r } = this;
      const bottom = 40;
      const toX = (x) => r.x0 + ((x - LEFT) / (this.width - LEFT - RIGHT)) * (r.x1 - r.x0);
      const toY = (y) => r.y0 + ((this.height - bottom - y) / (this.height - bottom - TOP)) * (r.y1 - r.y0);
      const [x0, x1] = [Math.min(drag.x0, drag.x), Math.max(drag.x0, drag.x)];
      const [y0, y1] = [Math.min(drag.y0, drag.y), Math.max(drag.y0, drag.y)];
      if (x1 - x0 > 5 && y1 - y0 > 5) this.window = { x0: toX(x0), x1: toX(x1), y0: toY(y1), y1: toY(y0) };
      this.draw();
    });
    area.addEventListener("dblclick", () => {
      this.window = null;
      this.draw();
    });
  }
}
