/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of times, and how they are summed up: geometric mean, 5th percentile, minimum; never a mean of ratios. */
#ifndef BENCH_CUDA_REPORT_H
#define BENCH_CUDA_REPORT_H

#include <stddef.h>
#include <string>
#include <vector>

struct Ratio {
    double value;
    std::string at; /* the problem */
};

struct Summary {
    size_t count;
    double geomean, percentile, median, least;
    std::string at; /* where the least is */
};
Summary summarise(std::vector<Ratio> ratios);

/* Three numbers, 8 wide each, and the problem of the least; dashes where there are none. */
std::string summary_text(const Summary &summary);

/* "512x16x4096" */
std::string times_text(int m, int n, int k);

/* One name, value pair of an option --name=value; NULL: it is another option. */
const char *option_value(const char *argument, const char *name);

/* A number, empty where there is none (infinite). */
std::string csv_number(double value);

#endif
