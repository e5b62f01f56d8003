"""How long do the same impacts take with SciPy?

Reads one impact a line (mass, stiffness, exponent, damping, speed; SI) from standard input, integrates m x'' + c x' + k x^n = 0 from touch until the force is back at zero with
scipy.integrate.solve_ivp (DOP853), and prints the seconds taken, then the restitution of each.
"""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp


def impact(m, k, n, c, v):
    depth = ((n + 1) * m * v * v / (2 * k)) ** (1 / (n + 1))
    span = 3 * depth / v

    def slope(_t, y):
        return [y[1], -(k * max(y[0], 0.0) ** n + c * y[1]) / m]

    def force(t, y):
        return 1.0 if t == 0.0 else k * max(y[0], 0.0) ** n + c * y[1]

    force.terminal = True
    force.direction = -1
    run = solve_ivp(
        slope,
        (0.0, 100 * span),
        [0.0, v],
        method="DOP853",
        rtol=1e-9,
        atol=[1e-9 * depth, 1e-9 * v],
        first_step=span / 100,
        events=force,
    )
    return -run.y_events[0][0][1] / v


cases = np.loadtxt(sys.stdin, ndmin=2)
start = time.perf_counter()
returned = [impact(*case) for case in cases]
print(time.perf_counter() - start)
for e in returned:
    print(repr(float(e)))
