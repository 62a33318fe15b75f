#!/usr/bin/env bash
# What a release consists of: a tarball of sources that is the same from another clone, umask, user configuration and time zone, and holds
# what is committed; the bill of materials.
#
#   release.sh BUILD FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
build=$1
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
# shellcheck disable=SC2154 # fresh.sh sets them
[ -d "$root/.git" ] || [ -f "$root/.git" ] || { echo "skipped: no checkout of git"; exit 77; }
mkdir one two
"$root/install/dist.sh" 1.2 one >sums
git clone -q --shared "$root" clone
printf '[core]\n\tautocrlf = true\n[tar]\n\tumask = 0077\n' >config
(umask 077; export GIT_CONFIG_GLOBAL=$PWD/config TZ=Asia/Tokyo LC_ALL=C; cd /; "$OLDPWD/clone/install/dist.sh" 1.2 "$OLDPWD/two" >/dev/null)
cmp one/mikgen-1.2.tar.gz two/mikgen-1.2.tar.gz || fail "another clone makes another tarball"
tar -tzf one/mikgen-1.2.tar.gz | grep -v '/$' | sed 's,^mikgen-1.2/,,' | sort >packed
git -C "$root" ls-tree -r --name-only HEAD | sort | diff - packed || fail "the tarball is not what is committed"
[ "$(tar -tvzf one/mikgen-1.2.tar.gz | awk '{ print $2 }' | sort -u)" = root/root ] || fail "the tarball knows who made it"

python3 - "$build/install/mikgen.spdx.json" <<'EOF' || fail "the bill of materials"
import json, sys
bill = json.load(open(sys.argv[1]))
names = {package["SPDXID"]: package for package in bill["packages"]}
assert len(names) == len(bill["packages"]) > 8, "packages"
for needed in ("mikgen", "libglpk40", "libisl23", "python3-jinja2"):
    assert "SPDXRef-" + needed in names, needed
unknown = [p["name"] for p in names.values() if "NOASSERTION" in (p["licenseConcluded"], p["versionInfo"])]
assert not unknown, "nothing is known of %s" % unknown
for relation in bill["relationships"]:
    assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= set(names) | {"SPDXRef-DOCUMENT"}, relation
EOF
