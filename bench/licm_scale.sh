#!/usr/bin/env bash
# Instructions per node of normalize and licm by size of the program, counted by callgrind: unlike times they do not
# depend on caches, so a linear pass gives a flat line. Fails if some size costs over 1.2 times what 10^4 nodes cost.
#
#   bench/licm_scale.sh LICM_SCALE [SHAPE...]       SIZES ("10000 100000"): more take minutes each
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1
shift
[ $# -gt 0 ] || set -- nests functions deep sum wrapped and select ifs ifrun siblings lets
status=0
printf '%-10s %9s %12s %8s\n' shape nodes instructions 'to 10^4'
for shape in "$@"; do
    reference=
    for size in ${SIZES:-10000 100000}; do
        count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=licm \
            --toggle-collect=normalize "$program" "--min=$size" "--max=$size" --rounds=0 "$shape" 2>&1 |
            sed -n 's/.*Collected *: *//p')
        each=$((count / size))
        : "${reference:=$each}"
        printf '%-10s %9d %12d %8s\n' "$shape" "$size" "$each" "$(awk "BEGIN { printf \"%.2f\", $each / $reference }")"
        [ $((each * 5)) -le $((reference * 6)) ] || status=1
    done
done
exit $status
