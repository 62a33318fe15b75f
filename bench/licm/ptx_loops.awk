# SPDX-License-Identifier: GPL-3.0-or-later
# Counts the instructions of the PTX of one kernel: "innermost total". Innermost: those of its largest loop that
# contains no other loop, from its label to the last branch back to it; 0 if there is no loop.

/^[ \t]*\$L[A-Za-z0-9_]*:/ {
    label = $1
    sub(/:.*/, "", label)
    at[label] = n + 1
    next
}
/^[ \t]*[@a-z].*;/ && !/^[ \t]*\./ {
    n++
    for (i = 1; i < NF; i++)
        if ($i ~ /^bra(\.uni)?$/) {
            target = $(i + 1)
            sub(/;.*/, "", target)
            if (target in at)
                end[at[target]] = n # backward: the label has been seen
        }
}
END {
    for (start in end) {
        holds_another = 0
        for (other in end)
            holds_another += other + 0 > start + 0 && other + 0 <= end[start]
        if (!holds_another && end[start] - start + 1 > most)
            most = end[start] - start + 1
    }
    print most + 0, n
}
