/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Every micro-kernel in turn.

   What random tuples reach by chance only: each tile kernel of each instruction set forced on extents that give it
   whole tiles and narrower ones, and the kernels of inner products on all small numbers of rows and columns. */
#pragma once
#include "check_run.h"
#include "draw_tuple.h"

enum { MANY = 259, SOME = 15, FEW = 8 };

/* Both return whether a result is wrong. */
static int mik_run_tiles(const Case *c, Flush flush)
{
    int result = 0;
    for (int isa = 1; isa < ISAS && result <= 0; isa++) {
        result = 0;
        for (int k = 0; k < c->op->kernels[isa] && result == 0; k++) {
            char name[60];
            snprintf(name, sizeof name, "kernel %d of instruction set %d", k, isa);
            Way way = {name, isa, 1, (k + 1) << 16, 0, 0};
            result = mik_run_way(c, &way, flush);
            way.packed = c->op->packed != NULL;
            result = result || !way.packed ? result : mik_run_way(c, &way, flush);
        }
    }
    return result > 0;
}

static int mik_run_inner_products(const Case *c, Flush flush)
{
    int result = 0;
    for (int isa = 1; isa < ISAS && result <= 0; isa++) {
        const Way way = {"inner products", isa, 1, 0x80, 0, 0};
        result = c->op->kernels[isa] ? mik_run_way(c, &way, flush) : 0;
    }
    return result > 0;
}

static void mik_run_kernels(Case *c, DataKind data, int (*run)(const Case *, Flush), Flush flush)
{
    double work = 1;
    for (int i = 0; i < c->op->count; i++)
        work *= c->op->params[i].kind == P_INT && c->args[i].i > 1 ? (double)c->args[i].i : 1;
    if (work < 4e6 && mik_measure(c) && mik_prepare(c, data)) {
        int wrong = run(c, flush);
        passed += !wrong;
        failed += wrong;
    }
    mik_finish(c);
}

static void mik_check_kernels(const Op *op, DataKind data)
{
    int extents = 0;
    for (int i = 0; i < op->count; i++)
        extents += op->params[i].kind == P_INT && op->params[i].role == R_EXTENT;
    if (op->kernels == NULL || extents == 0 || extents > 4)
        return;
    /* One extent after the other is long, with the arrays against either guard page; then all combinations of three
       short ones, or with --ways one in seven. */
    for (int round = 0; round < 2 * extents + FEW * FEW * FEW; round += round < 2 * extents || ways_wanted == 0 ? 1 : 7) {
        Case c;
        int at = 0, digits = round - 2 * extents;
        memset(&c, 0, sizeof c);
        c.op = op;
        mik_draw_coefficients(&c, 1);
        for (int i = 0; i < op->count; i++) {
            const Param *p = &op->params[i];
            if (p->kind != P_INT)
                continue;
            c.args[i].i = 1;
            if (p->role != R_EXTENT)
                continue;
            c.args[i].i = digits < 0 ? (at == round / 2 ? MANY : SOME) : 1 + digits % FEW;
            digits = digits < 0 ? digits : digits / FEW;
            at++;
        }
        mik_run_kernels(&c, data, round < 2 * extents ? mik_run_tiles : mik_run_inner_products, (Flush)(round % 2));
    }
}
