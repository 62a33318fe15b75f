#!/usr/bin/env bash
# What the assembler makes of the kernels of two CUDA files, the second of which should be no worse: for each kernel in both of them
# registers, bytes of stack and spilled, and how many instructions there are of each kind that matters. Worst first.
#
#   bench/cuda_sass.sh OLD.cu NEW.cu [ARCH...]
#
#   ARCH   sm_80, sm_90a or another; default: both of these
#
# A kernel is "worse" where it has more registers, a larger stack, more spills, more instructions that multiply, copy or store, or over
# PERCENT (default 2) more of all; then the exit status is 1. It is "other" where it has less of what multiplies, copies or stores, or
# over PERCENT less of all, "close" where only what else is printed differs. $FOLDER keeps what is compiled for the next time.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
old=$(realpath "$1") new=$(realpath "$2")
shift 2
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "this bench wants nvcc" >&2; exit 2; }
if [ -n "${FOLDER:-}" ]; then
    mkdir -p "$FOLDER"
else
    FOLDER=$(mktemp -d)
    trap 'rm -r "$FOLDER"' EXIT
fi
cd "$FOLDER"
cc -O1 -o machine_code "$root"/tests/cuda/machine_{code,counts,loops}.c

# listed FILE ARCH: a line each of "KERNEL KIND NUMBER" to $list.
listed() {
    local sum
    sum=$({ echo "$2"; cat "$1"; } | sha256sum | cut -c1-16)
    list=$sum.list
    [ ! -s "$list" ] || return 0
    "$nvcc" -std=c++17 -O3 "-arch=$2" -Xptxas -v -cubin "$1" -o "$sum.cubin" >"$sum.log" 2>&1 || { cat "$sum.log" >&2; exit 2; }
    {
        awk '/Function properties for/ { name = $NF } /bytes spill stores/ { print name, "spilled", $5 + $9 }' "$sum.log"
        ./machine_code list "$sum.cubin" | awk '
            /^[^ ]/ {
                name = substr($1, 1, length($1) - 1)
                print name, "registers", $2
                print name, "stack", $9
                total = $13
            }
            /^ / { if ($1 == "NOP") total -= $2; else if ($1 != "others") print name, $1, $2 }
            /^  others/ { print name, "all", total }'
    } >"$list"
}

[ $# -gt 0 ] || set -- sm_80 sm_90a
worse=0
for arch in "$@"; do
    listed "$old" "$arch"
    before=$list
    listed "$new" "$arch"
    echo "$(basename "$new") for $arch"
    awk -v percent="${PERCENT:-2}" '
        BEGIN {
            kinds = split("registers stack spilled all HMMA HGMMA IMMA DMMA FFMA DFMA LDSM LDGSTS UTMALDG LDG LDS STS STS_R STG BAR ATOMG", kind)
        }
        FNR == NR { old[$1, $2] = $3; known[$1] = 1; next }
        { new[$1, $2] = $3; if (!($1 in seen)) { seen[$1] = 1; names[++count] = $1 } }
        END {
            for (i = 1; i <= count; i++) {
                name = names[i]
                if (!(name in known)) { print "9 new     " name; continue }
                delete known[name]
                ratio = old[name, "all"] > 0 ? 100 * (new[name, "all"] / old[name, "all"] - 1) : 0
                bad = ratio > percent
                differs = ratio < -percent
                text = ""
                for (j = 1; j <= kinds; j++) {
                    x = old[name, kind[j]] + 0
                    y = new[name, kind[j]] + 0
                    if (x != y) text = text sprintf("  %s %d > %d", kind[j], x, y)
                    if (j <= 3) bad = bad || y > x
                    if (j > 4 && j <= 13 || kind[j] == "STG") { bad = bad || y > x; differs = differs || y != x }
                }
                verdict = bad ? "worse" : differs ? "other" : text == "" ? "same" : "close"
                number[verdict]++
                printf "%07.2f %-5s %+6.2f %% %s%s\n", (bad ? 2000 : differs ? 1000 : 100) + ratio, verdict, ratio, name, text
            }
            for (name in known) { print "9999 gone  " name; number["worse"]++ }
            printf "0 %d kernels: %d same, %d close, %d other, %d worse\n", count, number["same"], number["close"], number["other"], number["worse"]
        }' "$before" "$list" | sort -rn | cut -d' ' -f2- >table
    cat table
    ! grep -q ' [1-9][0-9]* worse$' table || worse=1
done
exit $worse
