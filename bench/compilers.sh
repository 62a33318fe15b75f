#!/usr/bin/env bash
# What mikgen emits beside what other compilers make of the same operators, on one thread: gcc, clang and Polly of the specs; ISPC,
# Halide (a schedule by hand, and its autoschedulers'), TVM (without a schedule, and tuned) and XNNPACK of the same written for them,
# in bench/compilers and bench/nests/peers_litert.py. Every result is checked against the spec's.
#
#   bench/compilers.sh FOLDER [install|build|tune|run]
#
#   install  a Python environment with halide, apache-tvm and ai-edge-litert from PyPI in FOLDER/venv: 700 MB
#   build    all programs; some minutes of the processor
#   tune     TVM's programs once more, the first case of each operator by $TRIALS trials of MetaSchedule (32); then build again
#   run      times all, a case after another, programs of a case by turns in one process, and XNNPACK in another; under four minutes
#
# Without a step: install, build and run. Environment: MIKGEN (build/mikgen); ISPC, a compiler of ISPC's built from its sources, since
# neither Debian nor PyPI has one, and without which that is left out; SECONDS_EACH (1.5) and ROUNDS (2) of a case; SHAPES (bench/shapes/compilers.csv).
# A column of the table is a peer's time over ours: of the lesser of its programs; "ours" is NAME(), without a workspace. Second
# operands of products and filters are constants for XNNPACK, prepacked of the clock; nobody else's are. TVM compiles a
# case's shape; ISPC, Halide by hand and mikgen all shapes at once; Halide's autoschedulers all, for the case's as an estimate.
# FOLDER/compilers.txt is the table.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 1 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
step=${2:-all}
mikgen=$(realpath "${MIKGEN:-$root/build/mikgen}") shapes=$(realpath "${SHAPES:-$root/bench/shapes/compilers.csv}")
python=$folder/venv/bin/python
export PYTHONPATH="$root/bench/nests:$root/bench/compilers" TVM_NUM_THREADS=1 HL_NUM_THREADS=1
# Specs have their intermediate arrays on the stack.
ulimit -s unlimited

install_peers() {
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install -q halide apache-tvm ai-edge-litert numpy xgboost psutil cloudpickle
}
compile_tvm() { "$python" "$root/bench/compilers/build_tvm.py" "$folder" "$shapes" "$1"; }
build_peers() {
    "$python" -W ignore "$root/bench/compilers/build_halide.py" "$folder" "$shapes"
    [ -e "$folder/tvm.json" ] || compile_tvm 0
}
build_programs() {
    rm -f "$folder/ispc.version"
    if [ -n "${ISPC:-}" ]; then "$ISPC" --version | head -1 >"$folder/ispc.version"; fi
    python3 "$root/bench/compilers/build_programs.py" "$mikgen" "$folder" "$shapes" "$python" ${ISPC:+"$ISPC"}
}
race() {
    taskset -c "$(($(nproc) - 1))" python3 "$root/bench/compilers/race.py" "$folder" "$shapes" "$python" "${SECONDS_EACH:-1.5}" "${ROUNDS:-2}" "$@"
}
case $step in
    install) install_peers ;;
    build) build_peers && build_programs ;;
    tune) compile_tvm "${TRIALS:-32}" && build_programs ;;
    run) race run ;;
    all) install_peers && build_peers && build_programs && race ;;
    *) echo "compilers.sh: no step '$step'; there are install, build, tune and run" >&2; exit 2 ;;
esac
