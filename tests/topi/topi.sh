#!/usr/bin/env bash
# Checks one operator of examples/topi on all its rows of shapes.csv: what mikgen makes of the plain form, the lowered
# form, and what mikgen --keep-loops makes of the lowered form must all agree with the spec compiled as C.
#
#   topi.sh MIKGEN OPERATOR FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") op=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
examples=$(cd "$here/../../examples/topi" && pwd)

# What --keep-loops is run with: as by default, sums and expressions only, everything that is not the default.
declare -A rewritten=(
    [full]="--licm=full"
    [halide]="--licm=halide"
    [bold]="--licm-loads=proven --distribute=1 --const-pos=low --unroll-limit=4 --overflow=keep"
)

rm -rf "$out"
mkdir -p "$out"
cd "$out"
python3 "$here/cases.py" "$op" "$examples" . lowered "${!rewritten[@]}"

"$mikgen" --target=c --max-kernels=2 --prefix=default_ "$examples/$op.spec" -o default.c
"$mikgen" --target=c --fp=strict --max-kernels=2 --prefix=strict_ "$examples/$op.spec" -o strict.c
k=0
# shellcheck disable=SC2086 # several options
while read -r definitions; do
    for program in "${!rewritten[@]}"; do
        "$mikgen" --keep-loops ${rewritten[$program]} $definitions "$examples/$op.lowered.c" -o ${program}_$k.c
    done
    k=$((k + 1))
done <definitions
[ $k -gt 0 ] || { echo "FAILED: $op has no cases"; exit 1; }

compile="gcc -std=gnu11 -O1 -ffp-contract=off -Wall -Wextra -Werror -I$here -c"
for program in lowered "${!rewritten[@]}" default strict; do
    $compile $program.c
done
# The spec stands in check.c as it is.
$compile -Wno-unused check.c
gcc ./*.o -lm -lpthread -o check
./check
