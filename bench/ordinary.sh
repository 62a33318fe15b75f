#!/usr/bin/env bash
# Operators as people bring them, to which nothing was tuned when they were added: what is emitted beside the spec by the same compiler,
# by gcc and clang-19 with -O3 -march=native (and -ffast-math), and beside what NumPy, SciPy, OpenCV and PyTorch have for it. One thread,
# all by turns, the best of each. Results are checked as well.
# The specs are in two halves, by a hash of their names: those that one works with, and those that are held out. What ordinary/seen.txt names
# was worked with all the same.
#
#   bench/ordinary.sh MIKGEN FOLDER [SPECS...] [OPTION...]          SPECS: folders or files; default bench/ordinary/specs
#
#   --half=seen        only that half; or held; default both
#   --only=PATTERN     specs whose names match this regular expression
#   --sizes=FILE       lines of a name, its field and its extents, 64x64x3; default bench/ordinary/sizes.txt; of others a size is searched for
#   --libraries=PATH   with those of bench/ordinary/libraries.txt, which are in that folder, or get there by pip (5.8 GB)
#   --cc='clang-19 -O2'  how the emitted file and the first spec are compiled; default gcc -std=c99 -O2
#   --mikgen-flags=... options for mikgen
#   --march=haswell    the processor for which the other specs are compiled; with --mikgen-flags=--sets=avx2 what AVX2 alone gives
#   --cross=aarch64-linux-gnu  instructions of a call instead of its time: compiled for that processor, counted by qemu
#   --rounds=N         how often each program runs; default 1
#   --build            builds only; a later run finds in FOLDER what has not changed
#   --part=2/7         the second of seven parts of the specs; what was measured stays in FOLDER
#   --report           prints the table of what is in FOLDER
#   --parts=N          builds, measures N parts one after the other, and prints the table; each part by the command of
#   --through=COMMAND  such as one that waits for a free core; default none
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
ulimit -s unlimited
parts='' through='' arguments=()
for word in "$@"; do
    case $word in
    --parts=*) parts=${word#*=} ;;
    --through=*) through=${word#*=} ;;
    *) arguments+=("$word") ;;
    esac
done
run=(python3 "$(dirname "$0")/ordinary/run.py" "${arguments[@]}")
core=(taskset -c "${MIKGEN_BENCH_CORE:-$(($(nproc --all) - 1))}")
case " $* " in *" --build "* | *" --report "*) core=() ;; esac
[ -n "$parts" ] || exec "${core[@]}" "${run[@]}"
"${run[@]}" --build
for ((part = 1; part <= parts; part++)); do
    # shellcheck disable=SC2086 # a command and its arguments
    $through "${core[@]}" "${run[@]}" --part="$part/$parts"
done
"${run[@]}" --report
