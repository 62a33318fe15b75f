#!/usr/bin/env bash
# Files of several versions in one program, in one unit and in several, their headers in any order, in C and C++: with files that earlier
# versions have emitted (tests/golden/versions), and with one of a later version, whose options have a member more in their middle. Layouts
# that have a number stay as they are. --update writes layouts.txt for those that are new.
#
#   versions.sh MIKGEN FOLDER [--update]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
earlier=$here/../golden/versions
# shellcheck source=tests/fresh.sh
. "$here/../fresh.sh" "$@"
spec=$root/examples/layernorm/layernorm.spec
warnings="-Wall -Wextra -Wpedantic -Werror"

"$mikgen" --target=c --prefix=now_ "$spec" -o now.c
"$mikgen" --target=c --prefix=now_ --emit=header "$spec" -o now.h
"$mikgen" --target=c --prefix=now_ --emit=cpp "$spec" -o now_spans.hpp
"$mikgen" --target=c --prefix=traced_ --trace "$spec" -o traced.c
"$mikgen" --target=c --prefix=traced_ --trace --emit=header "$spec" -o traced.h
"$mikgen" --target=cuda --prefix=device_ --emit=header "$spec" -o device.cuh
"$mikgen" --target=cuda --prefix=device_traced_ --trace --emit=header "$spec" -o device_traced.cuh
for kind in c h; do
    sed -e 's/now_layernorm/later_layernorm/g; s/NOW_LAYERNORM/LATER_LAYERNORM/g; s/\(mikgen_options\|MIKGEN_OPTIONS\)_1/\1_2/g' \
        -e 's/^#ifndef MIKGEN_OPTIONS$/#if !defined MIKGEN_OPTIONS || MIKGEN_OPTIONS < 4/; s/^#define MIKGEN_OPTIONS  *2$/#undef mikgen_options\n#undef MIKGEN_OPTIONS\n#define MIKGEN_OPTIONS 4/' \
        -e 's/^    int isa; /    double more[4];\n&/' now.$kind >later.$kind
    grep -q 'more\[4\];' later.$kind && grep -q 'MIKGEN_OPTIONS < 4' later.$kind || fail "later.$kind is no later version"
done
cp "$earlier"/*.[ch] "$earlier"/*.hpp "$earlier"/*.cuh .

# The layouts, without comments and blanks: a name, and what it stands for.
layouts() {
    gcc -fpreprocessed -dD -E -P -x c "$1" 2>/dev/null | tr -s ' \n' ' ' |
        grep -o 'typedef struct mikgen_[a-z_]*[0-9][a-z_0-9]* {[^}]*}' | sed 's/typedef struct //'
}
for file in now.h traced.h device.cuh device_traced.cuh; do layouts $file; done | sort -u >found.txt
[ "$(wc -l <found.txt)" = 5 ] || { cat found.txt; fail "not five layouts"; }
if [ "${3-}" = --update ]; then
    { cat "$earlier/layouts.txt" 2>/dev/null || true; cat found.txt; } | sort -u >all.txt
    cp all.txt "$earlier/layouts.txt"
fi
if grep -vxFf "$earlier/layouts.txt" found.txt; then fail "these layouts are not in layouts.txt: one that has changed takes the next number"; fi
[ -z "$(cut -d' ' -f1 "$earlier/layouts.txt" | sort | uniq -d)" ] || fail "a number has two layouts"
statuses() { sed -n 's/^#define \(MIKGEN_[A-Z_]*\)  *\([0-9]\).*/\1 = \2/p; s/^    \(MIKGEN_[A-Z_]*\) = \([0-9]\).*/\1 = \2/p' "$1" | grep -v 'OPTIONS\|INTERFACE\|TRACE'; }
[ "$(statuses layernorm.h | wc -l)" = 7 ] && ! statuses layernorm.h | grep -vxFf <(statuses now.h) || fail "a status has another number than it had"

# All calls, from units with these headers in this order, in one program. Behind one that has numbers, layernorm.h, which has none, takes
# that one's options, which are longer; across units optimizers of links see that it is not the same.
for name in layernorm now traced later; do
    gcc -std=c99 -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas -c $name.c
done
numbered=("layernorm" "now" "later" "layernorm now" "now later" "later now" "traced later now" "later now traced" "now traced" "traced now")
behind=("now layernorm" "layernorm now traced" "traced layernorm now" "now traced layernorm")
program() { # COMPILER SUFFIX HEADERS...
    local compiler=$1 suffix=$2 n=0 units="" main="" headers header
    shift 2
    for headers; do
        n=$((n + 1))
        { for header in $headers; do echo "#include \"$header.h\""; done; echo "#define CALLS unit_$n"; echo '#include "versions.c"'; } >unit_$n.$suffix
        units="$units unit_$n.$suffix"
        main="$main int unit_$n(void); "
    done
    {
        echo "#include <stdio.h>"
        echo "$main"
        echo "int main(void) { int status = 0;"
        for n in $(seq $n); do echo "if (unit_$n()) { status = 1; puts(\"unit $n\"); }"; done
        echo "return status; }"
    } >main.$suffix
    # shellcheck disable=SC2086 # several options
    $compiler $warnings -I. -I"$here" $units main.$suffix layernorm.o now.o traced.o later.o -lm -o program || fail "$compiler"
    ./program || fail "$compiler: calls go wrong"
}
program "gcc -std=c99 -O1" c "${numbered[@]}" "${behind[@]}"
program "gcc -std=c11 -O2 -flto=1 -Wlto-type-mismatch" c "${numbered[@]}"
program "clang-19 -std=c11 -O1 -Wundef" c "${numbered[@]}" "${behind[@]}"
program "g++ -std=c++11 -O2 -flto=1 -Wodr" cc "${numbered[@]}"
program "clang++-19 -std=c++17 -O1" cc "${numbered[@]}" "${behind[@]}"

