#!/usr/bin/env bash
# The model's static_plan: for constant extents a cover of the output by kernels that the file has, for others none.
#
#   static_plan.sh MIKGEN FOLDER
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
    return model, [stage["static_plan"] for op in model["ops"] for stage in op["stages"]]

def check(name, m, n, k):
    model, [plan] = load(name)
    assert (plan["m"], plan["n"], plan["k"]) == (m, n, k), plan
    isas = {isa["name"]: isa for isa in model["families"][0]["isas"]}
    assert [p["isa"] for p in plan["isas"]] == [isa["name"] for isa in model["families"][0]["isas"]]
    for p in plan["isas"]:
        isa = isas[p["isa"]]
        kernels = {(x["mr"], x["nv"]) for x in isa["kernels"]}
        vectors = -(-n // isa["lanes"])
        along, across = (m, vectors) if p["rows_first"] else (vectors, m)
        assert sum(b["side"] * b["count"] for b in p["bands"]) == along, p
        for b in p["bands"]:
            assert sum(x["side"] * x["count"] for x in b["parts"]) == across, p
            for x in b["parts"]:
                assert ((b["side"], x["side"]) if p["rows_first"] else (x["side"], b["side"])) in kernels, p
        assert float(p["time"]) > 0

check("all", 100, 75, 300)
check("k", 33, 500, -1)
for name in "m", "none":
    _, [plan] = load(name)
    assert plan is None, plan
for plan in load("empty")[1]:
    assert plan is None, plan
EOF
