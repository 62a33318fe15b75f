# SPDX-License-Identifier: GPL-3.0-or-later
# Reads licm_ptx.csv of bench/licm_ptx.sh; prints it as a table, and the gates.

BEGIN {
    FS = ","
    printf "%-24s %-9s %-6s %9s %6s %9s %6s %9s\n", "kernel", "variant", "arch", "innermost", "total", "registers", "spills", "us"
}
/^#/ || /^kernel,/ { next }

function gate(text, value, most) {
    if (value <= most)
        return
    printf "FAIL %s: %d (at most %d)\n", text, value, most
    failed++
}

{
    printf "%-24s %-9s %-6s %9d %6d %9d %6d %9s\n", $1, $2, $3, $4, $5, $6, $7, $8
    who[++n] = $1 " " $2 " " $3
    innermost[n] = $4
    registers[n] = $6
    spills[n] = $7
    first[$1, $3] = $2 == "before" ? n : first[$1, $3]
    base[n] = first[$1, $3]
    strict[n] = $2 != "full_T4" # leaving only big loops costs registers; that is its trade
    transpose[n] = $1 == "conv3d_transpose" && $2 == "default"
}

END {
    print ""
    for (i = 1; i <= n; i++) {
        gate(who[i] " instructions in the innermost loop", innermost[i], transpose[i] ? 125 : innermost[base[i]])
        if (strict[i])
            gate(who[i] " registers", registers[i], registers[base[i]] + 2)
        gate(who[i] " bytes spilled", spills[i], 0)
    }
    print (failed > 0 ? failed " gates failed" : "every gate holds")
    exit failed > 0
}
