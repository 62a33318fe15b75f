/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of measurements for each type on the GPU at hand, and the records that are fitted to them. */
#include "tune/cuda.h"

#include <stdlib.h>
#include <string.h>

#include "plan/kernels/gpu_measured.h"
#include "tune/measure.h"
#include "tune/rates.h"

/* A kernel's measurements, or what else one record is made of. */
typedef struct CudaItem {
    Item item;                /* first: measure_group gets these */
    int shared[RATE_POINTS];  /* of each point, as BlockTime */
    double bytes[RATE_POINTS]; /* of pairs of points of a meeting, as MeetingTime */
} CudaItem;

typedef struct Tuner {
    Arena *arena;
    const CudaInput *in;
    Profile *profile;
    Session *session;
    CudaDevice device;
    Vec groups; /* Group *, of CudaItem */
    Quiet quiet;
    int left_out; /* records that time did not suffice for */
} Tuner;

/* ---- What to measure ---- */

static CudaItem *add_item(Tuner *t, Group *group, RecordKey key, const char *field)
{
    CudaItem *c = arena_new_array(t->arena, CudaItem, 1);
    group_add(t->arena, group, &c->item, key, field, RATE_POINTS);
    return c;
}

static void add_point(CudaItem *c, double steps, int shared, const char *request)
{
    item_add_point(&c->item, steps, request);
    c->shared[c->item.npoints - 1] = shared;
}

static Group *add_group(Tuner *t, const char *name) { return group_new(t->arena, &t->groups, name, t->in->quick); }

static bool is_known(const Tuner *t, RecordKey key, const char *field) { return !t->in->again && profile_get(t->profile, &key, field); }

static RecordKey gpu_key(const Tuner *t) { return (RecordKey){.kind = RECORD_GPU, .family = FAM_COUNT, .isa = gpu_name(t->device.gpu)}; }

static const char *kernel_request(Tuner *t, const CudaType *type, const GpuKernel *k, const char *what, int blocks, int steps)
{
    return arena_printf(t->arena, "%s %s %s %d %d", what, type->name, gpu_kernel_name(t->arena, type->contraction, k), blocks, steps);
}

/* How many blocks of a kernel one multiprocessor holds; 0: it is not to be measured, since the device cannot run it or, *why, since it
 * refuses the product. Negative when the conversation broke. */
static int ask_resident(Tuner *t, const CudaType *type, const GpuKernel *k, const char **why)
{
    const int resident = (int)session_number(t->session, kernel_request(t, type, k, "resident", 0, 0));
    *why = NULL;
    if (resident <= 0)
        return resident;
    const char *answer = session_ask(t->session, kernel_request(t, type, k, "try", 1, 1));
    if (!answer)
        return -1;
    if (strcmp(answer, "ok") == 0)
        return resident;
    *why = answer;
    return 0;
}

/* As many as can be measured; a reason is of no interest. */
static int count_resident(Tuner *t, const CudaType *type, const GpuKernel *k)
{
    const char *why;
    return ask_resident(t, type, k, &why);
}

/* A launch of `blocks` tiles, as near to `steps` as memory allows; `last`: the steps of the point before, which are not
 * measured twice. False when the conversation broke. */
static bool add_launch(Tuner *t, CudaItem *c, const CudaType *type, const GpuKernel *k, int shared, int steps, long *last)
{
    const int places = t->device.sms / k->cluster, blocks = shared ? shared * places : 1;
    const char *answer = session_ask(t->session, kernel_request(t, type, k, "shape", blocks, steps));
    char *end;
    if (!answer)
        return false;
    const long tiles = strtol(answer, &end, 10), possible = strtol(end, NULL, 10);
    /* Fewer tiles than that would leave some multiprocessor a block less. */
    if (possible > *last && (shared == 0 || (tiles > (long)(shared - 1) * places && tiles <= blocks)))
        add_point(c, (double)possible, shared, kernel_request(t, type, k, "block", blocks, (int)possible));
    *last = possible > *last ? possible : *last;
    return true;
}

