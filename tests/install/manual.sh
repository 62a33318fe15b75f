#!/usr/bin/env bash
# --help, the table of options, the manual pages and completions say the same, and are well formed.
#
#   manual.sh MIKGEN MADE, the folder with pages and completions
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 made=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/refuse.sh
. "$root/tests/refuse.sh"

# Every option of the table is in the texts, and there is none else.
table=$(sed -n 's/^    {"\([a-z0-9-]*\)", .*/--\1/p' "$root/gen/driver/options.c" | sort)
heads=$({ "$mikgen" --help; "$mikgen" tune --help; "$mikgen" cc --help; } | grep -E '^  -' | sed -E 's/^  //; s/  .*//' | tr ',' '\n' | grep -oE '^ *--[a-z0-9-]+' | tr -d ' ' | sort -u)
[ "$(wc -w <<<"$table")" -gt 60 ] || fail "only $(wc -w <<<"$table") options are found"
diff <(echo "$table") <(echo "$heads") || fail "the table of options and --help differ"

# Values that heads list are values.
listed=0
for tune in "" tune; do
    while IFS='=' read -r name values; do
        for value in ${values//|/ }; do
            # shellcheck disable=SC2086 # $tune may be no word
            ! "$mikgen" $tune "$name=$value" 2>&1 </dev/null | grep 'has no value' || fail "--help lists $name=$value"
            listed=$((listed + 1))
        done
    done < <("$mikgen" $tune --help | grep -oE '^  --[a-z0-9-]+=[^ ]*\|[^ ]*' | tr -d ' ')
done
[ $listed -gt 40 ] || fail "only $listed values are found"

# The pages have them all, and roff has no complaint.
for page in mikgen.1 mikgen-spec.5; do
    if command -v groff >/dev/null; then
        groff -man -ww -z -Tutf8 "$made/$page" 2>&1 | grep . && fail "groff complains about $page"
    fi
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$made/$page" 2>&1 | grep -v 'missing date' | grep . && fail "mandoc complains about $page"
    fi
done
plain=$(sed 's/\\-/-/g; s/\\f[BRI]//g' "$made/mikgen.1")
for option in $table; do
    grep -qE -- "$option\b" <<<"$plain" || fail "mikgen.1 lacks $option"
done
sed 's/\\-/-/g' "$made/mikgen-spec.5" | grep -q 'WHAT A SPEC MAY HOLD' || fail "mikgen-spec.5 lacks its section"

# Shells take the completions; bash completes by them.
for shell in bash:mikgen zsh:_mikgen fish:mikgen.fish; do
    if command -v ${shell%:*} >/dev/null; then
        ${shell%:*} -n "$made/${shell#*:}" || fail "${shell%:*} does not take its completions"
    else
        echo "note: there is no ${shell%:*}"
    fi
    for option in $table; do
        grep -qE -- "(--|-l )${option#--}\b" "$made/${shell#*:}" || fail "${shell%:*} does not complete $option"
    done
done
# completes EXPECTED WORD...: what the last word becomes.
completes() {
    local expected=$1
    shift
    bash -c 'compopt() { :; }; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mikgen; echo "${COMPREPLY[*]}"' - "$made/mikgen" "$@" |
        grep -qxF -- "$expected" || fail "bash completes '$*' otherwise"
}
completes '--target=' mikgen --targ
completes 'c cuda' mikgen --target =
completes 'cuda' mikgen --target = cu
completes 'shared' mikgen a.spec --engine = sh
completes 'descent random all' mikgen tune --search =
completes '--trials=' mikgen tune --tri
completes '' mikgen --tri
completes '--strict' mikgen cc --st
completes '--licm-threshold=' mikgen cc --licm-th
completes '--trace' mikgen --tr
