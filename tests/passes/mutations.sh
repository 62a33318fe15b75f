#!/usr/bin/env bash
# Do quick tests notice errors of the passes? Each of mutations.txt is compiled, linked in front of the rest of BUILD, which has everything
# built, and then the test that the entry names must fail; without it it must not. A test ? is looked for among the quick ones, and named.
#
#   mutations.sh BUILD FOLDER [PART OF | PATTERN]
#
# All of them; every OF-th, from number PART on; or those whose lines match the regular expression PATTERN.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(dirname "$0")
[ -f "$1/build.ninja" ] || { echo "skipped: $1 is not built by ninja"; exit 77; }
exec python3 "$here/mutations.py" "$here/mutations.txt" "$@"
