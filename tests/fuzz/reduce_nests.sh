#!/usr/bin/env bash
# Deletes lines and blocks of one operator for as long as tests/oracle/oracle.sh still finds the same with it.
#
#   reduce_nests.sh MIKGEN SPEC FOLDER OPERATOR PATTERN MODE [CHECK OPTION...]
#
# SPEC and the rest are what nests.sh has printed; $MIKGEN_OPTIONS and $MIKGEN_DEFINES likewise. PATTERN: a regular expression for a line
# of what oracle.sh prints, as "is .*, not" or "touches memory". The reduced operator is FOLDER/reduced.spec.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
[ $# -ge 6 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") spec=$(realpath "$2") folder=$3 operator=$4 pattern=$5 mode=$6
shift 6
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" && cd "$folder" || exit 2
. "$here/delete_lines.sh"

# Does this file show it?
shows() { timeout 60 "$here/../oracle/oracle.sh" "$mode" "$mikgen" "$PWD/$1" "$PWD/one" "${checks[@]}" 2>&1 | grep -qE "$pattern"; }

checks=("$@")
awk "/^void $operator\\(/, /^}/" "$spec" >reduced.spec
shows reduced.spec || { echo "$operator does not show it"; exit 1; }
delete_lines reduced.spec 2
cat reduced.spec
