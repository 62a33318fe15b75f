# SPDX-License-Identifier: GPL-3.0-or-later
# Part of bench/gpu.sh: each kernel alone, and what becomes of one that hangs or is wrong. Such a kernel is named, and left out of
# all that follows, by $BENCH_WITHOUT (bench/cuda/build.sh): the words of FOLDER/without, which are a type and a tile as symbols end.
# shellcheck shell=bash disable=SC2154 # set by gpu.sh

# take_without: what other calls have found out, and what the caller says in $WITHOUT.
take_without() {
    local found=''
    [ ! -e "$folder/without" ] || found=$(cut -d' ' -f1 "$folder/without" | tr '\n' ' ')
    BENCH_WITHOUT=$(printf '%s %s' "$found" "${WITHOUT:-}" | tr -s ' \n' '\n\n' | sort -u | tr '\n' ' ' | sed 's/^ //; s/ $//')
    export BENCH_WITHOUT
}

# leave_out TYPE LAYOUT SYMBOL REASON
leave_out() {
    local word
    word=$(echo "$3" | sed -n 's/.*_\([a-z0-9]*_[0-9]*x[0-9]*x[0-9]*_.*\)/\1/p')
    echo "KERNEL LEFT OUT: $1 $2 $3 $4"
    failures=$((failures + 1))
    [ -n "$word" ] || { echo "FAILED: no kernel is called $3"; return; }
    echo "$word $1 $2 $4" >>"$folder/without"
    take_without
}

# What a run of cuda_kernels has printed. Sets $at, the number that the next run begins with; empty: there is none.
read_kernels() {
    local type=$1 log=$2 status=$3 what number layout symbol rest open=''
    at=
    while read -r what number layout symbol rest; do
        case $what in
        running) open="$number $layout $symbol" at=$((number + 1)) ;;
        right | refused)
            open=
            [ "$what" != right ] || right=$((right + 1))
            ;;
        wrong)
            open=
            leave_out "$type" "$layout" "${symbol%:}" "is wrong: $rest"
            ;;
        hangs | fails)
            open=
            if [ -n "$symbol" ]; then leave_out "$type" "$layout" "${symbol%:}" "$what: $rest"; else echo "FAILED: $what $number $layout"; fi
            ;;
        "done") open='' at='' ;;
        esac
    done <"$log"
    # It has not even said so itself: it has been killed.
    [ -z "$open" ] || { read -r number layout symbol <<<"$open"; leave_out "$type" "$layout" "$symbol" "hangs: the process had to be killed ($status)"; }
}

# watched LOG COMMAND...: ends it when the time is over, and when it prints nothing for longer than a kernel may take: it watches its
# kernels itself, but a process with a kernel that hangs does not always come to that. Its exit status, 137: ended.
watched() {
    local log=$1 pid size last=-1 since=$SECONDS began=$SECONDS seconds=${KERNEL_SECONDS:-10}
    shift
    "$@" >"$log" 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        sleep 0.2
        size=$(stat -c %s "$log")
        [ "$size" = "$last" ] || since=$SECONDS
        last=$size
        [ $((SECONDS - since)) -le $((seconds + (seconds + 1) / 2)) ] && [ $((SECONDS - began)) -lt "$slice" ] || break
    done
    if kill -TERM $pid 2>/dev/null; then
        sleep 0.5
        kill -KILL $pid 2>/dev/null
        wait $pid 2>/dev/null
        return 137
    fi
    wait $pid
}

# A process for all kernels as long as they come back; after one that does not, a new process for those behind it.
part_kernels() {
    local type status right at seen=0
    rm -f "$folder/without"
    take_without
    for type in $types; do
        [ -x "$folder/cuda_kernels_$type" ] || continue
        seen=1 right=0 at=0
        while [ -n "$at" ]; do
            take 60 || { failures=$((failures + 1)); echo "FAILED: not all kernels of $type have been tried"; break; }
            status=0
            watched "$folder/log" "$folder/cuda_kernels_$type" --from="$at" --limit-seconds="${KERNEL_SECONDS:-10}" || status=$?
            grep -q '^running' "$folder/log" || [ $status = 0 ] || {
                echo "FAILED ($status): cuda_kernels_$type"
                tail -n 3 "$folder/log"
                failures=$((failures + 1))
                break
            }
            read_kernels "$type" "$folder/log" "$status"
        done
        echo "$type: $right times a kernel is right"
        [ "$right" -gt 0 ] || { echo "FAILED: no kernel of $type is right"; failures=$((failures + 1)); }
    done
    [ $seen = 1 ] || { echo "FAILED: there is no cuda_kernels_TYPE"; failures=$((failures + 1)); }
    echo "left out from here on: ${BENCH_WITHOUT:-nothing}"
}
