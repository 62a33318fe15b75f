#!/bin/sh
# Generates the matrix products of examples/gemm and examples/gemm_f32, compiles them with the system's
# C compiler and compares them with their own specs, for results and for speed.
#
#   demo.sh MIKGEN OUTPUT-FOLDER
set -eu
[ $# -eq 2 ] || { echo "usage: demo.sh MIKGEN OUTPUT-FOLDER" >&2; exit 2; }
mikgen=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
examples=$(dirname "$here")
cc=${CC:-cc}
mkdir -p "$out"

# generate SPEC OPTIONS OUTPUT: one run of mikgen, shown as the user would type it.
generate() {
    "$mikgen" $2 "$examples/$1" >"$out/$3"
    printf '  mikgen %-26s %-14s > %-20s %6s lines\n' "$2" "${1##*/}" "$3" "$(wc -l <"$out/$3")"
}

echo "One file per operator, from a plain loop nest:"
for op in gemm gemm_f32; do
    generate "$op/$op.spec" --target=c "${op}_dyn.c"
    generate "$op/$op.spec" "--target=c --emit=header" "${op}_dyn.h"
    generate "$op/$op.spec" --emit=reference "${op}_reference.c"
done
generate gemm/gemm.spec --target=cuda gemm_dyn.cu

# The generated file as a user compiles it; the spec itself at the compiler's best.
for op in gemm gemm_f32; do
    "$cc" -std=c99 -O2 -Wall -Wextra -Werror -c "$out/${op}_dyn.c" -o "$out/${op}_dyn.o"
    "$cc" -O3 -w "-D$op=${op}_reference" -c "$out/${op}_reference.c" -o "$out/${op}_reference.o"
done
"$cc" -std=gnu11 -O2 -Wall -Wextra -Werror -I"$out" "$here/demo.c" "$here/peak.c" "$out"/*_dyn.o \
    "$out"/*_reference.o -lm -o "$out/demo"
exec "$out/demo"
