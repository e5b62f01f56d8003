"""How long does the slider-crank with play in a joint take with Exudyn?

The mechanism, its data and its span are those of Clearance in ../src/contacts.rs. Two ways:

- planar rigid bodies, joints and the prescribed speed of the crank as in slider_crank_exudyn.py, and between rod and slider Exudyn's own contact of a sphere in a hollow sphere, its impact model that
  of Hunt and Crossley, F = K δ^1.5 (1 + 1.5 (1 − e) δ'/v): with e = 0.905 this is Lankarani and Nikravesh's law with 0.9. The steps are fixed but where a contact changes, so there is no
  tolerance to make equal: a few numbers of steps are run, and the impacts say what these are worth;
- reduced by hand to the rod's angle and the slider's position, forces in Python, with DOPRI5 and its own step control at rtol 1e-8; the speed of approach is kept from the first step that ends inside.

The times are of the solver alone, the least of several runs. Impacts are read off the positions after every step, written in a run that is not timed.

Prints `# name | milliseconds | of the processor | evaluations | steps | residual`, then the impacts of that run: time, speed of approach.
"""

import math
import time

import exudyn as exu
import numpy as np
from exudyn.itemInterface import *
from exudyn.utilities import *

R, L = 0.05, 0.12
MASSES = (0.30, 0.21, 0.14)
INERTIAS = (1e-5, 2.5e-4, 1e-4)
OMEGA = 5000.0 * 2.0 * math.pi / 60.0
G = 9.81
END = 2.0 * 2.0 * math.pi / OMEGA
JOURNAL, PLAY = 9.5e-3, 0.5e-3
K = 6.6101984e10
H = 0.75 * (1.0 - 0.9**2)


def cartesian():
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
    starts = [
        ([R / 2, 0, 0], [0, OMEGA * R / 2, OMEGA]),
        ([R + L / 2, 0, 0], [0, OMEGA * R / 2, -OMEGA * R / L]),
        ([R + L, 0, 0], [0, 0, 0]),
    ]
    nodes, bodies = [], []
    for m, i, (place, moving) in zip(MASSES, INERTIAS, starts):
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=place, initialVelocities=moving))
        body = system.AddObject(ObjectRigidBody2D(mass=m, inertia=i, nodeNumber=node))
        centre = system.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))
        system.AddLoad(LoadForceVector(markerNumber=centre, loadVector=[0, -m * G, 0]))
        nodes.append(node)
        bodies.append(body)

    def rigid(body, x):
        return system.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0]))

    origin = rigid(ground, 0)
    for a, b in [(origin, rigid(bodies[0], -R / 2)), (rigid(bodies[0], R / 2), rigid(bodies[1], -L / 2))]:
        system.AddObject(ObjectJointRevolute2D(markerNumbers=[a, b]))
    bearing = rigid(bodies[2], 0)
    system.AddObject(
        ObjectJointPrismatic2D(
            markerNumbers=[origin, bearing],
            axisMarker0=[1, 0, 0],
            normalMarker1=[0, 1, 0],
            constrainRotation=True,
        )
    )
    memory = system.AddNode(NodeGenericData(initialCoordinates=[PLAY, 0, 0, 0], numberOfDataCoordinates=4))
    system.AddObject(
        ObjectContactSphereSphere(
            markerNumbers=[rigid(bodies[1], L / 2), bearing],
            nodeNumber=memory,
            spheresRadii=[JOURNAL, JOURNAL + PLAY],
            isHollowSphere1=True,
            contactStiffness=K,
            contactStiffnessExponent=1.5,
            restitutionCoefficient=1.0 - H / 1.5,
            impactModel=1,
        )
    )
    held = system.AddNode(NodePointGround())
    fixed = system.AddMarker(MarkerNodeCoordinate(nodeNumber=held, coordinate=0))
    angle = system.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=2))
    system.AddObject(ObjectConnectorCoordinate(markerNumbers=[fixed, angle], velocityLevel=True, offset=OMEGA))

    def sensor(node, what):
        return SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what)

    kinds = exu.OutputVariableType
    sensors = [
        system.AddSensor(sensor(nodes[i], what)) for i in (1, 2) for what in (kinds.Coordinates, kinds.Coordinates_t)
    ]
    system.Assemble()
    return container, system, sensors


def cartesian_gaps(system, sensors):
    rod, rod_t, slider, slider_t = (np.array(system.GetSensorStoredData(s)) for s in sensors)
    # Coordinates count from the reference.
    b, wb = rod[:, 3], rod_t[:, 3]
    ex = R + L / 2 + rod[:, 1] + 0.5 * L * np.cos(b) - (R + L + slider[:, 1])
    ey = rod[:, 2] + 0.5 * L * np.sin(b) - slider[:, 2]
    rx = rod_t[:, 1] - 0.5 * L * np.sin(b) * wb - slider_t[:, 1]
    ry = rod_t[:, 2] + 0.5 * L * np.cos(b) * wb - slider_t[:, 2]
    return rod[:, 0], ex, ey, rx, ry


