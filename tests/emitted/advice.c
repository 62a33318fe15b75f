/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints an explanation: advice OPERATOR ISA THREADS WORKSPACE M N K LD, of advice.sh. */
#include "advice_dyn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void in_turn(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    for (int i = 0; i < n; i++)
        task(arg, i);
}

int main(int argc, char **argv)
{
    static char text[10000], room[64];
    int x[8] = {0};
    for (int i = 2; i < argc && i < 9; i++)
        x[i - 2] = atoi(argv[i]);
    if (argc != 9)
        return 2;
    mikgen_options opt = {.isa = x[0], .threads = x[1], .parallel_for = in_turn};
    opt.workspace = x[2] ? room : NULL; /* nothing runs */
    opt.workspace_bytes = (size_t)x[2];
    (strcmp(argv[1], "plain") == 0      ? plain_explain_with
     : strcmp(argv[1], "weighted") == 0 ? weighted_explain_with
                                        : weighted_packed_explain_with)(&opt, x[3], x[4], x[5], x[6], text, sizeof text);
    fputs(text, stdout);
    return 0;
}