/* One block alone for many numbers of steps; full machines, at the least, the most and some residencies between. */
static bool plan_kernel(Tuner *t, Group *group, const CudaType *type, const GpuKernel *k)
{
    static const int full_steps[] = {4, 16, 64, 256};
    const RecordKey key = gpu_record_key(t->arena, type->contraction, k, t->device.gpu);
    if (is_known(t, key, "step"))
        return true;
    const char *why;
    const int resident = ask_resident(t, type, k, &why);
    if (why)
        fprintf(stderr, "mikgen: note: %s %s is not measured: it refuses operands that lie as they do here (%s)\n", type->name,
                gpu_kernel_name(t->arena, type->contraction, k), why);
    if (resident <= 0)
        return resident == 0;
    CudaItem *c = add_item(t, group, key, NULL);
    bool ok = true;
    long last = 0;
    for (int i = 0; ok && i < G_KNOTS; i++)
        if (g_knots[i] <= t->in->n_pred && (!t->in->quick || i % 2 == 0))
            ok = add_launch(t, c, type, k, 0, g_knots[i], &last);
    for (int shared = 1; ok; shared = 2 * shared < resident ? 2 * shared : resident) {
        last = 0;
        for (size_t i = 0; ok && i < sizeof full_steps / sizeof *full_steps; i++)
            if (full_steps[i] <= t->in->n_pred && (!t->in->quick || i % 2 == 0))
                ok = add_launch(t, c, type, k, shared, full_steps[i], &last);
        if (shared == resident)
            break;
    }
    return ok;
}

static bool plan_type(Tuner *t, const CudaType *type)
{
    Group *group = add_group(t, arena_printf(t->arena, "%s %s", type->name, gpu_name(t->device.gpu)));
    bool ok = true;
    for (int i = 0; ok && i < type->nkernels; i++)
        ok = plan_kernel(t, group, type, &type->kernels[i]);
    return ok;
}

static void plan_machine(Tuner *t)
{
    Group *group = add_group(t, "launches, memory");
    const RecordKey key = gpu_key(t);
    group->least = t->in->quick ? 1 : 5;
    if (!is_known(t, key, "launch"))
        add_point(add_item(t, group, key, "launch"), 0, 0, "launch");
    if (!is_known(t, key, "bandwidth"))
        add_point(add_item(t, group, key, "bandwidth"), 0, 0, arena_printf(t->arena, "stream %s", t->in->types[0].name));
}

/* Tiles shared by several blocks, and beside each the same steps by one block alone. */
static bool plan_meetings(Tuner *t)
{
    enum { STEPS = 8, KERNELS = 3, MOST_PARTS = 16 };
    const CudaType *type = &t->in->types[0];
    if (is_known(t, gpu_key(t), "meeting"))
        return true;
    Group *group = add_group(t, "shared sums");
    CudaItem *c = NULL;
    for (int i = 0, taken = 0; i < type->nkernels && taken < KERNELS; i++) {
        const GpuKernel *k = &type->kernels[i];
        if (k->row || k->turns > 1 || k->split_k || i < taken * type->nkernels / KERNELS)
            continue;
        const int resident = count_resident(t, type, k);
        if (resident < 0)
            return false;
        if (resident == 0)
            continue;
        taken++;
        c = c ? c : add_item(t, group, gpu_key(t), "meeting");
        for (int parts = 2; parts <= MOST_PARTS && parts <= resident * (t->device.sms / k->cluster); parts *= 2) {
            c->bytes[c->item.npoints / 2] = (2.0 + parts) * k->m * k->n / k->cluster * type_bits(type->contraction->acc) / 8;
            add_point(c, parts, 0, kernel_request(t, type, k, "split", parts, parts * STEPS));
            add_point(c, 1, 0, kernel_request(t, type, k, "block", 1, STEPS));
        }
    }
    return true;
}

/* The reference whose slowing down tells of the clocks: a full machine of the first kernel that runs. */
static bool watch_clocks(Tuner *t)
{
    enum { STEPS = 32 };
    const CudaType *type = &t->in->types[0];
    for (int i = 0; i < type->nkernels && !t->in->quick; i++) {
        const int resident = count_resident(t, type, &type->kernels[i]);
        if (resident < 0)
            return false;
        if (resident == 0)
            continue;
        t->quiet.request[0] = kernel_request(t, type, &type->kernels[i], "block", resident * (t->device.sms / type->kernels[i].cluster),
                                             STEPS);
        break;
    }
    return true;
}

static bool plan_all(Tuner *t)
{
    plan_machine(t);
    bool ok = watch_clocks(t);
    for (int i = 0; ok && i < t->in->ntypes; i++)
        ok = plan_type(t, &t->in->types[i]);
    return ok && plan_meetings(t);
}

/* ---- What the measurements say ---- */

static bool is_complete(const Item *item)
{
    for (int i = 0; i < item->npoints; i++)
        if (item->points[i].n == 0)
            return false;
    return item->npoints > 0;
}

/* Nanoseconds of a typical task, to compare two results. */
static double typical(const Rates *r)
{
    enum { STEPS = 64 };
    return r->fixed + STEPS * (r->step + r->alone) / 2;
}

static double at_most(double x, double most) { return x < most ? x : most; }

