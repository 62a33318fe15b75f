/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one operator at one size with several numbers of threads: the bits of its outputs must be the same.
 *
 *   threads
 *
 * Prints how many tasks the operator had at most; ends with 1 when bits differ or it refuses. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "data.h"

enum { MOST_ARRAYS = 24, MOST_THREADS = 8 };

void *workspace;
size_t workspace_bytes;
int threads;

static int most_tasks;

typedef struct {
    void (*task)(void *arg, int i);
    void *arg;
    atomic_int next;
    int n;
} Job;

static void *work(void *pointer)
{
    Job *job = pointer;
    for (int i; (i = atomic_fetch_add(&job->next, 1)) < job->n;)
        job->task(job->arg, i);
    return NULL;
}

void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    Job job = {.task = task, .arg = arg, .n = n};
    pthread_t thread[MOST_THREADS];
    int started = 1;
    (void)ctx;
    most_tasks = n > most_tasks ? n : most_tasks;
    while (started < threads && pthread_create(&thread[started], NULL, work, &job) == 0)
        started++;
    work(&job);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
}

static void *arrays[MOST_ARRAYS], *before[MOST_ARRAYS], *wanted[MOST_ARRAYS];

static void make_arrays(void)
{
    for (int a = 0; a < the_case.array_count; a++) {
        const Array *array = &the_case.arrays[a];
        arrays[a] = allocate(array_bytes(array), 832 * (size_t)(a + 1));
        fill(array, arrays[a]);
        if (array->is_output) {
            before[a] = allocate(array_bytes(array), 0);
            memcpy(before[a], arrays[a], array_bytes(array));
            wanted[a] = allocate(array_bytes(array), 0);
        }
    }
}

static int run(const Candidate *candidate)
{
    for (int a = 0; a < the_case.array_count; a++)
        if (the_case.arrays[a].is_output)
            memcpy(arrays[a], before[a], array_bytes(&the_case.arrays[a]));
    const int status = candidate->run(arrays);
    if (status)
        printf("%s refused with %d\n", candidate->name, status);
    return status;
}

static int compare(const Candidate *candidate)
{
    int different = 0;
    for (int a = 0; a < the_case.array_count; a++) {
        const Array *array = &the_case.arrays[a];
        if (!array->is_output || !memcmp(arrays[a], wanted[a], array_bytes(array)))
            continue;
        printf("%s is another with %d threads, %s\n", array->name, threads, candidate->name);
        different = 1;
    }
    return different;
}

static int check(const Candidate *candidate)
{
    static const int numbers[] = {1, 2, 3, 7};
    if (candidate->wants_workspace && !workspace_bytes)
        return 0;
    for (int i = 0; i < 4; i++) {
        threads = numbers[i];
        if (run(candidate) || compare(candidate))
            return 1;
    }
    return 0;
}

int main(void)
{
    if (the_case.array_count > MOST_ARRAYS)
        return 2;
    make_arrays();
    threads = 1;
    if (run(&the_case.candidates[0]))
        return 1;
    for (int a = 0; a < the_case.array_count; a++)
        if (the_case.arrays[a].is_output)
            memcpy(wanted[a], arrays[a], array_bytes(&the_case.arrays[a]));
    threads = 7;
    workspace_bytes = case_workspace();
    workspace = workspace_bytes ? allocate(workspace_bytes, 0) : NULL;
    for (int c = 0; c < the_case.candidate_count; c++)
        if (check(&the_case.candidates[c]))
            return 1;
    printf("%d\n", most_tasks);
    return 0;
}
