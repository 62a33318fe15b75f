/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Keeps what calls tell of themselves, and writes it down as a Chrome trace, for ui.perfetto.dev and chrome://tracing.
 *
 *     mikgen_trace_log log;
 *     if (mikgen_trace_open(&log, 0) != 0)
 *         ...no memory...
 *     options.trace = mikgen_trace_keep;
 *     options.trace_ctx = &log;
 *     ...calls, on any threads...
 *     mikgen_trace_write(&log, "trace.json");
 *     mikgen_trace_close(&log);
 *
 * Threads keep events at once, without locks. A worker's number is its thread in the trace.
 */
#pragma once
#include "trace_event.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/* An event, with its kernel's name, which else is gone when the hook returns. */
typedef struct {
    mikgen_trace_event event;
    char kernel[80];
} mikgen_trace_entry;

typedef struct {
    mikgen_trace_entry *entry;
    long most, count;        /* room; events told, those among them that found no room */
} mikgen_trace_log;

/* Makes room for `most` events, 0: for 65536, of about 250 bytes each; what comes when it is full is counted, not kept. 0, or -1: no
   memory. */
static inline int mikgen_trace_open(mikgen_trace_log *log, long most)
{
    log->most = most > 0 ? most : 65536;
    log->count = 0;
    log->entry = (mikgen_trace_entry *)calloc((size_t)log->most, sizeof *log->entry);
    return log->entry ? 0 : -1;
}

static inline void mikgen_trace_close(mikgen_trace_log *log)
{
    free(log->entry);
    log->entry = NULL;
}

/* The hook: options.trace, with a log as options.trace_ctx. */
static inline void mikgen_trace_keep(void *ctx, const mikgen_trace_event *event)
{
    mikgen_trace_log *log = (mikgen_trace_log *)ctx;
    size_t length = 0;
#if defined(_MSC_VER) && !defined(__clang__)
    const long at = _InterlockedExchangeAdd(&log->count, 1);
#else
    const long at = __atomic_fetch_add(&log->count, 1, __ATOMIC_RELAXED);
#endif
    if (at >= log->most)
        return;
    mikgen_trace_entry *entry = &log->entry[at];
    entry->event = *event;
    for (; event->kernel && event->kernel[length] && length + 1 < sizeof entry->kernel; length++)
        entry->kernel[length] = event->kernel[length];
    entry->kernel[length] = '\0';
    entry->event.kernel = NULL;
}

/* By their beginnings; of two that begin at once, the longer one is around the other. */
static inline int mikgen_trace_order(const void *x, const void *y)
{
    const mikgen_trace_event *a = &((const mikgen_trace_entry *)x)->event, *b = &((const mikgen_trace_entry *)y)->event;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

static inline void mikgen_trace_put_text(FILE *f, const char *key, const char *text)
{
    fprintf(f, "\"%s\":\"", key);
    for (; *text; text++) {
        if ((unsigned char)*text < ' ')
            fprintf(f, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fprintf(f, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputc('"', f);
}

static inline void mikgen_trace_put_time(FILE *f, const char *key, uint64_t ns)
{
    fprintf(f, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static inline void mikgen_trace_put_range(FILE *f, const char *key, int64_t from, int64_t to)
{
    if (from < to)
        fprintf(f, ",\"%s\":[%lld,%lld]", key, (long long)from, (long long)to);
}

static inline void mikgen_trace_put(FILE *f, const mikgen_trace_entry *entry, uint64_t start)
{
    const mikgen_trace_event *e = &entry->event;
    fprintf(f, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,", e->worker);
    mikgen_trace_put_text(f, "cat", e->what);
    fputc(',', f);
    mikgen_trace_put_text(f, "name",
                          entry->kernel[0]                   ? entry->kernel
                          : !e->stage                        ? e->op
                          : strncmp(e->what, "pack", 4) == 0 ? e->what
                                                             : e->stage);
    mikgen_trace_put_time(f, "ts", e->begin - start);
    mikgen_trace_put_time(f, "dur", e->end - e->begin);
    fprintf(f, ",\"args\":{");
    mikgen_trace_put_text(f, "operator", e->op);
    if (e->stage) {
        fputc(',', f);
        mikgen_trace_put_text(f, "stage", e->stage);
    }
    mikgen_trace_put_range(f, "b", e->b0, e->b1);
    mikgen_trace_put_range(f, "m", e->m0, e->m1);
    mikgen_trace_put_range(f, "n", e->n0, e->n1);
    mikgen_trace_put_range(f, "k", e->k0, e->k1);
    if (e->blocks)
        fprintf(f, ",\"blocks\":%lld,\"threads\":%d", (long long)e->blocks, e->threads);
    fprintf(f, "}}");
}

/* Writes all events to `path`, when nothing runs any more. 0, or -1: the file cannot be written. */
static inline int mikgen_trace_write(mikgen_trace_log *log, const char *path)
{
    const long kept = log->count < log->most ? log->count : log->most;
    int workers = 0;
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    qsort(log->entry, (size_t)kept, sizeof *log->entry, mikgen_trace_order);
    fprintf(f, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":\"%ld\"},\"traceEvents\":[\n", log->count - kept);
    fprintf(f, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"mikgen\"}}");
    for (long i = 0; i < kept; i++)
        workers = log->entry[i].event.worker >= workers ? log->entry[i].event.worker + 1 : workers;
    for (int w = 0; w < workers; w++)
        fprintf(f, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"worker %d\"}}", w, w);
    for (long i = 0; i < kept; i++)
        mikgen_trace_put(f, &log->entry[i], log->entry[0].event.begin);
    fprintf(f, "\n]}\n");
    const int failed = ferror(f);
    return fclose(f) != 0 || failed ? -1 : 0;
}
