#!/usr/bin/env bash
# Input that is too large or too deep is refused with a message; nothing crashes, nothing takes long.
#
#   limits.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"

# repeat TEXT COUNT
repeat() { printf "%0$2d" 0 | sed "s/0/$1/g"; }

# refuse_spec TEXT: the spec on standard input must be refused with a message that contains TEXT.
refuse_spec() {
    cat >limit.spec
    refuse_command "$1" timeout 60 "$mikgen" limit.spec
}

# statement TEXT: an operator with one statement.
statement() { printf 'void f(int N, const float x[N], float y[N])\n{\n    %s\n}\n' "$1"; }

deep="nested too deeply"
{ printf '/*'; head -c 5000000 /dev/zero | tr '\0' ' '; printf '*/\n'; } | refuse_spec "larger than 4 MB"
statement "y[0] = $(repeat '(' 100000)x[0]$(repeat ')' 100000);" | refuse_spec "$deep"
statement "y[0] = $(repeat '- ' 20000)x[0];" | refuse_spec "$deep"
statement "y[0] = $(repeat '!' 20000)x[0];" | refuse_spec "$deep"
statement "y[0] = $(repeat 'x[0] + ' 3000)1;" | refuse_spec "$deep"
statement "$(repeat '{' 10000)" | refuse_spec "$deep"
statement "$(repeat 'if (N) ' 5000)y[0] = 1;" | refuse_spec "$deep"
statement "if (N) y[0] = 1; $(repeat 'else if (N) y[0] = 2; ' 20000)" | refuse_spec "$deep"

# Long is not deep.
long="more than 30000 words"
statement "y[0] = $(repeat '- ' 30000)x[0];" | refuse_spec "$long"
statement "int $(seq -s', ' -f 'a%.0f = 1' 0 20000);" | refuse_spec "$long"
{ echo "enum { E$(seq -s', ' -f 'E%.0f' 0 20000) };"; statement 'y[0] = x[0];'; } | refuse_spec "$long"
{ echo "static const int c = ($(repeat '1, ' 20000)2);"; statement 'y[0] = x[0] + c;'; } | refuse_spec "$long"
statement "y[0] = 0.$(repeat 1 1000000);" | refuse_spec "more than 1000 digits"

# parameters COUNT: an operator with so many arrays.
parameters() { printf 'void f(int N, %s, float y[N])\n{\n    y[0] = x7[0];\n}\n' "$(seq -s', ' -f 'const float x%.0f[N]' 3 "$1")"; }
parameters 100000 | refuse_spec "more than 4096 parameters"
parameters 4097 | refuse_spec "more than 4096 parameters"
parameters 4096 >many.spec
"$mikgen" --target=c many.spec >many.c || fail "4096 parameters"

# Conditions of loops: minima of minima would double at every level.
statement "for (int i = 0; $(repeat '(i < N \&\& ' 150)i < 10$(repeat ')' 150); i++) y[i] = x[i];" >conditions.spec
timeout 60 "$mikgen" --target=c conditions.spec >conditions.c || fail "150 conditions"
statement "for (int i = 0; $(seq -s' && ' -f 'i + %.0f < N' 1 300); i++) y[i] = x[i];" >conditions.spec
timeout 60 "$mikgen" --target=cuda conditions.spec >conditions.cu || fail "300 conditions"

# Helpers that double at every level.
{
    echo 'static float h0(float v) { return v * v; }'
    for i in $(seq 1 30); do
        echo "static float h$i(float v) { return h$((i - 1))(v + 1) + h$((i - 1))(v - 1); }"
    done
    statement 'y[0] = h30(x[0]);'
} | refuse_spec "expand to too much code"

# Large is not slow: each takes a few seconds of processor at most, and hours if a pass went through the whole tree for each of its nodes.
large() {
    cat >large.spec
    (ulimit -t 60 && exec "$mikgen" --target="$1" large.spec >large.out) || fail "$2, for $1"
}
for i in $(seq 1 1000); do
    printf 'void op%d(int N, const float x[N], float y[N])\n{\n    for (int i = 0; i < N; i++)\n        y[i] = x[i] * %d.0f;\n}\n' "$i" "$i"
