/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a self-check program, whose main is compiled as check_main, on a thread with little stack:
 *
 *     the bytes of the first argument, which the operators are promised to get along with; PTHREAD_STACK_MIN, for the thread's
 *     own data, the self-check's frames and the C library; a page; below them a page that nobody may touch.
 *
 * Emitted code is compiled with -Dmalloc=test_malloc: the second argument says whether there is memory to allocate. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int check_main(int argc, char **argv);
void *test_malloc(size_t size);

static int has_memory, count;
static char **words;

void *test_malloc(size_t size) { return has_memory ? malloc(size) : NULL; }

static void *run(void *result)
{
    *(int *)result = check_main(count, words);
    return NULL;
}

int main(int argc, char **argv)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (argc < 3)
        return 2;
    const size_t size = ((size_t)atol(argv[1]) + (size_t)PTHREAD_STACK_MIN + 2 * page - 1) / page * page;
    char *stack = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    int result = 2;
    has_memory = strcmp(argv[2], "memory") == 0;
    argv[2] = argv[0];
    count = argc - 2;
    words = argv + 2;
    if (stack == MAP_FAILED || mprotect(stack, page, PROT_NONE) || pthread_attr_init(&attributes) ||
        pthread_attr_setstack(&attributes, stack + page, size) || pthread_create(&thread, &attributes, run, &result) ||
        pthread_join(thread, NULL)) {
        printf("FAILED: no thread with %zu bytes of stack\n", size);
        return 2;
    }
    return result;
}
