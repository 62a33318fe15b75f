#!/usr/bin/env bash
# The engine that the operators of one mode share: compiled once, where its text has changed since the last time.
#
#   engine.sh MODE MIKGEN FOLDER [OPTION...]    the options go to mikgen; operators that use the engine need the same
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mode=$1 mikgen=$2 out=$3
shift 3
. "$(dirname "$0")/modes.sh"
mkdir -p "$out/new"
cd "$out"
"$mikgen" --target=c --emit=engine --families=f32,f64,i8,i32,bf16,u8s8 "$@" -o new
if [ -e mikgen_engine.o ] && cmp -s new/mikgen_engine.c mikgen_engine.c && cmp -s new/mikgen_engine.h mikgen_engine.h; then
    exit 0
fi
rm -f mikgen_engine.o
mv new/mikgen_engine.[ch] .
# Its kernels are compiled with -O2 by the tests oracle.*.single.* and oracle.*.stack.*.
# shellcheck disable=SC2086 # several options
${compile/$level/-O1} $warnings -c mikgen_engine.c -o mikgen_engine.tmp
mv mikgen_engine.tmp mikgen_engine.o
