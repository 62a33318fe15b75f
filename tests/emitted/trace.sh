#!/usr/bin/env bash
# What --trace tells: of all forms of products, of loops and waves, of a whole layer on threads; written as a Chrome trace, and read again.
#
#   trace.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$out"
mkdir -p "$out/engine"
cd "$out"
fail() { echo "FAILED: $*"; exit 1; }
warnings="-Wall -Wextra -Wpedantic -Werror"
options="--target=c --max-kernels=2"

# Without --trace there is nothing of it.
for target in c cuda; do
    if "$mikgen" --target=$target "$root/examples/softmax/softmax.spec" | grep -qi 'trace'; then fail "a $target file has traces, unasked"; fi
done

# shellcheck disable=SC2086 # several options
{
    "$mikgen" $options --trace "$here/trace.spec" -o trace_dyn.c
    "$mikgen" $options --trace --emit=header "$here/trace.spec" -o trace_header.h
    "$mikgen" $options --prefix=plain_ "$here/trace.spec" --emit=header -o plain.h
    "$mikgen" $options --trace --engine=shared "$here/trace.spec" -o shared.c
    "$mikgen" $options --trace --emit=engine "$here/trace.spec" -o engine
    "$mikgen" --emit=trace -o mikgen_trace.h
    # Waves that are worth it for small arrays, too.
    small="-DMIK_WAVE_BYTES=1e4 -DMIK_WAVE_PART=1e3 -DMIK_LOOP_TASK_NS=100"
    gcc -std=c99 -O0 $warnings -Wno-unknown-pragmas $small -c trace_dyn.c -o serial.o
    gcc -std=c99 -O0 $warnings -fopenmp $small -c trace_dyn.c -o openmp.o
    clang-19 -std=c99 $warnings -fsyntax-only trace_dyn.c
    gcc -std=c99 -O1 $warnings -Iengine -Wno-unknown-pragmas $small shared.c engine/mikgen_engine.c "$here/trace.c" -I. -lm -o shared
    gcc -std=c99 -O1 $warnings -I. "$here/trace.c" serial.o -lm -o serial
    gcc -std=c99 -O1 $warnings -I. -fopenmp "$here/trace.c" openmp.o -lm -o openmp
}
for program in serial shared; do
    ./$program forms $program.json
    python3 "$here/trace.py" $program.json "$([ $program = serial ] && echo trace_dyn.c || echo engine/mikgen_engine.c)" 3
done
OMP_NUM_THREADS=2 ./openmp loops openmp.json
python3 "$here/trace.py" openmp.json trace_dyn.c 2
./serial loops one.json
python3 "$here/trace.py" one.json trace_dyn.c 1

# The example.
mkdir -p example_files
# shellcheck disable=SC2046
"$mikgen" --target=c $(cat "$root/examples/trace/options") --output-dir=example_files "$root/examples/trace/trace.spec"
"$mikgen" --emit=trace -o example_files/mikgen_trace.h
gcc -O0 -Iexample_files "$root/examples/trace/main.c" example_files/trace_dyn.c -lm -lpthread -o example
./example example.json
python3 "$here/trace.py" example.json example_files/trace_dyn.c 4

# The writer for C++; options with hooks and without them in one program.
printf '#include "trace_header.h"\n#include "mikgen_trace.h"\nint main() { mikgen_trace_log log; return mikgen_trace_open(&log, 1); }\n' >writer.cc
g++ -std=c++11 $warnings -I. -fsyntax-only writer.cc
for order in "plain trace_header" "trace_header plain"; do
    for header in $order; do echo "#include \"$header.h\""; done >both.c
    echo 'int main(void) { mikgen_options opt = {0}; return opt.trace != NULL; }' >>both.c
    gcc -std=c99 $warnings -Wno-missing-field-initializers both.c -o both || fail "options with hooks and without: $order"
done
# shellcheck disable=SC2086
"$mikgen" $options --emit=engine "$here/trace.spec" -o engine
gcc -std=c99 -Iengine -fsyntax-only shared.c 2>message && fail "an engine without hooks is taken"
grep -q 'generate it with --trace, too\|generate that one with --trace, too' message || { cat message; fail "of an engine without hooks"; }
echo "traces can be true"
