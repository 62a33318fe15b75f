#!/usr/bin/env bash
# Templates that the build has compiled give what their sources give, and are not used for sources that differ.
#
#   templates.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
spec=$root/examples/gemv/gemv.spec
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

rm -rf copy
cp -r "$root/templates" copy
"$mikgen" --target=c "$spec" >built.c
# What mikgen hands to the templates.
rm -rf saving
cp -r "$root/templates" saving
mv saving/render.py saving/rendering.py
cat >saving/render.py <<'END'
import io, os, runpy, sys
model = sys.stdin.buffer.read()
open("model.json", "wb").write(model)
sys.stdin = io.TextIOWrapper(io.BytesIO(model))
runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rendering.py"), run_name="__main__")
END
rm -f model.json
"$mikgen" --target=c --templates=saving "$spec" | cmp - built.c || fail "what is read by the way gives another text"
for name in source.c.j2 header.h.j2 selfcheck.c.j2; do
    python3 -I -B "$root/templates/render.py" "$root/templates" $name no_such_folder <model.json >from_sources
    rm -rf compiled
    python3 -I -B "$root/templates/render.py" --compile "$root/templates" compiled
    python3 -I -B "$root/templates/render.py" "$root/templates" $name compiled <model.json >from_compiled
    cmp from_sources from_compiled || fail "$name: compiled templates give another text"
    [ $name != source.c.j2 ] || cmp from_sources built.c || fail "mikgen prints another text"
done

# The compiled templates are those that are read: without sources to compare with there would be no error, but no use.
[ -n "$(find compiled -name 'c+kernels.c.j2' -size +1k)" ] || fail "nothing was compiled"

printf '{# a change #}/* changed */\n' >>copy/banner.j2
"$mikgen" --target=c --templates=copy "$spec" >changed.c
grep -q '/\* changed \*/' changed.c || fail "a changed template does not show"

printf '/* engine changed */\n' >>copy/engine/c/stream.h
"$mikgen" --target=c --templates=copy "$spec" >changed.c
grep -q '/\* engine changed \*/' changed.c || fail "a changed file of the engine does not show"

printf '#if MIK_WITH_DOTS\n' >>copy/engine/c/base.h
status=0
"$mikgen" --target=c --templates=copy "$spec" >out 2>message || status=$?
[ $status = 2 ] && [ ! -s out ] || fail "a wrong file of the engine: exit status $status"
grep -q "engine/c/base.h: an #if without its #endif" message || { cat message; fail "the message does not name the file"; }
cp "$root/templates/engine/c/base.h" copy/engine/c

printf '{{ no_such_name }}\n' >>copy/banner.j2
status=0
"$mikgen" --target=c --templates=copy "$spec" >out 2>message || status=$?
[ $status = 2 ] || fail "a wrong template: exit status $status"
[ ! -s out ] || fail "a wrong template: output"
grep -q "copy/banner.j2:$(wc -l <copy/banner.j2): UndefinedError" message || { cat message; fail "the message does not name the place"; }
