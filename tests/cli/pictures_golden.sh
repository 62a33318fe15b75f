#!/usr/bin/env bash
# --explain's pictures, byte for byte: pictures/NAME.spec is asked with the options of its first line, and pictures/NAME.svg is to come.
# Of CUDA files what answers is not compiled here, which takes long, but has been once: pictures/NAME.answers is what it said, and
# cli.pictures_cuda looks whether it says such things still.
#
#   pictures_golden.sh MIKGEN FOLDER [--update]       --update: compiles, asks, and writes answers and pictures
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1 update=${3-}
here=$(cd "$(dirname "$0")" && pwd)
cd "$2"

# "nvcc OPTION... -o PROGRAM": the program is `answering REQUESTS ANSWERS`, behind which the real one stands where $real names a compiler.
cat >nvcc <<'SH'
#!/bin/sh
for word; do
    [ "${last-}" != -o ] || program=$word
    last=$word
done
if [ -n "$real" ]; then
    "$real" "$@" && mv "$program" compiled || exit 1
fi
cp answering "$program"
SH
cat >answering <<'SH'
#!/bin/sh
if [ -n "$real" ]; then
    ./compiled "$1" "$recorded" || exit 1
fi
cp "$recorded" "$2"
SH
chmod +x nvcc answering

for spec in "$here"/pictures/*.spec; do
    name=$(basename "$spec" .spec) options=$(sed -n '1s,^/\* options: \(.*\) \*/$,\1,p' "$spec")
    # C files are explained for processors with AVX2 and AVX-512, whatever runs here; elsewhere there are no kernels for them.
    case $options in *--isa=avx*) [ "$(uname -m)" = x86_64 ] || continue ;; esac
    export real=${update:+${NVCC:-nvcc}} recorded=$here/pictures/$name.answers
    for format in json svg; do
        # shellcheck disable=SC2086 # several options
        NVCC=$PWD/nvcc "$mikgen" $options --format=$format "$spec" -o "$name.$format" || fail "$name.$format"
        python3 "$here/pictures.py" $format "$name.$format" || fail "$name.$format"
        real=
    done
    [ -z "$update" ] || cp "$name.svg" "$here/pictures/$name.svg"
    cmp "$name.svg" "$here/pictures/$name.svg" || fail "pictures/$name.svg is another one: pictures_golden.sh MIKGEN FOLDER --update"
done
