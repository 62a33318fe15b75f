#!/usr/bin/env bash
# What other compilers than the tests' need of emitted CUDA: no warning with gcc and with clang as nvcc's host compiler; no function that clang
# lacks; no kernel of floats that spills; sums of warpgroups begin by a constant, which ptxas before 12.9 wants; bf16 arithmetic that no compiler may contract.
#
#   toolkits.sh MIKGEN FOLDER
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1") out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_nvcc.sh"
mkdir -p "$out"
cd "$out"
failures=0
failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# The table of toolkits, as far as the machine goes.
PATH=$(dirname "$nvcc"):$PATH "$root/bench/cuda_toolkits.sh" "$mikgen" table --no-fetch --mikgen-flags=--max-kernels=1 \
    --specs="$root/examples/gemm/gemm.spec,$root/examples/gemm_f32/gemm_f32.spec,$root/examples/softmax/softmax.spec" \
    --archs=sm_80,sm_90a --all || { failed "the table has faults"; cat table/*.log; }

# Each wgmma's predicate compares a register that is a constant: begins FILE prints where one is not.
begins() {
    awk '$1 == "mov.u32" || $1 == "mov.b32" { is_constant[$2] = $3 ~ /^[0-9]+;$/ }
        /^\t(selp|add|and|or|shl|shr|xor|sub|cvt|ld)/ { delete is_constant[$2] }
        $1 == "setp.ne.b32" && $2 == "p," { asked = $3 }
        $1 ~ /^wgmma.mma_async/ { count++; if (!is_constant[asked]) print FILENAME ": line " NR ": " asked " decides whether sums begin" }
        END { if (count == 0) print FILENAME ": no wgmma" }' "$1"
}
begins table/gemm.sm_90a.ptx >begins.txt
[ ! -s begins.txt ] || { failed "sums of warpgroups begin by a variable"; head -3 begins.txt; }
# The check's check.
sed 's/mov\.u32 \(.*\), [01];/selp.u32 \1, 1, 0, %p1;/' table/gemm.sm_90a.ptx >variable.ptx
begins variable.ptx | grep -q 'decides whether' || failed "a variable is not seen"

# The kernels of floats with the most registers, where products stand in batches, groups and behind divisions: nothing spills. Others are empty.
"$mikgen" --target=cuda "$root/examples/transformer/transformer.spec" >whole.cu
python3 - >few.cu <<'EOF'
import re
kept = re.compile(r"_(128x128x16|16x64x16|64x16x16|16x64x64_row)_sm80(_group)?$")
kernel = re.compile(r'(extern "C" __global__ void __launch_bounds__\(\d+, \d+\)\s+(\w+)\([^)]*\)\n)\{.*?\n\}\n', re.S)
print(kernel.sub(lambda found: found[0] if kept.search(found[2]) else found[1] + "{ }\n", open("whole.cu").read()))
EOF
"$nvcc" -w -std=c++17 -arch=sm_80 -ptx few.cu -o few.ptx || failed "few.cu"
for arch in sm_80 sm_86; do
    "$(dirname "$(realpath "$nvcc")")/ptxas" -arch=$arch -v few.ptx -o few.cubin >few.log 2>&1 || failed "few.ptx for $arch"
    [ "$(grep -c 'Used 1[0-9][0-9] registers' few.log)" -ge 10 ] || failed "kernels with many registers are missing"
    if grep -B2 ' [1-9][0-9]* bytes spill stores' few.log; then failed "registers are spilled for $arch"; fi
done

# Cache hints that clang has no functions for.
if grep -nE '\b__(ld(ca|cg|cs|cv|lu)|st(cg|cs|wb|wt))\(' table/*.cu; then failed "clang lacks these"; fi

# a * b + c of bf16 and half is rounded twice, in float and back: nothing in the PTX of any machine computes in these types.
cat >twice.spec <<'END'
void twice(int N, const bf16 a[N], const bf16 b[N], const half c[N], bf16 y[N], half z[N])
{
    for (int i = 0; i < N; i++) {
        y[i] = a[i] * b[i] + y[i];
        z[i] = c[i] * z[i] + c[i];
        z[i] += c[i] * c[i];
    }
}
END
"$mikgen" --target=cuda twice.spec >twice.cu
for arch in sm_80 sm_90; do
    "$nvcc" -std=c++17 -arch=$arch -ptx twice.cu -o twice.ptx || failed "twice.cu for $arch"
    if grep -nE '^\s*(fma|mul|add|sub)[.a-z0-9]*\.b?f16' twice.ptx; then failed "narrow arithmetic for $arch"; fi
    if grep -nE '^\s*fma\.' twice.ptx; then failed "products are contracted for $arch"; fi
    grep -q 'cvt.rn.bf16.f32' twice.ptx || failed "no conversion for $arch"
done

[ "$failures" = 0 ] && echo "other toolkits have no complaint"
