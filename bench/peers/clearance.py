"""How long does the slider-crank with play in a joint take with SciPy?

The mechanism, its data and its span are those of Clearance in ../src/contacts.rs: two turns at 5000 turns a minute, the law of Lankarani and Nikravesh. Reduced by hand: the crank's angle is known, the
rod's angle and the slider's position are what is left to integrate, with scipy.integrate.solve_ivp (LSODA) at rtol 1e-8. A component of 0.17 m is then followed to 1.7e-9 m, an indentation is some
4e-5 m: a second run at rtol 1e-10 shows what that is worth. Two ways:

- with events: touch and separation are located and end a phase, the speed of approach is kept from the touch;
- without: the force begins where the gap is closed, the speed of approach is that of the first evaluation inside. Impacts are then read off the steps.

Prints `# name | milliseconds | of the processor | evaluations | steps | residual`, then the impacts of that run: time, speed of approach. Times are the least of several runs. The residual (J) is that of another run, with the driver's work and the heat as two more components.
"""

import math
import time

import numpy as np
from scipy.integrate import solve_ivp

R, L = 0.05, 0.12
ROD, SLIDER = 0.21, 0.14
INERTIA = 2.5e-4 + ROD * L * L / 4
OMEGA = 5000.0 * 2.0 * math.pi / 60.0
G = 9.81
END = 2.0 * 2.0 * math.pi / OMEGA
PLAY = 0.5e-3
K = 6.6101984e10
H = 0.75 * (1.0 - 0.9**2)
START = [0.0, R + L, -OMEGA * R / L, 0.0]


def indentation(t, y):
    """δ, its rate, and the unit vector from the bearing's centre to the journal's."""
    a, (b, x, wb, vx) = OMEGA * t, y[:4]
    s, c, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
    ex, ey = R * c + L * cb - x, R * s + L * sb
    rx, ry = -R * OMEGA * s - L * sb * wb - vx, R * OMEGA * c + L * cb * wb
    e = math.hypot(ex, ey)
    if e == 0.0:
        return -PLAY, 0.0, 1.0, 0.0
    return e - PLAY, (ex * rx + ey * ry) / e, ex / e, ey / e


class Crank:
    """The equations; `v0` is the speed of approach while it touches."""

    def __init__(self, works):
        self.v0 = None
        self.works = works

    def slope(self, t, y):
        b, _x, wb, vx = y[:4]
        depth, rate, nx, ny = indentation(t, y)
        force = heat = 0.0
        if depth > 0.0 and self.v0 is not None:
            elastic = K * depth * math.sqrt(depth)
            force = elastic * (1.0 + H * rate / self.v0)
            heat = elastic * H * rate * rate / self.v0
        # On the journal.
        fx, fy = -force * nx, -force * ny
        a = OMEGA * t
        sb, cb = math.sin(b), math.cos(b)
        turn = 0.5 * ROD * L * (OMEGA * OMEGA * R * math.sin(a - b) - G * cb)
        ab = (turn + L * (cb * fy - sb * fx)) / INERTIA
        ax = -fx / SLIDER
        if not self.works:
            return (wb, vx, ab, ax)
        # What the crank pin does to the rod: inertia force less weight and contact; times the pin's velocity.
        s, c = math.sin(a), math.cos(a)
        px = ROD * (-OMEGA * OMEGA * R * c - 0.5 * L * (sb * ab + cb * wb * wb)) - fx
        py = ROD * (-OMEGA * OMEGA * R * s + 0.5 * L * (cb * ab - sb * wb * wb) + G) - fy
        power = R * OMEGA * (py * c - px * s)
        return (wb, vx, ab, ax, power, heat)

    def energy(self, t, y):
        """Of rod, slider and contact."""
        b, _x, wb, vx = y[:4]
        a = OMEGA * t
        vcx = -R * OMEGA * math.sin(a) - 0.5 * L * math.sin(b) * wb
        vcy = R * OMEGA * math.cos(a) + 0.5 * L * math.cos(b) * wb
        own = INERTIA - ROD * L * L / 4
        kinetic = 0.5 * (ROD * (vcx * vcx + vcy * vcy) + own * wb * wb + SLIDER * vx * vx)
        height = R * math.sin(a) + 0.5 * L * math.sin(b)
        depth = max(indentation(t, y)[0], 0.0)
        return kinetic + ROD * G * height + 0.4 * K * depth**2.5

    def residual(self, y):
        return self.energy(END, y) - self.energy(0.0, START) - y[4] + y[5]


