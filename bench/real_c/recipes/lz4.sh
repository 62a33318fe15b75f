# lz4: the tests of its Makefile that take seconds; its program packs and unpacks the sources themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f lib/lz4hc.c ] && [ -f programs/lz4cli.c ]; }

prepare() { "$HERE/sample.sh" "$WORK/sample"; }

# The library and the program first, as they are released; its tests compile them with -DLZ4_DEBUG=1.
build() {
    make -C programs -j "$JOBS" lz4 CFLAGS="$CFLAGS" DEBUGFLAGS=
    make -C tests -j "$JOBS" all CFLAGS="$CFLAGS"
    [ -f "$WORK/sample.lz4" ] || programs/lz4 -9 -c "$WORK/sample" >"$WORK/sample.lz4"
}

check() {
    (
        cd tests
        ./fuzzer -s1 -t1 -i300
        ./frametest -s1 -t1 -i300
        ./fullbench -i0 "$WORK/sample" >/dev/null
        ./decompress-partial
        ./roundTripTest "$WORK/sample"
    )
    programs/lz4 -9 -c "$WORK/sample" | cmp - "$WORK/sample.lz4"
}

programs() {
    local level
    for level in 1 9 12; do printf 'lz4 -%s\tprograms/lz4 -q -T1 -f -%s %s /dev/null\n' $level $level "$WORK/sample"; done
    printf 'lz4 -d\tprograms/lz4 -q -T1 -f -d %s /dev/null\n' "$WORK/sample.lz4"
}
