// Where is every part at an instant, and how is it drawn?
//
// Shapes are drawn to scale; what has no size in the model (the bars between joints, pins, rails, springs) is drawn with a size on the screen.

const bodies = listed(scene.bodies);
const joints = listed(scene.joints);
const springs = listed(scene.springs);
const touching = listed(scene.contacts);
const grains = data.grains ? { t: lazy(() => numbers(data.grains.t)), groups: listed(data.grains.groups).map((g) => ({ name: g.name, radius: typeof g.radius === "number" ? null : lazy(() => numbers(g.radius)), one: g.radius, xy: lazy(() => numbers(g.xy)) })) } : null;

/** The frame at or before `t` and how far on the way to the next it is. */
function moment(t) {
  const times = film.t();
  const i = clamp(before(times, t), 0, Math.max(0, times.length - 1));
  if (i + 1 >= times.length) return { i, f: 0 };
  const gap = times[i + 1] - times[i];
  return { i, f: gap > 0 ? clamp((t - times[i]) / gap, 0, 1) : 0 };
}

/** Place and turn of body `b` (0 is the ground, which stays where it is). */
function pose(b, at, out = [0, 0, 0]) {
  if (!(b > 0)) {
    out[0] = out[1] = out[2] = 0;
    return out;
  }
  const p = film.poses();
  const wide = 3 * (bodies.length - 1);
  const k = at.i * wide + 3 * (b - 1);
  for (let c = 0; c < 3; c++) out[c] = at.f === 0 ? p[k + c] : p[k + c] + at.f * (p[k + wide + c] - p[k + c]);
  return out;
}

function placed(p, [x, y]) {
  const [c, s] = [Math.cos(p[2]), Math.sin(p[2])];
  return [p[0] + c * x - s * y, p[1] + s * x + c * y];
}

const worldOf = (end, at) => placed(pose(end.body, at), end.at || [0, 0]);

// Everything of a body that the picture must have room for, in the body's own axes.
const extents = lazy(() =>
  bodies.map((body, b) => {
    const out = [];
    for (const shape of listed(body.shapes)) {
      if (shape.kind === "half-plane") continue;
      const [x, y] = shape.center || [0, 0];
      if (listed(shape.outline).length) for (const p of shape.outline) out.push(p);
      else if (shape.radius > 0) out.push([x - shape.radius, y - shape.radius], [x + shape.radius, y + shape.radius], [x - shape.radius, y + shape.radius], [x + shape.radius, y - shape.radius]);
    }
    for (const segment of bars(body)) out.push(...segment);
    for (const joint of joints) for (const end of [joint.a, joint.b]) if (end && end.body === b) out.push(end.at || [0, 0]);
    for (const spring of springs) for (const end of [spring.a, spring.b]) if (end && end.body === b) out.push(end.at || [0, 0]);
    for (const joint of joints) {
      if (joint.clearance && joint.b && joint.b.body === b && joint.clearance.bearing_radius) {
        const r = 1.2 * joint.clearance.bearing_radius;
        const [x, y] = joint.b.at || [0, 0];
        out.push([x - r, y - r], [x + r, y + r]);
      }
    }
    if (!out.length && b > 0) out.push([0, 0]);
    return out;
  }),
);

const barsOf = new Map();

/** Bars between the points that hold a body; a single bar goes on to the named points and tips that lie on its line. */
function bars(body) {
  if (barsOf.has(body)) return barsOf.get(body);
  let out = listed(body.drawn).filter((s) => Array.isArray(s) && s.length >= 2 && Array.isArray(s[0]));
  const b = bodies.indexOf(body);
  const shapes = listed(body.shapes);
  // A face without end says nothing of the body behind it.
  const bare = shapes.length > 0 && shapes.every((shape) => shape.kind === "half-plane");
  if (b > 0 && (out.length === 1 || (bare && !out.length))) {
    const held = [...joints, ...springs].flatMap((one) => [one.a, one.b]).filter((end) => end && end.body === b);
    const tips = shapes.filter((shape) => shape.kind === "circle").map((shape) => shape.center);
    const [from, till] = out[0] || [held.length ? held[0].at : [0, 0], [0, 0]];
    const long = Math.hypot(till[0] - from[0], till[1] - from[1]);
    if (long > 0) {
      const u = [(till[0] - from[0]) / long, (till[1] - from[1]) / long];
      const marks = [[0, from], [long, till]];
      for (const [x, y] of [...listed(body.points).map((point) => point.at), ...tips]) {
        const [dx, dy] = [x - from[0], y - from[1]];
        if (Math.abs(dy * u[0] - dx * u[1]) < 0.02 * long) marks.push([dx * u[0] + dy * u[1], [x, y]]);
      }
      marks.sort((p, q) => p[0] - q[0]);
      out = [[marks[0][1], marks.at(-1)[1]]];
    }
  }
  barsOf.set(body, out);
  return out;
}

