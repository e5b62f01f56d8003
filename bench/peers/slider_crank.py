"""How long does the driven slider-crank take with SciPy?

The mechanism, its data and its span are those of DrivenSliderCrank in ../src/mechanisms.rs: two turns at 5000 turns a minute, 501 samples. Two ways, both with scipy.integrate.solve_ivp (LSODA) at
rtol 1e-8, atol 1e-10, as Carom has them:

- the same equations as Carom's: nine Cartesian coordinates, nine multipliers, the whole matrix solved by NumPy at every evaluation; nothing keeps the joints closed;
- reduced by hand: the rod's angle is all that is left to integrate once the crank's is known, and the moment follows from a formula. No other mechanism can be put into it.

Prints `# name | milliseconds | evaluations | steps`, then the samples of that run: time, slider position, moment of the motor. The time is the least of several runs and includes the moments of
the samples.
"""

import math
import time

import numpy as np
from scipy.integrate import solve_ivp

R, L = 0.05, 0.12
MASSES = (0.30, 0.21, 0.14)
INERTIAS = (1e-5, 2.5e-4, 1e-4)
OMEGA = 5000.0 * 2.0 * math.pi / 60.0
G = 9.81
END = 2.0 * 2.0 * math.pi / OMEGA
TIMES = np.linspace(0.0, END, 501)

matrix = np.zeros((18, 18))
matrix[np.arange(9), np.arange(9)] = [x for m, i in zip(MASSES, INERTIAS) for x in (m, m, i)]
right = np.zeros(18)
right[[1, 4, 7]] = [-m * G for m in MASSES]


def entries(rows):
    """Writes lines of the Jacobian and their transposes."""
    for row, column, value in rows:
        matrix[9 + row, column] = value
        matrix[column, 9 + row] = value


# What never changes: bearing, crank pin, slider pin, guide, motor.
entries(
    [(0, 0, 1), (1, 1, 1), (2, 0, -1), (2, 3, 1), (3, 1, -1), (3, 4, 1)]
    + [(4, 3, -1), (4, 6, 1), (5, 4, -1), (5, 7, 1), (6, 7, 1), (7, 8, 1), (8, 2, 1)]
)


def solution(y):
    """Accelerations and multipliers."""
    a, b = y[2], y[5]
    wa, wb = y[11] * y[11], y[14] * y[14]
    ac, asn = 0.5 * R * math.cos(a), 0.5 * R * math.sin(a)
    bc, bsn = 0.5 * L * math.cos(b), 0.5 * L * math.sin(b)
    entries([(0, 2, asn), (1, 2, -ac), (2, 2, asn), (3, 2, -ac), (2, 5, bsn), (3, 5, -bc)])
    entries([(4, 5, bsn), (5, 5, -bc)])
    right[9:15] = (-wa * ac, -wa * asn, -wa * ac - wb * bc, -wa * asn - wb * bsn, -wb * bc, -wb * bsn)
    return np.linalg.solve(matrix, right)


def slope(_t, y):
    return np.concatenate([y[9:], solution(y)[:9]])


def cartesian():
    # The crank lies along x: the rod turns at −ω r/l and its mass centre moves up at ω r/2.
    start = [R / 2, 0, 0, R + L / 2, 0, 0, R + L, 0, 0]
    start += [0, OMEGA * R / 2, OMEGA, 0, OMEGA * R / 2, -OMEGA * R / L, 0, 0, 0]
    run = solve_ivp(slope, (0.0, END), start, method="LSODA", rtol=1e-8, atol=1e-10, t_eval=TIMES)
    # The motor's multiplier, with the sign of its moment on the crank.
    moments = [-solution(y)[17] for y in run.y.T]
    return run.nfev, run.y[6], moments


def reduced():
    def rates(t, b, wb):
        """sin and cos of the crank's angle, of the rod's, and the rod's acceleration."""
        a = OMEGA * t
        s, c, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
        return s, c, sb, cb, (R * OMEGA * OMEGA * s + L * sb * wb * wb) / (L * cb)

    def slope(t, y):
        return (y[1], rates(t, *y)[4])

    start = [0.0, -OMEGA * R / L]
    run = solve_ivp(slope, (0.0, END), start, method="LSODA", rtol=1e-8, atol=1e-10, t_eval=TIMES)
    sliders, moments = [], []
    for t, (b, wb) in zip(run.t, run.y.T):
        s, c, sb, cb, ab = rates(t, b, wb)
        sliders.append(R * c + L * cb)
        # The power of all inertia forces and weights, over the speed of the motor.
        vx = -R * OMEGA * s - 0.5 * L * sb * wb
        ax = -R * OMEGA * OMEGA * c - 0.5 * L * (cb * wb * wb + sb * ab)
        vy, ay = 0.5 * R * OMEGA * c, -0.5 * R * OMEGA * OMEGA * s
        vs = -R * OMEGA * s - L * sb * wb
        acs = -R * OMEGA * OMEGA * c - L * (cb * wb * wb + sb * ab)
        power = MASSES[1] * (vx * ax + vy * ay) + INERTIAS[1] * wb * ab + MASSES[2] * vs * acs
        moments.append(power / OMEGA + 0.5 * (MASSES[0] + MASSES[1]) * G * R * c)
    return run.nfev, sliders, moments


for name, way, repeats in [
    ("SciPy LSODA, the same equations (NumPy)", cartesian, 7),
    ("SciPy LSODA, reduced by hand to one angle", reduced, 15),
]:
    least = math.inf
    for _ in range(repeats):
        begin = time.perf_counter()
        evaluations, sliders, moments = way()
        least = min(least, time.perf_counter() - begin)
    # LSODA does not say how many steps it took.
    print(f"# {name} | {1e3 * least:.3f} | {evaluations} | -")
    for sample in zip(TIMES, sliders, moments):
        print(*(repr(float(x)) for x in sample))