done >operators.spec
# So much memory is twice what they take; it was more than four times as much while passes had tables of all symbols for each operator.
(ulimit -v 1500000 && large c "1000 operators" <operators.spec)
(ulimit -v 1500000 && large cuda "1000 operators" <operators.spec)
# no_larger BYTES WHAT: the text of what `large` has been given.
no_larger() { [ "$(wc -c <large.out)" -lt "$1" ] || fail "$2 make $(wc -c <large.out) bytes"; }
# Arrays that are written are not compared each with each other one.
outputs=$(for i in $(seq 1 1000); do echo "y${i}[i] = x[i] * $i.0f;"; done)
printf 'void f(int N, const float x[N], %s)\n{\n    for (int i = 0; i < N; i++) {\n%s\n    }\n}\n' \
    "$(seq -s', ' -f 'float y%.0f[N]' 1 1000)" "$outputs" >outputs.spec
large c "1000 outputs" <outputs.spec
no_larger 2500000 "1000 outputs, for c,"
large cuda "1000 outputs" <outputs.spec
no_larger 800000 "1000 outputs, for cuda,"
# loops COUNT: so many in one another.
loops() { statement "$(for i in $(seq 1 "$1"); do echo "for (int i$i = 0; i$i < N; i$i++)"; done) y[i1] += 1.0f;"; }
loops 60 | large c "60 loops in one another"
loops 60 | large cuda "60 loops in one another"
body() { statement "for (int i = 0; i < N; i++) { $1 }"; }
body "$(seq -s' ' -f 'y[i] = y[i] * x[i] + %.0f.0f;' 1 10000)" | large c "10000 statements in a loop"
body "$(seq -s' ' -f 'y[i] = y[i] * x[i] + %.0f.0f;' 1 2000)" | large cuda "2000 statements in a loop"
(ulimit -v 1500000 && body "float s0 = x[i]; $(for i in $(seq 1 9999); do echo "float s$i = s$((i - 1)) * $i.0f;"; done) y[i] = s9999;" | large c "10000 scalars")
body "$(seq -s' ' -f 'if (x[i] > %.0f.0f) y[i] += x[i];' 1 1000)" | large c "1000 branches in a loop"
statement "$(seq -s' ' -f 'for (int i = 0; i < N; i++) y[i] = y[i] * x[i] + %.0f.0f;' 1 200)" | large c "200 loops one after the other"
# sum FROM COUNT: of so many elements, each from a place of its own, as deep as need be.
sum() {
    if [ "$2" = 1 ]; then echo "x[$(($1 % 7 + 2)) * i + $1]"; else echo "($(sum "$1" $(($2 / 2))) * $(sum $(($1 + $2 / 2)) $(($2 - $2 / 2))))"; fi
}
statement "for (int i = 0; i < N; i++) y[i] = $(sum 0 512);" | large c "512 elements in one expression"
# Helpers make an expression of 100000 nodes of a few words.
doubling() {
    echo 'static float h0(float v) { return v * 1.5f + 0.25f; }'
    for i in $(seq 1 13); do echo "static float h$i(float v) { return h$((i - 1))(v + $i.0f) + h$((i - 1))(v - $i.0f); }"; done
    statement 'for (int i = 0; i < N; i++) y[i] = h13(x[i]);'
}
doubling | large c "an expression of 100000 nodes"
doubling | large cuda "an expression of 100000 nodes"
reading() {
    echo 'static float h0(int N, const float x[N], int i) { return x[i] * 1.5f + 0.25f; }'
    for i in $(seq 1 13); do
        echo "static float h$i(int N, const float x[N], int i) { return h$((i - 1))(N, x, i + $i) + h$((i - 1))(N, x, i - $i); }"
    done
    statement 'for (int i = 0; i < N; i++) y[i] = h13(N, x, i);'
}
reading | large cuda "100000 nodes of helpers that read arrays"
# Each condition is evaluated for what those in front of it leave: neither that nor its loads are spelled out again by all behind it.
body "$(seq -s' else ' -f 'if (x[i] > %.0f.0f) y[i] = x[i];' 1 200)" | large c "200 branches in a chain"
no_larger 500000 "200 branches in a chain, for c,"
all_of() { seq -s' && ' -f "x[(2 + %.0f) * i] > 0.0f" 1 "$1"; }
statement "for (int i = 0; i < N; i++) y[i] = $(all_of 40);" | large c "40 conditions"
no_larger 500000 "40 conditions, for c,"
statement "for (int i = 0; i < N; i++) y[i] = N > 7 ? ($(all_of 40)) : 2;" | large c "40 conditions under one that is the same for all"
no_larger 500000 "40 conditions under another, for c,"
name=$(repeat a 4000)
printf 'void %s(int %sn, const float %sx[%sn], float y[%sn])\n{\n    for (int i = 0; i < %sn; i++)\n        y[i] = %sx[i];\n}\n' \
    "$name" "$name" "$name" "$name" "$name" "$name" "$name" | large c "names of 4000 characters"
