#!/usr/bin/env bash
# A kernel that no shape lets run fails the self-check: here one whose operands are never aligned enough, because the emitted text is
# changed so that they are not.
#
#   never.sh MIKGEN FOLDER
#
# $SIM_LIBRARY as for run.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
spec=$here/../../examples/gemm/gemm.spec
export MIKGEN_ITSELF=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")

cat >"$out/changed" <<'SCRIPT'
#!/usr/bin/env bash
set -eu -o pipefail
"$MIKGEN_ITSELF" "$@" | sed 's/: v->align <= q->align;$/: v->align <= 1;/'
SCRIPT
chmod +x "$out/changed"

status=0
MIKGEN_OPTIONS=--max-kernels=1 "$here/run.sh" "$out/changed" "$out" "$spec" --tuples=2 --ways=4 --every-kernel >"$out/printed" 2>&1 || status=$?
cat "$out/printed"
[ $status != 77 ] || exit 77
grep -q 'v->align <= 1;$' "$out/gemm_dyn.cu" || { echo "FAILED: nothing is changed"; exit 1; }
[ $status = 1 ] && grep -q ' 0  mik_gemm_f16f32_[0-9x]*_sm80: NOT RUN$' "$out/printed" && grep -q '_any_sm80$' "$out/printed" ||
    { echo "FAILED: exit status $status, though a kernel cannot run"; exit 1; }
! grep -q '^FAILED' "$out/printed" || { echo "FAILED: something else is wrong, too"; exit 1; }
echo "a kernel that never runs is seen"
