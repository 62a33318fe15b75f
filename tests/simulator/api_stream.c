/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams, events, capture and graphs, as programs call them. Work runs when it is submitted: streams only
 * matter for what a capture allows and records. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime_api.h"

typedef struct {
    Node *nodes;
    int count, room;
} Nodes;

struct Capture {
    Nodes nodes;
    enum cudaStreamCaptureMode mode;
    bool is_invalid;
    unsigned long long number;
    Capture *next;
};

struct CUgraph_st {
    Nodes nodes;
};

struct CUgraphExec_st {
    Nodes nodes;
};

struct CUevent_st {
    double milliseconds;
    bool is_recorded, has_timing;
    Capture *capture; /* recorded in a stream that was being captured */
    unsigned long long capture_number;
    Stream *stream;
};

static Stream legacy, per_thread = {.is_nonblocking = false};
static Stream *streams;
static Capture *captures;
static unsigned long long capture_count;

Stream *legacy_stream(void) { return &legacy; }

Stream *stream_of(cudaStream_t handle)
{
    if (handle == NULL || handle == cudaStreamLegacy)
        return &legacy;
    if (handle == cudaStreamPerThread)
        return &per_thread;
    for (Stream *s = streams; s; s = s->next)
        if (s == handle)
            return s;
    return NULL;
}

/* ---- what a capture forbids ---- */

bool any_capture(void) { return captures != NULL; }

cudaError_t forbid_in_capture(void)
{
    for (Capture *c = captures; c; c = c->next)
        if (c->mode != cudaStreamCaptureModeRelaxed) {
            c->is_invalid = true;
            return leave(cudaErrorStreamCaptureUnsupported);
        }
    return cudaSuccess;
}

static cudaError_t invalidate_all(cudaError_t error)
{
    for (Capture *c = captures; c; c = c->next)
        c->is_invalid = true;
    return leave(error);
}

cudaError_t forbid_implicit(void)
{
    for (const Stream *s = streams; s; s = s->next)
        if (s->capture && !s->is_nonblocking)
            return invalidate_all(cudaErrorStreamCaptureImplicit);
    return forbid_in_capture();
}

/* ---- nodes ---- */

static Node copy_node(const Node *n)
{
    Node copy = *n;
    if (n->kind == NODE_LAUNCH) {
        copy.order.params = malloc(n->order.param_size + 16);
        memcpy(copy.order.params, n->order.params, n->order.param_size);
    }
    return copy;
}

static void append(Nodes *list, const Node *n)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->nodes = realloc(list->nodes, (size_t)list->room * sizeof *list->nodes);
    }
    list->nodes[list->count++] = copy_node(n);
}

static Nodes copy_nodes(const Nodes *from)
{
    Nodes to = {0};
    for (int k = 0; k < from->count; k++)
        append(&to, &from->nodes[k]);
    return to;
}

static void free_nodes(Nodes *list)
{
    for (int k = 0; k < list->count; k++)
        if (list->nodes[k].kind == NODE_LAUNCH)
            free(list->nodes[k].order.params);
    free(list->nodes);
    memset(list, 0, sizeof *list);
}

cudaError_t submit(cudaStream_t handle, const Node *n)
{
    Stream *s = stream_of(handle);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (s->capture) {
        if (s->capture->is_invalid)
            return cudaErrorStreamCaptureInvalidated;
        append(&s->capture->nodes, n);
        s->is_unjoined = !s->is_origin;
        return cudaSuccess;
    }
    if (s == &legacy && any_capture())
        for (const Stream *other = streams; other; other = other->next)
            if (other->capture && !other->is_nonblocking)
                return invalidate_all(cudaErrorStreamCaptureImplicit);
    node_run(n, &s->flight);
    return cudaSuccess;
}

