/* A space that was measured whole: what `mikgen tune --search=all --measurements=FILE` wrote, with the spec it is about. */
#ifndef MIKGEN_BENCH_SPACE_TABLE_H
#define MIKGEN_BENCH_SPACE_TABLE_H

#include "gen/pipeline.h"
#include "tune/nests/predict.h"

enum { MOST_TABLE_SHAPES = 8 };

typedef struct SpaceTable {
    const char *name; /* of the spec, without folder and ending */
    Arena *arena;
    Ir *ir;
    Program program;
    HostNest *nest;
    VectorSetId set;
    PlanOptions opt;
    const NestSpace *space;
    Predictor *predictor;
    const char *extents[MOST_TABLE_SHAPES];
    int nshapes;
    /* Configurations, all that survive: their points, and of each shape how many times as fast as planned; 0: it does not run. */
    TunePoint *points;
    double (*speed)[MOST_TABLE_SHAPES];
    int count;
    double best; /* the greatest of space_table_speed() */
} SpaceTable;

/* Reads both. Exits with a message where that cannot be, or some configuration was not measured. */
SpaceTable *space_table_read(const char *spec, const char *table);

/* Geometric mean over shapes. */
double space_table_speed(const SpaceTable *t, int i);

/* Number of the configuration. */
int space_table_find(const SpaceTable *t, const TunePoint *point);

#endif
