/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is simulated and how; see simulator.h. */
#ifndef SIM_SETTINGS_H
#define SIM_SETTINGS_H

#include <stdbool.h>

#include "simulator.h"

typedef struct {
    int cc, sms, devices;
    int current; /* cudaSetDevice */
    SimSchedule schedule;
    unsigned seed;
    bool has_races, is_quiet, is_counting;
} Settings;

typedef struct {
    int cc, sms;
    const char *name;
    int shared_per_sm, shared_opt_in, threads_per_sm, blocks_per_sm, l2_bytes, bus_bits, clock_khz, memory_khz;
} DeviceRow;

Settings *settings(void);
const DeviceRow *device_row(void);
int device_sms(void);

#endif
