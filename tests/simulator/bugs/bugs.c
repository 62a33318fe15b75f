/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs every seeded bug under every schedule and says what saw it.
 *
 *   bugs [FAMILY [NUMBER]]
 *
 * A bug is found when at least one schedule gives another outcome than OUT_RIGHT, and none an outcome that the
 * family's table does not name; where it names a race, anything may come of that without the race check.
 * Controls must be right under all schedules, with the race check and without. A process runs one bug, so that
 * what a kernel does to this program stays with it. With a number the diagnoses are printed in full. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bugs.h"
#include "simulator.h"

static const Family *const families[] = {&simt_family,   &mma_family,    &wgmma_family,     &width_family,   &turns_family,
                                         &beside_family, &gather_family, &dependent_family, &split_family,   &cluster_family,
                                         &warp_family,   &row_family,    &codes_family,     &exchange_family};

static const char *const outcome_names[] = {"right",    "wrong",      "refused", "out of bounds", "misaligned", "race",
                                            "deadlock", "divergence", "barrier", "asynchronous",  "tensor",     "other"};

enum { SECONDS = 60, RUNS = 2 * SIM_SCHEDULES }; /* with the race check, then without */

static Outcome diagnosed(SimKind kind)
{
    switch (kind) {
    case SIM_OUT_OF_BOUNDS: return OUT_BOUNDS;
    case SIM_MISALIGNED: return OUT_MISALIGNED;
    case SIM_RACE: return OUT_RACE;
    case SIM_DEADLOCK: return OUT_DEADLOCK;
    case SIM_DIVERGENCE: return OUT_DIVERGENCE;
    case SIM_BARRIER: return OUT_BARRIER;
    case SIM_ASYNC: return OUT_ASYNC;
    case SIM_TENSOR: return OUT_TENSOR;
    default: return OUT_OTHER;
    }
}

/* In a process of its own: an outcome for each run, written to `out` as it is known. */
static void run_all(const Family *family, int bug, int is_loud, int out)
{
    alarm(SECONDS);
    sim_set_quiet(1);
    for (int i = 0; i < RUNS; i++) {
        sim_reset();
        sim_set_schedule((SimSchedule)(i % SIM_SCHEDULES), 1);
        sim_set_races(i < SIM_SCHEDULES);
        Outcome outcome = family->run(bug);
        if (sim_kind() != SIM_NOTHING) /* every call after it must have failed */
            outcome = outcome == OUT_REFUSED ? diagnosed(sim_kind()) : OUT_OTHER;
        if (is_loud)
            printf("%s, races %s: %s\n", sim_schedule_name((SimSchedule)(i % SIM_SCHEDULES)), i < SIM_SCHEDULES ? "on" : "off",
                   sim_kind() != SIM_NOTHING ? sim_text() : "no diagnosis");
        if (write(out, &outcome, sizeof outcome) != (ssize_t)sizeof outcome)
            break;
    }
    fflush(stdout);
    _exit(0);
}

/* Outcomes of a run that did not come to its end: OUT_OTHER. */
static void run_apart(const Family *family, int bug, int is_loud, Outcome outcomes[RUNS])
{
    int ends[2];
    for (int i = 0; i < RUNS; i++)
        outcomes[i] = OUT_OTHER;
    fflush(stdout);
    if (pipe(ends) != 0) {
        perror("pipe");
        exit(2);
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_all(family, bug, is_loud, ends[1]);
    }
    close(ends[1]);
    for (int i = 0; i < RUNS && read(ends[0], &outcomes[i], sizeof outcomes[i]) == (ssize_t)sizeof outcomes[i]; i++)
        ;
    close(ends[0]);
    waitpid(child, NULL, 0);
}

static void print_outcomes(unsigned outcomes)
{
    const char *separator = "";
    for (size_t i = 0; i < sizeof outcome_names / sizeof outcome_names[0]; i++)
        if (outcomes >> i & 1) {
            printf("%s%s", separator, outcome_names[i]);
            separator = ", ";
        }
}

/* A letter for each schedule that saw it. */
static void print_schedules(const Outcome *outcomes)
{
    for (int i = 0; i < SIM_SCHEDULES; i++)
        putchar(outcomes[i] == OUT_RIGHT ? '.' : "elbr"[i]);
}

/* Runs one bug and prints its line of the table; returns whether all is as it should be. */
static int check(const Family *family, const Bug *bug, int is_loud)
{
    Outcome outcomes[RUNS];
    unsigned seen = 0, allowed = bug->expected | OUT_RIGHT;
    int is_found = 0, is_good = 1;
    run_apart(family, bug->number, is_loud, outcomes);
    for (int i = 0; i < RUNS; i++) {
        const int has_check = i < SIM_SCHEDULES;
        seen |= has_check ? outcomes[i] : 0;
        is_found |= has_check && outcomes[i] != OUT_RIGHT;
        is_good &= (outcomes[i] & ~allowed) == 0 || (!has_check && (allowed & OUT_RACE) && outcomes[i] != OUT_OTHER);
    }
    is_good &= is_found || bug->expected == OUT_RIGHT;
    printf("%-4s %-7s %2d  ", is_good ? "" : "BAD", family->name, bug->number);
    print_schedules(outcomes);
    fputs("  ", stdout);
    print_schedules(outcomes + SIM_SCHEDULES);
    printf("  %s: ", bug->what);
    print_outcomes(seen == OUT_RIGHT ? seen : seen & ~(unsigned)OUT_RIGHT);
    if (!is_good) {
        fputs("; expected: ", stdout);
        print_outcomes(bug->expected);
        for (int i = SIM_SCHEDULES; i < RUNS; i++)
            printf("%s%s", i == SIM_SCHEDULES ? "; without the check: " : ", ", outcome_names[__builtin_ctz(outcomes[i])]);
    }
    putchar('\n');
    return is_good;
}

int main(int count, char **arguments)
{
    int bad = 0, bugs = 0, controls = 0;
    sim_set_device(90, 0);
    puts("Seen under forward-eager (e), forward-lazy (l), reverse-lazy (b), random-lazy (r); then without race "
         "check.");
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        const Family *const family = families[f];
        if (count > 1 && strcmp(arguments[1], family->name) != 0)
            continue;
        for (int i = 0; i < family->count; i++) {
            if (count > 2 && family->bugs[i].number != atoi(arguments[2]))
                continue;
            *(family->bugs[i].expected == OUT_RIGHT ? &controls : &bugs) += 1;
            bad += !check(family, &family->bugs[i], count > 2);
        }
    }
    printf("%d bugs and %d controls, %d not as expected\n", bugs, controls, bad);
    return bad > 0 || bugs == 0;
}
