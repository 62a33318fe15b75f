#!/usr/bin/env bash
# Do the self-check and the simulated device notice errors of the CUDA engine? Each of mutations.txt is put into a copy of the templates,
# and then run.sh must fail with the operator that the entry names; without it it must not.
#
#   mutations.sh MIKGEN FOLDER [PART OF | PATTERN]
#
# All of them; every OF-th, from number PART on; or those whose lines match the regular expression PATTERN.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(dirname "$0")
skip() { echo "skipped: $*"; exit 77; }
# shellcheck source=tests/cuda/find_nvcc.sh
. "$here/../cuda/find_nvcc.sh"
exec python3 "$here/../oracle/mutations.py" "$here/mutations.txt" "$@"
