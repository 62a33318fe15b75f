/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * When the device ran what was launched: CUDA events around each launch, told apart when the log is written.
 *
 *     mikgen_trace_open_device(&log, 0);
 *     options.trace = mikgen_trace_keep_device;
 *
 * Nothing waits before mikgen_trace_write(). A launch on a stream that is being captured is kept without times: an event there has none. In
 * C, too: an operator's header, or <cuda_runtime_api.h>, is included before this one.
 */
#pragma once
#include "../c/trace_clock.h"
#include "../c/trace_writer.h"
#include <cuda_runtime_api.h>

static inline void mikgen_trace_forget(mikgen_trace_entry *entry)
{
    if (entry->from)
        cudaEventDestroy((cudaEvent_t)entry->from);
    if (entry->to)
        cudaEventDestroy((cudaEvent_t)entry->to);
    entry->from = entry->to = NULL;
    entry->timed = 0;
}

/* Has the device note when it comes to what is launched next. */
static inline void mikgen_trace_before(mikgen_trace_entry *entry, cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    cudaEvent_t from = NULL, to = NULL;
    cudaError_t error = cudaStreamIsCapturing(stream, &status);
    entry->captured = error == cudaSuccess && status != cudaStreamCaptureStatusNone;
    if (error != cudaSuccess || entry->captured)
        return;
    error = cudaGetDevice(&entry->device);
    error = error == cudaSuccess ? cudaEventCreate(&from) : error;
    error = error == cudaSuccess ? cudaEventCreate(&to) : error;
    error = error == cudaSuccess ? cudaEventRecord(from, stream) : error;
    entry->from = (void *)from;
    entry->to = (void *)to;
    if (error != cudaSuccess)
        mikgen_trace_forget(entry);
}

/* As mikgen_trace_keep(), which it is for all but launches. */
static inline void mikgen_trace_keep_device(void *ctx, const mikgen_trace_event *event)
{
    if (!event->held) {
        mikgen_trace_keep(ctx, event);
        return;
    }
    if (event->end == 0)
        *event->held = (void *)mikgen_trace_take((mikgen_trace_log *)ctx);
    mikgen_trace_entry *entry = (mikgen_trace_entry *)*event->held;
    if (!entry)
        return;
    if (event->end == 0) {
        entry->asked = event->begin;
        mikgen_trace_before(entry, (cudaStream_t)event->stream);
        return;
    }
    entry->timed = entry->to && cudaEventRecord((cudaEvent_t)entry->to, (cudaStream_t)event->stream) == cudaSuccess;
    mikgen_trace_copy(entry, event);
}

/* Nanoseconds between two events that are over; in *failed, whether they cannot be told. */
static inline int64_t mikgen_trace_between(void *from, void *to, int *failed)
{
    float ms = 0;
    if (cudaEventElapsedTime(&ms, (cudaEvent_t)from, (cudaEvent_t)to) != cudaSuccess)
        *failed = 1;
    return (int64_t)((double)ms * 1e6);
}

/* An event on a stream of its own of the current device, and in *host when it was, by the host's clock: of several, the one that came back
   soonest. NULL: it cannot be. */
static inline cudaEvent_t mikgen_trace_anchor(uint64_t *host)
{
    cudaStream_t stream;
    cudaEvent_t best = NULL;
    uint64_t shortest = UINT64_MAX;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return NULL;
    for (int i = 0; i < 5; i++) {
        cudaEvent_t event;
        if (cudaEventCreate(&event) != cudaSuccess)
            break;
        const uint64_t begin = mik_now();
        const int failed = cudaEventRecord(event, stream) != cudaSuccess || cudaEventSynchronize(event) != cudaSuccess;
        const uint64_t took = mik_now() - begin;
        if (failed || took >= shortest) {
            cudaEventDestroy(event);
            continue;
        }
        if (best)
            cudaEventDestroy(best);
        best = event;
        shortest = took;
        *host = begin + took / 2;
    }
    cudaStreamDestroy(stream);
    return best;
}

