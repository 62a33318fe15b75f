#!/usr/bin/env bash
# Random specs under random sets of options and for all targets: run against themselves by tests/oracle/oracle.sh and on the simulated
# device, compiled, or made again from their banners. A finding is made small, spec, profile and options, while it fails in the same way.
#
#   sets.sh MIKGEN FOLDER FIRST SECONDS MOST GENERATOR...
#
# Specs FIRST, FIRST + 1, ... of the GENERATORs in turn (build/tests/random_nest, random_stages), until MOST have run or SECONDS are over.
# $MIKGEN_FUZZ_SEED instead of FIRST 0. A number alone repeats its case. $MIKGEN_FUZZ_SHRINK: seconds for making a finding small (120).
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
[ $# -ge 6 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$1 folder=$2 first=${3/#0/${MIKGEN_FUZZ_SEED:-0}}
shift 3
ulimit -s "$(ulimit -H -s)" # the intermediate arrays of the specs themselves lie on the stack
exec python3 "$(dirname "$0")/sets.py" "$mikgen" "$folder" "$first" "$@"
