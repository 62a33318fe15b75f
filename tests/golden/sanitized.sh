#!/usr/bin/env bash
# Builds the generator with AddressSanitizer and UndefinedBehaviorSanitizer and runs it over every spec, accepted and
# refused, for both targets: no report, no leak.
#
#   sanitized.sh FOLDER [PART OF]       of the specs one in OF only, from number PART on
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$1 part=${2:-0} of=${3:-1}
# shellcheck source=tests/fuzz/build.sh
. "$root/tests/fuzz/build.sh"
build_fuzz "$out" mikgen fuzz_spec fuzz_profile fuzz_model fuzz_options
bad=0 runs=0 accepted=0 number=0
# Ranking repeats itself many times over; the examples take it at full length, the others a short one.
short="--n-gen=8 --n-syn=6 --n-mik=6"
for spec in "$root"/tests/specs/*.spec "$root"/examples/*/*.spec "$root"/tests/golden/*/*.spec; do
    number=$((number + 1))
    [ $((number % of)) = "$part" ] || continue
    case $spec in "$root"/examples/*) options= ;; *) options=$short ;; esac
    for target in c cuda; do
        status=0
        # shellcheck disable=SC2086 # several options
        "$out/mikgen" --target=$target $options --emit=plan "$spec" >"$out/plan" 2>"$out/messages" || status=$?
        runs=$((runs + 1))
        [ $status != 0 ] || accepted=$((accepted + 1))
        if [ $status -gt 1 ] || { [ $status = 1 ] && [[ $spec == "$root"/examples/* ]]; } || grep -qE 'Sanitizer|runtime error' "$out/messages"; then
            echo "FAILED: $target $spec: status $status"
            head -20 "$out/messages"
            bad=$((bad + 1))
        fi
    done
done
echo "$((runs - bad)) passed, $accepted of them accepted, $bad failed"
[ $bad = 0 ] && [ $accepted -gt 0 ] && [ $accepted -lt $runs ]