/* ---- streams ---- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    Stream *s = calloc(1, sizeof *s);
    s->flags = flags;
    s->is_nonblocking = flags & cudaStreamNonBlocking;
    s->priority = priority;
    s->next = streams;
    streams = s;
    *stream = s;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { return cudaStreamCreateWithPriority(stream, flags, 0); }

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    cudaError_t error = enter();
    for (Stream **at = &streams; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            free(stream);
            return error;
        }
    return leave(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return enter();
}

static cudaError_t stream_call(cudaStream_t stream)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    Stream *s = stream_of(stream);
    if (!s)
        return leave(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->is_invalid = true;
        return leave(cudaErrorStreamCaptureUnsupported);
    }
    return s == &legacy ? forbid_implicit() : cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error = stream_call(stream);
    return error != cudaSuccess ? error : synchronise_errors();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = enter();
    if (error == cudaSuccess && any_capture())
        return invalidate_all(cudaErrorStreamCaptureUnsupported);
    return error != cudaSuccess ? error : synchronise_errors();
}

/* ---- events ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    *event = calloc(1, sizeof **event);
    (*event)->has_timing = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return enter();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    Stream *s = stream_of(stream);
    if (!s || !event)
        return leave(cudaErrorInvalidResourceHandle);
    event->capture = s->capture;
    event->capture_number = s->capture ? s->capture->number : 0;
    event->stream = s;
    event->is_recorded = true;
    event->milliseconds = now();
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    if (event->capture)
        return leave(cudaErrorCapturedEvent);
    return synchronise_errors();
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    if (!start || !end || !start->is_recorded || !end->is_recorded || !start->has_timing || !end->has_timing)
        return leave(cudaErrorInvalidResourceHandle);
    if (start->capture || end->capture)
        return leave(cudaErrorCapturedEvent);
    *milliseconds = (float)(end->milliseconds - start->milliseconds);
    return cudaSuccess;
}

static bool is_live(const Capture *wanted, unsigned long long number)
{
    for (const Capture *c = captures; c; c = c->next)
        if (c == wanted && c->number == number)
            return true;
    return false;
}

/* An event of a capture draws other streams into it, and joins them with its own again. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaError_t error = enter();
    (void)flags;
    if (error != cudaSuccess)
        return error;
    Stream *s = stream_of(stream);
    if (!s || !event)
        return leave(cudaErrorInvalidResourceHandle);
    if (!event->capture || !is_live(event->capture, event->capture_number)) {
        if (s->capture && event->is_recorded) {
            s->capture->is_invalid = true;
            return leave(cudaErrorStreamCaptureIsolation);
        }
        memset(&s->flight, 0, sizeof s->flight);
        return cudaSuccess;
    }
    if (s->capture && s->capture != event->capture) {
        s->capture->is_invalid = event->capture->is_invalid = true;
        return leave(cudaErrorStreamCaptureMerge);
    }
    if (!s->capture) {
        if (s == &legacy)
            return invalidate_all(cudaErrorStreamCaptureImplicit);
        s->capture = event->capture;
        s->is_origin = false;
        s->is_unjoined = true;
    }
    event->stream->is_unjoined = false;
    return cudaSuccess;
}

/* ---- capture ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    Stream *s = stream_of(stream);
    if (!s)
        return leave(cudaErrorInvalidResourceHandle);
    if (s == &legacy || s->capture)
        return leave(s == &legacy ? cudaErrorStreamCaptureUnsupported : cudaErrorIllegalState);
    Capture *c = calloc(1, sizeof *c);
    c->mode = mode;
    c->number = ++capture_count;
    c->next = captures;
    captures = c;
    s->capture = c;
    s->is_origin = true;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t error = enter();
    *graph = NULL;
    if (error != cudaSuccess)
        return error;
    Stream *s = stream_of(stream);
    if (!s || !s->capture)
        return leave(s ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle);
    if (!s->is_origin)
        return leave(cudaErrorStreamCaptureUnmatched);
    Capture *c = s->capture;
    error = c->is_invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    for (Stream *other = streams; other; other = other->next)
        if (other->capture == c) {
            if (!other->is_origin && other->is_unjoined && error == cudaSuccess)
                error = cudaErrorStreamCaptureUnjoined;
            other->capture = NULL;
            other->is_origin = other->is_unjoined = false;
        }
    per_thread.capture = per_thread.capture == c ? NULL : per_thread.capture;
    for (Capture **at = &captures; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    if (error == cudaSuccess) {
        *graph = calloc(1, sizeof **graph);
        (*graph)->nodes = copy_nodes(&c->nodes);
    }
    free_nodes(&c->nodes);
    free(c);
    return leave(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    cudaError_t error = enter();
    const Stream *s = stream_of(stream);
    if (error != cudaSuccess || !s)
        return error != cudaSuccess ? error : leave(cudaErrorInvalidResourceHandle);
    *status = !s->capture              ? cudaStreamCaptureStatusNone
              : s->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    enum cudaStreamCaptureMode old = current;
    current = *mode;
    *mode = old;
    return enter();
}

/* ---- graphs ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    cudaError_t error = enter();
    (void)flags;
    if (error != cudaSuccess || !graph)
        return error != cudaSuccess ? error : leave(cudaErrorInvalidValue);
    *exec = calloc(1, sizeof **exec);
    (*exec)->nodes = copy_nodes(&graph->nodes);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error = enter();
    if (error != cudaSuccess || !exec)
        return error != cudaSuccess ? error : leave(cudaErrorInvalidValue);
    for (int k = 0; k < exec->nodes.count && error == cudaSuccess; k++)
        error = submit(stream, &exec->nodes.nodes[k]);
    return leave(error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    cudaError_t error = enter();
    if (graph)
        free_nodes(&graph->nodes);
    free(graph);
    return error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    cudaError_t error = enter();
    if (exec)
        free_nodes(&exec->nodes);
    free(exec);
    return error;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    cudaError_t error = enter();
    (void)nodes; /* only the number is known */
    *count = graph ? (size_t)graph->nodes.count : 0;
    return error;
}
