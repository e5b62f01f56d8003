"""How long does the driven slider-crank take with Exudyn?

The mechanism, its data and its span are those of DrivenSliderCrank in ../src/mechanisms.rs: planar rigid bodies, revolute joints and a prismatic joint between them, the crank's angular velocity
prescribed. The two solvers used, generalised alpha on positions (index 3) and the trapezoidal rule on velocities (index 2), have fixed steps, so there is no tolerance to make equal: they are run
with a few numbers of steps, and the errors say what these are worth. The times are of the solver alone, results kept in memory, the least of several runs.

Prints `# name | milliseconds | evaluations | steps`, then the samples of that run: time, slider position, moment of the motor.
"""

import math
import time

import exudyn as exu
from exudyn.itemInterface import *
from exudyn.utilities import *

R, L = 0.05, 0.12
MASSES = (0.30, 0.21, 0.14)
INERTIAS = (1e-5, 2.5e-4, 1e-4)
OMEGA = 5000.0 * 2.0 * math.pi / 60.0
G = 9.81
END = 2.0 * 2.0 * math.pi / OMEGA


def built():
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

    def pin(a, b):
        system.AddObject(ObjectJointRevolute2D(markerNumbers=[a, b]))

    origin = rigid(ground, 0)
    pin(origin, rigid(bodies[0], -R / 2))
    pin(rigid(bodies[0], R / 2), rigid(bodies[1], -L / 2))
    pin(rigid(bodies[1], L / 2), rigid(bodies[2], 0))
    system.AddObject(
        ObjectJointPrismatic2D(
            markerNumbers=[origin, rigid(bodies[2], 0)],
            axisMarker0=[1, 0, 0],
            normalMarker1=[0, 1, 0],
            constrainRotation=True,
        )
    )
    held = system.AddNode(NodePointGround())
    fixed = system.AddMarker(MarkerNodeCoordinate(nodeNumber=held, coordinate=0))
    angle = system.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=2))
    motor = system.AddObject(
        ObjectConnectorCoordinate(markerNumbers=[fixed, angle], velocityLevel=True, offset=OMEGA)
    )
    slider = system.AddSensor(
        SensorNode(nodeNumber=nodes[2], storeInternal=True, outputVariableType=exu.OutputVariableType.Position)
    )
    moment = system.AddSensor(
        SensorObject(objectNumber=motor, storeInternal=True, outputVariableType=exu.OutputVariableType.Force)
    )
    system.Assemble()
    return container, system, slider, moment


def run(solver, steps):
    container, system, slider, moment = built()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = END
    settings.timeIntegration.newton.useModifiedNewton = False
    settings.timeIntegration.verboseMode = 0
    settings.show.statistics = False
    settings.show.computationTime = False
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = END / 500
    begin = time.perf_counter()
    system.SolveDynamic(settings, solverType=solver)
    took = time.perf_counter() - begin
    return took, system.GetSensorStoredData(slider), system.GetSensorStoredData(moment)


if __name__ == "__main__":
    kinds = exu.DynamicSolverType
    for name, solver, steps in [
        ("generalised alpha", kinds.GeneralizedAlpha, 1000),
        ("trapezoidal rule", kinds.TrapezoidalIndex2, 1000),
        ("trapezoidal rule", kinds.TrapezoidalIndex2, 10000),
    ]:
        least = math.inf
        for _ in range(7):
            took, slider, moment = run(solver, steps)
            least = min(least, took)
        print(f"# Exudyn {exu.config.Version()}, {name} | {1e3 * least:.3f} | - | {steps}")
        for s, m in zip(slider, moment):
            # Its sign is opposite: at the start the weights alone ask for a positive moment on the crank.
            print(repr(float(s[0])), repr(float(s[1])), repr(-float(m[1])))
