#!/usr/bin/env bash
# The operators of bench/ordinary beside their specs at sizes from 1 to beyond the caches, by gcc -O2 and by gcc -O3 -march=native:
# tables of bench/never_slower.sh, of which only the slow rows are printed.
#
#   bench/ordinary/sizes.sh MIKGEN FOLDER [COMMAND]     COMMAND runs each piece, such as one that waits for a free core
#
# Prints bench/results/ordinary_sizes.txt. FOLDER may be that of bench/ordinary.sh, which has built the same.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
mikgen=$1 folder=$2 through=${3-} parts=5
bench=$(dirname "$0")/..
mkdir -p "$folder"

# table TITLE BOUND OPTIONS...: measures and prints one.
table() {
    local title=$1 bound=$2 name part
    shift 2
    name=sizes_$(echo "$*" | tr -c 'a-z0-9\n' _)
    rm -f "$folder/$name.json"
    for ((part = 1; part <= parts; part++)); do
        # shellcheck disable=SC2086 # a command and its arguments
        $through "$bench/never_slower.sh" "$mikgen" "$folder" "$bench/ordinary/specs" --keep="$name" --part=$part/$parts "$@" >"$folder/$name.txt"
    done
    printf '# %s: bench/never_slower.sh MIKGEN FOLDER bench/ordinary/specs %s; rows below %s\n' "$title" "$*" "$bound"
    "$bench/never_slower.sh" "$mikgen" "$folder" "$bench/ordinary/specs" --keep="$name" --only='^$' --below="$bound" "$@"
    echo
}

other=--spec-cc='gcc -O3 -march=native -falign-loops=64' small=--sizes=1,2,3,5,8,10,16,31
echo "# $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(gcc --version | head -1)"
echo
table "Half a millisecond" 0.97 --limit=3
table "Half a millisecond, the spec by gcc -O3 -march=native" 0.97 --limit=3 "$other"
table "20 milliseconds" 0.97 --limit=3 --least=20000
table "Small sizes" 0.3 "$small"
table "Small sizes, the spec by gcc -O3 -march=native" 0.2 "$small" "$other"
