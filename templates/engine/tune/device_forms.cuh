/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Forms of nests by number, and what is asked about them. */
#pragma once
#include "device_case.cuh"

#if MIK_ALONE
extern int tune_form; /* which one a nest's launches take */
enum { CHOICES = 2 };
extern const char *const choices[CHOICES];
extern const DeviceCall calls[OPS];
void tune_device(int ordinal);

#endif
/* Arrays that a call reads and changes get their values before each, which is not timed. */
static double tune_restored(const DeviceCall *call)
{
    enum { MOST = 64, ENQUEUE = 16 }; /* calls; microseconds of the host for one */
    double spent = 0;
    int n = 0;
    for (; n == 0 || (n < MOST && spent < tune_sample); n++) {
        tune_device_restore(&tune_device_case);
        spent += tune_calls(call->run, &tune_device_case, 1, ENQUEUE);
    }
    return spent / n;
}

/* Nanoseconds of a call with a form; 0: the device cannot launch it, or it does not run on these extents. */
static double tune_form_time(int choice)
{
    if (choice < 0 || choice >= CHOICES || !tune_case.op)
        return -1;
    const DeviceCall *const call = &calls[tune_case.number];
    tune_form = choice;
    if (call->run(&tune_device_case) != cudaSuccess) {
        cudaGetLastError(); /* a launch that failed is told once */
        return 0;
    }
    return tune_case_has_entry(&tune_case) ? tune_restored(call) : tune_time(call->run, &tune_device_case);
}

/* device N; forms, how many there are; form N, in words; extents OPERATOR EXTENTS; time LIBRARY CHOICE ISA THREADS, of which only the
   choice means something here: it is the request of form_requests.h. */
static void tune_reply(const char *line)
{
    char what[32] = "", rest[512] = "";
    int number = 0, choice = 0;
    sscanf(line, "%31s %d %511s", what, &number, rest);
    if (strcmp(what, "device") == 0)
        tune_device(number);
    else if (strcmp(what, "forms") == 0)
        printf("%d\n", CHOICES - 1);
    else if (strcmp(what, "form") == 0)
        printf("%s\n", number >= 0 && number < CHOICES ? choices[number] : "-1");
    else if (strcmp(what, "extents") == 0)
        printf("%.9g\n", tune_device_begin(&tune_device_case, calls, number, rest));
    else if (strcmp(what, "time") == 0 && sscanf(line, "%*s %*d %d", &choice) == 1)
        printf("%.9g\n", tune_form_time(choice));
    else
        printf("-1\n");
    fflush(stdout);
}
