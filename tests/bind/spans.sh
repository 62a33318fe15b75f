#!/usr/bin/env bash
# Overloads over spans, by gcc and clang, for C++11 and C++20, with all warnings; and headers of C in the languages that they are for.
#
#   spans.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$out"
mkdir -p "$out"
cd "$out"
fail() { echo "FAILED: $*"; exit 1; }
warnings="-Wall -Wextra -Wpedantic -Wold-style-cast -Wconversion -Wshadow -Werror"

for name in words products; do
    "$mikgen" --target=c --emit=cpp "$here/$name.spec" -o $name.hpp
    "$mikgen" --target=c --emit=header "$here/$name.spec" -o $name.h
    "$mikgen" --target=c --max-kernels=1 "$here/$name.spec" -o $name.c
    cc -std=c99 -O1 -Wall -Wextra -Werror -c $name.c
done
for compiler in "g++ -std=c++11" "g++ -std=c++20" "clang++-19 -std=c++17" "clang++-19 -std=c++20"; do
    # shellcheck disable=SC2086 # several options
    $compiler -O1 $warnings -I. "$here/spans.cc" words.o products.o -lm -o spans
    ./spans || fail "$compiler"
done
# Without exceptions a wrong call ends the program with its message.
cat >no.cc <<'EOC'
#include "products.hpp"
int main()
{
    float x[4] = {};
    product(2, 2, 1, mikgen::span<const float>(x), {x, 2}, {x, 4});
}
EOC
g++ -std=c++11 -fno-exceptions -Wall -Wextra -Werror no.cc products.o -lm -o no
status=0
(ulimit -c 0; exec ./no) 2>message || status=$?
[ $status = 134 ] && grep -q 'product: A: 4 elements, but the extents say 2' message || fail "without exceptions: $status, $(cat message)"

# The C header: C99, C11, C++, MSVC's C and C++ as clang knows them (its own headers are free of the system's).
for compiler in "gcc -std=c99 -xc" "gcc -std=c11 -xc" "clang-19 -std=c99 -xc" "g++ -std=c++11 -xc++" "g++ -std=c++20 -xc++" \
    "clang-19 -std=c++11 -xc++" "clang-19 -fms-compatibility -xc" "clang-19 -fms-compatibility -fms-extensions -xc++" \
    "clang-19 --target=x86_64-pc-windows-msvc -xc" "clang-19 --target=x86_64-pc-windows-msvc -std=c++14 -xc++"; do
    # shellcheck disable=SC2086 # several options
    printf '#include "words.h"\n#include "products.h"\n#include "words.h"\n' |
        $compiler -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -Wno-error=strict-prototypes -fsyntax-only -I. - 2>message ||
        { cat message; fail "$compiler"; }
    if [[ $compiler == *xc ]]; then ! grep -q . message || { cat message; fail "$compiler warns"; }; fi
done
grep -q '_Bool' words.h && fail "_Bool is no C++"
grep -q 'const bool \*xb' words.h || fail "no bool"
echo ok
