#!/usr/bin/env bash
# Every integer that a user writes has a range: what lies outside, and what is no integer, is refused with that range.
#
#   numbers.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"

cat >two.spec <<'END'
void f(int M, int64_t N, unsigned char P, float x[M]) { for (int i = 0; i < M; i++) x[i] = (float)(N + P); }
END
printf 'void f(int n, unsigned u, float *x) { for (int i = 0; i < n; i++) x[i * n] = u * n; }\n' >loops.c

# run ARGUMENT...: the status is in $status, what was said in message.
run() {
    status=0
    "$mikgen" "$@" >out 2>message </dev/null || status=$?
}

beyond=99999999999999999999999999
# out_of LOW HIGH BEFORE AFTER ARGUMENT...: of BEFORE + number + AFTER, an option, all that is outside of LOW .. HIGH is refused.
out_of() {
    local low=$1 high=$2 before=$3 after=$4 value
    shift 4
    for value in "$(python3 -c "print($low - 1)")" "$(python3 -c "print($high + 1)")" "$beyond" "-$beyond" '' 4x 4.0 ' 4' '4 ' +4 0x - 1e3 many; do
        refuse "a number from $low to $high, not '$value'" "$before$value$after" "$@"
    done
}

for option in max-kernels:0:1000000 n-mik:0:1000000 n-gen:1:256 n-syn:1:13 stack:15360:1048576 threads:1:4096 licm-threshold:0:1000000 unroll-limit:0:1000000; do
    IFS=: read -r name low high <<<"$option"
    out_of "$low" "$high" "--$name=" "" --target=c two.spec
done
for option in n-pred:1:1000000 device:0:1000 budget:1:86400 max-kernels:0:1000000; do
    IFS=: read -r name low high <<<"$option"
    refuse "a number from $low to $high, not '$((high + 1))'" tune --target=c "--$name=$((high + 1))" two.spec
    refuse "a number from $low to $high, not '$((low - 1))'" tune --target=c "--$name=$((low - 1))" two.spec
    refuse "a number from $low to $high, not ''" tune --target=c "--$name=" two.spec
    refuse "a number from $low to $high, not '$beyond'" tune --target=c "--$name=$beyond" two.spec
    refuse "a number from $low to $high, not '4x'" tune --target=c "--$name=4x" two.spec
done
for name in distribute unswitch; do
    for value in 2 -1 '' 1x $beyond; do
        refuse "--$name has no value '$value'" --keep-loops "--$name=$value" loops.c
    done
done

# Values of parameters: the range is the type's.
int="-2147483648 2147483647" long="-9223372036854775808 9223372036854775807"
out_of $int --explain= ,1,1 --target=c two.spec
refuse "M of f takes a number from -2147483648 to 2147483647, not '9999999999999'" --explain=9999999999999,1,1 --target=c two.spec
refuse "N of f takes a number from ${long/ / to }, not '9223372036854775808'" --explain=1,9223372036854775808,1 --target=c two.spec
refuse "P of f takes a number from 0 to 255, not '256'" --explain=1,1,256 --target=c two.spec
refuse "P of f takes a number from 0 to 255, not '-1'" --explain=1,1,-1 --target=c two.spec
for list in '' 1 1,2 1,2,3,4 1,2,3, ,1,2,3; do
    refuse "no operator of the spec has that many integer parameters" --explain="$list" --target=c two.spec
done
for list in 2147483647,-9223372036854775808,255 -2147483648,9223372036854775807,0; do
    run --explain=$list --target=c two.spec
    [ $status = 0 ] && grep -q '^f: ' out || { cat message; fail "--explain=$list"; }
done

# Hints are about parameters too: of the command line, and of pragmas, where the message has a place.
for end in : :4; do
    [ $end = : ] && before=n:0: after= || before=n: after=:2147483647
    for value in 2147483648 -2147483649; do
        refuse "a number from -2147483648 to 2147483647, not '$value'" --keep-loops --hint=$before$value$after loops.c
    done
    for value in $beyond '' 4x 9223372036854775808 -$beyond; do
        refuse "a number from ${long/ / to }, not '$value'" --keep-loops "--hint=$before$value$after" loops.c
    done
done
refuse "a number from 0 to 4294967295, not '-1'" --keep-loops --hint=u:-1:4 loops.c
refuse "lowest value is above its highest" --keep-loops --hint=n:5:4 loops.c
run --keep-loops --hint=n:-2147483648:2147483647 --hint=u:0:4294967295 loops.c
[ $status = 0 ] || { cat message; fail "hints at the ends of their types"; }
for hint in "M, 1, 2147483648" "M, -2147483649, 1" "P, 0, 256" "N, 0, 9223372036854775808" "M, 0, 4u" "M, 0, 1e3"; do
    { echo "#pragma mikgen hint($hint)"; cat two.spec; } >hint.spec
    refuse "hint.spec:1:" --target=c hint.spec
    grep -q "a number from -\?[0-9]* to [0-9]*, not '" message || { cat message; fail "a pragma's hint($hint)"; }
done
{ echo "#pragma mikgen hint(M, -2147483648, 2147483647) hint(N, -9223372036854775807, 0x7fffffffffffffff)"; cat two.spec; } >hint.spec
run --target=c --emit=ir hint.spec
[ $status = 0 ] || { cat message; fail "a pragma's hints at the ends of their types"; }
