#!/usr/bin/env bash
# What --keep-loops makes of somebody's C: copies each TREE of sources, rewrites every .c file that its build compiles in place
# of one copy, builds both copies, runs the project's own tests, and measures its programs before and after.
#
#   bench/real_c.sh [OPTION...] TREE...
#
#   --mikgen=FILE        default build/mikgen of this tree
#   --out=FOLDER         gets everything that is made, and table.md; default real_c in the current folder
#   --cc=gcc --cxx=g++   compilers
#   --cflags=...         default -O3 -march=native -ffp-contract=off -falign-functions=64: without contraction, because whether a
#                        product and a sum become one instruction depends on where in the text they are
#   --mikgen-flags=...   more options of --keep-loops
#   --rounds=N           how often each program runs before and after, in turns; default 7, and three times as often where that
#                        says more than 2 % either way; 0 measures nothing
#   --no-count           leave out callgrind
#   --resume             trees that --out has from a run before stand in the table as they were then
#
# A tree is built as bench/real_c/recipes/NAME.sh says if one of them knows it; else by its CMakeLists.txt, its Makefile or
# configure, its compile_commands.json, or each of its .c files by cc -c. What its files are compiled with is what the compiler is
# called with meanwhile. A recipe is a shell script that defines
#   is           succeeds in the folder of such a tree
#   prepare      (optional) what is to be done to the copies first
#   build        compiles what is there, with $CC, $CXX and $CFLAGS
#   check        (optional) the project's own tests: exit status 0 if they pass. $OLD is the copy that has not been rewritten
#   programs     (optional) prints what is measured, a line each: NAME, tab, EXECUTABLE ARGUMENTS..., perhaps a tab and the file
#                that is its standard input
#   configurations  (optional) prints what else than "time" and "count" to build: for each all is copied, rewritten, built and
#                checked anew. $CONFIGURATION is its name.
# They run in the copy; $HERE is bench/real_c, $WORK a folder for input data, which both copies share. Of the configuration "time"
# programs are timed, and of "count", which is compiled with -march=x86-64-v3 for valgrind, instructions are counted.
#
# Columns: files that were accepted, of all; files that changed; "same again": rewritten files that stay as they are when rewritten
# once more; functions with loops of which all were understood, of all; loops that were; loops that the compiler makes vector code of, before and
# after: where a file has fewer, the exit status is 1; programs whose machine code changed, of all; of these
# the time before over the time after and the same of instructions, above 1 is faster: geometric mean and least.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2,/^# SPDX/{/^# SPDX/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
exec python3 "$root/bench/real_c/run.py" "$@"
