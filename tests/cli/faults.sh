#!/usr/bin/env bash
# What surrounds a run goes wrong: disks, pipes, signals, Python, templates, files, locales. The exit status says whose fault it is (1 the
# user's, 2 our own), one message says what it is, and there is never half a file.
#
#   faults.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
chmod -R u+rwX . && rm -rf ./* .mikgen-*
cp "$root/tests/specs/transpose.spec" a.spec
"$mikgen" --target=c a.spec >right.c
mkdir out
chmod 777 . out

# ends STATUS TEXT COMMAND...: with one message, in which TEXT stands, no output and no traceback.
ends() {
    local expected=$1 text=$2 status=0
    shift 2
    "$@" >printed 2>message </dev/null || status=$?
    [ $status = "$expected" ] || { head -5 message; fail "exit status $status instead of $expected: $*"; }
    grep -qF -- "$text" message || { head -5 message; fail "the message lacks '$text': $*"; }
    [ "$(grep -c 'error: ' message)" -le 1 ] || [ "$expected" = 2 ] || { cat message; fail "more than one message: $*"; }
    ! grep -q Traceback message || { cat message; fail "a traceback: $*"; }
    [ ! -s printed ] || fail "output in spite of an error: $*"
}

# same COMMAND...: what is printed is right, and nothing else is said.
same() {
    "$@" >printed 2>message </dev/null || { cat message; fail "exit status $?: $*"; }
    cmp printed right.c || fail "another output: $*"
    [ ! -s message ] || { cat message; fail "a message: $*"; }
}

# old_is_there: the file that was to be replaced is as it was, alone in its folder.
old_is_there() { [ "$(ls -A out)" = a.c ] && [ "$(cat out/a.c)" = old ] || { ls -A out; fail "$* destroys the old file, or leaves others"; }; }

# ---------------------------------------------------------------- disks
echo old >out/a.c
full="No space left on device"
ends 1 "$full" "$mikgen" --target=c -o /dev/full a.spec
for options in "--target=c a.spec" --help --version; do
    ends 1 "$full" sh -c '"$0" $1 >/dev/full' "$mikgen" "$options"
done
ends 1 "File too large" sh -c 'ulimit -f 8; exec "$0" --target=c -o out/a.c a.spec' "$mikgen"
old_is_there "a file that gets too large"
if unshare -m true 2>/dev/null; then
    status=0
    unshare -m sh -c 'mount -t tmpfs -o size=16k none out && echo old >out/a.c && "$0" --target=c -o out/a.c a.spec 2>message; echo $?; cat out/*' \
        "$mikgen" >printed || status=$?
    [ "$(cat printed)" = "1
old" ] && grep -q "out/a.c: error: $full" message || { cat printed message; fail "a full disk"; }
fi

# ---------------------------------------------------------------- memory
# From what the program needs to be loaded up to where it suffices. What says that it is short may be the engine of templates.
cp "$root/tests/golden/licm/P01.c" kept.c
"$mikgen" --keep-loops kept.c >kept.right
within() { (ulimit -v "$1"; shift; exec "$@"); }
loaded=20000 short=0
while ! within $loaded "$mikgen" --version >printed 2>/dev/null; do loaded=$((loaded + 500)); done
for ((kilobytes = loaded; kilobytes < loaded + 30000; kilobytes += 500)); do
    for run in "--target=c a.spec" "--keep-loops kept.c"; do
        status=0
        # shellcheck disable=SC2086 # words
        within $kilobytes "$mikgen" $run >printed 2>message </dev/null || status=$?
        case $status in
        0) cmp printed "$([ "$run" = "--keep-loops kept.c" ] && echo kept.right || echo right.c)" || fail "within $kilobytes kB: $run" ;;
        2) short=$((short + 1)) && [ ! -s printed ] && grep -q 'internal error' message && ! grep -q Traceback message ||
            { head -5 message; fail "within $kilobytes kB: $run"; } ;;
        *) head -5 message; fail "exit status $status within $kilobytes kB: $run" ;;
        esac
    done
done
[ $short -ge 4 ] || fail "memory was short in $short runs only"

# ---------------------------------------------------------------- pipes and standard streams
status=$( (trap '' PIPE; "$mikgen" --target=c a.spec 2>message; echo $? >status) | head -c 0; cat status)
[ "$status" = 1 ] && grep -q 'Broken pipe' message || { cat message; fail "a pipe that nobody reads: $status"; }
{ "$mikgen" --target=c a.spec 2>message || echo $? >status; } | head -c 0
[ "$(cat status)" = 141 ] && [ ! -s message ] || fail "a pipe that nobody reads: $(cat status)"
same sh -c '"$0" --target=c a.spec <&-' "$mikgen"
same sh -c '"$0" --target=c a.spec 2>&-' "$mikgen"
ends 1 "Bad file descriptor" sh -c '"$0" --target=c a.spec >&-' "$mikgen"
ends 1 "reading failed" sh -c '"$0" --target=c - <&-' "$mikgen"
"$mikgen" --target=c -o closed.c a.spec <&- >&- 2>&- && cmp closed.c right.c || fail "all standard streams closed"
status=0
"$mikgen" --target=c -o none.c none.spec <&- >&- 2>&- || status=$?
[ $status = 1 ] && [ ! -e none.c ] || fail "a message without a standard stream: $status"

# ---------------------------------------------------------------- signals
for signal in TERM KILL INT TERM KILL HUP; do
    for delay in 0.00 0.03 0.06 0.09 0.12 0.15; do
        "$mikgen" --target=c -o out/a.c a.spec 2>/dev/null &
        sleep $delay
        kill -$signal $! 2>/dev/null || true
        wait $! 2>/dev/null || true
        [ "$(cat out/a.c)" = old ] || cmp -s out/a.c right.c || fail "SIG$signal leaves half a file"
        echo old >out/a.c
    done
    [ $signal = KILL ] || old_is_there "SIG$signal"
    rm -f out/.mikgen-*
done

# A crash, wherever it comes from, is a fault of ours like others. What does not fit a pipe is written when mikgen reads.
mkfifo waits
for signal in SEGV BUS FPE ILL ABRT; do
    # shellcheck disable=SC2016 # the inner shell's
    ends 2 "mikgen: internal error: " sh -c '"$0" --target=c -o out/a.c - <waits & exec 3>waits
        head -c 200000 /dev/zero | tr "\0" " " >&3; kill -$1 $!; wait $!' "$mikgen" $signal
    old_is_there "SIG$signal"
done

# ---------------------------------------------------------------- two writers
"$mikgen" --target=c --prefix=other_ a.spec >other.c
for turn in 1 2 3 4; do
    "$mikgen" --target=c -o out/a.c a.spec &
    "$mikgen" --target=c --prefix=other_ -o out/a.c a.spec
    wait
    cmp -s out/a.c right.c || cmp -s out/a.c other.c || fail "two writers at once, turn $turn"
done
[ "$(ls -A out)" = a.c ] || fail "two writers leave files behind"

# ---------------------------------------------------------------- Python
mkdir evil
echo 'raise RuntimeError("evil")' >evil/jinja2.py
for name in sitecustomize usercustomize json; do echo 'print("evil")' >evil/$name.py; done
same env "PYTHONPATH=$PWD/evil" "$mikgen" --target=c a.spec
same env "PYTHONHOME=$PWD/evil" PYTHONINSPECT=1 PYTHONVERBOSE=1 PYTHONIOENCODING=latin1 PYTHONUTF8=0 "$mikgen" --target=c a.spec
cp a.spec evil
(cd evil && "$mikgen" --target=c a.spec) | cmp - right.c || fail "modules in the current folder"
python=$(readlink -f /usr/bin/python3)
if unshare -m true 2>/dev/null; then
    ends 1 "python3: Permission denied" unshare -m sh -c 'mount --bind /dev/null "$1" && "$0" --target=c a.spec' "$mikgen" "$python"
    mkdir empty
    ends 1 "lacks Jinja" unshare -m sh -c 'mount --bind empty /usr/lib/python3/dist-packages && "$0" --target=c a.spec' "$mikgen"
fi

# ---------------------------------------------------------------- templates
# template FILE TEXT MESSAGE: with TEXT (for printf) behind the template, which is named together with what is wrong.
template() {
    rm -rf templates
    cp -r "$root/templates" templates
    printf "$2\n" >>"templates/$1"
    ends 2 "$3" "$mikgen" --target=c --templates=templates a.spec
}
template banner.j2 '{%% if %%}' "templates/banner.j2:$(($(wc -l <"$root/templates/banner.j2") + 1)): TemplateSyntaxError"
template banner.j2 '{%% macro f() %%}{{ f() }}{%% endmacro %%}{{ f() }}' "RecursionError"
template banner.j2 '{%% include "banner.j2" %%}' "RecursionError"
template banner.j2 '\377\376' "UnicodeDecodeError"
template banner.j2 '{{ "\\ud800" }}' "UnicodeEncodeError"
template banner.j2 '{{ "\\0 half" }}' "a template printed a zero byte"
template render.py 'import' "SyntaxError"
printf 'import os\nos.kill(os.getpid(), 9)\n' >templates/render.py
ends 2 "signal 9 ended the template engine" "$mikgen" --target=c --templates=templates a.spec
printf 'print("half of it")\nraise SystemExit(1)\n' >templates/render.py
ends 2 "a template failed" "$mikgen" --target=c --templates=templates -o none.c a.spec
rm -rf templates/*
ends 1 "templates/render.py: No such file" "$mikgen" --target=c --templates=templates a.spec

# ---------------------------------------------------------------- profiles and specs that are none
head -c 5000000 /dev/zero | tr '\0' '\377' >huge
printf 'mikgen-profile 1\nkernel f32 avx512 1x16 g nan 1 1 1 1 1 1 1\n' >nan.profile
printf 'mikgen-profile 1\nkernel f32 avx512 1x16 g 1e999 1 1 1 1 1 1 1\n' >infinite.profile
printf 'mikgen-profile 99\n' >new.profile
: >empty.profile
for pair in huge:larger /dev/zero:larger "$mikgen:larger than 4 MB" right.c:'no profile' nan.profile:'is no number' infinite.profile:infinite.profile \
    new.profile:"version '99'" empty.profile:'no profile' out:directory none.profile:'No such file'; do
    ends 1 "${pair#*:}" timeout 60 "$mikgen" --target=c "--profile=${pair%%:*}" -o none.c a.spec
done
: >empty.spec
for pair in huge:larger /dev/zero:larger /dev/null:'no operator' empty.spec:'no operator' out:directory none.spec:'No such file'; do
    ends 1 "${pair#*:}" timeout 60 "$mikgen" --target=c -o none.c "${pair%%:*}"
done
mkfifo pipe
cat a.spec >pipe &
"$mikgen" --target=c -o piped.c pipe
wait
grep -v Generated piped.c >one && grep -v Generated right.c | sed 's/a\.spec/pipe/g' | cmp - one || fail "a spec from a pipe"

# ---------------------------------------------------------------- folders
[ "$(id -u)" = 0 ] && other=(setpriv --reuid=65534 --regid=65534 --clear-groups) || other=(env)
if "${other[@]}" test -x "$mikgen" && "${other[@]}" test -r a.spec; then
    mkdir closed
    echo old >closed/a.c
    chmod 555 closed
    cp a.spec closed.spec
    chmod 0 closed.spec
    ends 1 "closed/a.c: error: Permission denied" "${other[@]}" "$mikgen" --target=c -o closed/a.c a.spec
    ends 1 "closed.spec: error: Permission denied" "${other[@]}" "$mikgen" --target=c closed.spec
    ends 1 "closed.spec: error: Permission denied" "${other[@]}" "$mikgen" --target=c --profile=closed.spec a.spec
    chmod 755 closed
fi
ends 1 "Not a directory" "$mikgen" --target=c -o right.c/a.c a.spec
long=$(printf '%0251d' 0).c
"$mikgen" --target=c -o "out/$long" a.spec && cmp "out/$long" right.c || fail "a name of 253 characters"
ends 1 "File name too long" "$mikgen" --target=c -o "out/$long$long" a.spec
[ ! -e none.c ] || fail "a file in spite of an error"

# ---------------------------------------------------------------- locales
mkdir locales
for name in de_DE tr_TR; do
    localedef -i $name -f UTF-8 "locales/$name.UTF-8" 2>/dev/null || continue
    same env "LOCPATH=$PWD/locales" LC_ALL=$name.UTF-8 "$mikgen" --target=c a.spec
    "$mikgen" --emit=plan "$root/examples/gemm_f32/gemm_f32.spec" >plan
    env "LOCPATH=$PWD/locales" LC_ALL=$name.UTF-8 "$mikgen" --emit=plan "$root/examples/gemm_f32/gemm_f32.spec" | cmp - plan || fail "$name"
done
same env LC_ALL=C LANG= "$mikgen" --target=c a.spec
same env -i "$mikgen" --target=c a.spec
