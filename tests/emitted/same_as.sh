#!/usr/bin/env bash
# Two builds of mikgen emit the same: for changes of the generator that are to change nothing that users get.
#
#   same_as.sh OLD_BUILD NEW_BUILD [--map=FILE] [--code-only] [--quick] [FOLDER...]
#
# Compares what both builds' mikgen print for every .spec of examples, tests/specs, tests/golden, bench and of FOLDERs, for both targets,
# under each line of same_as.options, and for the C files of tests/golden and tests/fuzz under the lines that say keep. Messages and exit
# statuses are compared, too.
#   --map=FILE   a sed script that is applied to both outputs first: identifiers that were renamed
#   --code-only  comments are taken out before outputs are compared
#   --quick      the first line of options of each sort alone
# Prints each difference as a command, and closes with counts. Exit status 1: there are differences.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
map=/dev/null code_only=0 lines=1000 builds=() folders=()
here=$(cd "$(dirname "$0")" && pwd)
for word in "$@"; do
    case $word in
    --map=*) map=$(realpath "${word#*=}") ;;
    --code-only) code_only=1 ;;
    --quick) lines=1 ;;
    -*) echo "same_as.sh: there is no option $word" >&2; exit 2 ;;
    *) [ ${#builds[@]} -lt 2 ] && builds+=("$(realpath "$word")") || folders+=("$(realpath "$word")") ;;
    esac
done
[ ${#builds[@]} = 2 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
for build in "${builds[@]}"; do
    [ -x "$build/mikgen" ] || { echo "same_as.sh: $build has no mikgen" >&2; exit 2; }
done
cd "$here/../.." || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# said BUILD WORDS...: what it prints and says, mapped, without where it lies.
said() {
    local build=$1
    shift
    { "$build/mikgen" "$@" 2>&1; echo "status $?"; } | sed "s|$build|BUILD|g" | sed -f "$map" |
        if [ $code_only = 1 ]; then sed -E 's|//.*||; s|/\*[^*]*\*/||g; s|[ \t]+$||' | awk '/\/\*/ {skip = 1} !skip && NF {print} /\*\// {skip = 0}'
        else cat; fi
}

# compare FOLDER NUMBER: the command in line NUMBER of a list.
compare() {
    local words
    read -ra words < <(sed -n "$2p" "$1/commands")
    cmp -s <(said "$old" "${words[@]}") <(said "$new" "${words[@]}") && return
    echo "differs: mikgen ${words[*]}"
    return 1
}
export -f said compare
export map code_only old=${builds[0]} new=${builds[1]}

specs=$(git ls-files 'examples/*.spec' 'tests/specs/*.spec' 'tests/golden/*.spec' 'tests/unit/*.spec' 'bench/*.spec')
for folder in "${folders[@]}"; do specs+=$'\n'$(find "$folder" -name '*.spec' | sort); done
kept=$(git ls-files 'tests/golden/keep/*.c' 'tests/golden/licm/*.c' 'bench/licm/*.c' | grep -v '[.]\(normalized\|hoisted\|kept\)[.]c$')
declare -A taken=()
while read -r sort options; do
    case $sort in
    '' | '#'*) continue ;;
    esac
    taken[$sort]=$((${taken[$sort]:-0} + 1))
    [ "${taken[$sort]}" -le $lines ] || continue
    case $sort in
    c | cuda) for spec in $specs; do echo "--target=$sort $options $spec"; done ;;
    keep) for file in $kept; do echo "--keep-loops $options $file"; done ;;
    esac
done <"$here/same_as.options" >"$scratch/commands"
count=$(wc -l <"$scratch/commands")
[ "$count" -gt 0 ] || { echo "FAILED: no commands" >&2; exit 1; }
seq "$count" | parallel --will-cite -j "${SAME_AS_JOBS:-2}" compare "$scratch" | tee "$scratch/differences"
different=$(grep -c '^differs' "$scratch/differences")
echo "$((count - different)) passed, $different failed: $(grep -c . <<<"$specs") specs, $(grep -c . <<<"$kept") C files"
[ "$different" = 0 ]
