# lz4: the tests of its Makefile that take seconds; its program packs and unpacks the sources themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f lib/lz4hc.c ] && [ -f programs/lz4cli.c ]; }

# What packs and unpacks fast has it eight times.
prepare() {
    "$HERE/sample.sh" "$WORK/sample"
    for _ in 1 2 3 4 5 6 7 8; do cat "$WORK/sample"; done >"$WORK/large"
}

# The library and the program first, as they are released; its tests compile them with -DLZ4_DEBUG=1.
build() {
    make -C programs -j "$JOBS" lz4 CFLAGS="$CFLAGS" DEBUGFLAGS=
    make -C tests -j "$JOBS" all CFLAGS="$CFLAGS"
    [ -f "$WORK/sample.lz4" ] || programs/lz4 -9 -c "$WORK/sample" >"$WORK/sample.lz4"
    [ -f "$WORK/large.lz4" ] || programs/lz4 -c "$WORK/large" >"$WORK/large.lz4"
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
    printf 'lz4 -1\tprograms/lz4 -q -T1 -f -1 %s /dev/null\n' "$WORK/large"
    for level in 3 9 12; do printf 'lz4 -%s\tprograms/lz4 -q -T1 -f -%s %s /dev/null\n' $level $level "$WORK/sample"; done
    printf 'lz4 -d\tprograms/lz4 -q -T1 -f -d %s /dev/null\n' "$WORK/large.lz4"
}