# The short name, where one version is there: of a variable, a parameter, the struct.
for header in now traced later layernorm; do
    operator=${header}_layernorm
    [ $header != layernorm ] || operator=layernorm
    cat >short.c <<END
#include "$header.h"
int call(struct mikgen_options *given, float *x);
int call(struct mikgen_options *given, float *x)
{
    mikgen_options opt = {0};
    opt.threads = given->threads;
    switch (${operator}_with(&opt, 1, 1, 1e-5f, x, x, x, x + 1)) {
    case MIKGEN_OK: return 0;
    case MIKGEN_OVERLAP: return 1;
    default: return 2;
    }
}
END
    gcc -std=c99 $warnings -Wno-missing-field-initializers -fsyntax-only short.c || fail "the short name of $header"
    sed 's/{0}/{}/' short.c >short.cc
    g++ -std=c++11 $warnings -Wno-missing-field-initializers -fsyntax-only short.cc || fail "the short name of $header in C++"
done

# Of two layouts it is the newer one's, and what takes the other says so. A status that changes does, too.
printf '#include "now.h"\n#include "later.h"\nint call(mikgen_options *opt, float *x) { return later_layernorm_with(opt, 1, 1, 0, x, x, x, x); }\n' >newer.c
gcc -fsyntax-only -Werror newer.c || fail "the short name is not the newer one's"
sed 's/later_layernorm_with/now_layernorm_with/' newer.c >older.c
gcc -fsyntax-only -Werror older.c 2>message && fail "options of another version are taken"
grep -q mikgen_options_1 message && grep -q mikgen_options_2 message || { cat message; fail "the message does not name both layouts"; }
sed 's/\(#define MIKGEN_NULL_POINTER  *\)2/\19/; s/NOW_LAYERNORM_DYN_H/OTHER_H/' now.h >other.h
printf '#include "now.h"\n#include "other.h"\n' >changed.c
gcc -fsyntax-only -Werror changed.c 2>message && fail "a status of two numbers is taken"
grep -q '"MIKGEN_NULL_POINTER" redefined' message || { cat message; fail "no word about a status of two numbers"; }

# Overloads over spans.
for order in "now last" "last now"; do
    for header in $order; do echo "#include \"${header}_spans.hpp\""; done >spans.cc
    cat >>spans.cc <<'END'
int main()
{
    float x[4] = {1, 2, 3, 4}, y[4];
    try {
        now_layernorm(2, 2, 0.1f, {x, 4}, {x, 2}, {x, 2}, {y, 4});
        last_layernorm(2, 2, 0.1f, {x, 4}, {x, 2}, {x, 2}, {y, 4});
        now_layernorm(2, 2, 0.1f, {x, 4}, {x, 2}, {x, 2}, {x, 4});
    } catch (const mikgen::error &error) {
        return error.status() == MIKGEN_OVERLAP ? 0 : 1;
    }
    return 2;
}
END
    sed 's/\blayernorm/last_layernorm/g' layernorm.c >last.c
    gcc -w -O1 -c last.c
    for compiler in "g++ -std=c++11" "clang++-19 -std=c++20"; do
        $compiler -Wall -Wextra -Werror -I. spans.cc now.o last.o -lm -o spans || fail "spans of several versions: $compiler, $order"
        ./spans || fail "spans of several versions: $compiler, $order"
    done
done

# For CUDA, and C beside it.
mkdir stub
cat >stub/cuda_runtime.h <<'END'
#pragma once
typedef enum { cudaSuccess, cudaErrorNotPermitted = 800 } cudaError_t;
typedef struct stream *cudaStream_t;
END
for order in "device last" "last device" "device device_traced" "device_traced last device" "now device" "device now" "device_traced now device"; do
    for header in $order; do
        case $header in now) echo "#include \"now.h\"" ;; *) echo "#include \"$header.cuh\"" ;; esac
    done >device.cc
    case $order in
        *now*) echo 'static_assert(MIKGEN_OVERLAP == 6 && MIKGEN_CUDA_OVERLAP == cudaErrorNotPermitted, "");' ;;
        *) echo 'static_assert(MIKGEN_OVERLAP == cudaErrorNotPermitted, "");' ;;
    esac >>device.cc
    echo 'device_layernorm_options options = {}; mikgen_cuda_options others = {};' >>device.cc
    case $order in *traced*) echo 'device_traced_layernorm_options traced = others;' ;; *) echo 'device_layernorm_options same = others;' ;; esac >>device.cc
    g++ -std=c++11 $warnings -Wno-missing-field-initializers -Istub -I. -fsyntax-only device.cc || fail "CUDA: $order"
done
echo ok
