/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Configurations, loaded one by one, and what is asked about them. */
#pragma once
#include "call_threads.h"
#include "clock.h"
#include "tune_machine.h"

#include "form_case.h"

enum { MOST_FORMS = 4096 };

typedef struct {
    void *library;
    size_t (*workspace)(int op, const Arg *a, int isa, int threads, tune_parallel *parallel_for);
    int (*call)(int op, int choice, const Arg *a, int isa, int threads, tune_parallel *parallel_for, void *workspace, size_t bytes);
    int *(*runs)(int op, int nest);
} Form;

static Form tune_forms[MOST_FORMS];
static void *tune_room;             /* the workspace of all */
static size_t tune_room_bytes;

static void tune_unload(int number)
{
    if (number >= 0 && number < MOST_FORMS && tune_forms[number].library) {
        dlclose(tune_forms[number].library);
        memset(&tune_forms[number], 0, sizeof tune_forms[number]);
    }
}

/* A function is found as a pointer to data: C has no other way. */
static int tune_find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* As number so much; 0: it cannot be, else 1. */
static int tune_load(int number, const char *path)
{
    if (number < 0 || number >= MOST_FORMS)
        return 0;
    tune_unload(number);
    Form *form = &tune_forms[number];
    form->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const int done = form->library && tune_find(form->library, "tune_form_workspace", &form->workspace) &&
                     tune_find(form->library, "tune_form_call", &form->call) && tune_find(form->library, "tune_form_runs", &form->runs);
    if (!done)
        tune_unload(number);
    return done;
}

typedef struct {
    const Form *form;
    int choice, isa, threads, status;
    tune_parallel *parallel_for;
} FormCall;

static void tune_call(void *arg)
{
    FormCall *call = arg;
    const FormCase *c = &tune_case;
    call->status |= call->form->call(c->number, call->choice, c->args, call->isa, call->threads, call->parallel_for, tune_room,
                                     tune_room_bytes);
}

static int tune_make_room(size_t bytes)
{
    if (bytes <= tune_room_bytes)
        return 1;
    free(tune_room);
    tune_room = NULL;
    tune_room_bytes = 0;
    if (posix_memalign(&tune_room, 4096, bytes) != 0)
        return 0;
    tune_room_bytes = bytes;
    memset(tune_room, 0, bytes);
    return 1;
}

/* Arrays that a call reads and changes get their values before each, which is not timed. */
static double tune_time_restored(FormCall *call)
{
    double spent = 0, n = 0;
    for (; spent < tune_sample && n < 1000; n++) {
        tune_case_restore(&tune_case);
        const double from = tune_clock(CLOCK_MONOTONIC);
        tune_call(call);
        spent += tune_clock(CLOCK_MONOTONIC) - from;
    }
    return spent / n;
}

/* Nanoseconds of a call with a library's form, those that pass where several threads run it; 0: it does not run with that instruction set, or
   on these extents. */
static double tune_form_time(int number, int choice, int isa, int threads)
{
    FormCall call = {.choice = choice, .isa = isa, .threads = threads, .parallel_for = tune_threads(threads)};
    if (number < 0 || number >= MOST_FORMS || !tune_forms[number].call || !tune_case.op)
        return -1;
    call.form = &tune_forms[number];
    if (!tune_make_room(call.form->workspace(tune_case.number, tune_case.args, isa, threads, call.parallel_for)))
        return 0;
    const double time = tune_case_has_entry(&tune_case) ? tune_time_restored(&call)
                        : threads > 1                   ? tune_time_by(CLOCK_MONOTONIC, tune_call, &call)
                                                        : tune_time(tune_call, &call);
    return call.status ? 0 : time;
}

/* A digit for each nest of the operator: 1 if a call runs it on these extents; "-" if there is no call. */
static void tune_print_runs(int number, int isa)
{
    FormCall call = {.isa = isa, .threads = 1};
    const int known = number >= 0 && number < MOST_FORMS && tune_forms[number].call && tune_case.op;
    call.form = known ? &tune_forms[number] : NULL;
    if (!known || !tune_make_room(call.form->workspace(tune_case.number, tune_case.args, isa, 1, NULL))) {
        printf("-\n");
        return;
    }
    for (int nest = 0; call.form->runs(tune_case.number, nest); nest++)
        *call.form->runs(tune_case.number, nest) = 0;
    tune_case_restore(&tune_case);
    tune_call(&call);
    for (int nest = 0; !call.status && call.form->runs(tune_case.number, nest); nest++)
        printf("%d", *call.form->runs(tune_case.number, nest));
    printf(call.status ? "-\n" : "\n");
}

/* load NUMBER PATH; unload NUMBER; extents OPERATOR EXTENTS; time NUMBER CHOICE ISA THREADS; runs NUMBER ISA; machine; compiler; cores. */
static void tune_reply(const char *line)
{
    char what[32] = "", rest[512] = "";
    int number = 0, choice = 0, isa = 0, threads = 1;
    sscanf(line, "%31s %d %511s", what, &number, rest);
    if (strcmp(what, "machine") == 0)
        tune_machine();
    else if (strcmp(what, "compiler") == 0)
        tune_compiler();
    else if (strcmp(what, "cores") == 0)
        printf("%d\n", CPU_COUNT(&tune_all));
    else if (strcmp(what, "load") == 0)
        printf("%d\n", tune_load(number, rest));
    else if (strcmp(what, "unload") == 0)
        tune_unload(number), printf("1\n");
    else if (strcmp(what, "extents") == 0)
        printf("%.9g\n", tune_case_begin(&tune_case, number, rest));
    else if (strcmp(what, "runs") == 0)
        tune_print_runs(number, (int)strtol(rest, NULL, 10));
    else if (strcmp(what, "time") == 0 && sscanf(line, "%*s %*d %d %d %d", &choice, &isa, &threads) == 3)
        printf("%.9g\n", tune_form_time(number, choice, isa, threads));
    else
        printf("-1\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char line[600];
    if (argc > 1)
        tune_sample = strtod(argv[1], NULL);
    tune_pin();
    while (fgets(line, sizeof line, stdin))
        tune_reply(line);
    return 0;
}
