/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The libraries in this process: ours in column 0, the peers behind it. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>

#include "library.h"

enum { MAX_COLUMNS = 12 };

typedef struct Peers {
    int count;
    int other; /* column of other generated code to compare ours with, which is no peer; 0: none */
    struct {
        const char *name;
        Gemm *gemm;
    } columns[MAX_COLUMNS];
    char heading[1000]; /* versions and core types */
} Peers;

/* FOLDER/FILE, told its number of threads; NULL with a message if it cannot be loaded. */
void *library_load(const char *folder, const char *file, int threads);
const Library *library_entries(void *object);
const char *library_description(void *object);

/* Loads FOLDER/lib_*.so and keeps what has this type; also OTHER/lib_ours.so, unless it is NULL. False, with a message: one
   cannot be loaded. */
bool peers_load(Peers *peers, const char *folder, const char *other, int type, int threads);

#endif