/** The smallest box around everything, at all times. */
const bounds = lazy(() => {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  const take = (x, y, r = 0) => {
    if (!Number.isFinite(x + y)) return;
    box.x0 = Math.min(box.x0, x - r);
    box.x1 = Math.max(box.x1, x + r);
    box.y0 = Math.min(box.y0, y - r);
    box.y1 = Math.max(box.y1, y + r);
  };
  const frames = film.t().length;
  const every = Math.max(1, Math.floor(frames / 400));
  const p = [0, 0, 0];
  for (let i = 0; i < frames; i += every) {
    for (let b = 0; b < bodies.length; b++) {
      if (b === 0 && i > 0) continue;
      pose(b, { i, f: 0 }, p);
      for (const point of extents()[b]) take(...placed(p, point));
    }
  }
  if (grains) {
    for (const group of grains.groups) {
      const xy = group.xy();
      for (let k = 0; k + 1 < xy.length; k += 2) take(xy[k], xy[k + 1], group.radius ? group.radius()[0] : group.one);
    }
  }
  if (!(box.x1 >= box.x0)) Object.assign(box, { x0: -1, x1: 1, y0: -1, y1: 1 });
  const size = Math.max(box.x1 - box.x0, box.y1 - box.y0) || 1;
  if (box.x1 - box.x0 < 0.02 * size) Object.assign(box, { x0: box.x0 - 0.05 * size, x1: box.x1 + 0.05 * size });
  if (box.y1 - box.y0 < 0.02 * size) Object.assign(box, { y0: box.y0 - 0.05 * size, y1: box.y1 + 0.05 * size });
  return { ...box, size };
});

/** How broad bars are drawn, m: by the whole mechanism, but slender against the bars themselves. */
const barWidth = lazy(() => {
  const lengths = bodies.flatMap((body) => bars(body).map(([a, z]) => Math.hypot(z[0] - a[0], z[1] - a[1]))).sort((a, b) => a - b);
  const typical = lengths.length ? lengths[lengths.length >> 1] : Infinity;
  return Math.min(0.035 * bounds().size, 0.2 * typical);
});

const bodyColour = (b) => (b === 0 ? look.soft : look.lines[[0, 1, 2, 3, 5, 6][(b - 1) % 6]]);

/** Draws the whole scene. `eye` has `x`, `y` (what stands in the middle) and `scale`, CSS pixels a metre. */
function drawScene(pen, width, height, eye, at, options) {
  const sx = (x) => width / 2 + (x - eye.x) * eye.scale;
  const sy = (y) => height / 2 - (y - eye.y) * eye.scale;
  const to = ([x, y]) => [sx(x), sy(y)];
  const p = [0, 0, 0];
  const bar = clamp(barWidth() * eye.scale, 3, 60);
  const paint = { pen, width, height, eye, to, bar };

  for (let b = 0; b < bodies.length; b++) {
    pose(b, at, p);
    for (const shape of listed(bodies[b].shapes)) if (shape.kind === "half-plane" && b === 0) drawHalfPlane(paint, p, shape);
  }
  for (const joint of joints) drawRail(paint, joint, at);
  for (const joint of joints) drawBlock(paint, joint, at);
  for (let b = 0; b < bodies.length; b++) drawBody(paint, b, pose(b, at, p));
  if (grains) drawGrains(paint, options.t);
  for (const spring of springs) drawSpring(paint, spring, at);
  for (const joint of joints) drawJoint(paint, joint, at);
}

