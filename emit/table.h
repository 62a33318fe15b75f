/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of constants: each once in the file, under a name of its own, and a pointer to it in the functions that read it. */
#ifndef MIKGEN_EMIT_TABLE_H
#define MIKGEN_EMIT_TABLE_H

#include <jansson.h>

#include "emit/text.h"

/* A table that the file has. */
typedef struct UsedTable {
    const ConstantTable *table;
    Type type;
    const char *symbol; /* what the file calls it */
} UsedTable;

/* Declares `flat` (a table of rank 1) in the emitter's scope, and appends the line that does so; `distinct`: as restrict. */
void table_unpack(Emitter *e, const Sym *flat, bool distinct, Text *out);

/* tables[]: {declaration: "static const float mik_table_w[6]", values[]: lines} of all that have been unpacked. */
json_t *tables_build(Ir *ir, const Dialect *dialect, Uses *uses);

#endif
