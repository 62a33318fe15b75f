/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How calls of an operator would run, as data: the emitted dispatcher is asked (templates/explain.c.j2), and what is known before any call
 * is put beside its answers.
 *
 * A call: {"operator", "target": "c" or "cuda", "extents" {name: value}, "threads", "set" (an instruction set's name, or "best"), "status", "text" (what NAME_explain
 * says)}, and if status is 0:
 *   "products": [{"stem", "line", "what", "batch", "m", "n", "k", "family", "isa", "transposed": m and n have changed roles,
 *                 "workspace", "plan", "runner_up": PLAN each, or "way" in their place}]; "runs": false where the loops run instead
 *   PLAN: {"summary", "pattern", "cost_ns", "kc", "workers", "splits": of k, "regions": [{"m0", "m1", "n0", "n1", "kernel", "tile": [rows,
 *                 columns], "tile_ns", "row_tiles", "column_panels": [[count, size]], "a", "b", "mc", "nc", "rows", "columns": tasks}], "terms_ns"
 *                 {"tiles", "operands", "stores", "waits"}: of all workers together, "start_ns", "adding_ns", "loads_ns": of each worker, "tasks":
 *                 [{"batch", "m0", "m1", "n0", "n1", "worker"}]}
 *   "nests": [{"stem", "line", "what", "set", "class", "non_temporal", "work_ns", "counts", "pieces": [[begin, end, first, last]], "threads": names of
 *                 loops, "loops": [{"depth", "line", "text", "notes": []}], "chosen", "instead_of": stems of products}]
 *   "waves": [{"stem", "line", "stages": stems, "rows", "steps", "together", "height", "at_once", "blocks"}]
 *   "chains": [{"stem", "line", "stages": stems, "rows", "outer", "block": 0: one stage after the other, "tasks"}]
 *   "ragged": [{"stem", "line", "stages": stems, "averages": [{"stem", "count", "m", "n", "k", "varies": of m, n, k what memory bounds}]}]
 * A nest whose iterations the call's integers do not tell has "counts_text", its extents as C, in place of "set" and what follows it.
 * Of CUDA files (templates/explain.cu.j2), besides "ragged":
 *   "device": {"assumed": none is at hand, "multiprocessors", "compute_capability", "kind": row of the table of GPUs, "bytes_per_ns": of memory,
 *                 "launch_ns"}, where there are products
 *   "products": [{"stem", "line", "what", "family", "batch", "m", "n", "k", "in": the group or attention in whose launch it is, "plan",
 *                 "runner_up": PLAN each, or "way" in their place}]
 *   PLAN: {"summary", "pattern", "cost_ns", "launches", "workspace": bytes, "regions": [{"m0", "m1", "n0", "n1", "kernel", "tile": [rows, columns],
 *                 "step": of k, "tiles", "steps": of a tile, "blocks", "share": steps of a block, "parts": blocks of a tile or 0, "threads",
 *                 "shared": bytes, "cluster", "tensor_maps", "resident": on a multiprocessor, "slots": on all, "waves", "step_ns"}], "terms_ns"
 *                 {"launch", "work", "memory", "reading", "reduction", "copies"}}: the cost is launches, the greatest of work, memory and
 *                 reading, sums that meet, copies of operands
 *   "nests": [{"stem", "line", "what", "in", "loops", "form", "extents": along x, y, z, "steps": that lanes share or -1, "launches", "launched":
 *                 [{"grid", "block"}], the first four}]
 *   "groups": [{"stem", "line", "stages", "in_turn", "apart_ns", "together_ns", "kernel", "together": they are one launch}]
 *   "attentions": [{the same, "batch", "rows", "keys", "tile", "blocks", "slots"}]
 */
#ifndef MIKGEN_GEN_PICTURE_CALLS_H
#define MIKGEN_GEN_PICTURE_CALLS_H

#include <jansson.h>

#include "gen/driver/program.h"

typedef struct CallRequest {
    int op;                /* number of the program's operator */
    int threads;           /* at least 1 */
    const int64_t *values; /* of its integer parameters, in their order */
} CallRequest;

/* The answers to n requests, in an array. opt->tuning.isa: the instruction set, whether this processor has it or not, or NULL: the best that
 * it has. The program is compiled by $CC, default cc. NULL after one message that begins with "`option`: ". The caller owns the reference. */
json_t *calls_ask(Ir *ir, const Options *opt, const Program *program, const CallRequest *requests, int n, const char *option);

/* Of an operator's integer parameters. */
int count_ints(const Func *f);
bool is_int_param(const Sym *p);

#endif