/** Slanted lines over what has been clipped: this does not move. The path that the pen holds stays. */
function hatch({ pen, width, height }, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  const lines = new Path2D();
  for (let x = -height; x < width; x += 9) {
    lines.moveTo(x, height);
    lines.lineTo(x + height, 0);
  }
  pen.stroke(lines);
}

function drawHalfPlane(paint, p, shape) {
  const { pen, to, width, height } = paint;
  const far = 2 * (width + height);
  const [nx, ny] = shape.normal || [0, 1];
  const [c, s] = [Math.cos(p[2]), Math.sin(p[2])];
  const [ux, uy] = [c * nx - s * ny, -(s * nx + c * ny)];
  const [x, y] = to(placed(p, shape.center || [0, 0]));
  // Nearest point of the line to the middle of the picture: lines far away keep their place.
  const along = (width / 2 - x) * -uy + (height / 2 - y) * ux;
  const [mx, my] = [x + along * -uy, y + along * ux];
  pen.save();
  pen.beginPath();
  pen.moveTo(mx - far * -uy, my - far * ux);
  pen.lineTo(mx + far * -uy, my + far * ux);
  pen.lineTo(mx + far * -uy - far * ux, my + far * ux - far * uy);
  pen.lineTo(mx - far * -uy - far * ux, my - far * ux - far * uy);
  pen.closePath();
  pen.clip();
  pen.fillStyle = mix(look.paper, look.soft, 0.12);
  pen.fillRect(0, 0, width, height);
  hatch(paint, mix(look.paper, look.soft, 0.35));
  pen.restore();
  pen.strokeStyle = look.soft;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(mx - far * -uy, my - far * ux);
  pen.lineTo(mx + far * -uy, my + far * ux);
  pen.stroke();
}

/** A flat face that moves with its body: as long as the body is, with strokes on its solid side. */
function drawFace(paint, b, p, shape) {
  const { pen, to } = paint;
  const [nx, ny] = shape.normal || [0, 1];
  const [x, y] = shape.center || [0, 0];
  // As far as the body reaches along the face, seen from the point that fixes it.
  const along = bars(bodies[b]).flat().map(([px, py]) => (px - x) * -ny + (py - y) * nx);
  let [low, high] = [Math.min(...along), Math.max(...along)];
  const half = joints.some((joint) => blockOf(joint) === b) ? barWidth() : 0.12 * bounds().size;
  if (!(high > low)) [low, high] = [-half, half];
  const at = (s) => to(placed(p, [x - s * ny, y + s * nx]));
  // Walked from the second to the first, the solid side is on the left: the normal points away from it.
  const [from, till] = [at(high), at(low)];
  pen.strokeStyle = bodyColour(b);
  drawSide(paint, [till, from], bodyColour(b));
  pen.lineWidth = 2;
  pen.beginPath();
  path(pen, [from, till]);
  pen.stroke();
}

function path(pen, points) {
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
}

