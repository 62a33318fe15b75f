/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs Clang on a thread with a large stack, and words what is reported first. */
#include "gen/front/faults.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/front/spec.h"
#include "gen/front/text/spec_prelude.h"
#include "ir/crash.h"

/* Clang's parser recurses on what it reads; its depth is bounded (DepthGuard), and this is enough for it. */
static const size_t stack_bytes = (size_t)512 << 20;

static void *parse_on_thread(void *front)
{
    crash_has_stack();
    front_parse(front);
    return NULL;
}

void front_run(Front *front)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    if (pthread_create(&thread, &attributes, parse_on_thread, front) == 0)
        pthread_join(thread, NULL);
    else /* address space is limited: the usual stack does for usual input */
        front_parse(front);
    pthread_attr_destroy(&attributes);
}

static const struct RefusalText {
    const char *message, *help;
} refusals[] = {
#define REFUSE(id, message, help) {message, help},
#include "gen/front/refusal.def"
};

/* What source-to-source mode says in other words. */
static Refusal refine_kept(const Fault *fault)
{
    switch (fault->why) {
    case R_INCLUDE: return R_KEEP_INCLUDE;
    case R_UNDECLARED_FN:
    case R_NO_BODY: return R_KEEP_UNDECLARED_FN;
    default: return fault->why;
    }
}

/* Names of the C library have refusals of their own. */
static Refusal refine(const Fault *fault)
{
    static const char io[] = " printf fprintf sprintf snprintf puts putchar scanf fscanf fopen fclose fread "
                             "fwrite fputs fgets getchar perror ";
    static const char allocation[] = " malloc calloc realloc free alloca aligned_alloc posix_memalign ";
    char word[32];
    if ((fault->why == R_CONFLICT || fault->why == R_DUPLICATE) && prelude_declares(fault->name))
        return R_LIBM_NAME;
    if (fault->why != R_NO_BODY && fault->why != R_UNDECLARED_FN)
        return fault->why;
    snprintf(word, sizeof word, " %s ", fault->name);
    return strstr(io, word) ? R_IO : strstr(allocation, word) ? R_ALLOC : fault->why;
}

/* `text` with every "%s" replaced by `name`. */
static const char *fill(Arena *arena, const char *text, const char *name)
{
    Text out;
    text_init(&out, arena);
    for (const char *hole; (hole = strstr(text, "%s")); text = hole + 2) {
        text_puts(&out, arena_strndup(arena, text, (size_t)(hole - text)));
        text_puts(&out, name);
    }
    text_puts(&out, text);
    return out.data;
}

static const struct RefusalText *refusal_of(const Front *front, const Fault *f)
{
    return &refusals[front->kept ? refine_kept(f) : refine(f)];
}

const char *fault_words(const Front *front, const Fault *f) { return fill(front->ir->arena, refusal_of(front, f)->message, f->name); }

/* By place; in order of discovery at one place. */
static int fault_order(const void *a, const void *b)
{
    const Fault *x = *(Fault *const *)a, *y = *(Fault *const *)b;
    if (x->loc.beg != y->loc.beg)
        return x->loc.beg < y->loc.beg ? -1 : 1;
    return x->order - y->order;
}

/* One for each place: a helper that is also an operator is looked at twice. */
void front_report(Front *front)
{
    enum { MOST = 20 };
    if (!front->faults.count)
        return;
    qsort(front->faults.items, (size_t)front->faults.count, sizeof(void *), fault_order);
    const Fault *last = NULL;
    for (int i = 0, shown = 0; i < front->faults.count && shown < MOST; i++) {
        const Fault *f = front->faults.items[i];
        if (last && last->loc.beg == f->loc.beg)
            continue;
        const struct RefusalText *text = refusal_of(front, f);
        Arena *arena = front->ir->arena;
        const char *help = f->help ? f->help : text->help ? fill(arena, text->help, f->name) : NULL;
        diag_error(front->ir->diag, f->loc, help, "%s", fault_words(front, f));
        last = f;
        shown++;
    }
    front->faults.count = 0;
}

static const char *reason(const Front *front, const Fault *why)
{
    return fill(front->ir->arena, refusals[refine_kept(why)].message, why->name);
}

void front_report_left(const Front *front)
{
    for (int i = 0; i < front->kept->left.count; i++) {
        const Left *left = front->kept->left.items[i];
        diag_remark(front->ir->diag, left->why->loc, "missed", "function '%s' is left as it is: %s", left->function,
                    reason(front, left->why));
    }
}

void front_report_loops(const Front *front)
{
    for (int i = 0; i < front->kept->left_loops.count; i++) {
        const Left *left = front->kept->left_loops.items[i];
        diag_remark(front->ir->diag, left->loop, "missed", "loop is left as text: %s", reason(front, left->why));
    }
    for (int i = 0; i < front->kept->loops.count; i++) {
        const LoopCount *count = front->kept->loops.items[i];
        diag_remark(front->ir->diag, count->loc, "note", "%d of %d loops of function '%s' are understood", count->understood, count->loops,
                    count->function);
    }
}

const char *folder_of(Arena *arena, const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? arena_strndup(arena, name, slash == name ? 1 : (size_t)(slash - name)) : ".";
}

bool front_takes(Front *front, const char *text, size_t len)
{
    const char *zero = memchr(text, 0, len);
    if (len > (front->kept ? KEPT_LIMIT : SPEC_LIMIT))
        front_refuse(front, front->kept ? R_KEEP_TOO_LARGE : R_TOO_LARGE, (Loc){0, 0}, "");
    else if (zero)
        front_refuse(front, R_NUL, (Loc){(uint32_t)(zero - text) + 1, (uint32_t)(zero - text) + 2}, "");
    front_report(front);
    return !diag_errors(front->ir->diag);
}
