#!/usr/bin/env bash
# The options that say how micro-kernels are generated.
#
#   kernels.sh MIKGEN FOLDER
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
spec=$root/examples/gemm_f32/gemm_f32.spec
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

# refuse TEXT ARGUMENT...
refuse() {
    local text=$1 status=0
    shift
    "$mikgen" "$@" "$spec" >out 2>message </dev/null || status=$?
    [ $status = 1 ] || fail "$*: exit status $status"
    grep -qF -- "$text" message || { cat message; fail "$*: the message lacks: $text"; }
}

# kernels FILE OPTION...: per instruction set the number of kernels, the greatest sides of blocks, the kernels.
kernels() {
    local file=$1
    shift
    "$mikgen" --target=c --emit=plan "$@" "$spec" >plan.json
    python3 - <<'EOF' >"$file"
import json
for isa in json.load(open("plan.json"))["families"][0]["isas"]:
    k = isa["kernels"]
    print(isa["name"], len(k), *(max(x[side] for x in k) for side in ("uM", "uN", "uK")),
          *("%dx%d" % (x["mr"], x["nv"]) for x in k))
EOF
}

# The two names of one number, its default, and the banner that tells what was asked for.
"$mikgen" --target=c --max-kernels=5 "$spec" >a.c
"$mikgen" --target=c --n-mik=5 "$spec" >b.c
cmp a.c b.c || fail "--n-mik=5 is not --max-kernels=5"
head -5 a.c | grep -qF -- '--max-kernels=5' || fail "the banner does not tell of --max-kernels"
"$mikgen" --target=c --n-gen=32 --n-syn=12 --n-mik=64 "$spec" >c.c
"$mikgen" --target=c "$spec" >d.c
cmp c.c d.c || fail "the defaults are not 32, 12, 64"

kernels default
kernels few --n-mik=5
kernels all --max-kernels=0
kernels small --n-gen=4
kernels other --n-syn=5
for file in default few all small other; do grep -q '^avx512 ' $file || fail "no kernels of avx512 in $file"; done
awk '$2 > 64 { exit 1 }' default || fail "more than 64 kernels by default"
awk '$2 != 5 { exit 1 }' few || fail "--n-mik=5 does not keep 5"
awk '$1 == "avx512" && $2 < 60 { exit 1 }' all || fail "--max-kernels=0 does not keep all"
awk '$3 > 64 || $4 > 256 || $5 > 64 { exit 1 }' small || fail "--n-gen=4: blocks larger than 64 and one tile"
! cmp -s default other || fail "--n-syn changes nothing"

refuse "--n-gen takes a number from 1 to 256, not '0'" --n-gen=0
refuse "--n-syn takes a number from 1 to 13, not '14'" --n-syn=14
refuse "--n-mik takes a number" --n-mik=many
refuse "--n-gen does not go with it" --keep-loops --n-gen=8
refuse "--n-syn does not go with it" --keep-loops --n-syn=8
