#!/usr/bin/env bash
# What --keep-loops makes of somebody's CUDA: rewrites every .cu file that the Makefiles of a TREE of sources compile with nvcc, and
# compares what the assembler makes of each kernel before and after. No GPU is needed, and nothing is run.
#
#   bench/cuda_suite.sh [OPTION...] TREE...
#
#   --mikgen=FILE        default build/mikgen of this tree
#   --out=FOLDER         gets everything that is made, and table.md; default cuda_suite in the current folder
#   --arch=sm_80,sm_90   which machines' code is compared
#   --mikgen-flags=...   more options of --keep-loops
#   --flags=...          more options of nvcc, such as -I for headers that a tree wants
#   --only=PATTERN       units whose paths match this regular expression
#   --every=N            of each tree's folders with a Makefile one in N
#   --jobs=N             units at a time; default 2
#
# A unit is a file that a Makefile says to compile: `make -n` says with which options. What it takes in by #include "..." and says
# __global__ or __device__ is written in its place first, so that each kernel is rewritten where it is compiled. Macros of the text
# are nvcc's; optimization is its default. NVCC: the compiler (default: nvcc, else CUDA's usual place). What is compiled is kept in
# the folder for the next time.
#
# Columns: units that nvcc compiles, of all; those that mikgen accepts; that change; "same again": rewritten units that stay as they
# are when rewritten once more; that nvcc compiles when rewritten; kernels with loops all of which were understood, of all; kernels in the machine
# code, those whose code changed, and what became of these on any of the machines: "worse" has more registers, bytes of spills, stack
# or shared memory, or instructions in an innermost loop; "better" has less of one and more of none; "same" neither; "other" has another number of
# innermost loops, because the compiler unrolled them in another way. A kernel is listed by its worst verdict. Exit status 1: a unit
# is not accepted, does not compile afterwards, or changes again, or a kernel is worse.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2,/^# SPDX/{/^# SPDX/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
exec python3 "$root/bench/cuda_suite/run.py" "$@"
