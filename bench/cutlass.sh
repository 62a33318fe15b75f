#!/usr/bin/env bash
# The loops that multiply of emitted kernels beside those of CUTLASS' for the same tiles, in instructions of machine code: products of half
# matrices, both row by row, and the second column by column.
#
#   bench/cutlass.sh --cutlass=DIR [MIKGEN [ARCH...]]
#
#   DIR    CUTLASS' source: its headers are in DIR/include
#   ARCH   sm_80, sm_90a; default: both. CUTLASS' kernels for sm_90a take some minutes
#
# For each tile and each of the two: instructions of the loop for each multiply-add of a warp or warpgroup, integer ones among them, and
# registers; then the first's ratio of the former to CUTLASS'. $FOLDER keeps what is compiled; $TILES: only tiles MxNxK that match it.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
usage() { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
case ${1:-} in --cutlass=*) cutlass=${1#--cutlass=} ;; *) usage ;; esac
shift
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$(realpath "${1:-$root/build/mikgen}")
[ $# -eq 0 ] || shift
[ -d "$cutlass/include/cutlass" ] || { echo "no CUTLASS in $cutlass" >&2; exit 2; }
cutlass=$(realpath "$cutlass")
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

compile() { # NAME ARCH OPTION...: NAME.cu to NAME.cubin
    local name=$1 for=$2
    shift 2
    cmp -s "$name.cu" "$name.compiled" && return
    "$nvcc" -std=c++17 -O3 "-arch=$for" "$@" -cubin "$name.cu" -o "$name.cubin" >"$name.log" 2>&1 || { cat "$name.log" >&2; exit 2; }
    cp "$name.cu" "$name.compiled"
}

# CUTLASS' tiles as arguments of TILE: those of ours in FILE that its defaults have, too. sm_90a: with as many warpgroups.
tiles() { # ARCH FILE
    case $1 in
    sm_80) sed -n 's/^typedef mik_mma<[a-z_]*, \([0-9]*, [0-9]*, [0-9]*, [0-9]*, [0-9]*\), 1, false, \([0-9]*\), true>.*/\1, \2/p' "$2" |
        awk -F', ' -v only="${TILES:-.}" '$1 >= 64 && $2 >= 64 && $1 "x" $2 "x" $3 ~ only { printf "TILE(%s) ", $0 }' ;;
    *) sed -n 's/^typedef mik_group<[a-z_]*, \([0-9]*\), \([0-9]*\), 64, \([0-9]*\), [a-z]*, [0-9]*, 1>.*/\1 \2 \3/p' "$2" |
        awk -v only="${TILES:-.}" '$1 >= 64 && $2 >= 64 && ($1 >= 128 || $3 == 1) && $1 "x" $2 "x64" ~ only {
            sort = $3 == 2 ? "Cooperative" : ""
            printf "TILE(%d, %d, 64, KernelTmaWarpSpecialized%s, TmaWarpSpecialized%s) ", $1, $2, sort, sort
        }' ;;
    esac
}

# A line for each kernel: TILE, instructions, products, integers, registers.
loops() { # CUBIN ARCH
    ./machine_code list "$1" | sed -n 's/^\([^ ]*\): \([0-9]*\) registers.*/\1 \2/p' >registers
    ./machine_code loops "$1" | awk -v ours="_${2/_/}\$" '
        # Of CUTLASS names the tile is spelled as the first three numbers, behind two others for sm_90a.
        function tile(name,   n, at, found, number)
        {
            if (match(name, "_[0-9]+x[0-9]+x[0-9]+" ours))
                return substr(name, RSTART + 1, RLENGTH - length(ours))
            if (name !~ /cutlass/)
                return ""
            for (n = 0; match(name, /Li[0-9]+E/); name = substr(name, RSTART + RLENGTH))
                number[++n] = substr(name, RSTART + 2, RLENGTH - 3)
            at = n > 5 && number[2] == 1 ? 3 : 1
            return number[at] "x" number[at + 1] "x" number[at + 2]
        }
        FNR == NR { registers[$1] = $2; next }
        tile($1) != "" && $6 > most[$1] { most[$1] = $6; text[$1] = tile($1) " " $4 " " $6 " " $8 " " registers[$1] }
        END { for (name in text) print text[name] }' registers - | sort
}

[ $# -gt 0 ] || set -- sm_80 sm_90a
printf '%-6s %-6s %-12s | %8s %8s %4s | %8s %8s %4s | %s\n' arch B tile ours integers regs CUTLASS integers regs ratio
for arch in "$@"; do
    for layout in Row Column; do
        name=${arch}_$layout
        case $layout in
        Row) cp "$root/examples/gemm/gemm.spec" "$name.spec" ;;
        *) sed 's/B\[K\]\[N\]/B[N][K]/; s/B\[k\]\[n\]/B[n][k]/' "$root/examples/gemm/gemm.spec" >"$name.spec" ;;
        esac
        "$mikgen" --target=cuda "$name.spec" >"$name.cu"
        compile "$name" "$arch"
        printf '%s\n' "#define B_LAYOUT cutlass::layout::${layout}Major" "#define TILES $(tiles "$arch" "$name.cu")" \
            "#include \"$root/bench/cutlass/products_$arch.cu\"" >"${name}_cutlass.cu"
        compile "${name}_cutlass" "$arch" --expt-relaxed-constexpr "-I$cutlass/include"
        loops "${name}_cutlass.cubin" "$arch" >theirs
        loops "$name.cubin" "$arch" | awk -v arch="$arch" -v layout="$layout" '
            FNR == NR { theirs[$1] = $0; next }
            $1 in theirs {
                split(theirs[$1], t)
                printf "%-6s %-6s %-12s | %8.2f %8.2f %4d | %8.2f %8.2f %4d | %.2f\n", arch, layout, $1, $2 / $3, $4 / $3, $5,
                    t[2] / t[3], t[4] / t[3], t[5], $2 / $3 / (t[2] / t[3])
            }' theirs -
    done
done
