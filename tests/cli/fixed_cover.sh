#!/usr/bin/env bash
# The model's fixed_covers: for constant extents a cover of the output by kernels that the file has, for others none.
#
#   fixed_cover.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
cd "$2"

# spec M N K PARAMETERS
spec() {
    cat <<EOF
void gemm($4const float A[$1][$3], const float B[$3][$2], float C[$1][$2])
{
    for (int m = 0; m < $1; m++)
        for (int n = 0; n < $2; n++) {
            float sum = 0;
            for (int k = 0; k < $3; k++)
                sum += A[m][k] * B[k][n];
            C[m][n] = sum;
        }
}
EOF
}

spec 100 75 300 '' >all.spec
spec 33 500 K 'int K, ' >k.spec
spec M 75 300 'int M, ' >m.spec
spec M N K 'int M, int N, int K, ' >none.spec
spec 0 75 300 '' >empty.spec
for name in all k m none empty; do
    "$mikgen" --target=c --emit=plan $name.spec >$name.json
done

python3 - <<'EOF'
import json

def load(name):
    model = json.load(open(name + ".json"))
    return model, [stage["fixed_cover"] for op in model["ops"] for stage in op["stages"]]

def check(name, m, n):
    model, [fixed_cover] = load(name)
    isas = {isa["name"]: isa for isa in model["families"][0]["isas"]}
    assert model["families"][0]["fixed_covers"]
    assert [p["isa"] for p in fixed_cover] == list(isas)
    for p in fixed_cover:
        isa = isas[p["isa"]]
        vectors = -(-n // isa["lanes"])
        length = 0
        for band in p["bands"]:
            parts = [(isa["kernels"][part["kernel"]], part["count"]) for part in band["parts"]]
            across = [(k["nv"], k["mr"]) if p["rows_first"] else (k["mr"], k["nv"]) for k, _ in parts]
            assert sum(a[0] * count for a, (_, count) in zip(across, parts)) == (vectors if p["rows_first"] else m), p
            sides = {a[1] for a in across}
            assert len(sides) == 1, p
            length += sides.pop() * band["count"]
        assert length == (m if p["rows_first"] else vectors), p

check("all", 100, 75)
check("k", 33, 500)
for name in "m", "none":
    _, [plan] = load(name)
    assert plan is None, plan
for plan in load("empty")[1]:
    assert plan is None, plan
EOF
