# zlib: make test and its infcover; minigzip packs and unpacks the sources themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f inflate.c ] && [ -f zconf.h.in ]; }

# What unpacks fast has it eight times.
prepare() {
    "$HERE/sample.sh" "$WORK/sample"
    for _ in 1 2 3 4 5 6 7 8; do cat "$WORK/sample"; done >"$WORK/large"
}

build() {
    ./configure --static
    make -j "$JOBS" static infcover
    [ -f "$WORK/sample.gz" ] || ./minigzip <"$WORK/sample" >"$WORK/sample.gz"
    [ -f "$WORK/large.gz" ] || ./minigzip <"$WORK/large" >"$WORK/large.gz"
}

check() {
    make teststatic
    ./infcover
    ./minigzip <"$WORK/sample" | cmp - "$WORK/sample.gz"
}

programs() {
    local level
    for level in 1 6 9; do printf 'minigzip -%s\tminigzip -c -%s %s\n' $level $level "$WORK/sample"; done
    printf 'minigzip -d\tminigzip -c -d %s\n' "$WORK/large.gz"
}
