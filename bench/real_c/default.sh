# How a tree without a recipe is built and tested, and what a recipe need not define. bench/real_c.sh says what each is.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

prepare() { :; }
configurations() { :; }
programs() { :; }

# cmake_build OPTION... [--target NAME...]: into the folder real_c_build.
cmake_build() {
    local options=()
    while [ $# -gt 0 ] && [ "$1" != --target ]; do
        options+=("$1")
        shift
    done
    cmake -S . -B real_c_build -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CXXFLAGS" "${options[@]}"
    cmake --build real_c_build -j "$JOBS" "$@"
}

build() {
    if [ -f compile_commands.json ]; then
        python3 "$HERE/compile_commands.py" compile_commands.json
    elif [ -f CMakeLists.txt ]; then
        cmake_build
    elif [ -f configure ] || [ -f Makefile ]; then
        [ ! -f configure ] || ./configure
        make -j "$JOBS" CC="$CC" CFLAGS="$CFLAGS"
    else
        # shellcheck disable=SC2086 # several flags
        find . -name '*.c' -print0 | sort -z | xargs -0 -n 1 "$CC" $CFLAGS -c -o /dev/null
    fi
}

# check: "none" says that there are none.
check() {
    if [ -f real_c_build/CTestTestfile.cmake ]; then
        ctest --test-dir real_c_build --output-on-failure
    elif [ -f Makefile ] && grep -q '^check *:' Makefile; then
        make check CC="$CC" CFLAGS="$CFLAGS"
    elif [ -f Makefile ] && grep -q '^test *:' Makefile; then
        make test CC="$CC" CFLAGS="$CFLAGS"
    else
        echo none
    fi
}
