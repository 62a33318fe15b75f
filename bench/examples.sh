#!/usr/bin/env bash
# The operators of examples/, as emitted for the C target, against their specs under the same compiler and flags: one
# thread, interleaved, the best of each.
#
#   bench/examples.sh MIKGEN FOLDER [COMPILER FLAGS...]       default: gcc -std=c99 -O2
#
# bench/shapes/examples.csv has the shapes. Ratio: the spec's time over the emitted operator's; above 1 the emitted one is
# faster. Environment: ONLY (a pattern of operators), ROUNDS (3: whole runs, of which the best times count).
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
shapes=$root/bench/shapes/examples.csv rounds=${ROUNDS:-3} only=${ONLY:-.}
mkdir -p "$2"
ln -sf "$(readlink -f "$1")" "$2/mikgen"
cd "$2"
shift 2
[ $# -gt 0 ] || set -- gcc -std=c99 -O2
# shellcheck disable=SC2034 # for make.sh
CC=$1 CFLAGS="${*:2}"
# shellcheck source=bench/make.sh
. "$root/bench/make.sh"

# emit FILE OPTION...: what mikgen writes; touched only when the text is another one.
emit() {
    ./mikgen --target=c "${@:2}" -o "$1.new"
    if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# build OPERATOR: the program OPERATOR_time, of which --time is one of the options.
build() {
    local spec=$root/examples/$1.spec name=${1//\//_} renames
    [ -f "$spec" ] || spec=$root/examples/$1/$1.spec
    mkdir -p "$name"
    ln -sf ../mikgen "$name/mikgen"
    cd "$name"
    emit check.c --emit=selfcheck "$spec"
    renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' check.c)
    emit reference.c --emit=reference "$spec"
    emit "$(basename "$1")_dyn.h" --emit=header "$spec"
    emit own.c "$spec"
    # shellcheck disable=SC2086 # several options
    make own.o own.c -- $compiler -c own.c -o own.o
    # shellcheck disable=SC2086
    make reference.o reference.c -- $compiler -std=gnu11 -w $renames -c reference.c -o reference.o
    # shellcheck disable=SC2086
    make check.o check.c -- $compiler -std=gnu11 -c check.c -o check.o
    # shellcheck disable=SC2086
    make time own.o reference.o check.o -- $compiler own.o reference.o check.o -lm -lpthread -o time
    cd ..
}

# Lines OPERATOR,SHAPE,SPEC,EMITTED, in microseconds.
measure() {
    local op row tuple
    while IFS=, read -r op row; do
        tuple=$(sed 's/ *[A-Za-z_0-9]*=/x/g; s/^x//' <<<"$row")
        "./${op//\//_}/time" --time "$tuple" | awk -v name="$op,$row" '
            / spec .* us, emitted / { for (i = 1; i < NF; i++) { if ($i == "spec") spec = $(i + 1); if ($i == "emitted") own = $(i + 1) }
                                      print name "," spec "," own; found = 1 }
            END { if (!found) print "not timed: " name >"/dev/stderr" }'
    done
}

sed 1d "$shapes" | grep -E "^[^,]*($only)[^,]*," >cases.csv
for op in $(cut -d, -f1 cases.csv | sort -u); do
    build "$op"
done
for ((round = 0; round < rounds; round++)); do
    measure <cases.csv
done >times.csv
echo "# CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), family $(sed -n 's/^cpu family[^:]*: //p' /proc/cpuinfo | head -n 1), model $(sed -n 's/^model[^ n:]*: //p' /proc/cpuinfo | head -n 1)"
echo "# $compiler: $("$CC" --version | head -n 1)"
awk -F, '
    { key = $1 "," $2 }
    !(key in spec) { order[++n] = key; spec[key] = $3; own[key] = $4 }
    { if ($3 < spec[key]) spec[key] = $3; if ($4 < own[key]) own[key] = $4 }
    END {
        printf "%9s %9s %7s  %s\n", "spec us", "ours us", "ratio", "operator and shape"
        for (i = 1; i <= n; i++) {
            ratio[i] = spec[order[i]] / own[order[i]]
            logs += log(ratio[i])
            name = order[i]
            sub(",", " ", name)
            printf "%9.3g %9.3g %7.2f  %s\n", spec[order[i]], own[order[i]], ratio[i], name
        }
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && ratio[j] < ratio[j - 1]; j--) { swap = ratio[j]; ratio[j] = ratio[j - 1]; ratio[j - 1] = swap }
        printf "%d shapes: geomean %.2f, 5th percentile %.2f, minimum %.2f\n", n, exp(logs / n), ratio[int((n - 1) * 0.05) + 1], ratio[1]
    }' times.csv
