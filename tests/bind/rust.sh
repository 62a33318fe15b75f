#!/usr/bin/env bash
# Modules that --emit=rust writes, compiled without a warning and called; which functions are safe. Skipped where there is no rustc.
#
#   rust.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
fail() { echo "FAILED: $*"; exit 1; }
compilers=$(ls /usr/bin/rustc 2>/dev/null || true) # Debian's, the oldest that modules are for
compilers="$compilers $(command -v rustc || true)"
[ -n "${compilers// /}" ] || { echo "skipped: there is no rustc"; exit 77; }
rm -rf "$out"
mkdir -p "$out"
cd "$out"

"$mikgen" --target=c --emit=rust "$here/words.spec" -o words.rs
"$mikgen" --target=c --max-kernels=1 "$here/words.spec" -o words.c
"$mikgen" --target=c --emit=rust "$here/products.spec" "$root/examples/conv2d/conv2d.spec" -o products.rs
"$mikgen" --target=c --max-kernels=1 "$here/products.spec" "$root/examples/conv2d/conv2d.spec" -o products.c
for name in constants blocks; do
    "$mikgen" --target=c --emit=rust "$here/$name.spec" -o $name.rs
    "$mikgen" --target=c --max-kernels=1 "$here/$name.spec" -o $name.c
    cc -O0 -c $name.c
done
cp "$here/calls.rs" .
cc -O0 -c words.c
cc -O0 -c products.c
ar rcs liboperators.a words.o products.o constants.o blocks.o

for rustc in $(printf '%s\n' $compilers | sort -u); do
    "$rustc" --version
    for edition in 2018 2021; do
        "$rustc" --edition=$edition -D warnings -C debug-assertions -L . -l static=operators -l m calls.rs -o calls
        ./calls || fail "$rustc, edition $edition"
    done
done

# What is proven: the rest is unsafe, and says which subscript.
for name in integers floats lambda add outputs twice; do
    grep -q "^pub fn $name(" words.rs || fail "$name is not safe"
done
for name in product accumulate conv2d; do
    grep -q "^pub fn $name(" products.rs || fail "$name is not safe"
done
for name in gather extents; do
    grep -q "^pub unsafe fn $name(" words.rs || fail "$name is safe"
done
grep -q 'That does not follow from the extents for x\[at\[i\]\] at line' words.rs || fail "gather does not say why it is unsafe"
echo ok
