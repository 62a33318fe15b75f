#!/usr/bin/env bash
# The cases of golden/licm: NAME.c or NAME.cu is rewritten with the options of its first line
# ("// options: --licm-threshold=2"), beside it stand the texts expected after normalize and at the end.
#
#   licm.sh text MIKGEN FOLDER       the expected texts, modulo what same_code.py ignores; no warnings; rewriting twice
#                                    changes nothing
#   licm.sh COMPILER MIKGEN FOLDER   input and output compute the same bits, under the sanitizers of gcc, or of clang-19
set -eu
what=$1 mikgen=$(realpath "$2") out=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
out=$(realpath "$out")
cd "$here/licm"
passed=0 failed=0 compared=()
fail() { echo "FAILED: $*"; failed=$((failed + 1)); }
cases=$(ls *.c *.cu | grep -v -e '\.normalized\.' -e '\.hoisted\.')

# case NAME.c: rewrites it to $out/NAME.hoisted.c; what is to be compared goes to the list.
check_text() {
    local case=$1 name=${1%.*} ext=${1##*.} stage options
    options=$(sed -n '1s,^// options:,,p' "$case")
    [ "$ext" = c ] || options="--overflow=wrap $options" # all that may move, whoever gains by it
    for stage in normalized hoisted; do
        local dump=
        [ $stage = normalized ] && dump=--dump-after=normalize
        if ! "$mikgen" --keep-loops $options $dump "$case" -o "$out/$name.$stage.$ext" 2>"$out/messages"; then
            fail "$case: refused"
            cat "$out/messages"
            return
        fi
        compared+=("$name.$stage.$ext" "$out/$name.$stage.$ext")
    done
    if [ "$ext" = c ] && ! gcc -std=gnu11 -Wall -Werror -Wno-implicit-function-declaration -include math.h -fsyntax-only \
        "$out/$name.hoisted.c"; then
        fail "$case: the output has warnings"
        return
    fi
    case $options in *--licm-loads=proven*) passed=$((passed + 1)); return ;; esac # a moved load may make more possible
    "$mikgen" --keep-loops $options "$out/$name.hoisted.$ext" -o "$out/$name.again.$ext"
    if ! diff -u "$out/$name.hoisted.$ext" "$out/$name.again.$ext"; then
        fail "$case: the second time changes more"
        return
    fi
    passed=$((passed + 1))
}

# The comparison itself: it must tell apart what matters.
check_comparison() {
    local pattern
    for pattern in 's/t1 + x/x + t1/' 's/const int t1/const long t1/' 's/i \* 32/i * 33/' 's/t1 + x/(t1 + x)*1/' '/const int t1/d'; do
        sed "$pattern" P22.hoisted.c P16.hoisted.c >"$out/changed.c"
        cat P22.hoisted.c P16.hoisted.c >"$out/original.c"
        cmp -s "$out/original.c" "$out/changed.c" && continue
        python3 "$here/same_code.py" "$out/original.c" "$out/changed.c" >/dev/null && fail "same_code.py does not see $pattern"
    done
    sed 's/t1/t99/g; s/ + /+/g; s/(t3 /((t3) /' P22.hoisted.c >"$out/changed.c"
    python3 "$here/same_code.py" P22.hoisted.c "$out/changed.c" || fail "same_code.py counts names or spaces"
}

# run_all LANGUAGE EXTENSION COMPILER
run_all() {
    local language=$1 ext=$2 compiler=$3 side
    for side in input output; do
        local pairs=() seconds=1 skipped=()
        # Whatever the input does in one; what it does not, or does otherwise than C defines, is not run again.
        [ $side = output ] && seconds=10 skipped=("$out/input.$language.txt")
        for case in $cases; do
            [ "${case##*.}" = "$ext" ] || continue
            local text=$case name=${case%.*}
            if [ $side = output ]; then
                text=$out/$name.hoisted.$ext
                "$mikgen" --keep-loops $(sed -n '1s,^// options:,,p' "$case") "$case" -o "$text" || { fail "$case"; continue; }
            fi
            pairs+=("$case:$text")
        done
        python3 "$here/licm_driver.py" "$language" "${pairs[@]}" >"$out/$side.$language.c"
        $compiler -std=gnu11 -O1 -w -ffp-contract=off -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
            -DSECONDS=$seconds "$out/$side.$language.c" -o "$out/$side.$language" -lm -lpthread || { fail "$compiler $side"; return; }
        ASAN_OPTIONS=detect_leaks=0:symbolize=0:log_path=/dev/null UBSAN_OPTIONS=symbolize=0 "$out/$side.$language" "${skipped[@]}" >"$out/$side.$language.txt"
    done
    # What the input defines, the output computes too.
    grep -v undefined "$out/input.$language.txt" >"$out/defined"
    if grep -vxFf "$out/output.$language.txt" "$out/defined" >"$out/wrong"; then
        fail "$compiler: other results: $(cut -d' ' -f1 "$out/wrong" | sort | uniq -c | tr '\n' ' ')"
    fi
    cut -d' ' -f1 "$out/defined" | sort -u >"$out/ran"
    cut -d' ' -f1 "$out/input.$language.txt" | sort -u | comm -23 - "$out/ran" >"$out/never"
    [ -s "$out/never" ] && fail "$compiler: no trial without undefined behaviour: $(tr '\n' ' ' <"$out/never")"
    passed=$((passed + $(wc -l <"$out/defined")))
}

if [ "$what" = text ]; then
    check_comparison
    for case in $cases; do
        check_text "$case"
    done
    python3 "$here/same_code.py" "${compared[@]}" || fail "what differs above"
else
    run_all c c "$what"
    run_all cuda cu "$what"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
