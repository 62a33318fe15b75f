#!/usr/bin/env bash
# Operators as people bring them, to which nothing was tuned when they were added: what is emitted beside the spec by the same compiler,
# and by gcc and clang-19 with -O3 -march=native -ffast-math. One thread, all by turns, the best of each. Results are checked as well.
# The specs are in two halves, by a hash of their names: those that one works with, and those that are held out.
#
#   bench/ordinary.sh MIKGEN FOLDER [SPECS...] [OPTION...]          SPECS: folders or files; default bench/ordinary/specs
#
#   --half=seen        only that half; or held; default both
#   --only=PATTERN     specs whose names match this regular expression
#   --sizes=FILE       lines of a name and its extents, 64x64x3; default bench/ordinary/sizes.txt; of others a size is searched for
#   --cc='clang-19 -O2'  how the emitted file and the first spec are compiled; default gcc -std=c99 -O2
#   --mikgen-flags=... options for mikgen
#   --rounds=N         how often each program runs; default 1
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
ulimit -s unlimited
exec taskset -c "${MIKGEN_BENCH_CORE:-$(($(nproc) - 1))}" python3 "$(dirname "$0")/ordinary/run.py" "$@"
