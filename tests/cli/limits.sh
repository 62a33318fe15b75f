#!/usr/bin/env bash
# Input that is too large or too deep is refused with a message; nothing crashes, nothing takes long.
#
#   limits.sh MIKGEN FOLDER
set -eu
mikgen=$1
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

# repeat TEXT COUNT
repeat() { printf "%0$2d" 0 | sed "s/0/$1/g"; }

# refuse TEXT: the spec on standard input must be refused with a message that contains TEXT.
refuse() {
    local status=0
    cat >limit.spec
    timeout 60 "$mikgen" limit.spec >out 2>message </dev/null || status=$?
    [ $status = 1 ] || fail "exit status $status instead of a message: $1"
    [ ! -s out ] || fail "output in spite of an error"
    grep -qF -- "$1" message || { cat message; fail "the message lacks: $1"; }
}

# statement TEXT: an operator with one statement.
statement() { printf 'void f(int N, const float x[N], float y[N])\n{\n    %s\n}\n' "$1"; }

deep="nested too deeply"
{ printf '/*'; head -c 5000000 /dev/zero | tr '\0' ' '; printf '*/\n'; } | refuse "larger than 4 MB"
statement "y[0] = $(repeat '(' 100000)x[0]$(repeat ')' 100000);" | refuse "$deep"
statement "y[0] = $(repeat '- ' 30000)x[0];" | refuse "$deep"
statement "y[0] = $(repeat '!' 30000)x[0];" | refuse "$deep"
statement "y[0] = $(repeat 'x[0] + ' 3000)1;" | refuse "$deep"
statement "$(repeat '{' 10000)" | refuse "$deep"
statement "$(repeat 'if (N) ' 5000)y[0] = 1;" | refuse "$deep"
statement "if (N) y[0] = 1; $(repeat 'else if (N) y[0] = 2; ' 20000)" | refuse "$deep"

# Helpers that double at every level.
{
    echo 'static float h0(float v) { return v * v; }'
    for i in $(seq 1 30); do
        echo "static float h$i(float v) { return h$((i - 1))(v + 1) + h$((i - 1))(v - 1); }"
    done
    statement 'y[0] = h30(x[0]);'
} | refuse "expand to too much code"
