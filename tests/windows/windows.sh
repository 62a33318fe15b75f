#!/usr/bin/env bash
# Generated C on Windows, as far as Debian has it: compiled by MinGW's gcc and by clang for it, and run under Wine; looked at by clang as
# MSVC's. By hand: it needs gcc-mingw-w64-x86-64 and wine64, and some minutes.
#
#   windows.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
for tool in x86_64-w64-mingw32-gcc wine clang-19; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
export WINEDEBUG=-all WINEPREFIX=$PWD/wine
warnings="-Wall -Wextra -Werror -Wno-unknown-pragmas"
operators="gemm_f32 gemm softmax conv2d"
"$mikgen" --emit=trace -o mikgen_trace.h
printf '#include "mikgen_trace.h"\nint main(void) { mikgen_trace_log log; return mikgen_trace_open(&log, 1); }\n' >writer.c
for name in $operators; do
    "$mikgen" --target=c --max-kernels=4 --output-dir=. "$root/examples/$name/$name.spec"
    "$mikgen" --emit=reference -o spec_$name.c "$root/examples/$name/$name.spec"
    x86_64-w64-mingw32-gcc -O1 -w -D$name=spec_$name -c spec_$name.c
done
"$mikgen" --target=c --trace --max-kernels=2 -o traced.c "$root/examples/softmax/softmax.spec"

# Compiled and run.
for compiler in "x86_64-w64-mingw32-gcc -O2" "x86_64-w64-mingw32-gcc -O0" "clang-19 --target=x86_64-w64-windows-gnu -O2"; do
    for source in *_dyn.c traced.c writer.c "$root/tests/windows/windows.c"; do
        # shellcheck disable=SC2086 # several words
        $compiler -std=c99 $warnings -I. -c "$source" || fail "$compiler does not compile $source"
    done
    # What would need a stack that is aligned to 32 bytes, as none is on Windows, where gcc does not see to it.
    for name in $operators; do
        ! x86_64-w64-mingw32-objdump -d ${name}_dyn.o | grep -qE 'vmov(ap[sd]|dqa[0-9]*) .*[yz]mm.*\(%r(sp|bp)' || [ "${compiler%%-*}" = clang ] ||
            fail "$compiler: $name relies on the stack's alignment"
    done
    x86_64-w64-mingw32-gcc windows.o ./*_dyn.o spec_*.o -lm -o windows.exe
    echo "$compiler: $(timeout 300 wine ./windows.exe 2>/dev/null | tr -d '\r')"
    timeout 300 wine ./windows.exe >log 2>&1 || { cat log; fail "$compiler"; }
done

# What MSVC's C would be given; of MinGW's headers some have no sense then, and are not looked at.
headers=$(echo '#include <stdlib.h>' | x86_64-w64-mingw32-gcc -E - | sed -n 's,^# 1 "\(.*\)/stdlib.h".*,\1,p' | head -1)
for source in *_dyn.c traced.c writer.c; do
    clang-19 --target=x86_64-pc-windows-msvc -std=c11 -fsyntax-only -ferror-limit=0 $warnings -isystem "$headers" "$source" 2>log || true
    ! grep -E "^(\./)?[a-z0-9_]+\.[ch]:" log || fail "as MSVC's C: $source"
done
