# SPDX-License-Identifier: GPL-3.0-or-later
# Part of bench/gpu.sh: mikgen tune --target=cuda on the GPU's machine, which need have neither nvcc nor templates for it: the measuring
# programs are compiled before, and mikgen itself travels as FOLDER/mikgen.gz with its libraries in FOLDER/lib.
# shellcheck shell=bash disable=SC2154 # set by gpu.sh

# What is measured, of each type: sm_90a's kernels of tf32 besides, with B along k, as they read it.
measured() {
    local type
    for type in $types; do
        echo "$type"
        [ "$type" != tf32 ] || echo tf32_along
    done
}

# The spec and the options that it is measured by.
spec_of() {
    case $1 in
    f16) echo "$root/examples/gemm/gemm.spec" ;;
    bf16 | s8 | e4m3) echo "$root/bench/cuda/gemm_$1.spec" ;;
    tf32) echo "--allow-tf32 $root/examples/gemm_f32/gemm_f32.spec" ;;
    tf32_along) echo "--allow-tf32 $root/bench/cuda/gemm_f32_along.spec" ;;
    *) echo "$root/examples/gemm_f32/gemm_f32.spec" ;;
    esac
}

# keep_source FILE OPTION...: mikgen's measuring program as text, in the current folder: mikgen gives it to its compiler, which keeps it.
keep_source() {
    local file=$1
    shift
    cat >keep_source <<'SCRIPT'
#!/bin/sh
for word; do case $word in *.cu) cp "$word" "$KEPT" ;; esac; done
exit 1
SCRIPT
    chmod +x keep_source
    rm -f kept.cu
    KEPT=$PWD/kept.cu "$mikgen" tune --target=cuda --arch=sm_90 --nvcc=./keep_source "$@" -o none.profile >tune.log 2>&1
    [ -s kept.cu ] || { cat tune.log; return 1; }
    cmp -s kept.cu "$file" || cp kept.cu "$file"
    rm -f kept.cu keep_source tune.log
}

# TYPE's, in the current folder.
generate_tune() {
    # shellcheck disable=SC2046 # several words
    keep_source "tune_$1_dyn.cu" $(spec_of "$1") && removable "tune_$1"
}

# For sm_90 and newer, as the text is, and without warnings of what the measuring program does not use.
build_tune() {
    local type status=0
    cd "$folder" || return 1
    . "$root/bench/cuda/build.sh"
    archs=$(echo " $archs" | sed 's/ -gencode arch=compute_8[0-9],[^ ]*//g')
    for type in $(measured); do
        [ -e "tune_${type}_dyn.cu" ] || continue
        removable "tune_$type"
        # shellcheck disable=SC2086 # several options
        make "tune_$type.o" "tune_${type}_bench.cu" -- "$nvcc" -std=c++17 -O3 $archs -c "tune_${type}_bench.cu" -o "tune_$type.o"
    done
    wait
    for type in $(measured); do
        # shellcheck disable=SC2030
        [ ! -e "tune_${type}_dyn.cu" ] || (targets=("tune_$type.o") && link "tune_$type" -- "tune_$type") || status=1
    done
    return $status
}

# mikgen and what it wants beside the system's own libraries.
pack_mikgen() {
    rm -rf "$folder/lib"
    mkdir -p "$folder/lib"
    strip -o "$folder/mikgen.stripped" "$mikgen" && gzip -9 -c "$folder/mikgen.stripped" >"$folder/mikgen.gz"
    rm -f "$folder/mikgen.stripped"
    ldd "$mikgen" | awk '$2 == "=>" && $3 ~ /^\// && $1 !~ /^(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl)\.so/ { print $3 }' |
        xargs -r cp -L -t "$folder/lib"
}

# Sets $tuner and the libraries' folder.
find_tuner() {
    libraries=
    tuner=$mikgen
    [ "$mikgen" = - ] || return 0
    tuner=$folder/mikgen
    libraries=$folder/lib
    [ -x "$tuner" ] || [ ! -e "$tuner.gz" ] || { gzip -dc "$tuner.gz" >"$tuner" && chmod +x "$tuner"; }
    [ -x "$tuner" ]
}

# One profile of all types: what a type adds is there before the next one is measured.
part_fit() {
    local type tuner libraries profile=$OUT/$name.profile fitted=0
    find_tuner || { echo "FAILED: there is no mikgen here: bench/gpu.sh MIKGEN FOLDER generate build slim packs it"; failures=$((failures + 1)); return; }
    rm -f "$profile"
    for type in $(measured); do
        [ -x "$folder/tune_$type" ] || continue
        take 30 || break
        # shellcheck disable=SC2046 # several words
        last 3 env LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$tuner" tune --target=cuda --program="$folder/tune_$type" \
            --budget=$((slice - 3)) $(spec_of "$type") -o "$profile"
        grep '^mikgen: note: .* is not measured' "$folder/log"
        fitted=$((fitted + 1))
    done
    [ $fitted -gt 0 ] || { echo "FAILED: nothing is fitted"; failures=$((failures + 1)); }
    [ ! -e "$profile" ] || echo "$(grep -c '^block' "$profile") kernels, $(grep -c '^gpu' "$profile") kinds of GPU: $(basename "$profile")"
}
