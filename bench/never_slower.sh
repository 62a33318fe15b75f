#!/usr/bin/env bash
# Is what mikgen emits ever slower than the spec itself, by the same compiler and flags? Every operator of the specs in some
# folders, on one thread, by turns, the best of each, at the first of some sizes (all integers alike) at which the spec takes
# half a millisecond, or somewhat more. Prints a table, the worst first.
#
#   bench/never_slower.sh MIKGEN FOLDER SPECS... [OPTION...]        SPECS: folders, examples and tests/specs among them
#
#   --only=PATTERN     specs whose names match this regular expression
#   --cc='clang-19 -O2'  how both are compiled; default gcc -std=c99 -O2
#   --spec-cc='gcc -O3 -march=native'  how the spec is compiled, if otherwise
#   --part=2/7         the second of seven parts of the specs
#   --keep=NAME        what is measured stays in FOLDER, in a file of that name; the table has what was kept before, too
#   --below=0.97       only rows below that are printed
#   --mikgen-flags=... options for mikgen
#   --least=N          microseconds that the spec must take; default 500
#   --sizes=1,2,3      at each of these sizes, however long the spec takes: with 1,2,3,5,8,10,16,31 loops of very few iterations
#   --limit=N          seconds after which a size is given up; default 20
#   --build            builds only; a later run finds in FOLDER what has not changed
#   --rounds=N         how often each program runs; default 1
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
ulimit -s unlimited
exec taskset -c "${MIKGEN_BENCH_CORE:-$(($(nproc --all) - 1))}" python3 "$(dirname "$0")/nests/never_slower.py" "$@"
