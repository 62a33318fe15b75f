/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page says first, and a terminal last. */
#include <math.h>

#include "tune/report_plots.h"

const char *report_headline(Arena *arena, const Report *report)
{
    int chosen = 0, faster = 0;
    double most = 1, sum = 0;
    for (int i = 0; i < report->nests.count; i++) {
        const ReportNest *nest = report->nests.items[i];
        const double speed = nest->chosen && nest->speed > 1 ? nest->speed : 1;
        chosen += nest->chosen != NULL;
        faster += speed > 1;
        most = fmax(most, speed);
        sum += log(speed);
    }
    const char *all = arena_printf(arena, "%d loop nest%s searched", chosen, chosen == 1 ? "" : "s");
    if (!chosen)
        return report->nests.count ? "no loop nest is searched to its end" : "no loops have been searched";
    if (!faster)
        return arena_printf(arena, "%s, %s planned", all, chosen == 1 ? "which stays as" : "which all stay as");
    if (chosen == 1)
        return arena_printf(arena, "%s, which is %.2f times as fast as planned", all, most);
    return arena_printf(arena, "%s, %d faster than planned: %.2f times as fast at the most, %.2f in the geometric mean of all", all, faster,
                        most, exp(sum / chosen));
}

const char *report_verdict(Arena *arena, const Report *report)
{
    enum { MOST_LINES = 20 };
    Text out;
    text_init(&out, arena);
    for (int i = 0; i < report->nests.count && i < MOST_LINES; i++) {
        const ReportNest *nest = report->nests.items[i];
        text_printf(&out, "  %s: ", nest->name);
        if (!nest->chosen)
            text_puts(&out, "the search was not finished\n");
        else if (nest->speed <= 1)
            text_puts(&out, "as planned\n");
        else
            text_printf(&out, "%.2f times as fast as planned: %s\n", nest->speed, report_knobs(arena, nest, nest->chosen));
        for (int j = 0; nest->chosen && j < nest->classes.count; j++) {
            const ReportClass *own = nest->classes.items[j];
            text_printf(&out, "    where what loops touch %s, %.2f times as fast as that: %s\n", own->what, own->gain,
                        report_knobs(arena, nest, own->knobs));
        }
    }
    if (report->nests.count > MOST_LINES)
        text_printf(&out, "  and %d more\n", report->nests.count - MOST_LINES);
    return out.size ? out.data : "";
}