def with_events(rtol, works=False):
    crank = Crank(works)

    def gap(t, y):
        return indentation(t, y)[0]

    gap.terminal = True
    t, y = 0.0, START + [0.0, 0.0] * works
    hits, evaluations, steps = [], 0, 0
    flight = None
    while t < END:
        gap.direction = -1 if crank.v0 else 1
        first = flight
        if crank.v0:
            depth = (1.25 * 0.14 * crank.v0**2 / K) ** 0.4
            first = 2.943 * depth / crank.v0 / 50
        run = solve_ivp(
            crank.slope,
            (t, END),
            y,
            method="LSODA",
            rtol=rtol,
            atol=1e-5 * rtol,
            events=gap,
            first_step=None if first is None else min(first, END - t),
        )
        evaluations += run.nfev
        steps += len(run.t) - 1
        if not len(run.t_events[0]):
            y = run.y[:, -1]
            break
        t, y = run.t_events[0][0], run.y_events[0][0]
        if crank.v0:
            crank.v0 = None
        else:
            flight = run.t[-1] - run.t[-2]
            crank.v0 = indentation(t, y)[1]
            hits.append((t, crank.v0))
    return evaluations, steps, hits, crank.residual(y) if works else math.nan


class Naive(Crank):
    """Nothing is located: the speed of approach is taken where an evaluation first finds the gap closed."""

    def slope(self, t, y):
        depth, rate, _nx, _ny = indentation(t, y)
        if depth <= 0.0:
            self.v0 = None
        elif self.v0 is None:
            self.v0 = max(rate, 1e-3)
        return super().slope(t, y)


def touch(t0, t1, near, far):
    """Where the cubic through depth and rate at both ends of a step is zero, and its rate there."""
    h = t1 - t0
    (d0, r0), (d1, r1) = near, far
    bend, twist = 3 * (d1 - d0) - h * (2 * r0 + r1), h * (r0 + r1) - 2 * (d1 - d0)
    low, high = 0.0, 1.0
    for _ in range(60):
        s = 0.5 * (low + high)
        if d0 + s * (h * r0 + s * (bend + s * twist)) > 0:
            high = s
        else:
            low = s
    return t0 + s * h, r0 + s * (2 * bend + 3 * s * twist) / h


def without_events(rtol, works=False):
    crank = Naive(works)
    y = START + [0.0, 0.0] * works
    run = solve_ivp(crank.slope, (0.0, END), y, method="LSODA", rtol=rtol, atol=1e-5 * rtol)
    hits = []
    last = indentation(run.t[0], run.y[:, 0])
    for i in range(1, len(run.t)):
        here = indentation(run.t[i], run.y[:, i])
        if last[0] <= 0.0 < here[0]:
            hits.append(touch(run.t[i - 1], run.t[i], last[:2], here[:2]))
        last = here
    residual = crank.residual(run.y[:, -1]) if works else math.nan
    return run.nfev, len(run.t) - 1, hits, residual


for name, way, rtol in [
    ("SciPy LSODA, two coordinates, with events", with_events, 1e-8),
    ("SciPy LSODA, the same at rtol 1e-10", with_events, 1e-10),
    ("SciPy LSODA, two coordinates, no events", without_events, 1e-8),
]:
    wall = cpu = math.inf
    for _ in range(5):
        begin = time.perf_counter(), time.process_time()
        evaluations, steps, hits, _ = way(rtol)
        wall, cpu = min(wall, time.perf_counter() - begin[0]), min(cpu, time.process_time() - begin[1])
    residual = way(rtol, works=True)[3]
    print(f"# {name} | {1e3 * wall:.3f} | {1e3 * cpu:.3f} | {evaluations} | {steps} | {residual:.3e}")
    for hit in hits:
        print(*(repr(float(x)) for x in hit))
