#!/usr/bin/env bash
# Checks one operator of examples/topi on all its rows of shapes.csv: what mikgen makes of the plain form, the lowered
# form, and what mikgen --keep-loops makes of the lowered form must all agree with the spec compiled as C.
#
#   topi.sh MIKGEN OPERATOR FOLDER
set -eu
[ $# -eq 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") op=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
examples=$(cd "$here/../../examples/topi" && pwd)

skip() { echo "skipped: $*"; exit 77; }
command -v gcc >/dev/null || skip "gcc is not installed"
command -v python3 >/dev/null || skip "python3 is not installed"

rm -rf "$out"
mkdir -p "$out"
cd "$out"
python3 "$here/cases.py" "$op" "$examples" . lowered full halide

"$mikgen" --target=c --max-kernels=2 --prefix=default_ "$examples/$op.spec" -o default.c
"$mikgen" --target=c --fp=strict --max-kernels=2 --prefix=strict_ "$examples/$op.spec" -o strict.c
k=0
while read -r definitions; do
    # shellcheck disable=SC2086 # several options
    for mode in full halide; do
        "$mikgen" --keep-loops --licm=$mode $definitions "$examples/$op.lowered.c" -o ${mode}_$k.c
    done
    k=$((k + 1))
done <definitions

compile="gcc -std=gnu11 -O1 -ffp-contract=off -Wall -Wextra -Werror -I$here -c"
for program in lowered full halide default strict; do
    $compile $program.c
done
# The reference is the spec as it stands; it may be written without stdbool.h and with VLA parameters.
$compile -Wno-unused check.c
gcc check.o lowered.o full.o halide.o default.o strict.o -lm -lpthread -o check
./check
