"""How long does the bouncing ball take in Python compiled by numba?

The ball, its law and its tolerances are those of Ball in ../src/impact.rs, two equations and no more: Dormand and Prince's pair 5(4) written out, rtol 1e-8, atol 1e-10 in flight and 1e-8 of the
depth and the speed of the impact in contact. Touches and separations are found by taking the step that crosses again, shorter, until it ends there.

Prints `# name | milliseconds | of the processor | evaluations | steps | height at the end`, then the time of every touch. Times are the least of several runs; what it takes to compile is not counted.
"""

import math
import time

import numba
import numpy as np

M, K, H, G = 1.0, 1.4e8, 1.5 * (1.0 - 0.9), 9.81
END, RTOL, ATOL = 10.0, 1e-8, 1e-10


@numba.njit
def pull(y, v, v0):
    a = -G
    if v0 > 0.0 and y < 0.0:
        a += K / M * -y * math.sqrt(-y) * (1.0 - H * v / v0)
    return a


@numba.njit
def step(y, v, a1, h, v0):
    """Position, velocity and acceleration at the end, and the two errors (Dormand and Prince 1980)."""
    v2 = v + h * a1 / 5
    a2 = pull(y + h * v / 5, v2, v0)
    v3 = v + h * (3 / 40 * a1 + 9 / 40 * a2)
    a3 = pull(y + h * (3 / 40 * v + 9 / 40 * v2), v3, v0)
    v4 = v + h * (44 / 45 * a1 - 56 / 15 * a2 + 32 / 9 * a3)
    a4 = pull(y + h * (44 / 45 * v - 56 / 15 * v2 + 32 / 9 * v3), v4, v0)
    v5 = v + h * (19372 / 6561 * a1 - 25360 / 2187 * a2 + 64448 / 6561 * a3 - 212 / 729 * a4)
    y5 = y + h * (19372 / 6561 * v - 25360 / 2187 * v2 + 64448 / 6561 * v3 - 212 / 729 * v4)
    a5 = pull(y5, v5, v0)
    v6 = v + h * (9017 / 3168 * a1 - 355 / 33 * a2 + 46732 / 5247 * a3 + 49 / 176 * a4 - 5103 / 18656 * a5)
    y6 = y + h * (9017 / 3168 * v - 355 / 33 * v2 + 46732 / 5247 * v3 + 49 / 176 * v4 - 5103 / 18656 * v5)
    a6 = pull(y6, v6, v0)
    vn = v + h * (35 / 384 * a1 + 500 / 1113 * a3 + 125 / 192 * a4 - 2187 / 6784 * a5 + 11 / 84 * a6)
    yn = y + h * (35 / 384 * v + 500 / 1113 * v3 + 125 / 192 * v4 - 2187 / 6784 * v5 + 11 / 84 * v6)
    an = pull(yn, vn, v0)
    ey = h * (71 / 57600 * v - 71 / 16695 * v3 + 71 / 1920 * v4 - 17253 / 339200 * v5 + 22 / 525 * v6 - vn / 40)
    ev = h * (71 / 57600 * a1 - 71 / 16695 * a3 + 71 / 1920 * a4 - 17253 / 339200 * a5 + 22 / 525 * a6 - an / 40)
    return yn, vn, an, ey, ev


@numba.njit
def bounce(touches):
    t, y, v, v0, h = 0.0, 1.0, 0.0, 0.0, 0.1
    steps, tried, count = 0, 0, 0
    atol_y = atol_v = ATOL
    a = pull(y, v, v0)
    while t < END:
        h = min(h, END - t)
        yn, vn, an, ey, ev = step(y, v, a, h, v0)
        tried += 1
        error = max(
            abs(ey) / (atol_y + RTOL * max(abs(y), abs(yn))),
            abs(ev) / (atol_v + RTOL * max(abs(v), abs(vn))),
        )
        factor = min(5.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.2))
        if not error <= 1.0:
            h *= min(factor, 1.0)
            continue
        steps += 1
        # In contact y is below zero but where it begins.
        crosses = yn > 0.0 if v0 > 0.0 else yn < 0.0
        if not crosses:
            t, y, v, a = t + h, yn, vn, an
            h *= factor
            continue
        # Newton on the length of the step, kept between what is known to be short and long.
        short, long = 0.0, h
        s = h
        for _ in range(60):
            if (yn > 0.0) == (v0 > 0.0):
                long = s
            else:
                short = s
            newton = s - yn / vn
            if abs(newton - s) <= 1e-16 * (t + s) or long - short <= 1e-16 * (t + s):
                break
            s = newton if short < newton < long else 0.5 * (short + long)
            yn, vn, an, ey, ev = step(y, v, a, s, v0)
            tried += 1
        t, y, v = t + s, 0.0, vn
        if v0 > 0.0:
            v0, atol_y, atol_v = 0.0, ATOL, ATOL
            h = v / G
        else:
            v0 = -v
            touches[count] = t
            count += 1
            depth = (1.25 * M * v0 * v0 / K) ** 0.4
            atol_y, atol_v = RTOL * depth, RTOL * v0
            h = 2.943275 * depth / v0 / 100
        a = pull(y, v, v0)
    return y, count, steps, 6 * tried


touches = np.zeros(1000)
bounce(touches)
wall = cpu = math.inf
for _ in range(300):
    begin = time.perf_counter(), time.process_time()
    height, count, steps, evaluations = bounce(touches)
    wall, cpu = min(wall, time.perf_counter() - begin[0]), min(cpu, time.process_time() - begin[1])
print(f"# numba {numba.__version__}, two equations, DOPRI5 | {1e3 * wall:.3f} | {1e3 * cpu:.3f} | {evaluations} | {steps} | {height!r}")
for t in touches[:count]:
    print(repr(float(t)))
