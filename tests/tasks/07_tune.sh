#!/usr/bin/env bash
# Measure a loop nest on this machine, and generate by what was found.
# By: docs/tuning.md
#
#   07_tune.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
cat >scale.spec <<'END'
void scale_rows(int M, int N, const float x[M][N], const float factor[M], float y[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++)
            y[m][n] = x[m][n] * factor[m];
}
END
echo 64x100 >scale.shapes
mikgen tune --target=c --quick --trials=2 --isa=portable --shapes=scale.shapes scale.spec -o here.profile 2>progress || { cat progress; fail "measuring"; }
grep -q '^nest portable ' here.profile || { cat here.profile; fail "the profile has no line about the nest"; }
mikgen --target=c --profile=here.profile --output-dir=. scale.spec
grep -q 'profile=here.profile' scale_dyn.c || fail "the banner does not name the profile"
cc -std=c99 -O0 -c scale_dyn.c
cp here.profile before
mikgen tune --target=c --quick --trials=2 --isa=portable --shapes=scale.shapes scale.spec -o here.profile 2>progress
cmp here.profile before || fail "what is measured was measured again"
