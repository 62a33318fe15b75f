# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced with MIKGEN FOLDER: $mikgen and $root; the folder is the current one, and empty; and what refuse.sh has.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/refuse.sh
. "$root/tests/refuse.sh"
mikgen=$1
cd "$2"
rm -rf ./*
