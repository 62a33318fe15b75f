/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The machine: its cores, its name, the compiler's. */
#pragma once
#include "tune_config.h"

static cpu_set_t tune_all, tune_mine;   /* the cores that we may use; the one that we stay on */

/* This thread stays on the last core but so many, of those that there are again and again: the first ones are the busiest. */
static void tune_stay(int number)
{
    cpu_set_t one;
    int left = CPU_COUNT(&tune_all) ? number % CPU_COUNT(&tune_all) : 0;
    CPU_ZERO(&one);
    for (int i = CPU_SETSIZE - 1; i >= 0; i--)
        if (CPU_ISSET(i, &tune_all) && left-- == 0)
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* The thread that the program begins with, on the last of all. */
static void tune_pin(void)
{
    CPU_ZERO(&tune_all);
    sched_getaffinity(0, sizeof tune_all, &tune_all);
    tune_stay(0);
    sched_getaffinity(0, sizeof tune_mine, &tune_mine);
}

/* What stands behind `name` in /proc/cpuinfo, for the first core. */
static int tune_cpu_field(const char *name, char *value, size_t size)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    int found = 0;
    while (f && !found && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, name, strlen(name)) != 0 || !strchr("\t :", line[strlen(name)]))
            continue;
        colon += 1 + (colon[1] == ' ');
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = 1;
    }
    if (f)
        fclose(f);
    return found;
}

static void tune_machine(void)
{
    static const char *const names[] = {"model name", "cpu family", "model", "CPU implementer", "CPU part"};
    const char *separator = "";
    char value[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tune_cpu_field(names[i], value, sizeof value)) {
            printf("%s%s%s%s", separator, i ? names[i] : "", i ? " " : "", value);
            separator = ", ";
        }
    printf("%s%d core%s\n", separator, CPU_COUNT(&tune_all), CPU_COUNT(&tune_all) == 1 ? "" : "s");
}

static void tune_compiler(void)
{
#if defined(__clang__)
    printf("clang %d.%d.%d\n", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    printf("gcc %d.%d.%d\n", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    printf("C compiler\n");
#endif
}
