#!/usr/bin/env bash
# Modules that --emit=python writes, built by themselves and called: calls.py. Skipped where there is no NumPy. $PYTHON: another Python.
#
#   python.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: $python has no NumPy"; exit 77; }
rm -rf "$out"
mkdir -p "$out"
cd "$out"
fail() { echo "FAILED: $*"; exit 1; }

# module NAME OPTION... SPEC...
module() {
    local name=$1
    shift
    "$mikgen" --target=c --emit=python "$@" -o "$name.py"
    "$mikgen" --target=c --max-kernels=1 "$@" -o "${name}_dyn.c"
}
module gemm "$root/examples/gemm/gemm.spec"
module words "$here/words.spec"
module constants "$here/constants.spec"
module blocks "$here/blocks.spec"
module products "$here/products.spec" "$root/tests/specs/gemm_bf16.spec" "$root/examples/conv2d/conv2d.spec"
"$python" gemm.py --build --cc "cc -O0 -Wall -Wextra -Werror" | grep -qx "$PWD/libgemm_dyn.so" || fail "what --build says"
"$python" words.py --build --cc "clang-19 -O0"
"$python" constants.py --build --cc "cc -O0"
"$python" blocks.py --build --cc "cc -O0"
"$python" products.py --build --no-openmp --cc "cc -O0"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. "$python" -W error "$here/calls.py"

# With an engine of its own, and symbols of another name.
mkdir shared
"$mikgen" --target=c --emit=engine --max-kernels=1 --prefix=my_ "$here/products.spec" -o shared
"$mikgen" --target=c --engine=shared --max-kernels=1 --prefix=my_ "$here/products.spec" -o shared/apart_dyn.c
"$mikgen" --target=c --emit=python --engine=shared --prefix=my_ "$here/products.spec" -o shared/apart.py
"$python" shared/apart.py --build --cc "cc -O0"
(cd shared && "$python" -c 'import numpy, apart
x = numpy.ones((3, 3), numpy.float32)
assert (apart.my_product(x, x) == 3).all()')
