#!/usr/bin/env bash
# --keep-loops: its options and what does not go with it, what of a file stays, the document's example and options.
#
#   keep_loops.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
rm -rf ./*

failed=0
fail() { echo "FAILED: $*"; failed=1; }
# refused TEXT OPTIONS...: exit status 1, one error that says TEXT, no output
refused() {
    local text=$1 status=0
    shift
    "$mikgen" "$@" >out 2>messages || status=$?
    [ $status = 1 ] || fail "$*: exit status $status"
    [ ! -s out ] || fail "$*: there is output"
    [ "$(grep -c 'error:' messages)" = 1 ] || fail "$*: not one error: $(cat messages)"
    grep -qF -- "$text" messages || fail "$*: the message does not say '$text': $(cat messages)"
}

# ---------------------------------------------------------------- what does not go together
echo 'void f(int *restrict C, int n) { for (int i = 0; i < 8; i++) C[i] = n * 3; }' >f.c
refused '--target does not go with it' --keep-loops --target=c f.c
refused '--emit does not go with it' --keep-loops --emit=header f.c
refused '--arch does not go with it' --keep-loops --arch=sm_90 f.c
refused '--prefix does not go with it' --keep-loops --prefix=x_ f.c
refused '--license-header does not go with it' --keep-loops --license-header=f.c f.c
refused '--max-kernels does not go with it' --keep-loops --max-kernels=3 f.c
refused '--fp does not go with it' --keep-loops --fp=strict f.c
refused '--explain does not go with it' --keep-loops --explain=1 f.c
refused '--templates does not go with it' --keep-loops --templates=. f.c
refused '--dump-after does not go with it' --keep-loops --explain-licm --dump-after=licm f.c
refused "no pass 'lower'" --keep-loops --dump-after=lower f.c
refused "no pass 'signs'" --dump-after=signs f.c
refused '--hint goes with --keep-loops only' --hint=n:0:3 f.c
refused 'a second one' --keep-loops f.c f.c
refused 'no file given' --keep-loops
refused "'n:5:1'" --keep-loops --hint=n:5:1 f.c
refused "'n'" --keep-loops --hint=n f.c
refused "'3n:0:1'" --keep-loops --hint=3n:0:1 f.c
refused "'n:0:1x'" --keep-loops --hint=n:0:1x f.c
refused "'no_such_compiler -E -v -x c /dev/null' does not say" --keep-loops --cc=no_such_compiler f.c
refused "'gcc -m32' compiles for another target than C is read for" --keep-loops --cc='gcc -m32' f.c
refused "'arm-linux-gnueabihf-gcc' compiles for another" --keep-loops --cc=arm-linux-gnueabihf-gcc f.c
CC='gcc -funsigned-char' "$mikgen" --keep-loops f.c >warned.c 2>said || fail "a default compiler for another target is refused"
grep -q "warning: 'gcc -funsigned-char' compiles for another target" said || fail "the default compiler's target is not warned of"
refused '-isystem goes with --keep-loops and --extract only' -isystem . f.c
refused '--sysroot goes with --keep-loops and --extract only' --sysroot=/ f.c
for option in licm-small licm-loads licm-fp licm-barrier overflow const-pos distribute unswitch chains; do
    refused "--$option has no value 'x'" --keep-loops --$option=x f.c
    refused "--$option has no value ''" --$option= f.c
done

# ---------------------------------------------------------------- output: whole or not at all, same bytes
"$mikgen" --keep-loops f.c >first.c
"$mikgen" --keep-loops - <f.c >second.c
cmp first.c second.c || fail "standard input gives something else"
"$mikgen" --keep-loops f.c -o third.c
cmp first.c third.c || fail "-o writes something else"
echo 'void f(int *C, int n) { for (int i = 0; i < 8; i++) C[i] = x; }' >broken.c
echo before >kept.txt
refused 'x' --keep-loops -o kept.txt broken.c
[ "$(cat kept.txt)" = before ] || fail "a refused file replaced the output"

# ---------------------------------------------------------------- whose headers
mkdir -p system
echo 'enum { EIGHT = 8 };' >system/eight.h
printf '#include <unistd.h>\n#include <eight.h>\nvoid f(int *C, int n) { for (int i = 0; i < EIGHT; i++) C[i] = n * 3 + getpid(); }\n' >real.c
"$mikgen" --keep-loops -isystem system real.c >split.c
"$mikgen" --keep-loops -isystemsystem real.c | cmp - split.c || fail "-isystemDIR is something else"
grep -q 'const int t0 = (int)((unsigned)n \* 3u);' split.c || fail "nothing moved: $(cat split.c)"
refused "'eight.h' is not found" --keep-loops real.c
# Without a compiler, the headers of numbers, strings and stdio are known.
printf '#include <stdint.h>\nvoid f(int64_t *C, int n) { for (int i = 0; i < 8; i++) C[i] = n * 3; }\n' >plain.c
(PATH=$PWD CC='' "$mikgen" --keep-loops plain.c) >alone.c
"$mikgen" --keep-loops plain.c | cmp - alone.c || fail "without a compiler it is something else"

# ---------------------------------------------------------------- the document
cp "$root/docs/source-to-source.md" section
awk -v RS='```' 'NR == 2 {sub(/^[^\n]*\n/, ""); printf "%s", $0 > "pad.c"}' section
{ echo '__global__ void k(float *restrict C, int n) {'; echo '  for (int i = 0; i < 8; i++) { __syncthreads(); C[i] = n * 3; }'; echo '}'; } >pad.cu
grep -o '^| `mikgen --keep-loops[^`]*`' section | tr -d '|`' >examples
[ "$(wc -l <examples)" -gt 14 ] || fail "the document lost its examples"
mkdir build
printf '[{"directory": "%s", "command": "gcc -c pad.c", "file": "pad.c"}]' "$PWD" >build/compile_commands.json
while read -r _ options; do
    # shellcheck disable=SC2086
    "$mikgen" $options >out 2>messages || fail "source-to-source.md: mikgen $options: $(cat messages)"
done <examples
for option in $("$mikgen" --help | sed -n '/^Loop-invariant/,/^Specs of C/s/^  \(--[a-z-]*\).*/\1/p'); do
    grep -q -- "--keep-loops.*$option\|$option.*--keep-loops" examples || grep -q -- "$option" examples || fail "$option has no example in docs/source-to-source.md"