/* A stream's track; NULL: no memory. It lasts until the next one is asked for. */
static inline mikgen_trace_track *mikgen_trace_track_of(mikgen_trace_log *log, int device, void *stream)
{
    int t = 0;
    while (t < log->tracks && (log->track[t].device != device || log->track[t].stream != stream))
        t++;
    if (t == log->tracks) {
        mikgen_trace_track *grown = (mikgen_trace_track *)realloc(log->track, (size_t)(t + 1) * sizeof *grown);
        if (!grown)
            return NULL;
        log->track = grown;
        log->track[t].device = device;
        log->track[t].stream = stream;
        log->track[t].last = NULL;
        log->tracks++;
    }
    return &log->track[t];
}

/* Times of a launch on an anchor's device. Those of a stream are counted from one to the next, for what is told of two events is a float:
   of seconds it has lost the microseconds, and launches would seem to overlap. */
static inline void mikgen_trace_place(mikgen_trace_log *log, mikgen_trace_entry *e, cudaEvent_t anchor, uint64_t host)
{
    int failed = 0;
    mikgen_trace_track *track = mikgen_trace_track_of(log, e->device, e->event.stream);
    if (!track)
        return;
    const mikgen_trace_entry *last = track->last;
    const uint64_t begin = last ? last->end + (uint64_t)mikgen_trace_between(last->to, e->from, &failed)
                                : host - (uint64_t)mikgen_trace_between(e->from, (void *)anchor, &failed);
    const uint64_t end = begin + (uint64_t)mikgen_trace_between(e->from, e->to, &failed);
    if (failed)
        return;
    e->track = (int)(track - log->track);
    e->begin = begin;
    e->end = end;
    track->last = e;
}

static inline void mikgen_trace_measure_device(mikgen_trace_log *log, long kept, int device)
{
    uint64_t host = 0, early = 0;
    const cudaEvent_t anchor = cudaSetDevice(device) == cudaSuccess ? mikgen_trace_anchor(&host) : NULL;
    for (long i = 0; i < kept && anchor; i++) {
        mikgen_trace_entry *e = &log->entry[i];
        if (!e->timed || e->device != device)
            continue;
        mikgen_trace_place(log, e, anchor, host);
        if (e->end && e->begin < e->asked && e->asked - e->begin > early)
            early = e->asked - e->begin;
    }
    if (anchor)
        cudaEventDestroy(anchor);
    /* Nothing begins before it is launched: so much at least are the two clocks apart. */
    for (long i = 0; i < kept; i++)
        if (log->entry[i].timed && log->entry[i].end && log->entry[i].device == device) {
            log->entry[i].begin += early;
            log->entry[i].end += early;
        }
}

static inline void mikgen_trace_release(mikgen_trace_log *log, long kept)
{
    for (long i = 0; i < kept; i++)
        mikgen_trace_forget(&log->entry[i]);
}

/* Waits for what has been launched, and turns events into times; entries are in the order of their beginnings. */
static inline void mikgen_trace_measure(mikgen_trace_log *log, long kept)
{
    int devices = 0, current = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || cudaGetDevice(&current) != cudaSuccess)
        devices = 0;
    for (int t = 0; t < log->tracks; t++)
        log->track[t].last = NULL;
    for (long i = 0; i < kept; i++)
        if (log->entry[i].timed && cudaEventSynchronize((cudaEvent_t)log->entry[i].to) != cudaSuccess)
            log->entry[i].timed = 0;
    for (int device = 0; device < devices; device++) {
        long timed = 0;
        for (long i = 0; i < kept; i++)
            timed += log->entry[i].timed && log->entry[i].device == device;
        if (timed)
            mikgen_trace_measure_device(log, kept, device);
    }
    if (devices > 0)
        cudaSetDevice(current);
    mikgen_trace_release(log, kept);
}

/* mikgen_trace_open(), for mikgen_trace_keep_device(). */
static inline int mikgen_trace_open_device(mikgen_trace_log *log, long most)
{
    const int status = mikgen_trace_open(log, most);
    log->measure = mikgen_trace_measure;
    log->release = mikgen_trace_release;
    return status;
}
