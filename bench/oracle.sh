#!/usr/bin/env bash
# Is the emitted dispatcher's choice good? For every shape, every plan that it could choose is run: the short cut, inner
# products, sweeps, each kernel and each width's cover as one region with operands packed and in place, patterns II and III cut
# where whole tiles of each width's main kernel end. The five fastest and the chosen ones are then measured anew, turn about
# (oracle/contest.h). Reported is the best plan's time over that of the chosen one, and over that of plans chosen by parts
# of the cost model, from this second contest alone; then, what a decision takes.
#
#   bench/oracle.sh MIKGEN FOLDER [OPTION...]
#
#   --sample=N           only the first N of a seeded shuffle of 300 draws
#   --shape=MxNxK,...    these shapes instead
#   --max-flops=X        operations of the longest product (2 M N K); default 2e8
#   --seconds=S          what the first turns of all plans of a shape may take, then the rest, the least promising ones,
#                        is left out and counted; default 2
#   --worst=N            how many of the lowest ratios are shown; default 15
#   --csv=FILE           a line for each shape
#   --plans=FILE         a line for each plan that was run: the shape, the plan, whether it was chosen, microseconds measured
#                        (medians for those in the final), expected, and what of it the kernels take
#   --plots=FOLDER       writes FOLDER/oracle_ratio.{csv,svg}, and measures and writes FOLDER/oracle_stairs.{csv,svg}: time
#                        against M, one kernel against the chosen plan, with one thread and with two
#   --lock=FILE          hold this file's lock, a minute at a time, while measuring: for several benches on one machine
#
# In patterns of two regions every pair of kernels is run; each region packs as the model would have it, or all as the best single region does.
# "wave term": the fewest tiles. "pipe term": the kernel that is fastest for each output of a whole tile, however many fit.
# "one kernel": the same for every shape. What the rows and columns behind whole tiles take is covered by the solved tables.
# FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh.
# Pin it: taskset -c 1 bench/oracle.sh ..., for the plots with two threads taskset -c 0,1.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,29s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
start=$PWD
echo "bench/oracle.sh $*${MIKGEN_FLAGS:+, mikgen $MIKGEN_FLAGS}"
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
cd "$2"
shift 2
plots='' lock='' options=()
for option; do
    case $option in
    --plots=*) plots=$(cd "$start" && mkdir -p "${option#*=}" && cd "${option#*=}" && pwd) ;;
    --lock=*) lock=$option options+=("$option") ;;
    --csv=/*) options+=("$option") ;;
    --plans=/*) options+=("$option") ;;
    --plans=*) options+=("--plans=$start/${option#*=}") ;;
    --csv=*) options+=("--csv=$start/${option#*=}") ;;
    *) options+=("$option") ;;
    esac
done
# shellcheck source=bench/make.sh
. "$root/bench/make.sh"
if [ -n "$plots" ]; then need /usr/bin/gnuplot gnuplot-nox; fi
needed

generate "$root/examples/gemm_f32/gemm_f32.spec" gemm_f32
headers=("$here"/gemm/*.h "$here"/oracle/*.h)
# shellcheck disable=SC2086 # several words
{
    make plans.o "${headers[@]}" "$here/oracle/plans.c" gemm_f32_dyn.c -- \
        ${CC:-gcc} -std=gnu11 -O2 -Wall -Wextra -Werror -I"$here/gemm" -I. -c "$here/oracle/plans.c" -o plans.o
    make machine.o "${headers[@]}" "$here/gemm/machine.c" -- \
        $c -march=native -ffp-contract=fast -c "$here/gemm/machine.c" -o machine.o
    parts=("$here"/gemm/{pool,turns}.c machine.o plans.o)
    make oracle "${headers[@]}" "$here"/oracle/{main,contest,report}.c "$here"/gemm/{reference,shapes}.c "${parts[@]}" -- \
        $c "$here"/oracle/{main,contest,report}.c "$here"/gemm/{reference,shapes}.c "${parts[@]}" -lm -pthread -o oracle
    make stairs "${headers[@]}" "$here"/oracle/stairs.c "$here"/gemm/reference.c "${parts[@]}" -- \
        $c "$here"/oracle/stairs.c "$here"/gemm/reference.c "${parts[@]}" -lm -pthread -o stairs
}
echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $($compiler --version | head -1)"
if [ -z "$plots" ]; then
    exec ./oracle "${options[@]}"
fi
./oracle "${options[@]}" "--sorted=$plots/oracle_ratio.csv"
./stairs ${lock:+"$lock"} "$plots/oracle_stairs.csv"
for plot in ratio stairs; do
    (cd "$plots" && gnuplot "$here/oracle/$plot.gp" >"oracle_$plot.svg")
done
