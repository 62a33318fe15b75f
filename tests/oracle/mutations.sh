#!/usr/bin/env bash
# Does the self-check notice errors of the engine? Each of mutations.txt is put into a copy of the templates, and then tests/oracle/oracle.sh
# must fail with the operator that the entry names; without it it must not.
#
#   mutations.sh MIKGEN FOLDER [PART OF | PATTERN]
#
# All of them; every OF-th, from number PART on; or those whose lines match the regular expression PATTERN. Instruction sets that this machine lacks
# are left out.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(dirname "$0")
exec python3 "$here/mutations.py" "$here/mutations.txt" "$@"