done

# ---------------------------------------------------------------- what stays
cat >stays.c <<'END'
/* Top. */
#include <stdint.h>
#define N 64
#define SQ(x) ((x) * (x))

static int twice(int x) { return 2*x; } // one line

// before f
void f(float *restrict C, int n)
{
    // first
    int a = 1, b = n; /* two */

    for (int i = 0; i < N; ++i) // loop
    {
        C[i*64 + 1] = 0x10 * 1.50f
            + SQ(i); // tap
        /* many
         * lines */
        C[i] = (float)twice(i)+n%3;
        // end
    } // behind

    b += a--;
    C[0] = b;
    /* last */
}
int   after  ;
END
cat >expected.c <<'END'
/* Top. */
#include <stdint.h>
#define N 64
#define SQ(x) ((x) * (x))

static int twice(int x) { return 2*x; } // one line

// before f
void f(float *restrict C, int n)
{
  // first
  int a = 1;
  int b = n; /* two */

  const int t0 = n % 3;
  // loop
  for (int i = 0; i < N; ++i) {
    C[i*64 + 1] = 0x10 * 1.50f
        + SQ(i); // tap
    /* many
     * lines */
    C[i] = (float)twice(i) + t0;
    // end
  } // behind

  b += a--;
  C[0] = b;
  /* last */
}
int   after  ;
END
"$mikgen" --keep-loops --licm-fp=none stays.c >got.c
diff -u expected.c got.c || fail "comments, macros or spelling"
"$mikgen" --keep-loops --licm-fp=none got.c | diff -u got.c - || fail "the second time changes more"

# ---------------------------------------------------------------- <stdbool.h>
includes() { "$mikgen" --keep-loops "$@" | head -1 | grep -cF '#include <stdbool.h>' || true; }
echo 'void f(int *restrict C, int n) { for (int i = 0; i < 8; i++) C[i] = i < n && n < 3; }' >needs.c
[ "$(includes needs.c)" = 1 ] || fail "a bool without <stdbool.h>"
[ "$(includes f.c)" = 0 ] || fail "<stdbool.h> without a bool"
{ echo '#include <stdbool.h>'; cat needs.c; } >has.c
[ "$("$mikgen" --keep-loops has.c | grep -c stdbool)" = 1 ] || fail "<stdbool.h> twice"
{ echo '__global__'; cat needs.c; } >needs.cu
[ "$(includes needs.cu)" = 0 ] || fail "CUDA has bool by itself"

# ---------------------------------------------------------------- what a file of a certain age may say
# Declarations stay at the heads of blocks, and nothing is a bool; once more changes nothing.
"$mikgen" --keep-loops "$root/tests/golden/keep/old.c" >old.c || fail "C89"
"${CC:-cc}" -std=c89 -pedantic -Wall -Wextra -Wno-unused-local-typedefs -Wdeclaration-after-statement -Werror -c old.c -o old.o ||
    fail "C89 became something newer"
grep -q 'const int t0 = ' old.c || fail "nothing has moved in C89"
for text in old old_goto switch_loops sections label_loop label_const directive_if text_parens; do
    "$mikgen" --keep-loops "$root/tests/golden/keep/$text.c" >once.c && "$mikgen" --keep-loops once.c >twice.c || fail "$text.c twice"
    cmp once.c twice.c || fail "$text.c: its output changes once more"
    "${CC:-cc}" -w -fsyntax-only once.c || fail "$text.c: its output does not compile"
