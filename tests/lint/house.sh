#!/usr/bin/env bash
# The picture of the house is what docs/house.py draws today.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/../.."
python3 docs/house.py | cmp - docs/house.svg || {
    echo "FAILED: the rooms have changed: python3 docs/house.py > docs/house.svg, and look at it"
    exit 1
}
