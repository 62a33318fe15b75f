# SPDX-License-Identifier: GPL-3.0-or-later
# Part of bench/gpu.sh: the emitted self-checks against the specs.
# shellcheck shell=bash disable=SC2154 # set by gpu.sh

selfchecked="examples/gemm/gemm bench/cuda/gemm_bf16 examples/gemm_f32/gemm_f32 examples/gemm_bias_gelu/gemm_bias_gelu \
    examples/batched_gemm/batched_gemm examples/conv2d/conv2d"

# As in tests/gpu/gpu.sh: the reference traps where it would leave an array. Only clang knows bf16. In FOLDER/self.
generate_selfcheck() {
    local spec=$root/$1.spec name reference renames
    name=$(basename "$1")
    reference="gcc -std=gnu11 -O1 -fsanitize-undefined-trap-on-error"
    if grep -q bf16 "$spec"; then
        command -v clang-19 >/dev/null || { echo "$name is left out: bf16 needs clang-19"; return 0; }
        reference="clang-19 -std=gnu11 -O1 -fsanitize-trap=all"
        cp "$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name)" "$name.a"
    fi
    "$mikgen" --target=cuda "$spec" >"${name}_dyn.cu" && "$mikgen" --target=cuda --emit=header "$spec" >"${name}_dyn.cuh" &&
        "$mikgen" --target=cuda --emit=selfcheck "$spec" >"${name}_check.cu" && "$mikgen" --emit=reference "$spec" >"${name}_reference.c" ||
        return 1
    renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.cu")
    # shellcheck disable=SC2086 # several options
    $reference -w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero $renames -c "${name}_reference.c" -o "${name}_reference.o"
}

# One that does not compile keeps no other one from being linked.
build_selfchecks() {
    local name names=() library status=0
    cd "$folder/self" || return 1
    . "$root/bench/cuda/build.sh"
    for name in *_reference.o; do [ ! -e "$name" ] || names+=("${name%_reference.o}"); done
    for name in "${names[@]}"; do
        removable "$name"
        # shellcheck disable=SC2086 # several options
        make "${name}_dyn.o" "${name}_bench.cu" -- "$nvcc" -std=c++17 -O3 $archs -c "${name}_bench.cu" -o "${name}_dyn.o"
        # shellcheck disable=SC2086
        make "${name}_check.o" "${name}_check.cu" -- "$nvcc" -std=c++17 -O2 $archs -I. -c "${name}_check.cu" -o "${name}_check.o"
    done
    wait
    for name in "${names[@]}"; do
        library=
        [ ! -e "$name.a" ] || library=$name.a
        # shellcheck disable=SC2030,SC2086
        (targets=("${name}_check.o" "${name}_dyn.o") && link "$name" $library -- "${name}_check" "${name}_dyn" "${name}_reference") || status=1
    done
    return $status
}

part_self() {
    local spec name every=--every-kernel
    [ -z "$BENCH_WITHOUT" ] || every=
    for spec in $selfchecked; do
        name=$(basename "$spec")
        [ -e "$folder/self/$name" ] || continue
        take 15 || return
        echo "$name:"
        # shellcheck disable=SC2086 # one option, or none
        last 4 stdbuf -oL "$folder/self/$name" --tuples=20 $every
    done
}