function drawBody(paint, b, p) {
  const { pen, to, eye, bar } = paint;
  const body = bodies[b];
  const colour = bodyColour(b);
  const fill = mix(look.paper, colour, b === 0 ? 0.14 : look.dark ? 0.34 : 0.24);
  const shapes = listed(body.shapes).filter((shape) => shape.kind !== "half-plane");
  if (b > 0) for (const shape of listed(body.shapes)) if (shape.kind === "half-plane") drawFace(paint, b, p, shape);
  for (const [from, till] of bars(body)) {
    const [a, z] = [to(placed(p, from)), to(placed(p, till))];
    pen.lineCap = "round";
    for (const [style, wide] of [[colour, bar], [fill, bar - 3]]) {
      pen.strokeStyle = style;
      pen.lineWidth = wide;
      pen.beginPath();
      path(pen, [a, z]);
      pen.stroke();
    }
    pen.lineCap = "butt";
  }
  for (const shape of shapes) {
    pen.beginPath();
    const centre = to(placed(p, shape.center || [0, 0]));
    const r = (shape.radius || 0) * eye.scale;
    const outline = listed(shape.outline).map((point) => to(placed(p, point)));
    const open = outline.length === 2 || shape.closed === false;
    if (open && outline.length) {
      if (shape.kind !== "segment") drawSide(paint, outline, colour);
      pen.beginPath();
      path(pen, outline);
      pen.strokeStyle = colour;
      pen.lineWidth = 2.5;
      pen.lineCap = "round";
      pen.stroke();
      pen.lineCap = "butt";
      continue;
    }
    const hollow = shape.inside || shape.kind === "hollow-circle";
    if (outline.length && shape.kind !== "circle" && shape.kind !== "hollow-circle") {
      path(pen, outline);
      pen.closePath();
    } else if (r > 0) {
      pen.arc(centre[0], centre[1], Math.min(r, 1e5), 0, 2 * Math.PI);
    } else continue;
    pen.save();
    if (hollow) {
      // The material is outside: a wall of the same breadth all round.
      pen.lineWidth = 2 * clamp(0.1 * (r || bar * 3), 6, 40);
      pen.strokeStyle = mix(look.paper, colour, 0.3);
      const ring = new Path2D();
      ring.rect(-1e5, -1e5, 2e5, 2e5);
      if (outline.length && shape.kind !== "hollow-circle" && shape.kind !== "circle") {
        outline.forEach(([x, y], i) => (i ? ring.lineTo(x, y) : ring.moveTo(x, y)));
        ring.closePath();
      } else {
        ring.moveTo(centre[0] + r, centre[1]);
        ring.arc(centre[0], centre[1], r, 0, 2 * Math.PI);
      }
      pen.clip(ring, "evenodd");
      pen.stroke();
      pen.restore();
    } else {
      pen.fillStyle = fill;
      pen.fill();
      if (b === 0) {
        pen.clip();
        hatch(paint, mix(look.paper, look.soft, 0.35));
      }
      pen.restore();
    }
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.stroke();
    // A spoke shows that a round thing turns.
    if (shape.kind === "circle" && r > 7 && b > 0) {
      const [x, y] = to(placed(p, [(shape.center || [0, 0])[0] + shape.radius, (shape.center || [0, 0])[1]]));
      pen.lineWidth = 1;
      pen.beginPath();
      path(pen, [[centre[0] + 0.55 * (x - centre[0]), centre[1] + 0.55 * (y - centre[1])], [x, y]]);
      pen.stroke();
    }
  }
  // Nothing to be seen of it: at least its place.
  if (b > 0 && !shapes.length && !bars(body).length && !joints.some((joint) => blockOf(joint) === b)) {
    const [x, y] = to(p);
    pen.fillStyle = fill;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.beginPath();
    pen.arc(x, y, 6, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}

/** Short strokes on the side where the material is: left of a walk along an open outline. */
function drawSide({ pen }, outline, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  let next = 4;
  for (let k = 0; k + 1 < outline.length; k++) {
    const [[x0, y0], [x1, y1]] = [outline[k], outline[k + 1]];
    const long = Math.hypot(x1 - x0, y1 - y0);
    if (!(long > 0) || long > 1e5) continue;
    const [ux, uy] = [(x1 - x0) / long, (y1 - y0) / long];
    for (; next < long; next += 9) path(pen, [[x0 + next * ux, y0 + next * uy], [x0 + (next - 5) * ux + 7 * uy, y0 + (next - 5) * uy - 7 * ux]]);
    next -= long;
  }
  pen.stroke();
}

function drawGrains({ pen, to, eye }, t) {
  const times = grains.t();
  const i = clamp(before(times, t), 0, Math.max(0, times.length - 1));
  grains.groups.forEach((group, g) => {
    const xy = group.xy();
    const count = Math.floor(xy.length / 2 / Math.max(1, times.length));
    const next = i + 1 < times.length ? i + 1 : i;
    const f = next > i && times[next] > times[i] ? clamp((t - times[i]) / (times[next] - times[i]), 0, 1) : 0;
    pen.fillStyle = mix(look.paper, look.lines[[5, 0, 2, 3][g % 4]], 0.45);
    pen.strokeStyle = look.lines[[5, 0, 2, 3][g % 4]];
    pen.lineWidth = 0.8;
    for (let k = 0; k < count; k++) {
      const [a, b] = [2 * (i * count + k), 2 * (next * count + k)];
      const [x, y] = to([xy[a] + f * (xy[b] - xy[a]), xy[a + 1] + f * (xy[b + 1] - xy[a + 1])]);
      const r = Math.max(0.7, (group.radius ? group.radius()[k] : group.one) * eye.scale);
      if (x < -r || y < -r || x > pen.canvas.clientWidth + r || y > pen.canvas.clientHeight + r) continue;
      pen.beginPath();
      pen.arc(x, y, r, 0, 2 * Math.PI);
      pen.fill();
      if (r > 2) pen.stroke();
    }
  });
}

/** The body that a translational joint draws as a block: the one without a shape of its own. */
function blockOf(joint) {
  if (joint.type !== "translational" || joint.clearance || !joint.a || !joint.b) return null;
  const bare = (end) => end.body > 0 && bodies[end.body] && listed(bodies[end.body].shapes).every((shape) => shape.kind === "half-plane");
  return bare(joint.b) ? joint.b.body : bare(joint.a) ? joint.a.body : null;
}

/** Direction of a sliding joint's axis on the screen. The axis is given in the axes of its first end. */
function axisOf(joint, at) {
  const turn = pose(joint.a.body, at)[2];
  const [x, y] = joint.axis || [1, 0];
  const size = Math.hypot(x, y) || 1;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [(c * x - s * y) / size, -(s * x + c * y) / size];
}

const rails = new Map();

/** How far a sliding joint goes along its axis in the whole film, and where that axis lies, in the axes of the first body. */
function railOf(joint) {
  if (!rails.has(joint)) {
    const [x, y] = joint.axis || [1, 0];
    const size = Math.hypot(x, y) || 1;
    const u = [x / size, y / size];
    const frames = film.t().length;
    const every = Math.max(1, Math.floor(frames / 300));
    let [low, high, off] = [Infinity, -Infinity, 0];
    for (let i = 0; i < frames; i += every) {
      const at = { i, f: 0 };
      const p = pose(joint.a.body, at);
      const [bx, by] = worldOf(joint.b, at);
      const [c, s] = [Math.cos(p[2]), Math.sin(p[2])];
      const [dx, dy] = [c * (bx - p[0]) + s * (by - p[1]), -s * (bx - p[0]) + c * (by - p[1])];
      const along = dx * u[0] + dy * u[1];
      if (i === 0) off = -dx * u[1] + dy * u[0];
      low = Math.min(low, along);
      high = Math.max(high, along);
    }
    const at = (s) => [s * u[0] - off * u[1], s * u[1] + off * u[0]];
    rails.set(joint, { from: at(low), to: at(high) });
  }
  return rails.get(joint);
}

/** Half the width of a guide on the screen: to scale where the model knows it. */
function halfWidth(joint, bar, eye) {
  const { block, pin_radius: r, play } = joint.clearance || {};
  if (r > 0) return Math.max(3, (r + (play || 0) / 2) * eye.scale);
  if (listed(block).length) {
    const [x, y] = joint.axis || [1, 0];
    const size = Math.hypot(x, y) || 1;
    const across = block.map((point) => (-y * point[0] + x * point[1]) / size);
    return Math.max(3, ((Math.max(...across) - Math.min(...across)) / 2 + (play || 0) / 2) * eye.scale);
  }
  return joint.type === "pin-slot" ? 7 : 0.8 * bar + 2;
}

function drawRail({ pen, to, bar, eye }, joint, at) {
  if ((joint.type !== "translational" && joint.type !== "pin-slot") || !joint.a || !joint.b) return;
  const [ux, uy] = axisOf(joint, at);
  const p = pose(joint.a.body, at);
  const rail = railOf(joint);
  const [from, till] = [to(placed(p, rail.from)), to(placed(p, rail.to))];
  const end = joint.type === "pin-slot" ? 8 : 1.9 * bar;
  const off = halfWidth(joint, bar, eye);
  const long = Math.hypot(till[0] - from[0], till[1] - from[1]) + 2 * end;
  const [x0, y0] = [from[0] - ux * end, from[1] - uy * end];
  pen.strokeStyle = look.soft;
  for (const side of [-1, 1]) {
    const [x, y] = [x0 - side * off * uy, y0 + side * off * ux];
    pen.lineWidth = 1.5;
    pen.beginPath();
    path(pen, [[x, y], [x + ux * long, y + uy * long]]);
    pen.stroke();
    if (joint.a.body !== 0 || joint.type === "pin-slot") continue;
    pen.lineWidth = 1;
    pen.beginPath();
    // A rail far longer than the picture needs no more strokes than can be seen.
    const gap = Math.max(8, long / 400);
    for (let s = 2; s < long - 5; s += gap) path(pen, [[x + s * ux, y + s * uy], [x + (s + 5) * ux - side * 6 * uy, y + (s + 5) * uy + side * 6 * ux]]);
    pen.stroke();
  }
}

/** What slides along a rail, if it has no shape of its own. */
function drawBlock({ pen, to, bar, eye }, joint, at) {
  const block = blockOf(joint);
  if (block === null) return;
  const [ux, uy] = axisOf(joint, at);
  const [x, y] = to(worldOf(block === joint.b.body ? joint.b : joint.a, at));
  const [l, w] = [1.35 * bar, 0.8 * bar];
  // A face across the guide is where the block ends.
  const end = block === joint.b.body ? joint.b : joint.a;
  const turn = pose(block, at)[2];
  let [back, front] = [-l, l];
  for (const { normal: [nx, ny] = [0, 1], center: [cx, cy] = [0, 0] } of listed(bodies[block].shapes)) {
    const along = (Math.cos(turn) * nx - Math.sin(turn) * ny) * ux - (Math.sin(turn) * nx + Math.cos(turn) * ny) * uy;
    const far = ((cx - end.at[0]) * nx + (cy - end.at[1]) * ny) * eye.scale;
    if (along > 0.9) [back, front] = [Math.min(back, far - l), far];
    if (along < -0.9) [back, front] = [-far, Math.max(front, l - far)];
  }
  pen.fillStyle = mix(look.paper, bodyColour(block), look.dark ? 0.34 : 0.24);
  pen.strokeStyle = bodyColour(block);
  pen.lineWidth = 1.6;
  pen.beginPath();
  path(pen, [[back, -w], [front, -w], [front, w], [back, w]].map(([i, j]) => [x + i * ux - j * uy, y + i * uy + j * ux]));
  pen.closePath();
  pen.fill();
  pen.stroke();
}

function drawJoint(paint, joint, at) {
  const { pen, to, eye } = paint;
  if (!joint.a || !joint.b) return;
  const [ax, ay] = to(worldOf(joint.a, at));
  const [bx, by] = to(worldOf(joint.b, at));
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1.5;
  if (joint.clearance && !joint.clearance.bearing_radius) return drawLoose(paint, joint, at);
  if (joint.clearance) {
    const [R, r] = [joint.clearance.bearing_radius * eye.scale, joint.clearance.journal_radius * eye.scale];
    if (R < 3) return drawPin(paint, bx, by, false);
    const wall = clamp(0.18 * R, 2, 40);
    pen.fillStyle = mix(look.paper, bodyColour(joint.b.body), 0.45);
    pen.beginPath();
    pen.arc(bx, by, R + wall, 0, 2 * Math.PI);
    pen.arc(bx, by, R, 0, 2 * Math.PI, true);
    pen.fill("evenodd");
    pen.strokeStyle = bodyColour(joint.b.body);
    pen.beginPath();
    pen.arc(bx, by, R, 0, 2 * Math.PI);
    pen.fillStyle = look.paper;
    pen.fill();
    pen.stroke();
    pen.fillStyle = mix(look.paper, bodyColour(joint.a.body), 0.45);
    pen.strokeStyle = bodyColour(joint.a.body);
    pen.beginPath();
    pen.arc(ax, ay, r, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.beginPath();
    path(pen, [[ax - 4, ay], [ax + 4, ay]]);
    path(pen, [[ax, ay - 4], [ax, ay + 4]]);
    pen.stroke();
    return;
  }
  switch (joint.type) {
    case "driver":
      return;
    case "revolute":
      return drawPin(paint, bx, by, joint.a.body === 0 || joint.b.body === 0);
    case "link":
      pen.beginPath();
      path(pen, [[ax, ay], [bx, by]]);
      pen.stroke();
      drawPin(paint, ax, ay, joint.a.body === 0);
      return drawPin(paint, bx, by, joint.b.body === 0);
    case "rigid":
      pen.fillStyle = look.ink;
      pen.fillRect(bx - 3, by - 3, 6, 6);
      return;
    case "translational":
      return;
    case "gear":
      return drawGear(paint, joint, at);
    default:
      pen.fillStyle = look.paper;
      pen.beginPath();
      path(pen, [[bx - 5, by], [bx, by - 5], [bx + 5, by], [bx, by + 5]]);
      pen.closePath();
      pen.fill();
      pen.stroke();
  }
}

/** A block in its guide or a pin in its slot, with play. */
function drawLoose({ pen, to, eye }, joint, at) {
  const { block, pin_radius: r } = joint.clearance;
  pen.fillStyle = mix(look.paper, bodyColour(joint.b.body), 0.35);
  pen.strokeStyle = bodyColour(joint.b.body);
  pen.lineWidth = 1.6;
  pen.beginPath();
  if (listed(block).length > 2) {
    const p = pose(joint.b.body, at);
    path(pen, block.map((point) => to(placed(p, point))));
    pen.closePath();
  } else pen.arc(...to(worldOf(joint.b, at)), Math.max(3, (r || 0) * eye.scale), 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

/** The pitch circles of two gears. */
function drawGear({ pen, to, eye }, joint, at) {
  pen.setLineDash([6, 4]);
  pen.lineWidth = 1.4;
  [joint.a, joint.b].forEach((end, k) => {
    const r = Math.abs(listed(joint.radii)[k] || 0) * eye.scale;
    if (!(r > 1)) return;
    const p = pose(end.body, at);
    const [x, y] = to(placed(p, end.at || [0, 0]));
    pen.strokeStyle = bodyColour(end.body);
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    path(pen, [[x, y], [x + r * Math.cos(p[2]), y - r * Math.sin(p[2])]]);
    pen.stroke();
  });
  pen.setLineDash([]);
}

function drawPin(paint, x, y, fixed) {
  const { pen } = paint;
  // Where bars are thin, so are their pins.
  const size = clamp(paint.bar / 9, 0.4, 1);
  if (fixed) {
    pen.save();
    pen.translate(x, y);
    pen.scale(size, size);
    pen.translate(-x, -y);
    pen.fillStyle = mix(look.paper, look.soft, 0.2);
    pen.strokeStyle = look.soft;
    pen.lineWidth = 1.5;
    pen.beginPath();
    path(pen, [[x, y], [x - 11, y + 17], [x + 11, y + 17]]);
    pen.closePath();
    pen.fill();
    pen.stroke();
    pen.beginPath();
    path(pen, [[x - 16, y + 17], [x + 16, y + 17]]);
    for (let k = -14; k <= 14; k += 7) path(pen, [[x + k, y + 17], [x + k - 5, y + 23]]);
    pen.stroke();
    pen.restore();
  }
  pen.fillStyle = look.paper;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.arc(x, y, 4.5 * size, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

function drawSpring({ pen, to }, spring, at) {
  if (!spring.a || !spring.b) return;
  const [a, b] = [to(worldOf(spring.a, at)), to(worldOf(spring.b, at))];
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
  pen.strokeStyle = look.lines[2];
  pen.lineWidth = 1.6;
  pen.beginPath();
  if (long < 14 || spring.kind === "bushing" || spring.kind === "rotational-spring") {
    for (let k = 0; k <= 60; k++) {
      const [angle, r] = [k / 5, 3 + 0.14 * k];
      const [x, y] = [b[0] + r * Math.cos(angle), b[1] + r * Math.sin(angle)];
      if (k) pen.lineTo(x, y);
      else pen.moveTo(x, y);
    }
  } else if (spring.kind === "ligament") {
    path(pen, [a, b]);
    pen.setLineDash([5, 3]);
  } else {
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    const turns = 9;
    const end = Math.min(10, 0.15 * long);
    const wide = clamp(0.12 * long, 4, 9);
    pen.moveTo(...a);
    pen.lineTo(a[0] + ux * end, a[1] + uy * end);
    for (let k = 0; k < 2 * turns; k++) {
      const s = end + ((k + 0.5) / (2 * turns)) * (long - 2 * end);
      const side = k % 2 ? -wide : wide;
      pen.lineTo(a[0] + ux * s - uy * side, a[1] + uy * s + ux * side);
    }
    pen.lineTo(b[0] - ux * end, b[1] - uy * end);
    pen.lineTo(...b);
  }
  pen.stroke();
  pen.setLineDash([]);
}