static void finish_kernel(Tuner *t, const CudaItem *c)
{
    const double least = 0.05, most = 2e6; /* a part of the time; nanoseconds: what a record can say */
    const Item *item = &c->item;
    const RecordKey key = gpu_key(t);
    const double *launch = profile_get(t->profile, &key, "launch"), off = launch ? *launch : 0;
    BlockTime points[RATE_POINTS];
    for (int i = 0; i < item->npoints; i++) {
        const double time = fit_robust(item->points[i].times, item->points[i].n);
        points[i] = (BlockTime){item->points[i].t, c->shared[i], time - off > least * time ? time - off : least * time};
    }
    Rates r = fit_rates(points, item->npoints);
    r = (Rates){at_most(r.fixed, most), at_most(r.step, most), at_most(r.alone, most)};
    const double *fixed = profile_get(t->profile, &item->key, "fixed"), *step = profile_get(t->profile, &item->key, "step"),
                 *alone = profile_get(t->profile, &item->key, "alone");
    if (fixed && typical(&(Rates){*fixed, *step, *alone}) <= typical(&r))
        return;
    profile_put(t->arena, t->profile, &item->key, "fixed", &r.fixed);
    profile_put(t->arena, t->profile, &item->key, "step", &r.step);
    profile_put(t->arena, t->profile, &item->key, "alone", &r.alone);
}

static void finish_meeting(Tuner *t, const CudaItem *c)
{
    const double least = 0.01;
    const Item *item = &c->item;
    MeetingTime points[RATE_POINTS];
    double meeting, partial;
    for (int i = 0; i < item->npoints / 2; i++) {
        const Point *split = &item->points[2 * i], *base = &item->points[2 * i + 1];
        const double whole = fit_robust(split->times, split->n), time = whole - fit_robust(base->times, base->n);
        points[i] = (MeetingTime){c->bytes[i], time > least * whole ? time : least * whole};
    }
    fit_meeting(points, item->npoints / 2, &meeting, &partial);
    meeting = at_most(meeting, 1e9);
    partial = at_most(partial, 1e6);
    profile_put(t->arena, t->profile, &item->key, "meeting", &meeting);
    profile_put(t->arena, t->profile, &item->key, "partial", &partial);
}

/* False when the conversation broke. */
static bool finish_bandwidth(Tuner *t, const Item *item)
{
    const double peak = session_number(t->session, "peak"), least = 0.01, most = 1e6;
    if (peak < 0)
        return false;
    const double rate = at_most(1 / fit_least(item->points[0].times, item->points[0].n), most), reached = at_most(rate / peak, 1);
    profile_put(t->arena, t->profile, &item->key, "bandwidth", &rate);
    if (peak > 0 && reached >= least)
        profile_put(t->arena, t->profile, &item->key, "reached", &reached);
    return true;
}

static bool finish(Tuner *t, const CudaItem *c)
{
    const Item *item = &c->item;
    if (!is_complete(item)) {
        t->left_out += item->npoints > 0;
    } else if (!item->field) {
        finish_kernel(t, c);
    } else if (strcmp(item->field, "meeting") == 0) {
        finish_meeting(t, c);
    } else if (strcmp(item->field, "bandwidth") == 0) {
        return finish_bandwidth(t, item);
    } else {
        const double launch = at_most(fit_robust(item->points[0].times, item->points[0].n), 1e9);
        profile_put(t->arena, t->profile, &item->key, "launch", &launch);
    }
    return true;
}

/* ---- The run ---- */

/* Nanoseconds that one measurement should last at least. */
static long sample(const CudaInput *in) { return in->quick ? 200000 : 2000000; }

static double points_of(const Group *group)
{
    double points = 0;
    for (int i = 0; i < group->items.count; i++)
        points += ((const Item *)group->items.items[i])->npoints;
    return points;
}

/* Each group has its part of the time that is left, and a group of few points some of it all the same. */
static bool measure_all(Tuner *t)
{
    const double least = 0.05;
    double points = 0, total = 0;
    for (int g = 0; g < t->groups.count; g++) {
        points += points_of(t->groups.items[g]);
        total += points_of(t->groups.items[g]) * ((const Group *)t->groups.items[g])->least;
    }
    const double end = measure_clock() + 1e9 * t->in->budget;
    t->quiet.patience = 1e9 * t->in->budget;
    Progress progress = progress_begin(total);
    bool ok = quiet_begin(t->session, &t->quiet);
    for (int g = 0; ok && g < t->groups.count; g++) {
        Group *group = t->groups.items[g];
        const double now = measure_clock(), part = points_of(group) / points, share = part > least ? part : least;
        if (!group->items.count)
            continue;
        group->deadline = now + (end > now ? end - now : 0) * share;
        points -= points_of(group);
        t->quiet.patience = at_most(t->quiet.patience, (group->deadline - now) / 2);
        ok = measure_group(t->session, &progress, &t->quiet, group);
        for (int i = 0; ok && i < group->items.count; i++)
            ok = finish(t, (const CudaItem *)group->items.items[i]);
        if (ok)
            progress_part(&progress, group->name);
        ok = ok && t->in->save(t->in->user, t->profile);
    }
    progress_end(&progress);
    if (t->left_out)
        fprintf(stderr, "mikgen: note: the time did not suffice for %d lines of the profile\nhelp: the same command goes on from here\n",
                t->left_out);
    if (t->quiet.rushed)
        fprintf(stderr,
                "mikgen: note: the GPU's clocks changed, or others used it; %d measurements were made while it was slow\n"
                "help: for a better profile, measure once more with --again when nothing else runs on it\n",
                t->quiet.rushed);
    return ok;
}

