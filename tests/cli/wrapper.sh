#!/usr/bin/env bash
# `mikgen cc`: a small project under make, alone and in parallel; what compilers write besides code; what is handed through; faults, signals.
#
#   wrapper.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
cd "$2"
rm -rf ./* && mkdir -p 'a b' src/inner inc tmp
export TMPDIR=$PWD/tmp
ln -s "$mikgen" mikgen
export PATH=$PWD:$PATH
unset MIKGEN_CC_OPTIONS DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES MAKEFLAGS MFLAGS CPATH

failed=0
fail() { echo "FAILED: $*"; failed=1; }
# became TEXT: the last line of the log says it
became() { tail -1 log | grep -qF -- "$1" || fail "not '$1' but: $(tail -1 log)"; }
compilers=gcc
command -v clang >/dev/null && compilers="gcc clang"

# ---------------------------------------------------------------- a project
cat >src/kernel.c <<'END'
#include "kernel.h"
#include <assert.h>
#include <stdio.h>

/* A loop with something to move. */
void fill(const float *restrict a, float *restrict c, int n)
{
    assert(n >= 0 && "fill");

    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            c[j * n + i] = 3 < i && j < SCALE ? a[j * n + i] : 0.0f;
    printf("%s %d %s %d %s\n", __FILE__, __LINE__, where(), __INCLUDE_LEVEL__, __BASE_FILE__);
}
END
printf '#include "inner/scale.h"\nvoid fill(const float *restrict a, float *restrict c, int n);\nstatic inline const char *where(void) { return __FILE__; }\n' >src/kernel.h
echo '#define SCALE (2 + EXTRA)' >src/inner/scale.h
cat >main.c <<'END'
#include "kernel.h"
#include "main.h"
int main(void)
{
    static float a[64 * 64], c[64 * 64];
    for (int i = 0; i < N; i++)
        a[i] = i % N;
    fill(a, c, 64);
    return c[64 + 5] == a[64 + 5] && c[64 + 2] == 0 && c[20 * 64 + 5] == 0 && where_is_main(HERE) ? 0 : 1;
}
END
printf '#define N (64 * 64)\n#define HERE __FILE__\nstatic int where_is_main(const char *s) { return s[0] == MAIN; }\n' >main.h
cat >Makefile <<'END'
CFLAGS = -O2 -g -Wall -Wextra -DEXTRA=1 -Isrc -DMAIN="'m'"
prog: main.o src/kernel.o
	$(CC) -o $@ $^
%.o: %.c
	$(CC) $(CFLAGS) -MD -MP -MF $*.dep -c $< -o $@
