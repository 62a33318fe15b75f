# SPDX-License-Identifier: GPL-3.0-or-later
# Part of bench/gpu.sh: mikgen tune --target=cuda on loops, tuned against planned. As for the fit (bench/gpu/fit.sh), the measuring programs are
# compiled before: each has all configurations of its spec.
# shellcheck shell=bash disable=SC2154 # set by gpu.sh

nests_tuned=${NESTS:-softmax layernorm rmsnorm argmax transpose bias_gelu adam colsum l2norm_cols}

# In the current folder.
generate_nests() {
    keep_source "nests_$1.cu" "$root/bench/nests/specs/$1.spec"
}

# As the text is: it has no kernels of products that could be left out.
build_nests() {
    local name status=0
    cd "$folder" || return 1
    . "$root/bench/cuda/build.sh"
    archs=$(echo " $archs" | sed 's/ -gencode arch=compute_8[0-9],[^ ]*//g')
    for name in $nests_tuned; do
        # shellcheck disable=SC2086 # several options
        [ ! -e "nests_$name.cu" ] || make "nests_$name.o" "nests_$name.cu" -- "$nvcc" -std=c++17 -O3 $archs -c "nests_$name.cu" -o "nests_$name.o"
    done
    wait
    for name in $nests_tuned; do
        # shellcheck disable=SC2030
        [ ! -e "nests_$name.cu" ] || (targets=("nests_$name.o") && link "nests_$name" -- "nests_$name") || status=1
    done
    return $status
}

# Each kind of kernel that ran on the sampled extents has a line: how many times as fast as planned, and which knobs; at last the mean.
part_nests() {
    local name tuner libraries profile tuned=0
    find_tuner || { echo "FAILED: there is no mikgen here: bench/gpu.sh MIKGEN FOLDER generate build slim packs it"; failures=$((failures + 1)); return; }
    profile=${csv%.csv}_nests.profile
    rm -f "$profile" "$folder/nests.log"
    for name in $nests_tuned; do
        [ -x "$folder/nests_$name" ] || continue
        take 20 || break
        last 0 env LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$tuner" tune --target=cuda --program="$folder/nests_$name" \
            --budget=$((slice - 3)) --measurements="${csv%.csv}_nests_$name.csv" "$root/bench/nests/specs/$name.spec" -o "$profile"
        sed -n 's/^ *[0-9]* %  \(.* times as fast as planned\)$/\1/p' "$folder/log" | tee -a "$folder/nests.log"
        tuned=$((tuned + 1))
    done
    [ $tuned -gt 0 ] && [ -s "$folder/nests.log" ] || { echo "FAILED: no loops are tuned"; failures=$((failures + 1)); return; }
    awk '{ sum += log($5); n++ } END { printf "%d kinds of kernels, tuned over planned: %.3f in the mean\n", n, exp(sum / n) }' "$folder/nests.log"
    echo "$(grep -c '^grid' "$profile") nests: $(basename "$profile")"
}
