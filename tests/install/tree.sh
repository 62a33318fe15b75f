#!/usr/bin/env bash
# `cmake --install`, into a path with blanks, moved to another one: mikgen runs there, with the templates beside it.
# Other tests of this folder use the tree that it leaves in "FOLDER/moved here".
#
#   tree.sh BUILD FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
build=$1
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
# shellcheck disable=SC2154 # fresh.sh sets it
spec=$root/tests/specs/transpose.spec

DESTDIR="$PWD/a root" cmake --install "$build" --prefix /usr >log || { cat log; fail "cmake --install"; }
[ "$(ls "a root")" = usr ] || fail "DESTDIR: something beside it"
mv "a root/usr" "moved here"
here=$PWD/"moved here"
mikgen=$here/bin/mikgen
for file in share/man/man1/mikgen.1 share/man/man5/mikgen-spec.5 share/bash-completion/completions/mikgen share/fish/vendor_completions.d/mikgen.fish \
    share/cmake/mikgen/mikgenConfig.cmake share/pkgconfig/mikgen.pc share/mikgen/mikgen.mk share/doc/mikgen/LICENSE share/doc/mikgen/docs/building.md; do
    [ -s "$here/$file" ] || fail "$file is not installed"
done
python3 -B "$root/tests/install/links.py" "$here/share/doc/mikgen" || fail "links of installed documents"
[ -n "$(find "$here/share/zsh" -name _mikgen)" ] || fail "zsh's completions are not installed"

# The same bytes, by the templates that were installed: a mark in them shows. Through a link, too.
"$build/mikgen" --target=c "$spec" >built.c
(cd / && env -i "$mikgen" --target=c "$spec") | cmp - built.c || fail "the installed mikgen prints something else"
ln -s "$mikgen" link
./link --target=c "$spec" | cmp - built.c || fail "mikgen called through a link prints something else"
cp -r "$here" marked
printf '/* a mark */\n' >>marked/share/mikgen/templates/banner.j2
marked/bin/mikgen --target=c "$spec" | grep -q '/\* a mark \*/' || fail "other templates than those beside it are used"
[ -n "$(find "$here/share/mikgen/templates/compiled" -name 'c+*' -size +1k)" ] || fail "compiled templates are not installed"
rm -rf marked
"$mikgen" --target=c --output-dir=. "$root/examples/gemm_f32/gemm_f32.spec"
cmp gemm_f32_dyn.c "$root/generated/gemm_f32/gemm_f32_dyn.c" && cmp gemm_f32_dyn.h "$root/generated/gemm_f32/gemm_f32_dyn.h" || fail "generated/ has other files"

# pkg-config finds both from where its file is.
export PKG_CONFIG_PATH=$here/share/pkgconfig
eval "$(pkg-config --variable=mikgen mikgen)" --version | grep -qx "mikgen $(pkg-config --modversion mikgen) .*" || fail "pkg-config"
