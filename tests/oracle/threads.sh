#!/usr/bin/env bash
# The bits of non-GEMM loops do not depend on the number of threads.
#
#   threads.sh MIKGEN FOLDER [PATTERN [MIKGEN OPTION...]]
#
# PATTERN: a regular expression for names of bench/shapes/nests.csv. Prints into how many tasks each operator was cut.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$1 folder=$2
shift 2
[ $# -ge 1 ] || set -- .
exec python3 "$(dirname "$0")/threads.py" "$mikgen" "$folder" "$@"
