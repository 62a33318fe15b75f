#!/usr/bin/env bash
# Winograd's algorithm: its errors are as small as docs/floating-point.md promises, on inputs that are hard for it, and infinities and NaN stay
# where it says; it is never used unasked, and NAME_explain says whether it is.
#
#   winograd.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/refuse.sh
. "$root/tests/refuse.sh"
mikgen=$1
mkdir -p "$2"
cd "$2"
sed 's/conv2d(/conv(/; s/int stride, int pad/int pad/; s/ \* stride//; s/ \/ stride//g' "$root/examples/conv2d/conv2d.spec" >conv.spec
allowed=(--target=c --max-kernels=8 --constant=filter --allow-winograd=4)
"$mikgen" "${allowed[@]}" --emit=header -o conv.h conv.spec
"$mikgen" "${allowed[@]}" -o conv.c conv.spec
gcc -std=c99 -O2 -Wall -Wextra -Werror -c conv.c -o conv.o
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -I. "$root/tests/emitted/winograd.c" conv.o -lm -lpthread -o errors
./errors

# Asked for by an option, by a pragma for a file, or for an operator.
has() { "$mikgen" --target=c --sets=avx2 --max-kernels=4 "$@" -o out.c && grep -q 'allowed, but for 3 x 3 filters' out.c; }
has --allow-winograd=2 conv.spec || fail "the option does nothing"
! has conv.spec || fail "nobody has asked for it"
{ echo '#pragma mikgen winograd(2)'; cat conv.spec; } >all.spec
has all.spec || fail "the pragma does nothing"
sed 's/^{/{\n#pragma mikgen winograd(4)/' conv.spec >one.spec
has one.spec || fail "the pragma inside an operator does nothing"
! has --fp=strict one.spec || fail "--fp=strict keeps the order of sums"
"$mikgen" --target=c --allow-winograd=2 conv.spec | grep -q -- ' --allow-winograd=2 ' || fail "the command that made the file lacks the option"

refuse "--allow-winograd has no value '3'" --target=c --allow-winograd=3 conv.spec
refuse "--allow-winograd does not go with it" --target=c --fp=strict --allow-winograd=4 conv.spec
refuse "--allow-winograd does not go with it" --keep-loops --allow-winograd=4 conv.spec
sed -i 's/winograd(2)/winograd(3)/' all.spec
refuse "all.spec:1:25: error: tiles of Winograd's algorithm have rows of 2 or 4 outputs" --target=c all.spec
