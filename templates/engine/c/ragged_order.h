/* May the iterations of a ragged batch run in any order? */
#pragma once
#include "ragged_batch.h"

/* Yes, if what they have to themselves lies one behind the other. Changes *args. */
static int mik_is_in_order(const mik_ragged *r, void *args)
{
    int64_t before = INT64_MIN;
    for (int64_t i = 0; i < r->count; i++) {
        int64_t first, end;
        r->group(args, i, &first, &end);
        if (end <= first)
            continue;
        if (first < before)
            return 0;
        before = end;
    }
    return 1;
}
