#!/usr/bin/env bash
# Conversions of every type to every other, in loops, against exact arithmetic: see type_pairs.py.
#
#   type_pairs.sh MODE MIKGEN FOLDER PART OF
#
# MODE is one of modes.sh. From one PART, from 0 on, OF so many of the types.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mode=$1 mikgen=$2 out=$3 part=$4 parts=$5 here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/oracle/modes.sh
. "$here/modes.sh"
mkdir -p "$out"
cd "$out"
case $mode in neon*) long_double=binary128 ;; *) long_double=x87 ;; esac
LONG_DOUBLE=$long_double python3 "$here/type_pairs.py" . "$part" "$parts"
"$mikgen" --target=c --output-dir=. type_pairs.spec
# shellcheck disable=SC2086 # several options and warnings
$compile $warnings -c type_pairs_dyn.c
# shellcheck disable=SC2086
${compile/$level/-O1} $warnings -I. "$here/type_pairs.c" type_pairs_dyn.o $libraries -o type_pairs
$run ./type_pairs
