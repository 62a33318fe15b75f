# SPDX-License-Identifier: GPL-3.0-or-later
# For the scripts of the CUDA benches, to be sourced: what is generated and compiled goes into the current folder, and again only
# when something changed: what decides is a sum over sources and command, so that a folder can be carried to another machine.
# Wants $root, the project's folder, and $mikgen; "-": everything is generated already.
# Environment: MIKGEN_FLAGS (none); NVCC and NVCC_FLAGS; ARCHS, options that name architectures (sm_80, sm_90a, PTX); JOBS at a time (as many as there are processors); SIMULATOR,
# libsimulator.a: then programs run on the processor, very slowly, to try them out (on a GPU of sm_80; for one of sm_90a
# ARCHS="-gencode arch=compute_90a,code=compute_90a" here, and SIM_CC=90 when they run).
# shellcheck shell=bash disable=SC2012,SC2034,SC2086,SC2154 # several words; set or used by those who source this

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "this bench wants nvcc" >&2; exit 2; }
cuda=$(dirname "$(dirname "$(realpath "$nvcc")")")
nvcc=$cuda/bin/nvcc
here=$(realpath --relative-to=. "$root/bench/cuda")
jobs_most=${JOBS:-$(nproc)}
ptx="-gencode arch=compute_80,code=compute_80"
archs=${ARCHS:--gencode arch=compute_80,code=sm_80 -gencode arch=compute_90a,code=sm_90a $ptx}
warnings="-Werror all-warnings -Xcompiler -Wall,-Wextra"
if [ -n "${SIMULATOR:-}" ]; then
    SIMULATOR=$(cd "$root" && realpath "$SIMULATOR")
    archs="-cudart none -no-compress ${ARCHS:-$ptx}"
fi
compile="$nvcc -std=c++17 -O3 ${NVCC_FLAGS:-} $warnings -I."
[ -n "${SIMULATOR:-}" ] || ! "$nvcc" --help | grep -q -- --compress-mode || compile="$compile --compress-mode=size"
targets=()

# make TARGET SOURCE... -- COMMAND: runs the command, beside others, if the sources or the command are not those of the last time.
# Relative to the toolkit and the project, so that the same ones elsewhere do not count as others.
make() {
    local target=$1 sources=() sum
    shift
    while [ "$1" != -- ]; do
        sources+=("$1")
        shift
    done
    shift
    targets+=("$target")
    sum=$({ echo "${*//"$cuda"/CUDA}"; cat "${sources[@]}"; } | sha256sum)
    [ "$sum" = "$(cat "$target.sum" 2>/dev/null)" ] && [ -e "$target" ] && return
    rm -f "$target.sum"
    while [ "$(jobs -rp | wc -l)" -ge "$jobs_most" ]; do wait -n || true; done
    (
        began=$EPOCHREALTIME
        "$@" || { echo "failed: $*" >&2; exit 1; }
        awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f\n", b - a }' >"$target.seconds"
        echo "$sum" >"$target.sum"
    ) &
}

# made: waits for all; ends the script if something could not be made.
made() {
    local target
    wait
    for target in "${targets[@]}"; do
        [ -e "$target.sum" ] || exit 2
    done
}

