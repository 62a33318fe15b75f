/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "race.h"

#include <math.h>
#include <time.h>

#include "machine.h"

static const double TURN = 3e-3, SHORT_CALL = 1e-3, FAR = 3, PATIENCE = 1;
enum { MIN_ROUNDS = 3, MAX_ROUNDS = 10 };

static void sleep_for(long nanoseconds) { nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL); }

void race_settle(const Race *race)
{
    if (pool_threads(race->pool) > 1)
        sleep_for(1500000);
}

static double timed(const Race *race, int entry, int calls)
{
    double (*clock)(void) = pool_threads(race->pool) > 1 ? seconds : thread_seconds;
    double begin = clock();
    race->run(race->ctx, entry, calls);
    return clock() - begin;
}

/* Calls that take about TURN. */
static int calls_per_turn(const Race *race, int entry)
{
    race_settle(race);
    for (int calls = 1;; calls *= 4) {
        double time = timed(race, entry, calls);
        if (time > TURN / 8)
            return (int)ceil(TURN / time * calls);
    }
}

/* Whether this process has all its cores to itself. */
static bool cores_are_free(Race *race)
{
    double speed = fma_now(race->pool);
    race->free_fma = fmax(race->free_fma, speed);
    return speed > 0.9 * race->free_fma;
}

/* Seconds of a call; patience: seconds that may still be spent on repeating disturbed turns. */
static double turn(Race *race, int entry, int calls, double *patience)
{
    double least = INFINITY;
    for (;;) {
        bool disturbed = !cores_are_free(race);
        race_settle(race);
        if (calls > (int)(TURN / SHORT_CALL))
            timed(race, entry, 1);
        double begin = seconds();
        least = fmin(least, timed(race, entry, calls) / calls);
        disturbed |= !cores_are_free(race);
        if (!disturbed || *patience < 0) {
            race->turns++;
            race->busy += disturbed;
            return least;
        }
        sleep_for(2000000);
        *patience -= seconds() - begin;
    }
}

void race(Race *race, const bool *skip, double *times)
{
    int calls[MAX_ENTRIES];
    double best = INFINITY, spent = 0, patience = PATIENCE;
    for (int e = 0; e < race->entries; e++) {
        times[e] = 0;
        calls[e] = skip[e] ? 0 : calls_per_turn(race, e);
    }
    for (int round = 0, rounds = MAX_ROUNDS; round < rounds; round++) {
        for (int i = 0; i < race->entries; i++) {
            int e = (i + round) % race->entries;
            if (skip[e] || (e > 0 && times[e] > FAR * best))
                continue;
            double time = turn(race, e, calls[e], &patience);
            times[e] = times[e] == 0 ? time : fmin(times[e], time);
            best = fmin(best, time);
            spent += time * calls[e];
        }
        if (round == 0)
            rounds = (int)fmin(MAX_ROUNDS, fmax(MIN_ROUNDS, race->budget / spent));
    }
}
