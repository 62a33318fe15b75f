# From an emitted .cu: what its tables promise of each kernel, a line each, as machine_code.c reads them:
#
#   NAME THREADS BLOCKS SHARED PRODUCT COPIES
#
# The only place that knows what a row of mik_variant and of mik_twin looks like (templates/cuda/device.cu.j2,
# stage.cu.j2).
# A name is mik_OPERATOR_TYPES_TILE[_any|_row|_pair]_TARGET.

# The fields of a row, spaces and braces removed: field[1] is the name or the function.
function fields_of(row, field)
{
    gsub(/[{}" ]|\(const void \*\)/, "", row)
    return split(row, field, ",")
}

function product(name)
{
    if (name ~ /_sm90a$/)
        return "wgmma"
    return name ~ /_row_/ || name !~ /_(f16|bf16|tf32|3xtf32|s8|u8|f64)[a-z0-9]*_[0-9]+x/ ? "scalar" : "mma"
}

/^static const mik_(variant|twin) / { table = $3 }
/^static const mik_variant / { known = 0 }
/^};/ { table = "" }

# {"name", (const void *)name, m, n, k, threads, blocks, shared, align, tma,
table && /^    \{"mik_/ {
    fields_of($0, f)
    copies = f[10] == 1 ? "tma" : f[1] ~ /_row_/ ? "load" : f[9] == 16 ? "async" : "any"
    threads[known] = f[6]
    products[known++] = product(f[1])
    print f[1], f[6], f[7], f[8], product(f[1]), copies
}

# {(const void *)name, first, second, shared, blocks},
table && /^    \{\(const void \*\)mik_/ {
    fields_of($0, f)
    print f[1], threads[f[2]], f[5], f[4], products[f[2]], products[f[2]] == "wgmma" ? "tma" : products[f[2]] == "mma" ? "async" : "any"
}
