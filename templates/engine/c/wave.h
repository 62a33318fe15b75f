/* Nests in waves: each does a few rows as soon as those before it are as far ahead as it needs, so that rows are still in a cache. */
#pragma once
#include "loop_tasks.h"

#ifndef MIK_WAVE_BYTES
#define MIK_WAVE_BYTES 1e6 /* of all rows, up to which nests run one after the other: they stay in a core's cache */
#endif
#ifndef MIK_WAVE_PART
#define MIK_WAVE_PART 256e3 /* bytes that a nest goes over at a time */
#endif
/* Bytes that a wave is long, and steps in it, at most. All of these are measured with 1 and 32 MB of cache, by bench/nests.sh. */
#define MIK_WAVE_CACHE 8e6
#define MIK_WAVE_STEPS 16

typedef struct {
    mik_loop_part *part;
    mik_piece all;               /* its iterations */
    double nanoseconds;
    int64_t row, rows, per_row;  /* the first row, how many, iterations for each */
    int64_t behind;              /* rows that the nest stays behind the first */
    int alone;                   /* no other nest and no other step touches what it stores */
} mik_wave_stage;

typedef struct {
    const mik_wave_stage *stage;
    int stages;
    int64_t steps, apart;        /* all stages run so often, each step so many rows behind the one before */
    double row_bytes;
    void (*set_step)(void *args, int64_t step); /* NULL: no stage asks */
} mik_wave;

/* The rows [from, to) as the first stage counts them. */
static void mik_wave_rows(const mik_wave_stage *s, const void *args, int64_t from, int64_t to)
{
    const int64_t begin = from - s->behind > s->row ? from - s->behind - s->row : 0;
    const int64_t end = to - s->behind - s->row < s->rows ? to - s->behind - s->row : s->rows;
    mik_piece piece = s->all;
    if (begin >= end)
        return;
    piece.begin = begin * s->per_row;
    piece.end = end * s->per_row;
    piece.past = piece.past && s->alone;
    s->part(args, &piece);
}

static void mik_wave_step(const mik_wave *w, void *args, int64_t step)
{
    if (w->set_step)
        w->set_step(args, step);
}

/* `at_once` steps from `step` on, `height` rows at a time, of [first, last). */
static void mik_wave_steps(const mik_wave *w, void *args, int64_t step, int64_t at_once, int64_t height, int64_t first, int64_t last)
{
    const int64_t end = last + (at_once - 1) * w->apart + w->stage[w->stages - 1].behind;
    for (int64_t front = first; front < end; front += height)
        for (int64_t s = 0; s < at_once; s++) {
            mik_wave_step(w, args, step + s);
            for (int i = 0; i < w->stages; i++)
                mik_wave_rows(&w->stage[i], args, front - s * w->apart, front + height - s * w->apart);
        }
}

static void mik_one_by_one(const mik_wave *w, void *args, const mikgen_options *opt)
{
    for (int64_t s = 0; s < w->steps; s++) {
        mik_wave_step(w, args, s);
        for (int i = 0; i < w->stages; i++)
            if (w->stage[i].rows > 0)
                mik_run_loops(w->stage[i].part, args, &w->stage[i].all, w->stage[i].nanoseconds, opt);
    }
}

/* Results are those of one stage after the other, which is what several threads do. */
static int mik_run_wave(const mik_wave *w, void *args, const mikgen_options *opt)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int i = 0; i < w->stages; i++) {
        const mik_wave_stage *s = &w->stage[i];
        if (!s->all.isa)
            return MIKGEN_UNSUPPORTED;
        if (s->rows > 0) {
            first = s->row < first ? s->row : first;
            last = s->row + s->rows > last ? s->row + s->rows : last;
        }
    }
    if (first >= last)
        return MIKGEN_OK;
    if (mik_threads(opt) > 1 || (double)(last - first) * w->row_bytes <= MIK_WAVE_BYTES) {
        mik_one_by_one(w, args, opt);
        return MIKGEN_OK;
    }
    const int64_t part = (int64_t)(MIK_WAVE_PART / (w->row_bytes + 1)), height = part < 1 ? 1 : part < 4 ? part : part / 4 * 4;
    const int64_t left = (int64_t)(MIK_WAVE_CACHE / (w->row_bytes + 1)) - height - w->stage[w->stages - 1].behind;
    int64_t at_once = w->apart ? left / w->apart : MIK_WAVE_STEPS;
    at_once = at_once < 1 ? 1 : at_once < MIK_WAVE_STEPS ? at_once : MIK_WAVE_STEPS;
    for (int64_t s = 0; s < w->steps; s += at_once)
        mik_wave_steps(w, args, s, w->steps - s < at_once ? w->steps - s : at_once, height, first, last);
    return MIKGEN_OK;
}
