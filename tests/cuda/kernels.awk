# SPDX-License-Identifier: GPL-3.0-or-later
# From an emitted .cu: what its tables promise of each kernel, a line each, as machine_code.c reads them:
#
#   NAME THREADS BLOCKS SHARED PRODUCT COPIES FENCES STORES FLIGHT LOOPS
#
# The only place that knows what a row of mik_variant and of mik_twin looks like (templates/cuda/device.cu.j2,
# table.cu.j2).
# A name is mik_OPERATOR_TYPES_TILE[_any|_row|_pair|_beside|_splitk][_turns][_gather]_TARGET.

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
    return name ~ /_row_/ || name !~ /_(f16|bf16|tf32|3xtf32|s8|u8|e4m3|e5m2|f64)[a-z0-9]*_[0-9]+x/ ? "scalar" : "mma"
}

# Fences of all memory: one where blocks that share a tile count themselves, for each of a kernel's parts; tiles of two
# kernels of sm_90a, and those that take turns, are never shared. Pairs of blocks wait for each other at the end; of those that split k, each
# also tells that it has left its sums, or has read the others'.
function fences(name, is_shared, parts)
{
    return name ~ /_splitk_/ ? 3 : (name ~ /_turns_/ ? 0 : is_shared * parts) + (name ~ /_pair_|_beside_/)
}

# Kernels for a few rows or columns live by what is on its way.
function flight(copies, m, n)
{
    return copies == "ring" || (copies == "async" && (m <= 16 && n >= 32 || n <= 16 && m >= 32)) ? 65536 : 0
}

# What loops that multiply are like: what is multiplied, and whether whole tiles or any are; on CUDA cores a kernel has a loop for each. Of
# operands that are gathered, and where no tile goes through shared memory, they may be as they like.
function loops(name, type)
{
    if (stem in gathered || name ~ /_row_|_sm90a$/)
        return "-"
    if (product(name) == "scalar")
        return (name ~ /_128x128x/ ? "scalar_large" : "scalar") "/scalar_any"
    type = substr(name, length(stem) + 6)
    sub(/(f32|f64|s32)_.*/, "", type)
    sub(/^bf16$/, "f16", type)
    sub(/^[su]8.*/, "s8", type)
    return type (name ~ /_any_/ ? "_any" : "")
}

# Outputs that have an address are stored 16 bytes at a time; of bytes, the 8 columns of a warp are too few.
/_c_ptr\(const / && !/char \*/ {
    sub(/_c_ptr\(.*/, "")
    sub(/.*[ *]/, "")
    wide[$0] = 1
}

/^struct .*_traits \{/ {
    traits = $2
    sub(/_traits$/, "", traits)
}
/GATHERED = true/ { gathered[traits] = 1 }

/^static const mik_(variant|twin) / {
    table = $4
    stem = $4
    sub(/_(variants|twins)\[\]$/, "", stem)
}
/^static const mik_variant / { known = 0 }
/^};/ { table = "" }

# {"name", (const void *)name, m, n, k, threads, blocks, shared, align, tma, cluster, box,
table && /^    \{"mik_/ {
    fields_of($0, f)
    copies = f[1] ~ /_splitk_/ ? "split" : f[10] == 1 ? (f[1] ~ /_gather_/ ? "gather" : "tma") : f[1] ~ /_row_/ ? "ring" : f[9] == 16 ? "async" : "any"
    threads[known] = f[6]
    names[known] = f[1]
    boxes[known] = (f[12] > 0)
    products[known++] = product(f[1])
    stores = f[12] != 0 ? "boxes" : wide[stem] && f[1] !~ /_row_/ ? "wide" : "any"
    print f[1], f[6], f[7], f[8], product(f[1]), copies, fences(f[1], 1, 1), stores, flight(copies, f[3], f[4]), loops(f[1])
}

# {(const void *)name, first, second, shared, blocks},
table && /^    \{\(const void \*\)mik_/ {
    fields_of($0, f)
    copies = products[f[2]] == "wgmma" ? (names[f[2]] ~ /_gather_/ ? "gather" : "tma") : products[f[2]] == "mma" ? "async" : "any"
    stores = boxes[f[2]] ? "boxes" : wide[stem] ? "wide" : "any"
    print f[1], threads[f[2]], f[5], f[4], products[f[2]], copies, fences(names[f[2]], products[f[2]] != "wgmma", 2), stores, 0, loops(names[f[2]])
}
