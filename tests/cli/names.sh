#!/usr/bin/env bash
# Names that somebody has taken: of keywords, macros, headers and emitted files. See names.py.
#
#   names.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$2"
PYTHONDONTWRITEBYTECODE=1 python3 "$here/names.py" "$1"
