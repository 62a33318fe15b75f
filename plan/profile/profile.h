/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured performance: per micro-kernel the piecewise-linear g(t) of MikPoly's performance model, and what the paper
 * leaves out: packing, cold operands, cores that share bandwidth; of GPUs the rates of thread blocks, and what launches,
 * memory and sums that blocks share cost. A profile is plain text, one record a line, sorted, so that profiles can be compared
 * and merged by ordinary tools:
 *
 *   mikgen-profile 1
 *   # free text: the machine, the compiler
 *   kernel f32 avx512 14x32 g 9.1 33.0 ...          nanoseconds at the steps g_knots; rows x columns
 *   dot f32 avx512 step 0.16 tile 5.6 sum 0.8       dot_step, dot_tile, dot_sum of the kernel set
 *   move f32 avx512 pack 0.2 gather 0.17 ...        fields of MoveCosts by name, as many as are known
 *   engine f32 avx2 kc 384 prefetch_distance 12     blocking parameters of the emitted engine (plan/engine_knobs.def), as many as are
 *                                                   known, chosen by whole calls
 *   block f16 sm_90 128x256x64_sm90a fixed 4100 step 450 alone 610   GpuRates of a kernel, in nanoseconds; the kernel as in
 *                                                   its symbol; types are families, tf32 and 3xtf32
 *   nest avx512 8c5b3e6a1f20d497 accumulators 8 ns 4812      NestKnobs of a nest by the number of what its loops compute; knobs that are
 *                                                   not there are as planned, whatever an earlier line said; ns is what was
 *                                                   measured with them
 *   nest avx2 8c5b3e6a1f20d497 l2 accumulators 4 ns 512      the same for calls of a class (plan/shape_classes.def) alone. A line without one
 *                                                   is about all classes: those before it count no more
 *   fuse 8c5b3e6a1f20d497 0 whole 2 inlined ns 4812   where local arrays of an operator, by the number of what it computes, are
 *                                                   computed: arrays by number, in the order of their declarations, from 0 on; words
 *                                                   of ir/placements.def
 *   grid sm_90 8c5b3e6a1f20d497 threads 128 ns 4812  the same of a nest on a kind of GPU: GridKnobs
 *   gpu sm_90 bandwidth 4300 reached 0.9 launch 1500 ...   fields of GpuCosts by name, as many as are known
 *
 * A # begins a comment wherever it stands; those before the first record are kept. Of lines about the same thing the last
 * one wins, field by field, and the first line may come again: profiles are merged by writing one behind the other. What
 * a profile does not say is taken from the one below it, at last from the analytical terms. */
#ifndef MIKGEN_PLAN_PROFILE_PROFILE_H
#define MIKGEN_PLAN_PROFILE_PROFILE_H

#include "ir/diag.h"
#include "plan/plan.h"
#include "plan/targets.h"

typedef struct Profile Profile;

/* Without records, over those of `below` (NULL: none). Arena-owned. */
Profile *profile_new(Arena *arena, const Profile *below);

/* May the name of a GPU's kernel go on so behind its tile? */
typedef bool EndsName(const char *tail, size_t length);

/* Reads a profile's text, whose records win over those of `below` (NULL: none), field by field; comments are those of
 * both. NULL after one located message about the first wrong line. `diag` is of that text. `ends_name` is
 * gpu_ends_name() of plan/kernels/gpu.h, which is not seen from here. Arena-owned. */
Profile *profile_parse(Arena *arena, Diag *diag, const char *text, const Profile *below, EndsName *ends_name);

/* The text of a profile, records in their canonical order, whatever the order they came in. Arena-owned. */
const char *profile_print(Arena *arena, const Profile *profile);

/* Whether it says anything about a family's kernels on an instruction set. NULL knows nothing. */
bool profile_knows(const Profile *profile, Family family, const char *isa);

/* ---- One record: for those who make profiles and look into them. ---- */

typedef enum RecordKind {
    RECORD_KERNEL,
    RECORD_DOT,
    RECORD_MOVE,
    RECORD_ENGINE,
    RECORD_BLOCK,
    RECORD_GPU,
    RECORD_NEST,
    RECORD_GRID,
    RECORD_FUSE,
    RECORD_KINDS
} RecordKind;

/* What a record is about. */
typedef struct RecordKey {
    RecordKind kind;
    Family family;      /* FAM_COUNT for RECORD_GPU, RECORD_NEST, RECORD_GRID, RECORD_FUSE */
    const char *isa;    /* or the kind of GPU: isa_name, gpu_name; "" for RECORD_FUSE */
    int rows, columns;  /* of a kernel or block; 0 for the other kinds */
    const char *kernel; /* of a block: gpu_kernel_name; of a nest or an operator: profile_nest_name(); NULL for the other kinds */
    Tf32 tf32;          /* of a block */
    ShapeClass shape;   /* of a nest: of calls of this class alone; CLASS_ALL: of those that no line is about; of other kinds, too */
} RecordKey;

/* How a record names a nest or an operator: the fingerprint (plan/fingerprint.h) in 16 hexadecimal digits. */
const char *profile_nest_name(Arena *arena, uint64_t fingerprint);

/* The numbers of one field, G_KNOTS for "g" and one otherwise; NULL if the profile does not know them. */
const double *profile_get(const Profile *profile, const RecordKey *key, const char *field);

/* Sets a field of a record, which is added if need be. `values`: as many as profile_get gives. */
void profile_put(Arena *arena, Profile *profile, const RecordKey *key, const char *field, const double *values);

/* Begins a record that says all about its nest: fields of earlier ones are gone, and so, if it is about all classes, are records about
 * some. */
void profile_replace(Arena *arena, Profile *profile, const RecordKey *key);

/* The comment lines, without # and the blank after it, and one more, unless it is there already. */
const char *profile_comment(const Profile *profile, int i); /* NULL beyond the last */
void profile_add_comment(Arena *arena, Profile *profile, const char *line);
/* Without the comment lines that begin so. */
void profile_drop_comments(Profile *profile, const char *begin);

#endif
