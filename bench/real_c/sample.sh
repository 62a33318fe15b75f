#!/usr/bin/env bash
# Something to pack: the text of the current folder's sources over and over, 8 MB, and 1 MB where instructions are counted.
#
#   sample.sh FILE
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
size=8000000
[ "$CONFIGURATION" != count ] || size=1000000
find . -name '*.[ch]' ! -path './real_c_build/*' -print0 | sort -z | xargs -0 cat >"$1.once"
: >"$1"
while [ "$(stat -c %s "$1")" -lt $size ]; do cat "$1.once" >>"$1"; done
truncate -s $size "$1"
rm "$1.once"
