#!/bin/sh
# The sources of the commit that is checked out, as FOLDER/mikgen-VERSION.tar.gz. One commit gives the same bytes everywhere: names in
# order, the commit's time, no owner, no umask, and gzip without a name or a time.
#
#   dist.sh VERSION FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
set -eu
version=$1
out=$(cd "$2" && pwd)/mikgen-$version.tar.gz
cd "$(dirname "$0")/.."
git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix="mikgen-$version/" HEAD >"$out.tar"
gzip -9 -n <"$out.tar" >"$out.new"
rm "$out.tar"
mv "$out.new" "$out"
sha256sum "$out"
