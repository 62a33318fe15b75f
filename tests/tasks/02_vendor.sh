#!/usr/bin/env bash
# Put an operator into a tree of one's own: own licence text, own prefix, a check for the CI.
# By: docs/vendoring.md
#
#   02_vendor.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
mkdir -p specs third_party
cp examples/softmax/softmax.spec specs
echo "Copyright of the example project." >NOTICE
mikgen --target=c --prefix=ex_ --license-header=NOTICE --output-dir=third_party specs/softmax.spec
head -3 third_party/softmax_dyn.c | grep -q 'Copyright of the example project' || fail "the licence text is not on top"
cc -std=c99 -O0 -Wall -Wextra -Werror -c third_party/softmax_dyn.c
nm softmax_dyn.o | awk '$2 == "T" { print $3 }' | grep -v '^ex_softmax' && fail "other symbols are visible"
printf '#include "third_party/softmax_dyn.h"\nint main(void) { float x[2] = {0, 0}, y[2]; return ex_softmax(1, 2, x, y) || y[0] != 0.5f; }\n' >main.c
cc -O0 main.c softmax_dyn.o -lm -o main
./main || fail "the vendored softmax"
mikgen --check third_party/softmax_dyn.c specs NOTICE
echo '/* edited */' >>third_party/softmax_dyn.c
! mikgen --check third_party/softmax_dyn.c specs NOTICE >difference 2>message || fail "an edit is not noticed"
grep -q '^-.*edited\|^+.*edited' difference || fail "the difference does not show the edit"
mikgen --regenerate third_party/softmax_dyn.c specs NOTICE
mikgen --check third_party/softmax_dyn.c specs NOTICE