clean:
	rm -f prog *.o src/*.o *.dep src/*.dep
END
for cc in $compilers; do
    make -s clean
    make -s CC="$cc"
    ./prog >expected || fail "$cc: the project is wrong by itself"
    tr -d '\\' <src/kernel.dep | tr ' ' '\n' | grep . | sort >rules
    for jobs in 1 4; do
        make -s clean
        make -s -j$jobs CC="mikgen cc --strict --log=log -- $cc" >messages 2>&1 || fail "$cc: make -j$jobs: $(cat messages)"
        [ ! -s messages ] || fail "$cc says something: $(cat messages)"
        ./prog | diff expected - || fail "$cc: another program"
        tr -d '\\' <src/kernel.dep | tr ' ' '\n' | grep . | sort | diff rules - || fail "$cc: other rules for make"
        [ "$(grep -c 'src/kernel.c: rewritten: 1 of 1 functions' log)" = 1 ] || fail "$cc: $(cat log)"
        grep -aq "$TMPDIR" prog src/kernel.o && fail "$cc: the program names a temporary folder"
        rm log
    done
    cp src/kernel.o first.o
    mikgen cc -- $cc -O2 -g -Wall -Wextra -DEXTRA=1 -Isrc -c src/kernel.c -o src/kernel.o
    cmp first.o src/kernel.o || fail "$cc: the second time gives something else"
done
[ -z "$(ls tmp)" ] || fail "files are left: $(ls tmp)"

# ---------------------------------------------------------------- lines for debuggers
cd src
mikgen cc --log=../log -- gcc -O1 -g -DEXTRA=1 -c kernel.c -o lines.o
if command -v objdump >/dev/null; then
    objdump --dwarf=decodedline lines.o | awk '$1 == "kernel.c" {print $2}' | sort -nu >lines
    grep -qx 12 lines && grep -qx 13 lines || fail "lines of the source are not in the object: $(tr '\n' ' ' <lines)"
    [ "$(tail -1 lines)" -le 14 ] || fail "lines that the source does not have"
fi
cd ..

# ---------------------------------------------------------------- what assert() says
printf '#include <assert.h>\nint main(int n, char **a)\n{\n  (void)a;\n  for (int i = 0; i < 9; i++)\n    assert(n * 7 == i && n / 3);\n}\n' >asserts.c
for cc in "$mikgen cc --log=log -- gcc" gcc; do
    $cc -g -O1 asserts.c -o prog
    (./prog || true) 2>&1 | grep -F 'asserts.c:6: main: Assertion `n * 7 == i && n / 3' >>said || fail "$cc: assert() says something else"
done

# ---------------------------------------------------------------- what compilers name themselves
cp src/kernel.c 'a b/my file.c'
cp src/kernel.h main.h 'a b'
cp -r src/inner 'a b'
mikgen cc --log=log -- gcc -DEXTRA=1 -MMD -c 'a b/my file.c'
became 'rewritten'
[ -e 'my file.o' ] && grep -qF 'a\ b/my\ file.c' 'my file.d' || fail "a rule without -MF: $(cat ./*.d)"
mikgen cc --log=log -- gcc -DEXTRA=1 -Wp,-MD,old.d -S src/kernel.c && grep -q ' src/kernel.c' old.d && [ -e kernel.s ] || fail "-S, -Wp,-MD"
(cd src && mikgen cc --log=../log -- gcc -DEXTRA=1 -Wall -o both kernel.c ../main.c -I. -I.. -DMAIN="'.'" && ./both >/dev/null) || fail "compile and link"
became 'several folders'
cp main.c main.h src
(cd src && mikgen cc --log=../log -- gcc -DEXTRA=1 -o both kernel.c main.c -DMAIN="'m'" && ./both >/dev/null) || fail "two sources of one folder"
became 'main.c: '
grep -q '^kernel.c: rewritten' log || fail "the first of two sources: $(cat log)"
echo '-O2 -DEXTRA=1 "-c"' >words
mikgen cc --log=log -- gcc @words src/kernel.c -o r.o && became 'rewritten'
mikgen cc --log=log -- gcc -x c -DEXTRA=1 -c src/kernel.c -o r.o && became 'rewritten'
mikgen cc --log=log -- gcc -std=c99 -include stdlib.h -D EXTRA=1 -c src/kernel.c -o r.o && became 'rewritten'

# ---------------------------------------------------------------- what is handed through
passes() {
    local why=$1
    shift
    mikgen cc --log=log -- "$@" >out 2>messages || fail "$*: $(cat messages)"
    became "$why"
}
passes 'only preprocesses' gcc -DEXTRA=1 -E src/kernel.c
grep -q '^# 1 "src/kernel.c"' out || fail "-E names another file"
passes 'what the source includes' gcc -DEXTRA=1 -M src/kernel.c
passes 'only checks' gcc -DEXTRA=1 -fsyntax-only src/kernel.c
passes 'no source in C' gcc --version
passes 'no source in C' gcc first.o -c
echo 'int f(int n) { return n; }' | mikgen cc --log=log -- gcc -x c -c -o r.o - && became 'standard input'
passes 'signed arithmetic may overflow' gcc -fwrapv -DEXTRA=1 -c src/kernel.c -o r.o
passes 'it shows' gcc -v -DEXTRA=1 -c src/kernel.c -o r.o
echo 'int f(int n) { return n; }' >plain.c
passes 'there is no loop' gcc -c plain.c
if command -v g++ >/dev/null; then passes 'compiler of C++' g++ -DEXTRA=1 -Drestrict=__restrict -c src/kernel.c -o r.o; fi

# ---------------------------------------------------------------- headers that another folder's name would change
mkdir -p h1 h2 s
echo '#include "which.h"' >h1/outer.h
echo '#define WHICH 1' >s/which.h
echo '#define WHICH 2' >h2/which.h
printf '#include "outer.h"\nint w(int *a, int n) { for (int i = 0; i < 9; i++) a[i] = n * 3; return WHICH; }\n' >s/w.c
mikgen cc --log=log -- gcc -Ih1 -Ih2 -S -O2 s/w.c -o w.s
became 'headers find others'
grep -q '\$2, %eax' w.s || fail "another header: $(cat w.s)"

# ---------------------------------------------------------------- messages are those of the source
printf 'int g(int *a, int n)\n{\n  int unused;\n  for (int i = 0; i < 9; i++) a[i] = n * 3;\n  return 0;\n}\n' >warns.c
gcc -Wall -c warns.c 2>expected
mikgen cc --log=log -- gcc -Wall -c warns.c 2>messages
diff expected messages && became 'rewritten' || fail "other warnings"
rm -f warns.o
mikgen cc -- gcc -Wall -Werror -c warns.c 2>messages && fail "a warning is no error"
[ ! -e warns.o ] || fail "an object in spite of an error"
printf '#define nan(d) (d != d)\nvoid g(double *a, int n)\n{\n  for (int i = 0; i < n; i++)\n    if (!nan(a[i])) a[i] = n * 3;\n}\n' >macro.c
mikgen cc --strict --log=log -- gcc -Wunused-macros -Werror -c macro.c && became 'rewritten' && [ -e macro.o ] || fail "a warning that the source has not"
sed 's/unused;/unused/' warns.c >broken.c
gcc -c broken.c 2>expected || true
mikgen cc --strict -- gcc -c broken.c 2>messages && fail "an error is none"
diff expected messages || fail "another error"
mikgen cc --remarks -- gcc -c warns.c 2>messages
grep -q '^warns.c:4:[0-9]*: optimized: n \* 3  cost 1  hoisted in front of the loop at line 4' messages || fail "--remarks: $(cat messages)"
MIKGEN_CC_OPTIONS='--remarks --licm-threshold=2' mikgen cc -- gcc -c warns.c 2>&1 | grep -q 'missed: n \* 3' || fail "MIKGEN_CC_OPTIONS"

# ---------------------------------------------------------------- faults of ours
printf '#!/bin/sh\nfor a; do case $a in "%s"*) echo no >&2; exit 3;; esac; done\nexec gcc "$@"\n' "$TMPDIR/" >picky
chmod +x picky
rm -f warns.o
mikgen cc --log=log -- ./picky -c warns.c && [ -e warns.o ] || fail "no way back to the source"
became 'refuses the rewritten text'
! mikgen cc --strict -- ./picky -c warns.c 2>messages && grep -q 'rewritten to does not' messages || fail "--strict"
printf 'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += ({ __label__ x; x: i; }) + __builtin_has_attribute(f, pure); return s; }\n' >gnu.c
gcc -c gnu.c
mikgen cc --log=log -- gcc -c gnu.c || fail "a source that only gcc reads"
became 'cannot be rewritten'
! mikgen cc --strict -- gcc -c gnu.c 2>messages && grep -q 'gnu.c: error: this compiles' messages || fail "--strict of a source"
status=0
mikgen cc -- no_such_compiler -c warns.c 2>messages || status=$?
[ $status = 127 ] || fail "no compiler: $status"

# ---------------------------------------------------------------- signals
printf '#!/bin/sh\ncase "$*" in *-dM*) exec gcc "$@";; esac\ntrap "echo ended >ended; exit 9" TERM\necho $$ >started\nsleep 30 >/dev/null 2>&1 & wait\n' >slow
chmod +x slow
for signal in TERM KILL; do
    rm -f started ended
    mikgen cc -- ./slow -c warns.c &
    pid=$!
    for _ in $(seq 200); do [ -s started ] && break; sleep 0.05; done
    [ -n "$(ls tmp)" ] || fail "nothing was rewritten"
    kill -$signal $pid
    status=0
    wait $pid || status=$?
    [ $status = $((128 + $(kill -l $signal))) ] || fail "SIG$signal: status $status"
    for _ in $(seq 200); do [ -z "$(ls tmp)" ] && break; sleep 0.05; done
    [ -z "$(ls tmp)" ] || fail "SIG$signal: files are left: $(ls tmp)"
    ! kill "$(cat started)" 2>/dev/null || [ $signal = KILL ] || fail "the compiler goes on"
done
printf '#!/bin/sh\ncase "$*" in *-dM*) exec gcc "$@";; esac\nkill -SEGV $$\n' >slow
status=0
mikgen cc -- ./slow -c warns.c || status=$?
[ $status = 139 ] || fail "a compiler's own signal: $status"

# ---------------------------------------------------------------- its options
refused() {
    local text=$1 status=0
    shift
    "$@" >out 2>messages || status=$?
    [ $status = 1 ] && grep -qF -- "$text" messages || fail "$*: $status: $(cat messages)"
}
refused 'needs a compiler' mikgen cc
refused 'needs a compiler' mikgen cc gcc -c warns.c
refused '-o does not go with it' mikgen cc -o x -- gcc -c warns.c
refused '--target does not go with it' mikgen cc --target=c -- gcc -c warns.c
refused '--strict goes with mikgen cc only' mikgen --keep-loops --strict warns.c
refused '--line-markers goes with --keep-loops only' mikgen --line-markers warns.c
refused 'a quote is not closed' env "MIKGEN_CC_OPTIONS='x" mikgen cc -- gcc -c warns.c
mikgen cc --help | grep -q CMAKE_C_COMPILER_LAUNCHER || fail "--help"

# ---------------------------------------------------------------- --line-markers
printf 'void g(int *a, int n)\n{\n  /* one */\n\n\n  for (int i = 0; i < 9; i++)\n\n    a[i] = n * 3;\n}\nint h;\n' >marks.c
mikgen --keep-loops --line-markers marks.c >marked.c
gcc -E -P marked.c >/dev/null
[ "$(head -1 marked.c)" = '#line 1 "marks.c"' ] || fail "no name: $(head -1 marked.c)"
awk '/^#line/ {line = $2; next} /for \(/ {if (line != 6) print "for", line} /a\[i\]/ {if (line != 8) print "a", line} /int h/ {if (line != 10) print "h", line} {line++}' marked.c |
    grep . && fail "lines: $(cat marked.c)"
exit $failed
