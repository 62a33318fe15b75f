# zlib: make test and its infcover; minigzip packs and unpacks the sources themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f inflate.c ] && [ -f zconf.h.in ]; }

prepare() { "$HERE/sample.sh" "$WORK/sample"; }

build() {
    ./configure --static
    make -j "$JOBS" static infcover
    [ -f "$WORK/sample.gz" ] || ./minigzip <"$WORK/sample" >"$WORK/sample.gz"
}

check() {
    make teststatic
    ./infcover
    ./minigzip <"$WORK/sample" | cmp - "$WORK/sample.gz"
}

programs() {
    local level
    for level in 1 6 9; do printf 'minigzip -%s\tminigzip -c -%s %s\n' $level $level "$WORK/sample"; done
    # Of several files it unpacks one behind the other.
    printf 'minigzip -d\tminigzip -c -d%s\n' "$(printf " $WORK/sample.gz%.0s" 1 2 3 4 5 6)"
}
