# cJSON: its tests by ctest; a program of ours reads, compares and prints a large value.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f cJSON.c ] && [ -f cJSON_Utils.c ]; }

build() {
    cmake_build -DBUILD_SHARED_LIBS=OFF -DENABLE_CJSON_UTILS=ON -DENABLE_CUSTOM_COMPILER_FLAGS=OFF
    # shellcheck disable=SC2086 # several flags
    "$CC" $CFLAGS -I. "$HERE/programs/json.c" cJSON.c cJSON_Utils.c -lm -o json
}

programs() {
    local what times=1
    [ "$CONFIGURATION" = count ] || times=30
    for what in parse print minify compare; do printf 'json %s\tjson %s %s\n' $what $what $times; done
    printf 'json pointer\tjson pointer %s\n' $((times * 200))
}
