#!/usr/bin/env bash
# The one file that is all of mikgen: alone in a folder, without an environment, it prints what mikgen prints; what it renders with is in
# it; any Python runs it, and it is linked with the C library only.
#
#   onefile.sh BUILD FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
build=$1
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
cmake --build "$build" --target onefile >log 2>&1 || {
    ! grep -q 'mikgen-onefile needs' log || { echo "skipped: $(grep -m1 'mikgen-onefile needs' log)"; exit 77; }
    cat log
    fail "the target onefile"
}
mkdir "a folder"
cp "$build/mikgen-onefile" "a folder/mikgen"
cp "$root/examples/softmax/softmax.spec" "$root/examples/gemm_f32/gemm_f32.spec" "a folder"
cd "a folder"
for options in "--target=c gemm_f32.spec" "--target=cuda softmax.spec" "--target=c --emit=python gemm_f32.spec" "--help"; do
    # shellcheck disable=SC2086 # several options
    env -i ./mikgen $options >one || fail "$options"
    # shellcheck disable=SC2086
    "$build/mikgen" $options | cmp - one || fail "$options: something else is printed"
done

ldd mikgen | sed 's/ *=>.*//; s/ (.*//' | tr -d '\t' | sort >linked
printf '%s\n' /lib64/ld-linux-x86-64.so.2 libc.so.6 libm.so.6 linux-vdso.so.1 | diff - linked || [ "$(uname -m)" != x86_64 ] || fail "it is linked with more"

# changed NAME TEXT: ./changed, whose archive has another file NAME.
changed() {
    python3 - "$1" "$2" <<'PY'
import sys, zipfile
archive = zipfile.ZipFile("mikgen")
first = min(info.header_offset for info in archive.infolist())
with open("mikgen", "rb") as whole, open("changed", "wb") as file:
    file.write(whole.read(first))
with zipfile.ZipFile("changed", "a") as other:
    for info in archive.infolist():
        if info.filename.replace(".pyc", ".py") != sys.argv[1]:
            other.writestr(info, archive.read(info))
    other.writestr(sys.argv[1], sys.argv[2])
PY
    chmod +x changed
}
changed banner.j2 '/* another banner */'
env -i ./changed --target=c gemm_f32.spec | grep -q '^/\* another banner \*/' || fail "templates are not those of the file"
changed jinja2/__init__.py 'raise ImportError("this is the one in the file")'
env -i ./changed --target=c gemm_f32.spec >out 2>message && fail "Jinja is not the one of the file"
[ ! -s out ] && grep -q 'this is the one in the file' message || { cat message; fail "Jinja is not the one of the file"; }

# Python is that of $PATH.
mkdir bin
printf '#!/bin/sh\necho "$0" >>used\nexec /usr/bin/python3 "$@"\n' >bin/python3
chmod +x bin/python3
PATH=$PWD/bin:$PATH ./mikgen --target=c gemm_f32.spec | cmp - "$root/generated/gemm_f32/gemm_f32_dyn.c" || fail "with the Python of \$PATH"
grep -q bin/python3 used || fail "Python is not that of \$PATH"
status=0
PATH=/nonexist ./mikgen --target=c gemm_f32.spec >out 2>message || status=$?
[ $status = 1 ] && [ ! -s out ] && grep -q 'help: install Python 3' message || { cat message; fail "without Python: exit status $status"; }

# What is in it, and under which licences; the same parts make the same file.
python3 - "$build" <<'PY' || fail "licences, or the list of parts"
import json, sys, zipfile
archive = zipfile.ZipFile("mikgen")
names = set(archive.namelist())
parts = {p["name"] for p in json.loads(archive.read("mikgen.spdx.json"))["packages"]}
for package in ("python3-jinja2", "python3-markupsafe", "libglpk-dev", "libltdl-dev", "libgmp-dev"):
    assert package in parts and "licences/%s.txt" % package in names, package
assert "licences/GPL-3.0-or-later.txt" in names
assert not [n for n in names if n.endswith(".so") or "__pycache__" in n]
assert b"/usr/lib/python3" not in archive.read("jinja2/lexer.pyc")
PY
rm "$build/mikgen-onefile"
cmake --build "$build" --target onefile >log 2>&1 || { cat log; fail "again"; }
cmp "$build/mikgen-onefile" mikgen || fail "made again it is another file"
echo "$(stat -c %s mikgen) bytes"
