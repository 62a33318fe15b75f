#!/usr/bin/env bash
# Operators in many forms: laws rewrite those of bench/forms/specs in ways that change no result (interchanged, fused, distributed or unrolled
# loops, arrays for scalars, flat subscripts, pointers, guards, helpers, macros), singly and in pairs that are drawn. Each form is checked, timed
# beside the best form of the operator, and its plan compared. One thread, all by turns, the best of each.
#
#   bench/forms.sh MIKGEN FOLDER [OPTION...]
#
#   --only=PATTERN     operators whose names match this regular expression
#   --products         builds nothing: how many contractions are found in each form, which takes a minute
#   --pairs=N          pairs of laws for each operator; default 2
#   --rounds=N         how often each form runs; default 5
#   --cc='gcc -O2'     how emitted files are compiled; default gcc -std=c99 -O2
#   --mikgen-flags=... options for mikgen; default --sets=avx2!
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
ulimit -s unlimited
exec taskset -c "${MIKGEN_BENCH_CORE:-$(($(nproc --all) - 1))}" python3 "$(dirname "$0")/forms/run.py" "$@"
