/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <string.h>

Summary summarise(std::vector<Ratio> ratios)
{
    Summary s = {ratios.size(), NAN, NAN, NAN, NAN, ""};
    double logs = 0;
    if (ratios.empty())
        return s;
    std::sort(ratios.begin(), ratios.end(), [](const Ratio &a, const Ratio &b) { return a.value < b.value; });
    for (const Ratio &r : ratios)
        logs += log(r.value);
    s.geomean = exp(logs / (double)ratios.size());
    s.percentile = ratios[ratios.size() / 20].value;
    s.median = ratios[ratios.size() / 2].value;
    s.least = ratios[0].value;
    s.at = ratios[0].at;
    return s;
}

std::string summary_text(const Summary &s)
{
    char text[128];
    if (s.count == 0)
        return "       -       -       -  -";
    snprintf(text, sizeof text, "%8.3f%8.3f%8.3f  ", s.geomean, s.percentile, s.least);
    return text + s.at;
}

std::string times_text(int m, int n, int k) { return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k); }

const char *option_value(const char *argument, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(argument, "--", 2) != 0 || strncmp(argument + 2, name, length) != 0 || argument[2 + length] != '=')
        return NULL;
    return argument + 3 + length;
}

std::string csv_number(double value)
{
    char text[32];
    if (!isfinite(value))
        return "";
    snprintf(text, sizeof text, "%.4g", value);
    return text;
}
