# ggml: the C files of its CPU backend, with the tests that run on it alone. Its C++ is compiled with -O1, since nothing of that
# changes.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f src/ggml-cpu/ggml-cpu.c ]; }

tests="test-quantize-fns test-dup test-cont test-pool test-rel-pos test-conv-transpose test-roll test-conv2d test-customop"

build() {
    local machine=x86-64-v3
    case $CFLAGS in *-march=native*) machine=native ;; esac
    # shellcheck disable=SC2086 # several targets
    CXXFLAGS="-O1 -march=$machine" cmake_build -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DGGML_CCACHE=OFF -DBUILD_SHARED_LIBS=OFF \
        -DGGML_LLAMAFILE=OFF -DGGML_BUILD_TESTS=ON -DGGML_BUILD_EXAMPLES=OFF --target $tests test-quantize-perf
}

check() {
    local test
    for test in $tests; do "real_c_build/bin/$test"; done
}

programs() {
    local type iterations=40000
    [ "$CONFIGURATION" != count ] || iterations=200
    for type in q4_0 q8_0 q4_K q6_K; do
        printf 'quantize %s\treal_c_build/bin/test-quantize-perf --op quantize_row_q_reference --type %s -i %s\n' $type $type $((iterations / 10))
        printf 'dot %s\treal_c_build/bin/test-quantize-perf --op vec_dot_q --type %s -i %s\n' $type $type $iterations
        printf 'unpack %s\treal_c_build/bin/test-quantize-perf --op dequantize_row_q --type %s -i %s\n' $type $type $iterations
    done
}
