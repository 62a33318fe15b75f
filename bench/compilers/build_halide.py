# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the operators with Halide, ahead of time: build_halide.py FOLDER SHAPES. By the schedules by hand each operator once,
for all shapes; with each of Halide's autoschedulers once for a shape that it is told as its estimate. Objects and headers are left
in FOLDER, and halide.json says what there is, with its time and size."""
import json
import multiprocessing
import resource
import sys
import time
from importlib import metadata
from pathlib import Path

import halide as hl
import operators_halide

import cases

# With what each is told: one core; and of the beam search, which takes minutes with its 32 programs at a time, the greedy one.
SCHEDULERS = {"Mullapudi2016": {"parallelism": "1"}, "Adams2019": {"parallelism": "1", "beam_size": "1"}}
PROCESSOR_SECONDS = 60


def estimate(built, case):
    """Tells the shapes of the case's arrays, innermost extent first."""
    scalars = case.numbers()
    arrays = {array.name: list(reversed(case.shape(array))) for array in case.arrays}
    for parameter in built.inputs:
        parameter.set_estimates([(0, extent) for extent in arrays[parameter.name()]])
    for parameter in built.attributes:
        parameter.set_estimate(scalars[parameter.name()])
    output = next(array for array in case.arrays if array.is_output)
    least = built.origin or [0] * len(output.extents)
    built.output.set_estimates([(low, extent - 2 * low) for low, extent in zip(least, arrays[output.name], strict=True)])


def compile_to(folder, name, built, target, pipeline=None):
    kinds = {hl.OutputFileType.object: str(folder / f"{name}.o"), hl.OutputFileType.c_header: str(folder / f"{name}.h")}
    arguments = [*built.inputs, *built.attributes]
    (pipeline or hl.Pipeline(built.output)).compile_to(kinds, arguments, name, target)
    return {"name": name, "attributes": [attribute.name() for attribute in built.attributes], "origin": built.origin}


def by_hand(folder, operator, target):
    built = operators_halide.OPERATORS[operator]()
    built.schedule()
    return compile_to(folder, f"halide_{operator}_hand", built, target)


def automatic(folder, case, scheduler, target):
    built = operators_halide.OPERATORS[case.operator]()
    estimate(built, case)
    pipeline = hl.Pipeline(built.output)
    pipeline.apply_autoscheduler(target, hl.AutoschedulerParams(scheduler, SCHEDULERS[scheduler]))
    return compile_to(folder, f"halide_{case.name}_{scheduler}", built, target, pipeline)


def timed(what, *arguments):
    """The entry of what was compiled, with its processor seconds; or why there is none."""
    start = time.process_time()
    try:
        entry = what(*arguments)
    except Exception as error:  # pylint: disable=broad-exception-caught # what Halide cannot schedule is no peer
        return {"why": str(error).splitlines()[0][:200]}
    return {**entry, "seconds": round(time.process_time() - start, 2)}


def limited(*arguments):
    """timed() in a process of its own that has so many seconds: a scheduler may not come to an end, or end the process."""
    ours, theirs = multiprocessing.Pipe(duplex=False)

    def child():
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
        theirs.send(timed(*arguments))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        return {"why": f"ended by itself, or took more than {PROCESSOR_SECONDS} s"}
    finally:
        process.join()


class Made:
    """What there is, in halide.json; what is there from another run and no older than the operators is not made again."""

    def __init__(self, folder, kinds):
        self.path, self.kinds, self.folder = folder / "halide.json", kinds, folder
        version = metadata.version("halide")
        self.entries = {"version": version, **{kind: {} for kind in kinds}}
        if self.path.exists() and self.path.stat().st_mtime > Path(operators_halide.__file__).stat().st_mtime:
            before = json.loads(self.path.read_text())
            self.entries |= before if before["version"] == version else {}

    def add(self, kind, name, *arguments):
        if name not in self.entries[kind]:
            self.entries[kind][name] = limited(self.kinds[kind], self.folder, *arguments)
            self.path.write_text(json.dumps(self.entries, indent=1))


def main():
    folder, shapes = Path(sys.argv[1]), Path(sys.argv[2])
    target = hl.Target("x86-64-linux-avx-avx2-f16c-fma-sse41-no_asserts-no_runtime")
    for scheduler in SCHEDULERS:
        hl.load_plugin(str(Path(hl.__file__).parent / "lib64" / f"libautoschedule_{scheduler.lower()}.so"))
    known, made = cases.read(shapes=shapes), Made(folder, {"hand": by_hand, **dict.fromkeys(SCHEDULERS, automatic)})
    for operator in dict.fromkeys(case.operator for case in known):
        made.add("hand", operator, operator, target)
    for scheduler in SCHEDULERS:
        for case in known:
            made.add(scheduler, case.name, case, scheduler, target)
    hl.compile_standalone_runtime(str(folder / "halide_runtime.o"), hl.Target("x86-64-linux"))


main()
