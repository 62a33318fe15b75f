/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnoses: where, who, what. The first one since sim_reset is kept. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "barrier.h"
#include "multiprocessor.h"
#include "registers.h"
#include "settings.h"

static SimKind kind_kept;
static char text_kept[8192];

static const char *const kind_names[SIM_KINDS] = {"nothing", "out of bounds", "misaligned", "race", "deadlock",   "divergence",
                                                  "barrier", "async",         "tensor",     "trap", "unsupported"};

SimKind sim_kind(void) { return kind_kept; }

const char *sim_kind_name(SimKind kind) { return kind >= SIM_NOTHING && kind < SIM_KINDS ? kind_names[kind] : "?"; }

const char *sim_text(void) { return text_kept; }

void report_reset(void);
void report_reset(void)
{
    kind_kept = SIM_NOTHING;
    text_kept[0] = '\0';
}

void diagnose(SimKind kind, const char *text)
{
    if (!settings()->is_quiet)
        fprintf(stderr, "simulator: %s: %s\n", kind_names[kind], text);
    if (kind_kept != SIM_NOTHING)
        return;
    kind_kept = kind;
    snprintf(text_kept, sizeof text_kept, "%s", text);
}

const char *inst_text(const Warp *w, const Inst *i)
{
    static char texts[4][200];
    static int next;
    char *text = texts[next++ % 4], line[150];
    if (i->stmt && i->stmt->opcode) {
        ptx_line(w->code->module, i->stmt->line, line, sizeof line);
        snprintf(text, sizeof texts[0], "line %d `%s`", i->stmt->line, line);
    } else {
        snprintf(text, sizeof texts[0], "its end");
    }
    return text;
}

void fault_launch(Launch *l, SimKind kind, const char *format, ...)
{
    char text[6000], whole[6600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(whole, sizeof whole, "%s kernel %s: %s", l->code->source, l->code->name, text);
    diagnose(kind, whole);
    longjmp(l->fault, (int)kind);
}

static void thread_name(const Warp *w, int lane, char *text, size_t size)
{
    const uint32_t *n = w->launch->block, *b = w->block->id;
    uint32_t t = (uint32_t)(w->index * LANES + lane);
    snprintf(text, size, "block (%u,%u,%u) thread (%u,%u,%u)", b[0], b[1], b[2], t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
}

void fault(Warp *w, const Inst *i, int lane, SimKind kind, const char *format, ...)
{
    char text[2000], who[200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    thread_name(w, lane, who, sizeof who);
    fault_launch(w->launch, kind, "%s: %s: %s", who, inst_text(w, i), text);
}

/* ---- deadlocks: every thread of the resident blocks and what it waits for ---- */

static void describe_lane(const Warp *w, int lane, char *text, size_t size)
{
    const Wait *wait = &w->wait[lane];
    const char *at = inst_text(w, &w->code->insts[w->blocked >> lane & 1 ? wait->pc : w->lane_pc[lane]]);
    char more[120];
    if (!(w->alive >> lane & 1)) {
        snprintf(text, size, "done");
    } else if (!(w->blocked >> lane & 1)) {
        snprintf(text, size, "in a loop at %s", at);
    } else if (wait->kind == WAIT_BARRIER) {
        const Barrier *b = &w->block->barriers[wait->barrier];
        snprintf(text, size, "barrier %d (%d of %d threads have arrived), %s", wait->barrier, b->arrived, b->expected, at);
    } else if (wait->kind == WAIT_MBARRIER) {
        mbarrier_describe(w->block, wait->address, more, sizeof more);
        snprintf(text, size, "mbarrier 0x%llx (%s), %s", (unsigned long long)wait->address, more, at);
    } else if (wait->kind == WAIT_REGISTERS) {
        registers_describe(w, more, sizeof more);
        snprintf(text, size, "%s, %s", more, at);
    } else if (wait->kind == WAIT_LANES) {
        snprintf(text, size, "lanes 0x%08x of the warp, %s", wait->lanes, at);
    } else {
        snprintf(text, size, "%s, %s", wait->kind == WAIT_CLUSTER ? "the cluster" : "the grid", at);
    }
}

static size_t describe_block(const Block *b, char *text, size_t size)
{
    char previous[300] = "", now[300];
    int first = 0;
    size_t n = (size_t)snprintf(text, size, "\n  block (%u,%u,%u):", b->id[0], b->id[1], b->id[2]);
    for (int t = 0; t <= b->thread_count && n < size; t++) {
        if (t < b->thread_count)
            describe_lane(&b->warps[t / LANES], t % LANES, now, sizeof now);
        else
            now[0] = '\0';
        if (t > 0 && strcmp(previous, now) != 0) {
            n += (size_t)snprintf(text + n, size - n, " threads %d-%d: %s;", first, t - 1, previous);
            first = t;
        }
        memcpy(previous, now, sizeof now);
    }
    return n < size ? n : size - 1;
}

void fault_deadlock(Launch *l)
{
    char text[5000];
    size_t n = (size_t)snprintf(text, sizeof text, "nobody can go on:");
    int blocks = 0;
    for (const Cluster *c = l->active; c; c = c->next)
        for (int r = 0; r < c->block_count; r++)
            if (c->blocks[r].live_threads > 0 && blocks++ < 4 && n < sizeof text - 1)
                n += describe_block(&c->blocks[r], text + n, sizeof text - n);
    if (blocks > 4 && n < sizeof text - 1)
        snprintf(text + n, sizeof text - n, "\n  and %d more blocks", blocks - 4);
    fault_launch(l, SIM_DEADLOCK, "%s", text);
}
