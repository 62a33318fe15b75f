# SPDX-License-Identifier: GPL-3.0-or-later
# Writes operator.h of time.c, as text that still has to be preprocessed with the sizes of the lowered operator.
#   awk -v op=NAME -f operator_header.awk NAME.spec NAME.lowered.c
# The spec gives every array's extents, the lowered function the order of its parameters.

function fail(message) {
    print op ": " message > "/dev/stderr"
    failed = 1
    exit 1
}

# The parameter list of function `name`, split at its commas.
function parameters(text, name, list,    at, depth, n, c) {
    if (!match(text, "[^A-Za-z0-9_]" name "[ \n]*\\("))
        fail("no function " name)
    text = substr(text, RSTART + RLENGTH)
    split("", list)
    n = 1
    list[1] = ""
    for (at = 1; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (c == ")" && depth == 0)
            return n
        depth += (c == "(" || c == "[") - (c == ")" || c == "]")
        if (c == "," && depth == 0)
            list[++n] = ""
        else
            list[n] = list[n] c
    }
    fail("unfinished parameters of " name)
}

function trim(text) {
    gsub(/[ \t\n]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
}

FNR == 1 { file++ }
{ texts[file] = texts[file] "\n" $0 }

END {
    if (failed)
        exit 1
    for (f = 1; f <= 2; f++)
        while (match(texts[f], /\/\*([^*]|\*+[^*\/])*\*+\//))
            texts[f] = substr(texts[f], 1, RSTART - 1) " " substr(texts[f], RSTART + RLENGTH)
    n = parameters(texts[1], op, list)
    for (i = 1; i <= n; i++) {
        at = index(list[i], "[")
        if (!at)
            continue
        before = trim(substr(list[i], 1, at - 1))
        extents = trim(substr(list[i], at))
        gsub(/\] ?\[/, ") * (", extents)
        gsub(/\[/, "(", extents)
        gsub(/\]/, ")", extents)
        name = before
        sub(/.* /, "", name)
        count[name] = toupper(extents) # its integers are macros of the lowered text
    }
    n = parameters(texts[2], op "_lowered", list)
    for (i = 1; i <= n; i++) {
        p = trim(list[i])
        name = p
        sub(/.*[ *]/, "", name)
        if (!(name in count) || p !~ /\*/)
            fail("the spec has no array for parameter \"" p "\"")
        type = p
        written = type !~ /(^| )const /
        gsub(/ ?(const|restrict|\*|__restrict__) ?/, " ", type)
        type = trim(substr(type, 1, length(type) - length(name)))
        types = types (i > 1 ? ", " : "") p
        arguments = arguments (i > 1 ? ", " : "") "p[" i - 1 "]"
        arrays = arrays sprintf(" X(%d, %s, %s, %d)", i - 1, type, count[name], written)
    }
    print "OPERATOR_TYPE typedef void Operator(" types ");"
    print "OPERATOR_ARRAYS" arrays
    print "OPERATOR_CALL f(" arguments ")"
}
