/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers that warps give back to their block and take from it: setmaxnreg (PTX ISA 9.7.19.5). A block has those of its launch: as
 * many for each thread as ptxas may hand out where .minnctapersm blocks of .maxntid threads share a multiprocessor, or .maxnreg. A warp
 * that wants more than the block has left waits for others to give some back; where none will, that is a deadlock. */
#include <stdio.h>

#include "decode.h"
#include "registers.h"

enum { FILE_SIZE = 65536, STEP = 8, LEAST = 24, MOST = 256, MOST_OF_LAUNCH = 255 };

/* Of each thread, at first. */
static int of_launch(const Warp *w)
{
    const Function *f = w->code->function;
    const int *max = f->required_threads[0] ? f->required_threads : f->max_threads;
    const int threads = max[0] * (max[1] ? max[1] : 1) * (max[2] ? max[2] : 1), blocks = f->min_blocks ? f->min_blocks : 1;
    if (f->max_registers || !threads)
        return f->max_registers;
    const int each = FILE_SIZE / ((threads + LANES - 1) / LANES * LANES * blocks) / STEP * STEP;
    return each < MOST_OF_LAUNCH ? each : MOST_OF_LAUNCH;
}

static void run_setmaxnreg(Warp *w, const Inst *i, uint32_t mask)
{
    Block *b = w->block;
    const int wanted = (int)i->imm, has = w->registers ? w->registers : of_launch(w);
    if (!has)
        fault(w, i, first_lane(mask), SIM_BARRIER, "setmaxnreg in a kernel that does not say how many threads a block has at most");
    if (i->flags ? wanted < has : wanted > has)
        fault(w, i, first_lane(mask), SIM_BARRIER, "%s to %d registers where the warp has %d", i->flags ? "an increase" : "a decrease",
              wanted, has);
    if (wanted - has > b->spare_registers) {
        block_lanes(w, mask, (Wait){.kind = WAIT_REGISTERS}, true);
        return;
    }
    b->spare_registers -= wanted - has;
    w->registers = wanted;
    if (wanted < has)
        wake_all(b->cluster, WAIT_REGISTERS, 0);
}

void registers_describe(const Warp *w, char *text, size_t size)
{
    snprintf(text, size, "registers: it has %d for each thread, the block %d left for a warp", w->registers ? w->registers : of_launch(w),
             w->block->spare_registers);
}

void decode_setmaxnreg(Decoder *d)
{
    const bool is_increase = take(d, "inc");
    if (!is_increase && !take(d, "dec"))
        decode_fail(d, "unsupported instruction");
    take(d, "sync");
    const bool is_aligned = take(d, "aligned");
    take(d, "u32");
    finish_parts(d);
    const Operand *count = operand_at(d, 0);
    if (count->kind != O_INT || count->value % STEP || count->value < LEAST || count->value > MOST)
        decode_fail(d, "a number of registers is a multiple of 8 from 24 to 256");
    Inst *i = emit(d, run_setmaxnreg);
    i->imm = count->value;
    i->flags = is_increase;
    i->flow = FLOW_SYNC;
    i->is_collective = is_aligned;
}