def reduced():
    container = exu.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(
        NodeGenericODE2(
            referenceCoordinates=[0, R + L],
            initialCoordinates=[0, 0],
            initialCoordinates_t=[-OMEGA * R / L, 0],
            numberOfODE2Coordinates=2,
        )
    )
    kept = {"v0": None, "evaluations": 0}
    inertia = INERTIAS[1] + MASSES[1] * L * L / 4

    def indentation(t, q, v):
        a, b = OMEGA * t, q[0]
        s, c, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
        ex, ey = R * c + L * cb - (R + L + q[1]), R * s + L * sb
        rx, ry = -R * OMEGA * s - L * sb * v[0] - v[1], R * OMEGA * c + L * cb * v[0]
        e = math.hypot(ex, ey)
        if e == 0.0:
            return -PLAY, 0.0, 1.0, 0.0
        return e - PLAY, (ex * rx + ey * ry) / e, ex / e, ey / e

    def forces(mbs, t, itemNumber, q, v):
        kept["evaluations"] += 1
        depth, rate, nx, ny = indentation(t, q, v)
        force = 0.0
        if depth > 0.0:
            v0 = kept["v0"] or max(rate, 1e-3)
            force = K * depth * math.sqrt(depth) * (1.0 + H * rate / v0)
        b = q[0]
        turn = 0.5 * MASSES[1] * L * (OMEGA * OMEGA * R * math.sin(OMEGA * t - b) - G * math.cos(b))
        return [turn + L * force * (math.sin(b) * nx - math.cos(b) * ny), force * nx]

    def before_step(mbs, _end):
        t = mbs.systemData.GetTime(exu.ConfigurationType.StartOfStep)
        q = mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)
        v = mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates_t)
        depth, rate, _nx, _ny = indentation(t, q, v)
        if depth <= 0.0:
            kept["v0"] = None
        elif kept["v0"] is None:
            kept["v0"] = max(rate, 1e-3)
        return True

    system.AddObject(
        ObjectGenericODE2(
            nodeNumbers=[node], massMatrix=np.diag([inertia, MASSES[2]]), forceUserFunction=forces
        )
    )
    system.SetPreStepUserFunction(before_step)
    kinds = exu.OutputVariableType
    sensors = [
        system.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what))
        for what in (kinds.Coordinates, kinds.Coordinates_t)
    ]
    system.Assemble()
    system.variables["kept"] = kept
    return container, system, sensors


def reduced_gaps(system, sensors):
    q, v = (np.array(system.GetSensorStoredData(s)) for s in sensors)
    t, b = q[:, 0], q[:, 1]
    a = OMEGA * t
    ex = R * np.cos(a) + L * np.cos(b) - (R + L + q[:, 2])
    ey = R * np.sin(a) + L * np.sin(b)
    rx = -R * OMEGA * np.sin(a) - L * np.sin(b) * v[:, 1] - v[:, 2]
    ry = R * OMEGA * np.cos(a) + L * np.cos(b) * v[:, 1]
    return t, ex, ey, rx, ry


def run(build, solver, steps, write):
    container, system, sensors = build()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps = steps
    integration.endTime = END
    integration.newton.useModifiedNewton = False
    integration.verboseMode = 0
    integration.minimumStepSize = 1e-12
    integration.relativeTolerance = 1e-8
    integration.absoluteTolerance = 1e-13
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 1e-12 if write else END
    begin = time.perf_counter(), time.process_time()
    system.SolveDynamic(settings, solverType=solver)
    took = time.perf_counter() - begin[0], time.process_time() - begin[1]
    return took, system, sensors


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


def impacts(t, ex, ey, rx, ry):
    e = np.hypot(ex, ey)
    depth = e - PLAY
    rate = (ex * rx + ey * ry) / np.where(e > 0, e, 1)
    found = []
    for i in np.nonzero((depth[:-1] <= 0) & (depth[1:] > 0))[0]:
        found.append(touch(t[i], t[i + 1], (depth[i], rate[i]), (depth[i + 1], rate[i + 1])))
    return found


if __name__ == "__main__":
    kinds = exu.DynamicSolverType
    for name, build, gaps, solver, steps, repeats in [
        ("two coordinates, DOPRI5, Python", reduced, reduced_gaps, kinds.DOPRI5, 1000, 3),
        ("the same, steps of 1 µs at most", reduced, reduced_gaps, kinds.DOPRI5, 24000, 3),
        ("bodies, trapezoidal rule", cartesian, cartesian_gaps, kinds.TrapezoidalIndex2, 10000, 3),
        ("bodies, trapezoidal rule", cartesian, cartesian_gaps, kinds.TrapezoidalIndex2, 100000, 1),
    ]:
        wall, cpu = map(min, zip(*(run(build, solver, steps, False)[0] for _ in range(repeats))))
        _, system, sensors = run(build, solver, steps, True)
        t, *moving = gaps(system, sensors)
        evaluations = system.variables["kept"]["evaluations"] if build is reduced else "-"
        print(f"# Exudyn {exu.config.Version()}, {name} | {1e3 * wall:.3f} | {1e3 * cpu:.3f} | {evaluations} | {len(t) - 1} | -")
        for when, speed in impacts(t, *moving):
            print(repr(float(when)), repr(float(speed)))
