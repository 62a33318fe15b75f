/* Explanations: as long as they say, and within their buffer. */
#pragma once
#include "check_settings.h"

#if MIK_CUDA
enum { EXPLAINED = 1 };         /* without options */
#else
enum { EXPLAINED = 3 };         /* and with two threads */
#endif

static void mik_check_explain(const Op *op)
{
    char text[4000];
    Arg args[MAX_PARAMS];
    memset(args, 0, sizeof args);
    for (int i = 0; i < op->count; i++)
        args[i].i = op->params[i].role == R_EXTENT ? 16 : 1;
    for (int threads = 0; threads < EXPLAINED; threads += 2) {
        memset(text, 1, sizeof text);
        int length = op->explain(args, threads, text, sizeof text), whole = op->explain(args, threads, NULL, 0);
        int ok = length > 0 && length == whole && (size_t)length < sizeof text && strlen(text) == (size_t)length;
        text[4] = text[5] = 1;
        ok = ok && op->explain(args, threads, text, 5) == whole && text[4] == 0 && text[5] == 1;
        if (!ok)
            printf("FAILED: %s: an explanation of length %d, or %d without a buffer, or more than a buffer holds\n", op->name, length,
                   whole);
        passed += ok;
        failed += !ok;
    }
}
