/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements that take turns, and the quiet moments they wait for. */
#ifndef MIKGEN_TUNE_MEASURE_H
#define MIKGEN_TUNE_MEASURE_H

#include "plan/profile/profile.h"
#include "tune/fit.h"
#include "tune/progress.h"
#include "tune/session.h"

enum { ROUNDS = 12, FINE_ROUNDS = 36 }; /* the most repeats of one measurement; of differences of two */

/* One measurement: what is asked, and the answers so far. */
typedef struct Point {
    const char *request;
    double t; /* steps */
    double times[FINE_ROUNDS];
    int n;
} Point;

/* What one or several fields of a record are made of. */
typedef struct Item {
    RecordKey key;
    const char *field;                                    /* "g", or of a move record; NULL: all of a dot record */
    Point *points;
    int npoints, capacity;
    double (*terms)[FIT_TERMS];                           /* dot records: of each point */
    void (*finish)(Arena *, struct Item *, Profile *);
} Item;

/* Items that take turns. */
typedef struct Group {
    const char *name;
    Vec items;       /* Item * */
    int least, most; /* repeats of each */
    double deadline; /* on measure_clock; nothing is begun after it. 0: none */
} Group;

/* Appends a group without items to groups. */
Group *group_new(Arena *arena, Vec *groups, const char *name, bool quick);

/* Appends an item, which has room for `capacity` points, to its group. */
void group_add(Arena *arena, Group *group, Item *item, RecordKey key, const char *field, int capacity);
void item_add_point(Item *item, double t, const char *request);

/* Nanoseconds since some moment. */
double measure_clock(void);

/* A machine in use is slower now and then, for seconds. A reference, measured again between items, tells: what was
 * measured while it was slow is measured once more. */
enum { REFERENCES = 2 };
typedef struct Quiet {
    const char *request[REFERENCES]; /* NULL: nothing to wait for */
    double best[REFERENCES];
    double patience; /* nanoseconds of repetition that are left */
    int rushed;      /* items that were measured without them */
} Quiet;

/* Looks at the references until they are known. False as below. */
bool quiet_begin(Session *session, Quiet *quiet);

/* Measures a group until its repeats agree. False when interrupted or broken; the items have what they have. */
bool measure_group(Session *session, Progress *progress, Quiet *quiet, const Group *group);

#endif
