#!/usr/bin/env bash
# The packages of cpack: unpacked into a folder with a blank in its name, mikgen runs there.
#
#   package.sh BUILD FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/refuse.sh
. "$root/tests/refuse.sh"
mkdir -p "$2"
cd "$2"
rm -rf ./*
for tool in cpack dpkg dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
spec=$root/examples/gemv/gemv.spec
for kind in DEB TGZ; do
    cpack -G $kind -B packed --config "$build/CPackConfig.cmake" >log 2>&1 || { cat log; fail "cpack -G $kind"; }
done

package=$(ls packed/*.deb)
dpkg -I "$package" >fields
grep -q '^ Package: mikgen$' fields && grep -q "^ Version: $("$build/mikgen" --version | cut -d' ' -f2)$" fields || { cat fields; fail "the package's name"; }
for needed in python3 python3-jinja2 libjansson4 libisl23 libglpk40; do
    grep -qE "^ Depends: .*\b$needed\b" fields || { cat fields; fail "the package does not depend on $needed"; }
done
mkdir "a root"
dpkg -x "$package" "a root"
mkdir unpacked
tar -C unpacked -xzf packed/*.tar.gz
for tree in "a root/usr" unpacked/*; do
    (cd / && env -i "$2/$tree/bin/mikgen" --target=c "$spec") | cmp - "$root/generated/gemv/gemv_dyn.c" || fail "$tree: something else is printed"
    [ -s "$tree/share/man/man1/mikgen.1" ] && [ -s "$tree/share/cmake/mikgen/mikgenConfig.cmake" ] || fail "$tree: files are missing"
done
find "a root" unpacked -type f ! -perm -444 | grep . && fail "files that others cannot read"
[ -d "a root/usr/share/zsh/vendor-completions" ] || fail "zsh's completions are where Debian does not look"
