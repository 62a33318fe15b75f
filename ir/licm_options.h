/* Options of normalize and licm, which work as one: the same values must go to both. */
#ifndef MIKGEN_IR_LICM_OPTIONS_H
#define MIKGEN_IR_LICM_OPTIONS_H

#include <stdbool.h>

typedef struct LicmOptions {
    enum {
        LICM_OFF,    /* neither pass changes anything                                                */
        LICM_HALIDE, /* + and - regrouped, expressions hoisted; conditions and statements left alone */
        LICM_FULL,
    } mode;
    int threshold;      /* hoist what costs at least this much (ops.def has the costs); default 1     */
    int unroll_limit;   /* loops of at most so many trips count as unrolled; C: 0, CUDA: 4            */
    bool const_pos_low; /* the immediate of a sum joins the lowest rank instead of coming last        */
    enum {
        OVERFLOW_WRAP,   /* signed arithmetic that might newly overflow is done in unsigned           */
        OVERFLOW_KEEP,   /* such arithmetic stays as and where it is written                          */
        OVERFLOW_ASSUME, /* nothing overflows                                                         */
    } overflow;
    bool loads_proven;  /* loads move where that is proven safe; otherwise never                      */
    bool barrier_legal; /* arithmetic may cross a barrier; otherwise nothing leaves a loop with one   */
} LicmOptions;

#endif
