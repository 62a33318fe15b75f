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
    mikgen_trace_event event; /* what: NULL where there was no room, or a launch has failed */
    char kernel[80];
    uint64_t asked;           /* of a launch that is measured: when it was about to begin */
    void *from, *to;          /* the CUDA events around it, */
    int timed, captured;      /* both recorded; not at all, for the stream was being captured */
    int device, track;        /* where it ran; the stream's track */
    uint64_t begin, end;      /* when, on the host's clock; 0: unknown */
} mikgen_trace_entry;

typedef struct {
    int device;
    void *stream;
    const mikgen_trace_entry *last; /* of those whose times are known, while they become so */
} mikgen_trace_track;

typedef struct mikgen_trace_log {
    mikgen_trace_entry *entry;
    long most, count;          /* room; events told, those among them that found no room */
    mikgen_trace_track *track; /* of streams with launches that have been measured */
    int tracks;
    void (*measure)(struct mikgen_trace_log *log, long kept); /* from CUDA events to times, and their end; NULL: there are none */
    void (*release)(struct mikgen_trace_log *log, long kept);
} mikgen_trace_log;

/* Makes room for `most` events, 0: for 65536, of about 320 bytes each; what comes when it is full is counted, not kept. 0, or -1: no
   memory. */
static inline int mikgen_trace_open(mikgen_trace_log *log, long most)
{
    memset(log, 0, sizeof *log);
    log->most = most > 0 ? most : 65536;
    log->entry = (mikgen_trace_entry *)calloc((size_t)log->most, sizeof *log->entry);
    return log->entry ? 0 : -1;
}

static inline long mikgen_trace_kept(const mikgen_trace_log *log) { return log->count < log->most ? log->count : log->most; }

static inline void mikgen_trace_close(mikgen_trace_log *log)
{
    if (log->release)
        log->release(log, mikgen_trace_kept(log));
    free(log->entry);
    free(log->track);
    log->entry = NULL;
    log->track = NULL;
}

/* Room for one more event; NULL: there is none left. */
static inline mikgen_trace_entry *mikgen_trace_take(mikgen_trace_log *log)
{
#if defined(_MSC_VER) && !defined(__clang__)
    const long at = _InterlockedExchangeAdd(&log->count, 1);
#else
    const long at = __atomic_fetch_add(&log->count, 1, __ATOMIC_RELAXED);
#endif
    return at < log->most ? &log->entry[at] : NULL;
}

static inline void mikgen_trace_copy(mikgen_trace_entry *entry, const mikgen_trace_event *event)
{
    size_t length = 0;
    entry->event = *event;
    for (; event->kernel && event->kernel[length] && length + 1 < sizeof entry->kernel; length++)
        entry->kernel[length] = event->kernel[length];
    entry->kernel[length] = '\0';
    entry->event.kernel = NULL;
}

/* The hook: options.trace, with a log as options.trace_ctx. */
static inline void mikgen_trace_keep(void *ctx, const mikgen_trace_event *event)
{
    mikgen_trace_entry *entry = event->end == 0 ? NULL : mikgen_trace_take((mikgen_trace_log *)ctx);
    if (entry)
        mikgen_trace_copy(entry, event);
}

/* By their beginnings; of two that begin at once, the longer one is around the other. What is no event comes last. */
static inline int mikgen_trace_order(const void *x, const void *y)
{
    const mikgen_trace_event *a = &((const mikgen_trace_entry *)x)->event, *b = &((const mikgen_trace_entry *)y)->event;
    if (!a->what || !b->what)
        return !a->what - !b->what;
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

/* An event as a worker's; with `number` above 0 also the launch of that number. */
static inline void mikgen_trace_put(FILE *f, const mikgen_trace_entry *entry, long number, uint64_t start)
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
    if (number > 0)
        fprintf(f, ",\"launch\":%ld", number);
    if (entry->captured)
        fprintf(f, ",\"captured\":true");
    fprintf(f, "}}");
}

