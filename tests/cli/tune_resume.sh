#!/usr/bin/env bash
# mikgen tune, ended at ten moments that nobody chose by SIGINT, SIGTERM and SIGKILL: what is measured stays, what is said of it is true, the
# same command goes on. What it says from its first moment to its last, to a file and to a terminal. A complete profile is known at once.
#
#   tune_resume.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

map() { printf 'void %s(int n, const float x[n], float y[n])\n{\n    for (int i = 0; i < n; i++)\n        y[i] = %s;\n}\n' "$@"; }
{ map twice '2 * x[i]'; map more 'x[i] + 1'; map square 'x[i] * x[i]'; } >nests.spec
printf 'twice 5000\nmore 5000\nsquare 5000\n' >nests.shapes
tune=("$mikgen" tune --target=c --quick --trials=4 --isa=portable --cc=./counted-cc --shapes=nests.shapes nests.spec)
cat >counted-cc <<'EOF'
#!/bin/sh
echo >>compiled
exec cc -O0 "$@"
EOF
chmod +x counted-cc
export TMPDIR=$PWD/tmp
mkdir tmp

# From the beginning to the end, to a file.
begun=$(date +%s%N)
"${tune[@]}" --report=page.html -o whole.profile 2>said
took=$((($(date +%s%N) - begun) / 1000000))
head -1 said | grep -q '^mikgen: compiling ' || { cat said; fail "it does not begin by saying what it does"; }
grep -q '^mikgen: 3 loop nests searched, ' said || { cat said; fail "no verdict"; }
for nest in twice more square; do
    grep -q "^  ${nest}_nest1, portable: \(as planned\|[0-9.]* times as fast as planned: \)" said || { cat said; fail "no word about $nest"; }
done
[ "$(tail -1 said)" = "mikgen: written to whole.profile, for mikgen --target=c --profile=whole.profile nests.spec" ] || { cat said; fail "the last line"; }
grep -qF "$(sed -n 's/^mikgen: \(3 loop nests.*\)/\1/p' said)" page.html || fail "the page begins with another verdict"
[ -z "$(ls tmp)" ] || fail "it leaves files behind"

# Once more: nothing is compiled, and nothing changes. With another line, other extents, a spec that changed, or --again something is.
cp whole.profile before
compiled=$(wc -l <compiled)
"${tune[@]}" --report=page.html -o whole.profile 2>said
grep -q 'nothing is left to measure: whole.profile is complete' said || { cat said; fail "a complete profile is not known"; }
[ "$(wc -l <compiled)" = "$compiled" ] && cmp whole.profile before || fail "a complete profile is measured again"
grep -q 'times as fast\|as planned' page.html || fail "the page of the run that measured is gone"
compiles() {
    local what=$1 old
    shift
    old=$(wc -l <compiled)
    cp before changed.profile
    "$@" 2>said || { cat said; fail "$what"; }
    [ "$(wc -l <compiled)" -gt "$old" ] || fail "nothing is measured: $what"
}
gone() { grep -v "^$(grep -m1 -o '^nest portable [0-9a-f]*' before)" before >changed.profile && "${tune[@]}" -o changed.profile; }
compiles "a line is gone" gone
[ "$(grep -c '^nest' changed.profile)" = 3 ] || fail "a line is still gone"
compiles "--again" "${tune[@]}" --again -o changed.profile
other() { sed 's/x\[i\] + 1/x[i] - y[i]/' nests.spec >other.spec && "${tune[@]/nests.spec/other.spec}" -o changed.profile; }
compiles "a spec that changed" other
sed 's/^more.*/more 600/' nests.shapes >other.shapes
compiles "other extents" "${tune[@]/nests.shapes/other.shapes}" -o changed.profile
compiles "another compiler" "${tune[@]}" --cc="./counted-cc -O1" --fresh -o changed.profile

# Ended again and again.
nests() { grep '^nest' "$1" 2>/dev/null || true; }
signals=(INT TERM KILL)
for i in $(seq 10); do
    signal=${signals[$((i % 3))]}
    delay=$(awk -v seed="$RANDOM" -v took="$took" 'BEGIN { srand(seed); print rand() * took / 1000 }')
    nests part.profile >nests.before
    cp part.profile before.profile 2>/dev/null || rm -f before.profile
    env --default-signal=INT --default-signal=TERM "${tune[@]}" -o part.profile 2>said &
    pid=$!
    sleep "$delay"
    kill -$signal $pid 2>/dev/null || true
    status=0
    wait $pid 2>/dev/null || status=$?
    [ $status = 0 ] || [ $status = $((128 + $(kill -l $signal))) ] || { cat said; fail "exit status $status after SIG$signal"; }
    [ -z "$(nests part.profile | grep -vxFf - nests.before)" ] || fail "SIG$signal after $delay s: what was measured is lost"
    [ ! -e part.profile ] || "$mikgen" --target=c --profile=part.profile nests.spec -o part.c || fail "SIG$signal after $delay s: no profile"
    if [ $signal != KILL ] && [ $status != 0 ] && grep -q 'mikgen: ' said; then
        case $(grep 'interrupted' said) in
            *"has what is measured so far, and the same command goes on"*) [ "$(nests part.profile | wc -l)" -gt "$(wc -l <nests.before)" ] ;;
            *"is as it was"*) cmp part.profile before.profile ;;
            *"is not there"*) [ ! -e part.profile ] ;;
            *) false ;;
        esac || { cat said; fail "what is said is not so"; }
        # The compiler that it has ended removes its files by itself.
        for _ in $(seq 50); do
            [ -z "$(ls tmp)" ] && break
            sleep 0.1
        done
        [ -z "$(ls tmp)" ] || fail "SIG$signal after $delay s: files are left behind: $(ls tmp)"
    fi
    rm -rf tmp/*
done
"${tune[@]}" -o part.profile 2>said || { cat said; fail "it does not go on"; }
[ "$(nests part.profile | cut -d' ' -f1-3 | sort)" = "$(nests whole.profile | cut -d' ' -f1-3 | sort)" ] || fail "something is missing in the end"
"${tune[@]}" -o part.profile 2>said && grep -q 'nothing is left to measure' said || { cat said; fail "it is not complete in the end"; }

# Where nothing is kept, it says so.
interrupt 'grep -q compiling message' "${tune[@]}"
grep -q 'interrupted; nothing is written' message && grep -q 'help: with -o FILE' message || { cat message; fail "without a file"; }
interrupt 'grep -q compiling message' "${tune[@]}" -o none.profile
grep -q 'none.profile is not there' message && [ ! -e none.profile ] || { cat message; fail "before there is a file"; }

# On a terminal: one line that changes, then the verdict.
cat >terminal.py <<'EOF'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said = b""
try:
    while part := os.read(fd, 4096):
        said += part
except OSError:
    pass
assert os.waitpid(pid, 0)[1] == 0, said
text = said.decode().replace("\r\n", "\n")
verdict = text.index("mikgen: 3 loop nests searched")
assert text.startswith("\rcompiling ") and "\n" not in text[:verdict] and "% " in text[:verdict], text
assert text[:verdict].endswith("\r") and "written to terminal.profile" in text.splitlines()[-1], text
EOF
python3 terminal.py "${tune[@]}" -o terminal.profile
echo "mikgen tune can be ended and goes on"
