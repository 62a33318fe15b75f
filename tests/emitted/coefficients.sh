#!/usr/bin/env bash
# What the scripts beside the engine's vectors print stands in the headers there.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/../../templates/engine/vec/coefficients"
command -v sollya >/dev/null || { echo "skipped: there is no sollya"; exit 77; }
failures=0
for script in *.sollya; do
    for constant in $(sollya "$script" | grep -v error | grep -oE '0x[01]\.[0-9a-f]+p-?[0-9]+'); do
        grep -qwE -- "${constant//./\\.}f?" ../math_*.h ../../sets/*/loops/*.h || { echo "FAILED: $script prints $constant, which no header has"; failures=1; }
    done
done
exit $failures
