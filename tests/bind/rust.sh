#!/usr/bin/env bash
# Modules that --emit=rust writes, compiled in every edition without a warning, and called; which functions are safe. It takes the compilers
# of Rust that are here: Debian's, which is the oldest that modules are for, that of PATH and rustup's. Where none of them knows edition
# 2024, one is fetched from Debian into FOLDER. Skipped where that fails, too.
#
#   rust.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$out"
mkdir -p "$out"
cd "$out"

knows_2024() { echo 'fn main() {}' >edition.rs && "$1" --edition=2024 --emit=metadata edition.rs -o edition.rmeta 2>/dev/null; }

needs() { apt-cache depends --important "$1" | sed -n "s/^ *Depends: \\($2[a-z0-9.-]*\\)\$/\\1/p"; }

# Debian 12 has a compiler for its browsers beside an old one, later ones have a new one. Prints a program, or nothing.
fetch() {
    local name=$1 std=$2
    mkdir -p "$name"
    (
        cd "$name"
        library=$(needs "$std" libstd-rust)
        timeout 300 apt-get download "$name" "$std" "$library" $(needs "$library" libllvm) &&
            for package in ./*.deb; do dpkg -x "$package" . || exit 1; done
        printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "'$PWD/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)'" "'$PWD/usr/bin/rustc'" >compile
        chmod +x compile
    ) >fetch.log 2>&1 && knows_2024 "./$name/compile" && echo "$PWD/$name/compile"
}

compilers=()
for candidate in /usr/bin/rustc "$(command -v rustc || true)" ~/.cargo/bin/rustc; do
    case " ${compilers[*]-} " in *" $candidate "*) continue ;; esac
    [ ! -x "$candidate" ] || ! "$candidate" --version >/dev/null 2>&1 || compilers+=("$candidate")
done
newest=
for rustc in "${compilers[@]}"; do
    ! knows_2024 "$rustc" || newest=$rustc
done
if [ -z "$newest" ]; then
    newest=$(fetch rustc-web libstd-rust-web-dev || fetch rustc libstd-rust-dev || true)
    [ -z "$newest" ] || compilers+=("$newest")
fi
[ ${#compilers[@]} -gt 0 ] || { echo "skipped: there is no rustc, and Debian's could not be fetched"; exit 77; }

"$mikgen" --target=c --emit=rust "$here/words.spec" -o words.rs
"$mikgen" --target=c --max-kernels=1 "$here/words.spec" -o words.c
"$mikgen" --target=c --emit=rust "$here/products.spec" "$root/examples/conv2d/conv2d.spec" -o products.rs
"$mikgen" --target=c --max-kernels=1 "$here/products.spec" "$root/examples/conv2d/conv2d.spec" -o products.c
for name in constants blocks picked; do
    "$mikgen" --target=c --emit=rust "$here/$name.spec" -o $name.rs
    "$mikgen" --target=c --max-kernels=1 "$here/$name.spec" -o $name.c
    cc -O0 -c $name.c
done
cp "$here/calls.rs" .
cc -O0 -c words.c
cc -O0 -c products.c
ar rcs liboperators.a words.o products.o constants.o blocks.o picked.o

for rustc in "${compilers[@]}"; do
    "$rustc" --version
    editions="2018 2021"
    ! knows_2024 "$rustc" || editions="$editions 2024"
    for edition in $editions; do
        "$rustc" --edition=$edition -D warnings -D rust-2018-idioms -C debug-assertions -L . -l static=operators -l m calls.rs -o calls ||
            fail "$rustc does not compile it in edition $edition"
        ./calls || fail "$rustc, edition $edition"
    done
done

# What prepares a crate for the next edition finds nothing to do, and neither does clippy.
if [ -n "$newest" ]; then
    "$newest" --edition=2021 -D warnings -D rust-2024-compatibility --emit=metadata calls.rs -o calls.rmeta || fail "there is something to do for edition 2024"
    clippy=$(dirname "$newest")/clippy-driver
    [ ! -x "$clippy" ] || for edition in 2018 2024; do
        "$clippy" --edition=$edition -D warnings --emit=metadata calls.rs -o calls.rmeta || fail "clippy complains in edition $edition"
    done
fi

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
for name in gen_ gen__packed; do
    grep -q "^pub unsafe fn $name(" picked.rs || fail "$name is safe"
done
grep -q 'That does not follow from the extents for x\[at\[i\]\] at line' words.rs || fail "gather does not say why it is unsafe"
[ -n "$newest" ] || { echo "skipped: edition 2024, as no rustc here is 1.85 or later, and Debian's could not be fetched"; exit 77; }
rm -rf rustc rustc-web
echo ok