# removable NAME: NAME_bench.cu, which is NAME_dyn.cu as programs are compiled with it: of its kernels, those whose symbols end in a
# word of $BENCH_WITHOUT are too large for every device when a program starts, so that nothing chooses them and forcing them is refused.
removable() {
    awk '
        /^static const mik_variant [a-z0-9_]*_variants\[\] = {$/ {
            sub(/const /, "")
            table[++tables] = substr($3, 1, length($3) - 2)
        }
        { print }
        END {
            if (tables == 0) exit 1
            print "#include <stdlib.h>\n#include <string.h>"
            print "static void bench_remove(mik_variant *v, size_t count, const char *word, size_t length)\n{"
            print "    for (size_t i = 0; i < count; i++) {"
            print "        const size_t name = strlen(v[i].name);"
            print "        if (length > 0 && name >= length && strncmp(v[i].name + name - length, word, length) == 0)"
            print "            v[i].shared = 1 << 30;\n    }\n}"
            print "__attribute__((constructor)) static void bench_without(void)\n{"
            print "    const char *word = getenv(\"BENCH_WITHOUT\");"
            print "    while (word && *word) {\n        const size_t length = strcspn(word, \" \");"
            for (i = 1; i <= tables; i++)
                print "        bench_remove(" table[i] ", sizeof " table[i] " / sizeof *" table[i] ", word, length);"
            print "        word += length + (word[length] != 0);\n    }\n}"
        }' "$1_dyn.cu" >"$1.new" || { echo "$1_dyn.cu has no table of kernels" >&2; exit 2; }
    cmp -s "$1.new" "$1_bench.cu" || cp "$1.new" "$1_bench.cu"
    rm "$1.new"
}

# generate SPEC NAME OPTION...: NAME_dyn.cu and NAME_dyn.cuh; touched only when the text is another one. And NAME_bench.cu.
generate() {
    local spec=$1 name=$2 kind suffix
    shift 2
    if [ "$mikgen" = - ]; then
        [ -e "${name}_dyn.cu" ] || { echo "${name}_dyn.cu is not there, and no mikgen to make it" >&2; exit 2; }
        removable "$name"
        return
    fi
    for kind in source header; do
        suffix=$([ $kind = source ] && echo cu || echo cuh)
        "$mikgen" --target=cuda --emit=$kind ${MIKGEN_FLAGS:-} "$@" "$spec" -o "$name.new"
        cmp -s "$name.new" "${name}_dyn.$suffix" || cp "$name.new" "${name}_dyn.$suffix"
        rm "$name.new"
    done
    removable "$name"
}

# The six products. TYPES: those that programs are built with.
types=${TYPES:-f16 bf16 f32 tf32 s8 e4m3}
file_of() { case $1 in f16) echo gemm ;; *) echo "gemm_$1" ;; esac; }
operator_of() { case $1 in f16) echo gemm ;; tf32) echo gemm_f32 ;; *) echo "gemm_$1" ;; esac; }
# What bench/cuda/plans.cu wants to know of a type.
plans_of() {
    echo "$(have_of "$1") -DGENERATED=\"$(file_of "$1")_bench.cu\" -DOPERATOR=$(operator_of "$1")$([ "$1" != tf32 ] || echo " -DARGS=tf32_gemm_f32_args")"
}
have_of() { echo "-DHAVE_$(echo "$1" | tr '[:lower:]' '[:upper:]')"; }
generate_type() {
    case $1 in
    f16) generate "$root/examples/gemm/gemm.spec" gemm ;;
    bf16 | s8 | e4m3) generate "$root/bench/cuda/gemm_$1.spec" "gemm_$1" ;;
    f32) generate "$root/examples/gemm_f32/gemm_f32.spec" gemm_f32 ;;
    tf32) generate "$root/examples/gemm_f32/gemm_f32.spec" gemm_tf32 --allow-tf32 --prefix=tf32_ ;;
    *) echo "no type is called $1" >&2; exit 2 ;;
    esac
}

# The product of a type with its operands stored in all ways: layouts_TYPE.
generate_layouts() {
    local flags=''
    [ "$1" != tf32 ] || flags="--allow-tf32 --prefix=tf32_"
    sed "$(case $1 in
        f16) ;;
        bf16) echo 's/half/bf16/g' ;;
        s8) echo 's/const half/const int8_t/g; s/half C/int32_t C/; s/(half)//; s/float/int32_t/g' ;;
        e4m3) printf "%s\n" 's/const half/const e4m3/g; s/(float)\([AB]\[.\]\[.\]\)/e4m3_to_float(\1)/g' ;;
        *) echo 's/half/float/g' ;;
    esac)" "$root/bench/cuda/layouts.spec" >"layouts_$1.spec"
    # shellcheck disable=SC2086 # several options
    generate "layouts_$1.spec" "layouts_$1" $flags
}
# What bench/cuda/kernels.cu wants to know of a type.
layouts_of() {
    case $1 in
    f16) echo "-DELEMENT=F16 -DELEMENT_T=__half -DOUT_T=__half" ;;
    bf16) echo "-DELEMENT=BF16 -DELEMENT_T=__nv_bfloat16 -DOUT_T=__nv_bfloat16" ;;
    f32) echo "-DELEMENT=F32 -DELEMENT_T=float -DOUT_T=float" ;;
    tf32) echo "-DELEMENT=F32 -DELEMENT_T=float -DOUT_T=float -DPREFIX=tf32_" ;;
    s8) echo "-DELEMENT=S8 -DELEMENT_T=int8_t -DOUT_T=int32_t" ;;
    e4m3) echo "-DELEMENT=E4M3 -DELEMENT_T=__nv_fp8_e4m3 -DOUT_T=__half" ;;
    esac
    echo "-DGENERATED=\"layouts_$1_dyn.cuh\""
}