/* A launch as the device's, and an arrow to it from where it was enqueued. */
static inline void mikgen_trace_put_device(FILE *f, const mikgen_trace_entry *entry, long number, uint64_t start)
{
    const mikgen_trace_event *e = &entry->event;
    const uint64_t asked = entry->begin < e->begin ? entry->begin : e->begin;
    fprintf(f, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"cat\":\"device\",", 2 + entry->device, entry->track);
    mikgen_trace_put_text(f, "name", entry->kernel[0] ? entry->kernel : e->stage);
    mikgen_trace_put_time(f, "ts", entry->begin - start);
    mikgen_trace_put_time(f, "dur", entry->end - entry->begin);
    fprintf(f, ",\"args\":{");
    mikgen_trace_put_text(f, "operator", e->op);
    fputc(',', f);
    mikgen_trace_put_text(f, "stage", e->stage);
    fprintf(f, ",\"blocks\":%lld,\"threads\":%d,\"launch\":%ld}}", (long long)e->blocks, e->threads, number);
    fprintf(f, ",\n{\"ph\":\"s\",\"pid\":1,\"tid\":%d,\"cat\":\"launch\",\"name\":\"launch\",\"id\":%ld", e->worker, number);
    mikgen_trace_put_time(f, "ts", asked - start);
    fprintf(f, "},\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":%d,\"tid\":%d,\"cat\":\"launch\",\"name\":\"launch\",\"id\":%ld", 2 + entry->device,
            entry->track, number);
    mikgen_trace_put_time(f, "ts", entry->begin - start);
    fputc('}', f);
}

/* What the tracks are called: a worker's number; of each device its streams, counted. */
static inline void mikgen_trace_put_tracks(FILE *f, const mikgen_trace_log *log, long kept)
{
    int workers = 0;
    for (long i = 0; i < kept; i++)
        workers = log->entry[i].event.worker >= workers ? log->entry[i].event.worker + 1 : workers;
    fprintf(f, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"mikgen\"}}");
    for (int w = 0; w < workers; w++)
        fprintf(f, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"worker %d\"}}", w, w);
    for (int t = 0; t < log->tracks; t++) {
        const int device = log->track[t].device;
        fprintf(f, ",\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"device %d\"}}", 2 + device, device);
        fprintf(f, ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s %d\"}}", 2 + device, t,
                log->track[t].stream ? "stream" : "default stream", t);
    }
}

/* Writes all events to `path`, when nothing runs any more. 0, or -1: the file cannot be written. */
static inline int mikgen_trace_write(mikgen_trace_log *log, const char *path)
{
    long kept = mikgen_trace_kept(log);
    const long dropped = log->count - kept;
    long captured = 0;
    uint64_t start = UINT64_MAX;
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    qsort(log->entry, (size_t)kept, sizeof *log->entry, mikgen_trace_order);
    if (log->measure)
        log->measure(log, kept);
    while (kept > 0 && !log->entry[kept - 1].event.what)
        kept--;
    for (long i = 0; i < kept; i++) {
        const mikgen_trace_entry *e = &log->entry[i];
        const uint64_t first = e->asked && e->asked < e->event.begin ? e->asked : e->event.begin;
        start = first < start ? first : start;
        captured += e->captured;
    }
    fprintf(f, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":\"%ld\"", dropped);
    if (log->measure)
        fprintf(f, ",\"captured\":\"%ld\"", captured);
    fprintf(f, "},\"traceEvents\":[\n");
    mikgen_trace_put_tracks(f, log, kept);
    for (long i = 0; i < kept; i++)
        mikgen_trace_put(f, &log->entry[i], log->entry[i].asked ? i + 1 : 0, start);
    for (long i = 0; i < kept; i++)
        if (log->entry[i].end)
            mikgen_trace_put_device(f, &log->entry[i], i + 1, start);
    fprintf(f, "\n]}\n");
    const int failed = ferror(f);
    return fclose(f) != 0 || failed ? -1 : 0;
}
