# SPDX-License-Identifier: GPL-3.0-or-later
# Reads licm.csv of bench/licm.sh; prints every operator, each compiler's sums and the gates.
# Ratios: before / after, above 1 is faster. Operators whose machine code did not change count as exactly 1 in the sums.

BEGIN { FS = "," }
/^#/ { print; next }
/^operator,/ { next }
{
    if (!($1 in known))
        operators[++nops] = $1
    if (!($2 in seen))
        compilers[++ncompilers] = $2
    known[$1] = seen[$2] = 1
    k = $1 SUBSEP $2
    ms["before", k] = $3; ms["halide", k] = $4; ms["full", k] = $5
    ratio["halide", "wall", k] = $8 ? 1 : $6
    ratio["full", "wall", k] = $9 ? 1 : $7
    same["halide", k] = $8; same["full", k] = $9
    count["before", k] = $10; count["halide", k] = $11; count["full", k] = $12
    ratio["halide", "instructions", k] = $11 > 0 ? $10 / $11 : 1
    ratio["full", "instructions", k] = $12 > 0 ? $10 / $12 : 1
}

function total(what, variant, compiler,    i, sum) {
    for (i = 1; i <= nops; i++)
        sum += what == "wall" ? ms[variant, operators[i] SUBSEP compiler] : count[variant, operators[i] SUBSEP compiler]
    return sum
}

function geomean(what, variant, compiler,    i, sum) {
    for (i = 1; i <= nops; i++)
        sum += log(ratio[variant, what, operators[i] SUBSEP compiler])
    return exp(sum / nops)
}

function lowest(what, variant, compiler,    i, r, least) {
    least = 1e9
    for (i = 1; i <= nops; i++) {
        r = ratio[variant, what, operators[i] SUBSEP compiler]
        if (r < least) {
            least = r
            who = operators[i]
        }
    }
    return least
}

function aggregate(what, variant, compiler,    i, r, up, down, sum) {
    for (i = 1; i <= nops; i++) {
        r = ratio[variant, what, operators[i] SUBSEP compiler]
        up += r > 1.03
        down += r < 0.97
    }
    sum = total(what, variant, compiler)
    printf "%-9s %-7s %-13s total %.3f  geomean %.3f  minimum %.3f (%s)  improved %d%%  unchanged %d%%  slower %d%%\n",
        compiler, variant, what, (sum > 0 ? total(what, "before", compiler) / sum : 1), geomean(what, variant, compiler),
        lowest(what, variant, compiler), who, 100 * up / nops + 0.5, 100 * (nops - up - down) / nops + 0.5,
        100 * down / nops + 0.5
}

function gate(text, value, least) {
    printf "%-4s %s: %.3f (at least %.2f)\n", (value >= least - 0.0005 ? "ok" : "FAIL"), text, value, least
    failed += value < least - 0.0005
}

# Every operator whose name matches.
function gate_each(pattern, what, compiler, least,    i) {
    for (i = 1; i <= nops; i++)
        if (operators[i] ~ pattern)
            gate(compiler " " what " " operators[i], ratio["full", what, operators[i] SUBSEP compiler], least)
}

function against_halide(what, compiler,    i, k, r, better, least) {
    least = 1e9
    for (i = 1; i <= nops; i++) {
        k = operators[i] SUBSEP compiler
        r = ratio["full", what, k] / ratio["halide", what, k]
        better += r >= 1.1
        if (r < least) {
            least = r
            who = operators[i]
        }
    }
    gate(compiler " " what " operators at least 10 % better than halide", better, 5)
    gate(compiler " " what " worst against halide, " who, least, 0.97)
}

function gates(compiler,    i, what) {
    if (compiler !~ /gcc/) {
        gate(compiler " wall geomean", geomean("wall", "full", compiler), 1)
        gate(compiler " wall minimum", lowest("wall", "full", compiler), 0.95)
        return
    }
    for (i = 1; i <= 2; i++) {
        what = i == 1 ? "wall" : "instructions"
        gate(compiler " " what " geomean", geomean(what, "full", compiler), 1.25)
        gate_each("^conv3d_transpose", what, compiler, 1.8)
        gate_each("^(pool_average|conv1d_ncw_tile)$", what, compiler, 1.5)
        gate_each("^conv2d_hwcn", what, compiler, 2.5)
        gate(compiler " " what " minimum", lowest(what, "full", compiler), i == 1 ? 0.95 : 0.93)
        against_halide(what, compiler)
    }
}

END {
    for (c = 1; c <= ncompilers; c++) {
        printf "\n%-30s %9s | %-14s | %-14s\n", compilers[c], "ms", "wall", "instructions"
        printf "%-30s %9s | %6s %7s | %6s %7s\n", "", "before", "halide", "full", "halide", "full"
        for (i = 1; i <= nops; i++) {
            k = operators[i] SUBSEP compilers[c]
            printf "%-30s %9.3f | %6.2f%s %6.2f%s | %6.2f  %6.2f\n", operators[i], ms["before", k],
                ratio["halide", "wall", k], (same["halide", k] ? "=" : " "), ratio["full", "wall", k],
                (same["full", k] ? "=" : " "), ratio["halide", "instructions", k], ratio["full", "instructions", k]
        }
    }
    print ""
    for (c = 1; c <= ncompilers; c++)
        for (i = 1; i <= 4; i++)
            aggregate(i % 2 ? "wall" : "instructions", i <= 2 ? "halide" : "full", compilers[c])
    print ""
    for (c = 1; c <= ncompilers; c++)
        gates(compilers[c])
    exit failed > 0
}
