#!/usr/bin/env bash
# What is said of words that mikgen does not take: which word it is, and what was meant.
#
#   misspelt.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
spec=$(cd "$(dirname "$0")/../.." && pwd)/tests/specs/transpose.spec
cd "$2"
rm -f tun
echo 'void f(int n, float *y) { for (int i = 0; i < n; i++) y[i] = n * 2; }' >loop.c

# means HELP TEXT ARGUMENT...: it is refused, and told what to write.
means() {
    local help=$1
    shift
    refuse "$@"
    grep -qxF "help: $help" message || { cat message; fail "the help is not '$help'"; }
}

# Options: the word itself, wherever it stands.
letters="with one dash there are -o, -D, -U, -I, -p, -isystem and -h"
means "mikgen --help lists the options; $letters" "there is no option -O2" -O2 "$spec"
means "mikgen --help lists the options; $letters" "there is no option -O2" --target=c "$spec" -O2 -o refused.c
means "mikgen --help lists the options; $letters" "there is no option -std=c99" --keep-loops -std=c99 loop.c
means "mikgen --help lists the options; $letters" "there is no option -xyz" -o refused.c -xyz "$spec"
means "mikgen tune --help lists the options; $letters" "there is no option -c" tune -c "$spec"
means "mikgen cc --help lists the options; $letters" "there is no option -c" cc -c -- gcc
means "did you mean --target=c?" "there is no option -target=c" -target=c "$spec"
means "did you mean --hint=n:0:4?" "there is no option -hint=n:0:4" --keep-loops -hint=n:0:4 loop.c
means "did you mean --target=cuda?" "there is no option --tagret=cuda" --tagret=cuda "$spec"
means "did you mean --keep-loops?" "there is no option --keeploops" --keeploops loop.c
means "did you mean --version?" "there is no option --vresion" --vresion
means "mikgen --help lists the options" "there is no option --qwertyuiop=1" --qwertyuiop=1 "$spec"
means "mikgen --help lists the options" "option -o needs a value" "$spec" -o
means "mikgen --help lists the options" "option --target needs a value" "$spec" --target
means "write --trace" "option --trace takes no value" --trace=on "$spec"
refuse "-x: error: No such file" -- -x

# A name may be cut short where that is clear.
"$mikgen" --targ=c --emi=ir "$spec" | cmp - <("$mikgen" --target=c --emit=ir "$spec") || fail "a name cut short"
means "write more of its name: --explain-licm, --explain" "--exp=3,4 may be several options" --exp=3,4 "$spec"

# Values.
means "did you mean 'cuda'? write --target=c or --target=cuda" "--target has no value 'cud'" --target=cud "$spec"
means "write --emit=source, header, python, cpp, rust, reference, selfcheck, plan, ir, engine or trace" "--emit has no value 'xyz'" --emit=xyz "$spec"
refuse "--emit has no value 'haeder'" --emit=haeder "$spec"
grep -q "^help: did you mean 'header'?" message || fail "a value with two letters exchanged"
means "did you mean --dump-after=licm?" "there is no pass 'lcm'" --target=c --dump-after=lcm "$spec"
means "did you mean --dump-after=loop_reversal?" "there is no pass 'loop_reversl'" --target=c --dump-after=loop_reversl "$spec"
means "did you mean --dump-after=list?" "there is no pass 'lst'" --target=c --dump-after=lst "$spec"
means "mikgen --dump-after=list names them" "there is no pass 'qwertyuiop'" --target=c --dump-after=qwertyuiop "$spec"

# Commands.
means "did you mean mikgen tune?" "there is no file 'tun', and no such command" tun --target=c "$spec"
means "did you mean mikgen --help?" "there is no file 'help', and no such command" help
means "write: mikgen tune [options] ..." "the command tune stands behind options" --target=c tune "$spec"
cp "$spec" tun
"$mikgen" --target=c tun >/dev/null || fail "a file whose name is nearly a command's"

for words in -h --help -help --he; do
    "$mikgen" $words | cmp - <("$mikgen" --help) || fail "$words"
done
"$mikgen" tune -h | cmp - <("$mikgen" tune --help) || fail "tune -h"
"$mikgen" cc -h | cmp - <("$mikgen" cc --help) || fail "cc -h"
