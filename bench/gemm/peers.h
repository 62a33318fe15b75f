/* The libraries in this process: ours in column 0, the peers behind it. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>

#include "library.h"

enum { MAX_COLUMNS = 12 };

typedef struct Peers {
    int count;
    struct {
        const char *name;
        Gemm *gemm;
    } columns[MAX_COLUMNS];
    char heading[2000]; /* versions and core types, a line each */
} Peers;

/* Finds the core type with which OpenBLAS, BLIS and oneDNN are fastest here, by trying each in a process of its own, and
   sets their environment variables: before peers_load. Appends what it found to heading. */
void peers_choose_core_types(Peers *peers, const char *folder, int type);
/* Loads FOLDER/lib_*.so and keeps what has this type. False, with a message: one cannot be loaded. */
bool peers_load(Peers *peers, const char *folder, int type, int threads);

#endif
