# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the cases with TVM into shared libraries: build_tvm.py FOLDER SHAPES TRIALS. As its operator library has them, without a
schedule; and the first case of each operator, if TRIALS is not 0, by the best of so many programs that MetaSchedule tried.
tvm.json says what there is, with this process's seconds, and the shapes of the arguments."""
import json
import os
import sys
import time
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import operators_tvm
import tvm
from tvm import te
from tvm.s_tir import meta_schedule

import cases

TARGET = tvm.target.Target({"kind": "llvm", "mcpu": "znver3", "num-cores": 1})


def function(case):
    tensors = operators_tvm.OPERATORS[case.operator](SimpleNamespace(**case.numbers()))
    shapes = [[int(extent) for extent in tensor.shape] for tensor in tensors]
    return te.create_prim_func(tensors).with_attr("global_symbol", "main"), shapes


def write(folder, name, module, shapes, start):
    library = folder / f"{name}.so"
    tvm.compile(module, target=TARGET).export_library(str(library))
    return {"name": name, "shapes": shapes, "seconds": round(time.process_time() - start, 2)}


def plain(folder, case, _):
    start = time.process_time()
    main, shapes = function(case)
    return write(folder, f"tvm_{case.name}", tvm.IRModule({"main": main}), shapes, start)


def tuned(folder, case, trials):
    start = time.process_time()
    main, shapes = function(case)
    work = str(folder / f"tvm_{case.name}_work")
    database = meta_schedule.tir_integration.tune_tir(
        main, TARGET, work, max_trials_global=trials, num_trials_per_iter=16, seed=1,
        builder=meta_schedule.builder.LocalBuilder(max_workers=1))
    schedule = meta_schedule.tir_integration.compile_tir(database, main, TARGET)
    if schedule is None:
        raise ValueError("no program was right")
    return write(folder, f"tvm_{case.name}_tuned", schedule.mod, shapes, start)


def attempt(what, folder, case, trials):
    """The entry of what was compiled, or why there is none."""
    if case.operator not in operators_tvm.OPERATORS:
        return {"why": "no operator of TVM's library"}
    try:
        return what(folder, case, trials)
    except Exception as error:  # pylint: disable=broad-exception-caught # what TVM cannot is no peer
        return {"why": (str(error).splitlines() or [type(error).__name__])[-1][:200]}


def main():
    folder, trials = Path(sys.argv[1]), int(sys.argv[3])
    os.environ["TVM_NUM_THREADS"] = "1"
    known = cases.read(shapes=Path(sys.argv[2]))
    made = {"version": metadata.version("apache-tvm"), "trials": trials, "plain": {}, "tuned": {}}
    firsts = {case.operator: case for case in reversed(known)}
    for case in known:
        made["plain"][case.name] = attempt(plain, folder, case, 0)
    for case in known if trials else []:
        if firsts[case.operator] is case:
            made["tuned"][case.name] = attempt(tuned, folder, case, trials)
        (folder / "tvm.json").write_text(json.dumps(made, indent=1))
    (folder / "tvm.json").write_text(json.dumps(made, indent=1))


if __name__ == "__main__":  # its workers load this file, too
    main()
