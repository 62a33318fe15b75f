#!/usr/bin/env bash
# C, C++ and CUDA sources are as clang-format makes them, of the version that bootstrap installs.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/../.."
format=clang-format-19
command -v $format >/dev/null || { echo "skipped: there is no $format"; exit 77; }
files=$(git ls-files '*.c' '*.h' '*.cc' '*.hh' '*.cu' '*.cuh' | grep -vE '^(generated|tests/golden|examples/topi)/')
[ -n "$files" ] || { echo "FAILED: no files"; exit 1; }
bad=$(xargs $format --dry-run --Werror <<<"$files" 2>&1 | sed -n 's/:[0-9]*:[0-9]*: error:.*//p' | sort | uniq -c)
[ -z "$bad" ] || { printf '%s\n' "$bad" "FAILED: $format -i makes them as .clang-format says"; exit 1; }
