# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: build_fuzz FOLDER TARGET...: targets of a build by Clang with AddressSanitizer, UndefinedBehaviorSanitizer and what libFuzzer is
# led by.

build_fuzz() {
    local folder=$1 target=()
    shift
    for name; do
        target+=(--target "$name")
    done
    mkdir -p "$folder"
    [ -f "$folder/build.ninja" ] ||
        cmake -S "$(dirname "${BASH_SOURCE[0]}")/../.." -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -g" \
            "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g" -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DMIKGEN_SANITIZE=ON \
            -DMIKGEN_FUZZ=ON >"$folder/configure.log" || { tail -20 "$folder/configure.log"; return 1; }
    cmake --build "$folder" "${target[@]}" >"$folder/build.log" || { tail -20 "$folder/build.log"; return 1; }
}
