/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A space that was measured whole: what `mikgen tune --search=all --measurements=FILE` wrote, with the spec it is about. */
#ifndef MIKGEN_BENCH_SPACE_TABLE_H
#define MIKGEN_BENCH_SPACE_TABLE_H

#include "gen/driver/pipeline.h"
#include "tune/nests/predict.h"

enum { MOST_TABLE_SHAPES = 8 };

typedef struct SpaceTable {
    const char *name; /* of the spec, without folder and ending */
    Arena *arena;
    Ir *ir;
    Program program;
    Plan *plan; /* of the nest's operator */
    HostNest *nest;
    VectorSetId set;
    PlanOptions opt;
    const NestSpace *space;
    Predictor *predictor;
    const char *extents[MOST_TABLE_SHAPES];
    int nshapes;
    /* Configurations that were measured: their points, and of each shape how many times as fast as what is planned now. */
    TunePoint *points;
    double (*speed)[MOST_TABLE_SHAPES];
    int count;
    unsigned without; /* 1 << a knob that it was not measured with */
    double then[MOST_TABLE_SHAPES]; /* of each shape, how many times as fast as what was planned then */
    double best; /* the greatest of space_table_speed() */
} SpaceTable;

/* Reads both; the table is about one nest. Exits with a message where that cannot be. NULL, after a note: what is planned now was not
 * measured then. */
SpaceTable *space_table_read(const char *spec, const char *table);

/* Geometric mean over shapes. */
double space_table_speed(const SpaceTable *t, int i);

/* Number of the configuration; -1: it was not measured. */
int space_table_find(const SpaceTable *t, const TunePoint *point);

#endif
