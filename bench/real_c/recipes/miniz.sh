# miniz: its tests by ctest; its example5 packs and unpacks the sources themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f miniz_tdef.c ] && [ -f miniz_tinfl.c ]; }

prepare() { "$HERE/sample.sh" "$WORK/sample"; }

build() {
    cmake_build -DBUILD_TESTS=ON
    [ -f "$WORK/sample.z" ] || bin/example5 -l9 c "$WORK/sample" "$WORK/sample.z"
}

check() {
    local example
    ctest --test-dir real_c_build --output-on-failure
    for example in 1 2; do "bin/example$example"; done
    bin/example5 -l9 c "$WORK/sample" packed
    cmp packed "$WORK/sample.z"
    bin/example5 d packed unpacked
    cmp unpacked "$WORK/sample"
}

programs() {
    local level
    for level in 1 6 9; do
        printf 'example5 -%s\tbin/example5 -l%s c %s /dev/null\n' $level $level "$WORK/sample"
    done
    printf 'example5 -d\tbin/example5 d %s /dev/null\n' "$WORK/sample.z"
}
