#!/usr/bin/env bash
# Which lines of the generator run in its tests: line coverage by rooms, by LLVM's source-based counters.
# It builds FOLDER with clang, runs the tests whose names match PATTERN there (default: what reads, plans and prints, not what compiles the
# output), and prints a table; FOLDER/coverage.txt has it by files, FOLDER/coverage has the sources with counts. Needs Debian's llvm-19.
#
#   coverage.sh FOLDER [PATTERN]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
pattern=${2:-^(unit|golden|cli|tune|install|fuzz|emitted.bind)\\.}
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cd "$1"
for tool in clang-19 llvm-cov-19 llvm-profdata-19; do
    command -v $tool >/dev/null || { echo "coverage.sh: there is no $tool: apt-get install clang-19 llvm-19" >&2; exit 1; }
done
cmake -S "$root" -B . -G Ninja -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DMIKGEN_COVERAGE=ON >cmake.log
ninja >ninja.log || { tail -20 ninja.log >&2; exit 1; }
rm -rf profiles
# A few files for all processes: counters are added up in them.
LLVM_PROFILE_FILE=$PWD/profiles/%8m.profraw ctest -j "$(nproc)" -R "$pattern" -E 'golden\.(licm\.(gcc|clang)|sanitized)|tune_replay' >ctest.log || echo "some tests failed: $1/ctest.log" >&2
llvm-profdata-19 merge -sparse profiles/*.profraw -o all.profdata
objects=()
for program in tests/unit_* bin/*; do
    [ ! -x "$program" ] || [ -d "$program" ] || objects+=(-object "$program")
done
ignored='/(tests|build|bench|templates)/|^/usr/|built_in_'
llvm-cov-19 report ./mikgen "${objects[@]}" -instr-profile=all.profdata -ignore-filename-regex="$ignored" >coverage.txt
llvm-cov-19 show ./mikgen "${objects[@]}" -instr-profile=all.profdata -ignore-filename-regex="$ignored" -format=html -output-dir=coverage >/dev/null
# Columns 8 and 9 are lines and those that never ran.
awk '
    /^-|^Filename|^TOTAL/ || NF < 10 { next }
    { split($1, part, "/"); room = part[1]; if (room == "gen" && part[3] != "") room = part[1] "/" part[2]
      lines[room] += $8; missed[room] += $9; all += $8; never += $9 }
    END { for (room in lines) printf "%-12s %6d lines  %5.1f %%\n", room, lines[room], 100 * (1 - missed[room] / lines[room]) | "sort"
          close("sort"); printf "%-12s %6d lines  %5.1f %%\n", "all", all, 100 * (1 - never / all) }' coverage.txt
