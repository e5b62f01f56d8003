"""How long does the bouncing ball take with Exudyn?

The ball and its law are those of Ball in ../src/impact.rs: a mass with one coordinate, and Exudyn's own contact of a coordinate with the impact model of Hunt and Crossley, K δ^1.5 (1 + 1.5 (1 − e) δ'/v).
The trapezoidal rule has fixed steps but where a contact changes, so there is no tolerance to make equal: it is run with a few numbers of steps, and the touches say what these are worth.

Prints `# name | milliseconds | of the processor | evaluations | steps | height at the end`, then the time of every touch. The times are of the solver alone, the least of several runs; touches are read off the
heights after every step, written in a run that is not timed.
"""

import math
import time

import exudyn as exu
import numpy as np
from exudyn.itemInterface import *
from exudyn.utilities import *

END = 10.0


def built():
    container = exu.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(Node1D(referenceCoordinates=[0], initialCoordinates=[1.0], initialVelocities=[0.0]))
    system.AddObject(ObjectMass1D(physicsMass=1.0, nodeNumber=node))
    held = system.AddNode(NodePointGround())
    ground = system.AddMarker(MarkerNodeCoordinate(nodeNumber=held, coordinate=0))
    height = system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    system.AddLoad(LoadCoordinate(markerNumber=height, load=-9.81))
    memory = system.AddNode(NodeGenericData(initialCoordinates=[1.0, 0.0], numberOfDataCoordinates=2))
    system.AddObject(
        ObjectContactCoordinate(
            markerNumbers=[ground, height],
            nodeNumber=memory,
            contactStiffness=1.4e8,
            contactStiffnessExponent=1.5,
            restitutionCoefficient=0.9,
            impactModel=1,
        )
    )
    kinds = exu.OutputVariableType
    sensors = [
        system.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what))
        for what in (kinds.Coordinates, kinds.Coordinates_t)
    ]
    system.Assemble()
    return container, system, sensors


def run(solver, steps, write):
    container, system, sensors = built()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps = steps
    integration.endTime = END
    integration.newton.useModifiedNewton = False
    integration.verboseMode = 0
    integration.minimumStepSize = 1e-12
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 1e-12 if write else END
    begin = time.perf_counter(), time.process_time()
    system.SolveDynamic(settings, solverType=solver)
    took = time.perf_counter() - begin[0], time.process_time() - begin[1]
    return took, system, sensors


if __name__ == "__main__":
    kinds = exu.DynamicSolverType
    for name, solver, steps, repeats in [
        ("trapezoidal rule", kinds.TrapezoidalIndex2, 1000, 7),
        ("trapezoidal rule", kinds.TrapezoidalIndex2, 10000, 5),
        ("trapezoidal rule", kinds.TrapezoidalIndex2, 1000000, 1),
    ]:
        wall, cpu = map(min, zip(*(run(solver, steps, False)[0] for _ in range(repeats))))
        _, system, sensors = run(solver, steps, True)
        y, v = (np.array(system.GetSensorStoredData(s)) for s in sensors)
        t, y, v = y[:, 0], y[:, 1], v[:, 1]
        print(f"# Exudyn {exu.config.Version()}, {name} | {1e3 * wall:.3f} | {1e3 * cpu:.3f} | - | {len(t) - 1} | {float(y[-1])!r}")
        for i in np.nonzero((y[:-1] >= 0) & (y[1:] < 0))[0]:
            # Free fall from the last step above the ground.
            root = math.sqrt(v[i] * v[i] + 2 * 9.81 * y[i])
            print(repr(float(t[i] + (v[i] + root) / 9.81)))
