#!/usr/bin/env bash
# The packages of cpack: unpacked into a folder with a blank in its name, mikgen runs there; the .deb is as Debian's policy wants it, where
# there is lintian to tell.
#
#   package.sh BUILD FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
build=$1
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
for tool in cpack dpkg dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
spec=$root/examples/gemm_f32/gemm_f32.spec
for kind in DEB TGZ; do
    cpack -G $kind -B packed -D 'CPACK_PACKAGE_CONTACT=A Packager <packager@example.org>' --config "$build/CPackConfig.cmake" >log 2>&1 || { cat log; fail "cpack -G $kind"; }
done

package=$(ls packed/*.deb)
dpkg -I "$package" >fields
grep -q '^ Package: mikgen$' fields && grep -q "^ Version: $("$build/mikgen" --version | cut -d' ' -f2)$" fields || { cat fields; fail "the package's name"; }
for needed in python3 python3-jinja2 libjansson4 libisl23 libglpk40; do
    grep -qE "^ Depends: .*\b$needed\b" fields || { cat fields; fail "the package does not depend on $needed"; }
done
grep -q '^ Maintainer: A Packager <packager@example.org>$' fields || { cat fields; fail "the package's maintainer"; }
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$package" >complaints 2>&1 || { head -20 complaints; fail "lintian complains"; }
fi
mkdir "a root"
dpkg -x "$package" "a root"
mkdir unpacked
tar -C unpacked -xzf packed/*.tar.gz
for tree in "a root/usr" unpacked/*; do
    (cd / && env -i "$2/$tree/bin/mikgen" --target=c "$spec") | cmp - "$root/generated/gemm_f32/gemm_f32_dyn.c" || fail "$tree: something else is printed"
    [ -s "$tree/share/man/man1/mikgen.1" ] || [ -s "$tree/share/man/man1/mikgen.1.gz" ] || fail "$tree: there is no manual page"
    [ -s "$tree/share/doc/mikgen/LICENSE" ] && [ -s "$tree/share/cmake/mikgen/mikgenConfig.cmake" ] || fail "$tree: files are missing"
done
find "a root" unpacked -type f ! -perm -444 | grep . && fail "files that others cannot read"
[ -d "a root/usr/share/zsh/vendor-completions" ] || fail "zsh's completions are where Debian does not look"
