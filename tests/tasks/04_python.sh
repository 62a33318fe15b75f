#!/usr/bin/env bash
# Call an operator from Python with NumPy's arrays.
# By: docs/bindings.md, Python
#
#   04_python.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
/usr/bin/python3 -c 'import numpy' 2>/dev/null || { echo "skipped: there is no NumPy"; exit 77; }
mikgen --target=c --max-kernels=4 examples/layernorm/layernorm.spec -o layernorm_dyn.c
mikgen --target=c --max-kernels=4 --emit=python examples/layernorm/layernorm.spec -o layernorm.py
/usr/bin/python3 layernorm.py --build --cc "cc -O0" >/dev/null
cat >use.py <<'END'
import numpy, layernorm
x = numpy.random.default_rng(1).standard_normal((5, 33)).astype(numpy.float32)
one, zero = numpy.ones(33, numpy.float32), numpy.zeros(33, numpy.float32)
y = layernorm.layernorm(1e-5, x, one, zero)
want = (x - x.mean(1, keepdims=True)) / numpy.sqrt(x.var(1, keepdims=True) + 1e-5)
assert abs(y - want).max() < 1e-5, abs(y - want).max()
try:
    layernorm.layernorm(1e-5, x, one[:32], zero)
    assert False, "gamma of another length is taken"
except ValueError as error:
    assert "gamma" in str(error), error
END
/usr/bin/python3 use.py