done

# ---------------------------------------------------------------- what jumps pass
"$mikgen" --keep-loops "$root/tests/golden/keep/label_behind.c" >label.c || fail "a label"
[ "$(grep -c 'const int t[01] = n \* m + 3;' label.c)" = 2 ] || fail "what a goto jumps over is used behind its label: $(cat label.c)"
"$mikgen" --keep-loops "$root/tests/golden/keep/barriers.c" >barriers.c || fail "barriers.c"
grep -A99 'for (int i' barriers.c | grep -q 'n % d' || fail "a division has left what a goto jumps over: $(cat barriers.c)"
grep -A99 'switch (k)' barriers.c | grep -q 'n / d' || fail "a division has left its switch: $(cat barriers.c)"

# ---------------------------------------------------------------- the banner of generated files
spec=$root/examples/gemv/gemv.spec
"$mikgen" --target=c --overflow=keep --const-pos=low --licm-loads=proven --licm-fp=none --licm-barrier=legal --distribute=1 \
    --unswitch=0 --chains=grouped --licm-small=paper --licm-threshold=2 --unroll-limit=3 "$spec" | head -40 >banner
for option in --overflow=keep --const-pos=low --licm-loads=proven --licm-fp=none --licm-barrier=legal --distribute=1 \
    --unswitch=0 --chains=grouped --licm-small=paper --licm-threshold=2 --unroll-limit=3; do
    grep -q -- " $option" banner || fail "the banner does not say $option"
done
"$mikgen" --target=c --overflow=wrap --const-pos=last --distribute=0 --unswitch=1 "$spec" >explicit.c
"$mikgen" --target=c "$spec" | cmp - explicit.c || fail "options at their defaults change the output"

# ---------------------------------------------------------------- --explain-licm
"$mikgen" --keep-loops --explain-licm f.c >explained
grep -q '^f.c:1: n \* 3  cost 1  hoisted in front of the loop at line 1' explained || fail "--explain-licm: $(cat explained)"
"$mikgen" --keep-loops --explain-licm --licm-threshold=2 f.c | grep -q '^f.c:1: n \* 3  cost 1  stays: .*threshold' || fail "--explain-licm: why it stays"
printf 'void g(int *C, int n) {\n  for (int i = 0; i < 9; ++i)\n    if (n < 3) C[i] = 1;\n}\n' >if.c
"$mikgen" --keep-loops --explain-licm if.c | grep -q '^if.c:3: n < 3  the `if` moves around the loop at line 2' || fail "--explain-licm: an if"
"$mikgen" --target=c --explain-licm "$spec" | grep -q 'hoisted in front of the loop' || fail "--explain-licm of a spec"

# ---------------------------------------------------------------- a file that is too large is not even read
truncate -s 1100M large.c
if (ulimit -v 1500000; "$mikgen" --keep-loops large.c) >/dev/null 2>message; then fail "a file of more than 1 GB is accepted"; fi
grep -q '^large.c: error: the file is larger than 1 GB' message || fail "a file of more than 1 GB: $(cat message)"
rm large.c

# ---------------------------------------------------------------- CUDA: what nvcc moves by itself stays
cat >sums.cu <<'END'
__global__ void sums(float *C, int n, int m) { for (int i = 0; i < n; i++) C[i * n + m * 3] = i < 9 ? n / 3 : 0; }
END
"$mikgen" --keep-loops sums.cu | cmp - sums.cu || fail "a kernel in which only sums move is not as it was"
"$mikgen" --keep-loops --overflow=wrap sums.cu | grep -q 'const int t0 = (int)((unsigned)m \* 3u);' || fail "--overflow=wrap of CUDA"
"$mikgen" --keep-loops --remarks sums.cu 2>&1 >/dev/null | grep -q 'n / 3 .*stays: nvcc moves it by itself' || fail "sums: no remark says why"
sed 's/)  *C\[/) if (m < 3 \&\& i > 1) C[/' sums.cu >both.cu
"$mikgen" --keep-loops both.cu >moved.cu
grep -q 'C\[m \* 3 + n \* i\]' moved.cu || fail "a sum beside a condition that moves: $(cat moved.cu)"
"$mikgen" --keep-loops moved.cu | cmp - moved.cu || fail "the second time changes more"
# A launch with blanks in its brackets, as nvcc takes it, and one in a file that is included.
printf 'void start(float *C) { sums << <1, 2>> > (C, 3, 4); }\n' >start.h
{ cat both.cu start.h; printf '#include "start.h"\n' | sed 's/start.h/other.h/'; } >starts.cu
sed 's/start/other/; s/<< </<<</; s/>> >/>>>/' start.h >other.h
"$mikgen" --keep-loops starts.cu >/dev/null 2>message || fail "launches: $(cat message)"

