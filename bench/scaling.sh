#!/usr/bin/env bash
# What a second thread gives each operator of bench/nests.sh, or more of them, beside what it gives this machine.
#
#   bench/scaling.sh MIKGEN FOLDER [OPTION...]
#
#   --threads=N        so many instead of two
#   others             as bench/nests.sh --quick takes them, --only=PATTERN among them
#
# Columns: milliseconds of one thread and of all; "ratio" of these; "limit" is what reading the inputs once and writing the outputs
# once takes all threads together, or the multiply-adds out of registers if they take longer; "possible" is the ratio at which all
# threads would be busy, or at that limit; "cores" how much faster multiply-adds out of registers were by all threads right after the
# operator: 1 where what the system calls cores shared one.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$1 folder=$2 threads=2
shift 2
for option in "$@"; do
    case $option in --threads=*) threads=${option#*=} ;; esac
done
for n in 1 "$threads"; do
    "$root/bench/nests.sh" "$mikgen" "$folder/$n" --quick "$@" "--threads=$n" > /dev/null
done
python3 "$root/bench/nests/scaling.py" "$folder" "$threads"
