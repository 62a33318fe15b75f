#!/usr/bin/env bash
# Weights prepacked: see packed.c.
#
#   packed.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
"$mikgen" --max-kernels=4 "$here/packed.spec" >packed_dyn.c
"$mikgen" --emit=header "$here/packed.spec" >packed_dyn.h
for compile in "gcc -std=c99 -O1 -Wall -Wextra -Werror" "gcc -std=c99 -fsanitize=address,undefined -fno-sanitize-recover=undefined -w"; do
    $compile -c packed_dyn.c
    $compile -I. "$here/packed.c" packed_dyn.o -lm -o packed
    ./packed
done
# The same by an option; and names that are no constants.
sed 's/constant(W)//' "$here/packed.spec" >packed.spec
"$mikgen" --max-kernels=1 --constant=W packed.spec >by_option.c
grep -q '^int product_W_pack(' by_option.c || { echo "FAILED: --constant=W"; exit 1; }
for name in C X M; do
    status=0
    "$mikgen" --constant=$name packed.spec >none 2>message || status=$?
    [ $status = 1 ] && [ ! -s none ] && grep -q "'$name'" message || { echo "FAILED: --constant=$name: status $status"; cat message; exit 1; }
    status=0
    sed "s/constant(W)/constant($name)/" "$here/packed.spec" >wrong.spec
    "$mikgen" wrong.spec >none 2>message || status=$?
    [ $status = 1 ] && [ ! -s none ] && grep -q "wrong.spec:2:.*'$name'" message || { echo "FAILED: constant($name): status $status"; cat message; exit 1; }
done
