/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Some rows of a stage, as chains ask for them. */
#pragma once
#include <stdint.h>

enum { MIK_ROWS, MIK_PACK, MIK_ROOM }; /* what is asked: to compute them; of a product, to pack its B; how much room that takes */

/* `rows` rows from `row` on, of iteration `outer` of the loop around. */
typedef struct {
    int what;
    int64_t outer, row, rows;
    int64_t serves;              /* B may be packed once for so many rows, several blocks'; 0: it serves one block */
    char *packed;                /* where it is then; null: nowhere */
    int64_t packed_bytes, bytes; /* MIK_ROOM: room for that; with which a block allocates nothing */
} mik_rows;
