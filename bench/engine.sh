#!/usr/bin/env bash
# What the engine's blocking parameters that mikgen tune fitted gain: products by files that have the same measured kernels, with the profile's
# `engine` lines and without, in turn shape by shape; every result is compared.
#
#   bench/engine.sh MIKGEN FOLDER PROFILE [f32|f64] [SECONDS]
#
# PROFILE: what mikgen tune --target=c wrote on this machine for examples/gemm_f32 or tests/specs/gemm_f64. SECONDS: of each shape, default
# 0.4. Columns: GFLOP/s of the best turn; gain: fitted over usual. The shapes of the list are not those that the numbers are fitted on.
# Environment: CC and CFLAGS of the generated code, see bench/make.sh. Pin it: taskset -c 1 bench/engine.sh ...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
profile=$(realpath "$3") type=${4:-f32} seconds=${5:-0.4}
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
cd "$2"
# shellcheck source=bench/make.sh
. "$root/bench/make.sh"
case $type in f32) spec=examples/gemm_f32/gemm_f32 real=float ;; f64) spec=tests/specs/gemm_f64 real=double ;; esac
grep "^engine $type " "$profile" || { echo "$profile has no engine lines of $type" >&2; exit 1; }
cp "$profile" fitted.profile
grep -v '^engine ' "$profile" >usual.profile
for which in usual fitted; do
    MIKGEN_FLAGS="--profile=$which.profile" generate "$root/$spec.spec" "${type}_$which"
    make "lib_$which.so" "${type}_$which.o" -- gcc -shared "${type}_$which.o" -o "lib_$which.so"
done
make "engine_$type" "$root/bench/engine/engine.c" -- gcc -std=gnu11 -O2 -Wall -Wextra -Werror "-DREAL=$real" "-DSYMBOL=\"gemm_$type\"" \
    "$root/bench/engine/engine.c" -o "engine_$type" -ldl -lm
grep -h '^# measured' fitted.profile || true
"./engine_$type" ./lib_usual.so ./lib_fitted.so "$seconds" <"$root/bench/shapes/engine.txt"
