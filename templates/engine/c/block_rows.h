/* Some rows of a stage, as chains ask for them. */
#pragma once
#include <stdint.h>

enum { MIK_ROWS, MIK_TURN, MIK_ROOM }; /* what is asked: to compute them; of a product, to turn its B; how much room that takes */

/* `rows` rows from `row` on, of iteration `outer` of the loop around. */
typedef struct {
    int what;
    int64_t outer, row, rows;
    int turns;                   /* B may be turned: its columns side by side, once for many blocks */
    char *turned;                /* where it is then; null: nowhere */
    int64_t turned_bytes, bytes; /* MIK_ROOM: room for that; with which a block allocates nothing */
} mik_rows;
