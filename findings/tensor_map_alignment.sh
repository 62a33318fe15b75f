#!/usr/bin/env bash
# CUtensorMap of <cuda.h> is aligned to 64 bytes up to CUDA 12.9 and to 128 from 13.0 on. A variable that says alignas(64) itself, as the
# documentation of 12.x asks, is an error for clang from then on; g++ compiles it without a word, aligned to 64 in a type that asks for 128.
# Seen with the headers of nvidia-cuda-runtime-cu12 and nvidia-cuda-runtime, clang 19 and g++ 12:
#
#   12.9.79: alignof 64, clang 0 errors, g++ 0 errors, 0 warnings
#   13.0.96: alignof 128, clang 1 errors, g++ 0 errors, 0 warnings
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
seen="12.9.79: alignof 64, clang 0 errors, g++ 0 errors, 0 warnings
13.0.96: alignof 128, clang 1 errors, g++ 0 errors, 0 warnings"
command -v clang++-19 g++ >/dev/null || { echo "apt install clang-19 g++"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for wheel in nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-runtime==13.0.96; do
    python3 -m pip download -q --no-deps -d . "$wheel"
    name=${wheel%==*}
    python3 -m zipfile -e "${name//-/_}-${wheel#*==}"-*.whl "$wheel"
done
cat >map.cc <<'END'
#include <cuda.h>
int main()
{
    alignas(64) CUtensorMap map = {};
    return (int)map.opaque[0];
}
END
printf '#include <cuda.h>\n#include <stdio.h>\nint main() { printf("%%d", (int)alignof(CUtensorMap)); }\n' >align.cc
for wheel in nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-runtime==13.0.96; do
    include=$(dirname "$(find "$wheel" -name cuda.h)")
    g++ -std=c++17 -I"$include" align.cc -o align
    clang++-19 -std=c++17 -I"$include" -c map.cc -o map.o >clang.log 2>&1 || true
    g++ -std=c++17 -Wall -Wextra -I"$include" -c map.cc -o map.o >g++.log 2>&1 || true
    echo "${wheel#*==}: alignof $(./align), clang $(grep -c ' error: ' clang.log || true) errors," \
        "g++ $(grep -c ' error: ' g++.log || true) errors, $(grep -c ' warning: ' g++.log || true) warnings"
done >now
cat now
[ "$(cat now)" = "$seen" ] || { printf 'it has changed; seen before:\n%s\n' "$seen"; exit 1; }
