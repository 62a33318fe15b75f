/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Explanations: as long as they say, and within their buffer. */
#pragma once
#include "check_settings.h"

#if MIK_CUDA
enum { EXPLAINED = 1 };         /* without options */
#else
enum { EXPLAINED = 3 };         /* and with two threads */
#endif

/* whether the text that op->explain writes for these arguments is as long as it says, asked for its length alone, written whole and
 * written into five bytes */
static int is_explained(const Op *op, const Arg *args, int threads, int *whole, int *length)
{
    *whole = op->explain(args, threads, NULL, 0);
    *length = -1;
    if (*whole <= 0)
        return 0;
    size_t bytes = (size_t)*whole + 1;
    char *text = (char *)malloc(bytes + 4);
    if (!text)
        return 0;
    memset(text, 1, bytes + 4);
    *length = op->explain(args, threads, text, bytes);
    int ok = *length == *whole && strlen(text) == (size_t)*length && text[bytes] == 1;
    text[4] = text[5] = 1;
    ok = ok && op->explain(args, threads, text, 5) == *whole && text[4] == 0 && text[5] == 1;
    free(text);
    return ok;
}

static void mik_check_explain(const Op *op)
{
    Arg args[MAX_PARAMS];
    memset(args, 0, sizeof args);
    for (int i = 0; i < op->count; i++)
        args[i].i = op->params[i].role == R_EXTENT ? 16 : 1;
    for (int threads = 0; threads < EXPLAINED; threads += 2) {
        int whole, length, ok = is_explained(op, args, threads, &whole, &length);
        if (!ok)
            printf("FAILED: %s: an explanation of length %d, or %d without a buffer, or more than a buffer holds\n", op->name, length,
                   whole);
        passed += ok;
        failed += !ok;
    }
}
