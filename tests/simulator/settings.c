/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is simulated and how: the environment, and sim_set_*. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

/* From the programming guide's table of technical specifications: KB of shared memory of a multiprocessor and
 * of a block that asks for more than 48, threads and blocks of a multiprocessor. */
static const DeviceRow rows[] = {
    {80, 108, "Simulated A100 (cc 8.0)", 164 << 10, 163 << 10, 2048, 32, 40 << 20, 5120, 1410000, 1215000},
    {86, 84, "Simulated A6000 (cc 8.6)", 100 << 10, 99 << 10, 1536, 16, 6 << 20, 384, 1800000, 8001000},
    {89, 128, "Simulated RTX 4090 (cc 8.9)", 100 << 10, 99 << 10, 1536, 24, 72 << 20, 384, 2520000, 10501000},
    {90, 132, "Simulated H200 (cc 9.0)", 228 << 10, 227 << 10, 2048, 32, 60 << 20, 6144, 1980000, 3201000},
    {100, 148, "Simulated B200 (cc 10.0)", 228 << 10, 227 << 10, 2048, 32, 126 << 20, 8192, 1965000, 3996000},
    {120, 170, "Simulated RTX 5090 (cc 12.0)", 100 << 10, 99 << 10, 1536, 24, 96 << 20, 512, 2407000, 14001000},
};

static Settings current = {.cc = 80, .devices = 1, .schedule = SIM_FORWARD_LAZY, .seed = 1, .has_races = true};
static bool is_read;

static const char *const schedule_names[SIM_SCHEDULES] = {"forward-eager", "forward-lazy", "reverse-lazy", "random-lazy"};

const char *sim_schedule_name(SimSchedule schedule) { return schedule < SIM_SCHEDULES ? schedule_names[schedule] : "?"; }

static void refuse(const char *variable, const char *value)
{
    fprintf(stderr, "simulator: %s=%s: not one of its values\n", variable, value);
    exit(2);
}

static int number(const char *variable, int otherwise, int least, int greatest)
{
    const char *text = getenv(variable);
    if (!text || !*text)
        return otherwise;
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < least || value > greatest)
        refuse(variable, text);
    return (int)value;
}

static bool is_row(int cc)
{
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (rows[k].cc == cc)
            return true;
    return false;
}

static void read_environment(void)
{
    current.cc = number("SIM_CC", current.cc, 80, 120);
    if (!is_row(current.cc))
        refuse("SIM_CC", getenv("SIM_CC"));
    current.sms = number("SIM_SMS", 0, 1, 1000);
    current.devices = number("SIM_DEVICES", 1, -1, 16);
    current.seed = (unsigned)number("SIM_SEED", 1, 0, 2147483647);
    current.has_races = number("SIM_RACES", 1, 0, 1);
    current.is_counting = number("SIM_COUNT", 0, 0, 1);
    current.is_quiet = number("SIM_QUIET", 0, 0, 1);
    const char *schedule = getenv("SIM_SCHEDULE");
    if (!schedule || !*schedule)
        return;
    for (int k = 0; k < SIM_SCHEDULES; k++)
        if (strcmp(schedule, schedule_names[k]) == 0) {
            current.schedule = (SimSchedule)k;
            return;
        }
    refuse("SIM_SCHEDULE", schedule);
}

Settings *settings(void)
{
    if (!is_read) {
        is_read = true;
        read_environment();
    }
    return &current;
}

const DeviceRow *device_row(void)
{
    int cc = settings()->cc;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (rows[k].cc == cc)
            return &rows[k];
    return &rows[0];
}

int device_sms(void) { return settings()->sms > 0 ? current.sms : device_row()->sms; }

void sim_set_device(int cc, int sms)
{
    if (!is_row(cc) || sms < 0) {
        fprintf(stderr, "simulator: sim_set_device(%d, %d): no such device\n", cc, sms);
        exit(2);
    }
    settings()->cc = cc;
    current.sms = sms;
}

void sim_set_device_count(int count)
{
    settings()->devices = count;
    current.current = 0;
}

void sim_set_schedule(SimSchedule schedule, unsigned seed)
{
    settings()->schedule = schedule;
    current.seed = seed;
}

void sim_set_races(int on) { settings()->has_races = on; }

void sim_set_quiet(int on) { settings()->is_quiet = on; }
