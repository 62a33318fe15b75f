#!/usr/bin/env bash
# Emitted operators that are no plain product, one by one, against the best that others have for them: their own specs under
# several compilers, NumPy, PyTorch (eager and compiled), oneDNN. On one thread, by turns, the least of each; all are checked.
#
#   bench/nests.sh MIKGEN FOLDER [OPTION...]
#
#   --shapes=FILE        what is measured; default bench/shapes/nests.csv. bench/shapes/polybench.csv has PolyBench's kernels on arrays
#                        of its size LARGE, stencils with fewer time steps; peers are gcc -O3, clang -O3 and Polly;
#                        bench/shapes/factorisations.csv has Cholesky's, LU and triangular solves, from small to large
#   --only=PATTERN       operators whose names in it match this regular expression
#   --quick              only the spec as a peer, as the emitted file is compiled and by gcc -O3 -march=native -ffast-math; short
#   --python=PATH        a Python that has numpy and torch (python3 -m venv V && V/bin/pip install numpy torch); default python3.
#                        Peers that it lacks are left out; the table says so
#   --peers=LIST         of these peers only: numpy,torch,compile,onednn,lapack (which needs scipy)
#   --cc='clang-19 -O2'  how emitted files are compiled; default gcc -std=c99 -O2
#   --mikgen-flags=...   options for mikgen
#   --apart              what mikgen emits with --fuse=off as one more candidate, no peer: the table says what fusion gains.
#                        bench/shapes/fusion.csv has operators of several nests
#                        bench/shapes/products.csv has sums of several products, weights in blocks, zero points, beside plain products
#   --threads=N          threads of all that have them (specs and NumPy have not); default 1
#   --rounds=N           how often every program runs; default 2, with --quick 1
#   --seconds=S          what one run of a program may take; default 1, with --quick 0.3
#
# Columns: "ours" is NAME(), as a caller without options has it; "with ws" is NAME_with() and a workspace of as many bytes as
# NAME_workspace() says, where that is any. "limit" is what reading the inputs once and writing the outputs once takes on this
# machine, in this run, or the multiply-adds out of registers if they take longer. "ratio" is the best peer's time over ours,
# above 1 ours is faster; "spec/ours" the same for the spec by the same compiler and flags. A candidate counts as wrong when
# an element differs from the spec's at -O2 by more than the tolerance (1e-4; what bench/shapes/nests.csv says otherwise)
# times its own size plus the root of the array's mean square; wrong ones are no peers. Peers have an advantage: weights of
# oneDNN's products and convolutions are prepacked of time, and malloc hands NumPy and PyTorch pages that were used before.
# FOLDER gets everything that is made: the table as nests.txt, all times as times.csv, the chart as nests.svg.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
# Specs have their intermediate arrays on the stack.
ulimit -s unlimited
threads=1
for option in "$@"; do
    case $option in --threads=*) threads=${option#*=} ;; esac
done
last=$(($(nproc) - 1))
exec taskset -c "$((last - threads + 1))-$last" python3 "$root/bench/nests/run.py" "$@"