# Where libraries may be: the toolkit's, the distribution's, a Python package's.
library_bases() {
    echo "$cuda" /usr/local/cuda "$cuda"/targets/*-linux /usr
    python3 -c 'import nvidia, os; print(*[os.path.join(p, d) for p in nvidia.__path__ for d in sorted(os.listdir(p))])' 2>/dev/null || true
}

# find_library HEADER LIBRARY: the folders of both, or nothing.
find_library() {
    local base header library
    for base in $(library_bases); do
        header=$(ls "$base/include/$1" "$base"/include/*-linux-gnu/"$1" 2>/dev/null | head -1)
        library=$(ls "$base"/lib64/lib$2.so* "$base"/lib/lib$2.so* "$base"/lib/*-linux-gnu/lib$2.so* 2>/dev/null | head -1)
        [ -n "$header" ] && [ -n "$library" ] && { echo "$(dirname "$header") $library"; return; }
    done
    return 0
}

# library_path PROGRAM: LD_LIBRARY_PATH for a program that was linked on another machine, if it wants one.
library_path() {
    local name base
    ldd "$1" 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\) => not found/\1/p' | while read -r name; do
        for base in $(library_bases); do ls "$base"/lib64/"$name" "$base"/lib/"$name" "$base"/lib/*-linux-gnu/"$name" 2>/dev/null | head -1; done | head -1
    done | while read -r name; do printf '%s:' "$(dirname "$name")"; done
}

# use_library HEADER NAME LIBRARY...: sets NAME_flags and NAME_link, and says if it is not there.
use_library() {
    local name=$2 header=$1 library found flags='' link=''
    shift 2
    [ -z "${SIMULATOR:-}" ] && for library; do
        found=$(find_library "$header" "$library")
        [ -n "$found" ] || { echo "$name is not there: this bench runs without it"; flags='' link=''; break; }
        flags="-DHAVE_$(echo "$name" | tr '[:lower:]' '[:upper:]') -I${found% *}"
        link="$link ${found#* } -Xlinker -rpath=$(dirname "${found#* }")"
    done
    printf -v "${name}_flags" '%s' "$flags"
    printf -v "${name}_link" '%s' "$link"
}

# object NAME SOURCE FLAG...: NAME.o out of bench/cuda/SOURCE; the generated interfaces count as sources.
object() {
    local name=$1 source=$2
    shift 2
    make "$name.o" "$here"/*.h ./*_dyn.cuh "$here/$source" -- $compile $archs "$@" -c "$here/$source" -o "$name.o"
}

# link PROGRAM FLAG... -- NAME...: out of NAME.o, which are waited for.
link() {
    local program=$1 flags=() objects=() name
    shift
    while [ "$1" != -- ]; do
        flags+=("$1")
        shift
    done
    shift
    for name; do objects+=("$name.o"); done
    made
    if [ -n "${SIMULATOR:-}" ]; then
        make "$program" "${objects[@]}" "$SIMULATOR" -- g++ "${objects[@]}" "${flags[@]}" "$SIMULATOR" -lm -lpthread -o "$program"
    else
        make "$program" "${objects[@]}" -- "$nvcc" $archs "${objects[@]}" "${flags[@]}" -o "$program"
    fi
    made
}

# A generated file as an object: NAME_dyn.o.
compiled() { make "$1_dyn.o" "$1_bench.cu" -- $compile $archs -c "$1_bench.cu" -o "$1_dyn.o"; }

common="race device shapes report watch"
common_objects() {
    object race race.cu
    object device device.cu
    object shapes shapes.cu
    object report report.cu
    object watch watch.cu
}
