#!/usr/bin/env bash
# Runs a test and adds a line to a file: the test's name, the processor's seconds, the exit status.
#
#   timed.sh FILE NAME COMMAND...
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
file=$1 name=$2 status=0
shift 2
"$@" || status=$?
# User and system time of all children that have ended, in the second line: 1m2.345s 0m0.678s. In a pipe a shell's copy would be asked,
# which has had no children.
line=$(mktemp)
times >"$line"
seconds=$(sed -n 2p "$line" | tr 'ms' '  ' | awk '{printf "%.1f", 60 * $1 + $2 + 60 * $3 + $4}')
rm -f "$line"
echo "$name $seconds $status" >>"$file"
exit $status
