#!/usr/bin/env bash
# Conversions of every type on the way into and out of sums, against the spec itself: see type_sums.py, and for MODE modes.sh.
#
#   type_sums.sh MODE MIKGEN FOLDER KIND CHECK-OPTION...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mode=$1 mikgen=$2 out=$3 kind=$4 here=$(cd "$(dirname "$0")" && pwd)
shift 4
mkdir -p "$out"
python3 "$here/type_sums.py" "$kind" >"$out/$kind.spec"
exec "$here/oracle.sh" "$mode" "$mikgen" "$out/$kind.spec" "$out" --data=eighths "$@"