static const char *line_begins(Arena *arena, const CudaDevice *device)
{
    return arena_printf(arena, "%s measured on ", gpu_name(device->gpu));
}

const char *cuda_line(Arena *arena, const CudaDevice *device)
{
    return arena_printf(arena, "%s%s, %d multiprocessors; nvcc %s", line_begins(arena, device), device->name, device->sms, device->nvcc);
}

bool cuda_describe(Arena *arena, const CudaDevice *device, Profile *profile)
{
    const char *begins = line_begins(arena, device), *line = cuda_line(arena, device), *have;
    for (int i = 0; (have = profile_comment(profile, i)); i++)
        if (strncmp(have, begins, strlen(begins)) == 0 && strcmp(have, line) != 0) {
            fprintf(stderr,
                    "mikgen: error: of the profile to go on with, %s; now it would be %s\nhelp: --fresh starts over, "
                    "another file leaves this one alone\n",
                    have, line);
            return false;
        }
    profile_add_comment(arena, profile, line);
    return true;
}

static bool complain(const char *what, const char *help)
{
    fprintf(stderr, "mikgen: error: tune: %s\nhelp: %s\n", what, help);
    return false;
}

bool cuda_ask(Arena *arena, Session *session, int number, CudaDevice *device)
{
    enum { OLDEST = 80 };
    const char *answer = session_ask(session, arena_printf(arena, "device %d", number));
    char nvcc[32] = "";
    int code = 0, count = 0, at = 0;
    if (!answer)
        return false;
    if (sscanf(answer, "error %d %n", &code, &at) == 1) {
        if (code == 0 && sscanf(answer + at, "%d", &count) == 1)
            return complain(arena_printf(arena, "there is no device %d: this machine has %d", number, count),
                            "devices count from --device=0");
        return complain(
            arena_printf(arena, "no GPU can be used: %s (CUDA's error %d)", answer + at, code),
            "measure on a machine with an NVIDIA GPU of compute capability 8.0 or newer and its driver; --target=c tunes for this "
            "machine's processor");
    }
    *device = (CudaDevice){0};
    if (sscanf(answer, "gpu %d %d %31s %n", &device->cc, &device->sms, nvcc, &at) != 3 || device->sms < 1)
        return complain(arena_printf(arena, "the measuring program answers '%s'", answer), "call mikgen tune again");
    device->name = answer + at;
    device->nvcc = arena_strndup(arena, nvcc, strlen(nvcc));
    device->gpu = gpu_of_capability(device->cc);
    return device->cc >= OLDEST || complain(arena_printf(arena, "device %d, %s, is of compute capability %d.%d, and kernels need 8.0",
                                                         number, device->name, device->cc / 10, device->cc % 10),
                                            "measure on a newer GPU; --device names another one");
}

bool cuda_device(Arena *arena, const char *program, int number, CudaDevice *device)
{
    Session *session = session_begin(arena, program, 0);
    if (!session)
        return false;
    const bool ok = cuda_ask(arena, session, number, device);
    session_end(session);
    return ok;
}

TuneResult cuda_measure(Arena *arena, const CudaInput *in, Profile *profile, bool *all, int *number)
{
    Tuner tuner = {.arena = arena, .in = in, .profile = profile}, *t = &tuner;
    t->session = session_begin(arena, in->program, sample(in));
    if (!t->session)
        return TUNE_FAILED;
    bool ok = cuda_ask(arena, t->session, in->device, &t->device) && cuda_describe(arena, &t->device, profile) && plan_all(t) &&
              measure_all(t);
    *number = session_signal();
    *all = ok && t->left_out == 0;
    session_end(t->session);
    return ok ? TUNE_DONE : *number ? TUNE_INTERRUPTED : TUNE_FAILED;
}
