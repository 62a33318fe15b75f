#!/usr/bin/env bash
# bench/real_c.sh on small trees: built by a Makefile, by compile_commands.json, file by file; and one whose own tests see what has
# been rewritten.
#
#   real_c.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
rm -rf ./*

fail() { cat table 2>/dev/null; echo "FAILED: $*"; exit 1; }
# bench STATUS TREE ROW: the bench ends with STATUS, its row of TREE begins so.
level=-O1
bench() {
    local status=0
    "$root/bench/real_c.sh" --mikgen="$mikgen" --out=out --cflags=$level --rounds=1 --no-count "$2" >table 2>messages || status=$?
    [ $status = "$1" ] || { cat messages; fail "$2: exit status $status"; }
    grep -qF -- "| $2 | $3" table || fail "$2: not the row '$3'"
}

mkdir made listed plain seen
cat >made/sum.h <<'END'
int sum(const int *x, int n, int m);
END
cat >made/sum.c <<'END'
#include "sum.h"
#ifndef SCALE
#error "compiled with other options than the Makefile's"
#endif
int sum(const int *x, int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (m * SCALE);
    return s;
}
END
cat >made/main.c <<'END'
#include "sum.h"
int main(void)
{
    const int x[] = {1, 2, 3};
    return sum(x, 3, 2) != 36;
}
END
cat >made/Makefile <<'END'
all: sum
sum: main.o sum.o
	$(CC) $(CFLAGS) main.o sum.o -o sum
sum.o: sum.c
	$(CC) $(CFLAGS) -DSCALE=3 -c sum.c
check: sum
	./sum
END
bench 0 made '2/2 | 1 | 2/2 | pass | 1/1, 100.0 % | 1/1, 100.0 % | 0 / 0 | 0/0 | - | - | - | -'
grep -q '= (int)((unsigned)m \* 3u);' out/made/time/new/sum.c || fail "nothing was moved"
cmp made/main.c out/made/time/new/main.c || fail "what needs no change"

cp -r made/* seen
sed -i 's,^\t\./sum,\tgrep -q "s += x.i. \\* (m \\* SCALE)" sum.c,' seen/Makefile
bench 1 seen '2/2 | 1 | 2/2 | FAIL |'

cp made/sum.[ch] listed
echo '[{"directory": "/somewhere/listed", "file": "sum.c", "command": "cc -DSCALE=3 -o o/sum.o -c /somewhere/listed/sum.c"}]' >listed/compile_commands.json
bench 0 listed '1/1 | 1 | 1/1 | none |'

cp made/sum.h made/main.c plain
echo 'int first(const int *a, int n) { int i = 0; if (n > 3) goto in; for (; i < n; i++) { in: if (a[i] == n) return i; } return -1; }' >plain/first.c
bench 0 plain '2/2 | 0 | 2/2 | none | 0/1, 0.0 % | 0/1, 0.0 % |'
grep -qF "1 a goto leads to label '...' inside a loop from outside of it" table || fail "the reason"

# Loops that compilers make vector code of, and a rewriting that takes one from them.
mkdir vectors
cat >vectors/left.c <<'END'
void left(unsigned char *x, const unsigned char *z, int n, int stride, int width)
{
    for (int i = 0; i < width; i++)
        x[i] = (unsigned char)(z[i] - z[i - stride - n]);
}
END
level=-O3
bench 0 vectors '1/1 | 1 | 1/1 | none | 1/1, 100.0 % | 1/1, 100.0 % | 1 / 1 |'
printf '#!/bin/sh\nfor file; do :; done\nsed "s/(int i/(volatile int i/" "$file"\n' >worse
chmod +x worse
mikgen=$PWD/worse
bench 1 vectors '1/1 | 1 | 1/1 | none | - | - | 1 / 0 |'
grep -qxF -- '- left.c: 1 loops vectorized before, 0 after' table || fail "the file that lost"
