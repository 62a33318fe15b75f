#!/bin/sh
# What documents repeat of tables, of --help and of bench/results, made anew; but the README's table: docs/speeds.py table.
#
#   docs/update.sh MIKGEN
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(dirname "$0")
python3 -B "$here/files.py" update
python3 -B "$here/messages.py" update
python3 -B "$here/options.py" "$1" update
python3 -B "$here/speeds.py" charts
