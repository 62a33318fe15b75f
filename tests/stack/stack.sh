#!/usr/bin/env bash
# How much stack the entry points of some operators take: added up from gcc's call graph, and tried on a thread that has no more.
#
#   stack.sh MIKGEN FOLDER BYTES SPEC...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
mikgen=$(realpath "$1") out=$2 bytes=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
fail() { echo "FAILED: $*"; exit 1; }

# check SPEC: one operator's file, in the folder of its name.
check() {
    local spec name options
    spec=$(realpath "$1") name=$(basename "$1" .spec) options="--max-kernels=2"
    [ "$bytes" = 16384 ] || options="$options --stack=$bytes"
    mkdir -p "$out/$name"
    cd "$out/$name"
    # shellcheck disable=SC2086 # several options
    "$mikgen" --target=c $options "$spec" >"${name}_dyn.c"
    "$mikgen" --target=c --emit=header "$spec" >"${name}_dyn.h"
    "$mikgen" --target=c --emit=selfcheck --max-kernels=2 "$spec" >"${name}_check.c"
    "$mikgen" --emit=reference "$spec" >"${name}_reference.c"
    grep -q "at most $bytes bytes of stack" "${name}_dyn.c" || fail "$name: the file does not say how much stack it takes"
    gcc -std=c99 -O2 -Wall -Wextra -Werror -Dmalloc=test_malloc -fcallgraph-info=su -c "${name}_dyn.c" -o dyn.o
    # shellcheck disable=SC2046 # several names
    python3 "$here/depth.py" dyn.ci "$bytes" $(sed -n 's/^\(int\|size_t\) \([A-Za-z0-9_]*\)(.*;$/\2/p' "${name}_dyn.c" | sort -u)
    gcc -std=c99 -O1 -Dmain=check_main -c "${name}_check.c" -o check.o
    # shellcheck disable=SC2046
    gcc -std=gnu11 -O1 -w -ffp-contract=off $(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.c") \
        -c "${name}_reference.c" -o reference.o
    gcc -std=gnu11 -O1 "$here/thread.c" dyn.o check.o reference.o -lm -lpthread -o check
    ./check "$bytes" memory --tuples=3
    # Intermediate arrays want memory or a workspace; packed operands can do without.
    grep -q '_room(&mik_args' "${name}_dyn.c" || ./check "$bytes" none --tuples=3
}

for spec; do
    (check "$spec")
done