# A region of #if that begins behind a label of a switch and ends in front of a statement: what follows begins a line of its own.
printf '%s\n' 'int g;' 'void f(int *a, int v, int n)' '{' '  for (int c = 0; c < n; c++)' '    switch (c) {' '    case 1:' '      a[c] = 3 * n;' '    case 2:' \
    '#ifndef NEVER' '      for (int k = 0; k < 9; ++k) g = v;' '#else' '      g = 1;' '#endif' '      a[c] = v * n;' '    }' '}' >region.c
"$mikgen" --keep-loops region.c >region.once.c || fail region.c
"$mikgen" --keep-loops region.once.c | cmp - region.once.c || fail "a region of #if in a switch is no fixed point"
if grep -n ' $' region.once.c; then fail "a line ends with a blank"; fi

# A pragma that marks a place, between one that nobody knows and its statement: the text of both has it.
printf '%s\n' 'void f(int *a, int n)' '{' '  for (int i = 0; i < n; i++) {' '    #pragma scop' '    #pragma omp critical' '    #pragma endscop' \
    '    for (int j = 0; j < 9; j++)' '      a[j] = 3;' '    a[i] = 3 * n;' '  }' '}' >marks.c
"$mikgen" --keep-loops marks.c >marks.once.c || fail marks.c
[ "$(grep -c scop marks.once.c)" = 2 ] || fail "marks of places: $(cat marks.once.c)"
"$mikgen" --keep-loops marks.once.c | cmp - marks.once.c || fail "marks of places are no fixed point"

# ---------------------------------------------------------------- CUDA with the toolkit's headers
cat >launch.cu <<'END'
#include <algorithm>
#include <cstdio>
#include <vector>
template <typename T> __global__ void general(T *a, int n) { for (int i = 0; i < n; i++) a[i] *= n * 3; }
__global__ void plain(float *a, int n, int m)
{
  for (int i = 0; i < n; i++)
    if (m < 3 && i > 1) a[blockIdx.x * n + i] = sqrt(a[0]) + __ldg(a);
}
int main()
{
  std::vector<float> host(9);
  float *a;
  cudaMalloc((void **)&a, 36);
  for (int i = 0; i < 9; i++) { plain<<<dim3(1, 1), 32>>>(a, i, 9 * 3); general<float><<<1, 1>>>(a, i); }
  std::printf("%zu\n", host.size());
}
END
if nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) && "$nvcc" -E launch.cu >expanded 2>&1; then
    "$mikgen" --keep-loops launch.cu >launched.cu 2>message || fail "a launch: $(cat message)"
    grep -q "function 'general' is left as it is: C++ beyond C: a template" message || fail "a template: $(cat message)"
    grep -q "function 'main' is left as it is: CUDA beyond C: a launch" message || fail "a launch: $(cat message)"
    cmp -s <(sed -n '/^int main/,$p' launch.cu) <(sed -n '/^int main/,$p' launched.cu) || fail "main is not as it was"
    grep -q 'const unsigned t0 = blockIdx.x \* n;' launched.cu || fail "a kernel beside C++: $(cat launched.cu)"
    "$nvcc" -arch=sm_80 -cubin -o launched.cubin launched.cu >said 2>&1 || fail "nvcc does not take it: $(cat said)"
    printf '__global__ void k(int *a) { auto f = [](int i) { return i; }; for (int i = 0; i < 9; i++) a[i] = f(i); }\n' >lambda.cu
    "$mikgen" --keep-loops lambda.cu 2>&1 >/dev/null | grep -q "C++ beyond C: a lambda" || fail "a lambda"
    for kernel in "$root"/tests/golden/keep/{toolkit,words}.cu; do
        NVCC=false "$mikgen" --keep-loops "$kernel" | cmp - <("$mikgen" --keep-loops -DWITH_HOST "$kernel") ||
            fail "$kernel: with the toolkit it becomes another"
    done
    # What a loop's variable may be is known where its condition is a bool, too: nothing here can overflow.
    printf '%s\n' '__global__ void k(const float *a, float *b, int z)' '{' '  for (int i = 0; i < 8; i++)' '    for (int j = 0; j < 9; j++)' \
        '      if (z % 15 + i > 3) b[j] = b[j] + (j > 1 ? a[i * 512 + j] : 0);' '}' >ranges.cu
    "$mikgen" --keep-loops --overflow=wrap ranges.cu >with.cu
    NVCC=false "$mikgen" --keep-loops --overflow=wrap ranges.cu | cmp - with.cu || fail "with the toolkit ranges are others"
    grep -q 'const int t[0-9] = i \* 512;' with.cu || fail "ranges of loops in C++: $(cat with.cu)"
fi
exit $failed
