/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: their records in order, the fields that each kind of record has. */
#include "plan/profile/profile.h"

#include <inttypes.h>
#include <string.h>

#include "plan/profile/record.h"

static const FieldSpec kernel_fields[] = {{"g", 0, G_KNOTS, UNIT_NS, 1e-3, 1e12}, {NULL, 0, 0, UNIT_NS, 0, 0}};

static const FieldSpec dot_fields[] = {
    {"step", 0, 1, UNIT_NS, 0, 1e12}, {"tile", 1, 1, UNIT_NS, 0, 1e12}, {"sum", 2, 1, UNIT_NS, 0, 1e12}, {NULL, 0, 0, UNIT_NS, 0, 0}};

enum { MOST_OF_KNOB = 2048, MOST_OF_GRID_KNOB = 1024 };

/* clang-format off */
static const FieldSpec move_fields[] = {
    {"pack", 0, 1, UNIT_NS, 0, 1e12},
    {"gather", 1, 1, UNIT_NS, 0, 1e12},
    {"convert", 2, 1, UNIT_NS, 0, 1e12},
    {"column", 3, 1, UNIT_NS, 0, 1e12},
    {"far", 4, 1, UNIT_NS, 0, 1e12},
    {"conflict", 5, 1, UNIT_NS, 0, 1e12},
    {"far_a", 6, 1, UNIT_NS, 0, 1e12},
    {"conflict_a", 7, 1, UNIT_NS, 0, 1e12},
    {"read", 8, 1, UNIT_NS, 0, 1e12},
    {"read_all", 9, 1, UNIT_NS, 0, 1e12},
    {"task", 10, 1, UNIT_NS, 0, 1e12},
    {NULL, 0, 0, UNIT_NS, 0, 0},
};
/* clang-format on */

static const FieldSpec engine_fields[] = {
#define ENGINE_SIZE(word, whole, usual, least, most, ...) {#word, ENGINE_##word, 1, UNIT_WHOLE, least, most},
#define ENGINE_KNOB                                       ENGINE_SIZE
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
    {NULL, 0, 0, UNIT_NS, 0, 0},
};

/* Emitted rates are picoseconds in an int. */
static const FieldSpec block_fields[] = {
    {"fixed", 0, 1, UNIT_NS, 0, 2e6}, {"step", 1, 1, UNIT_NS, 1e-2, 2e6}, {"alone", 2, 1, UNIT_NS, 1e-2, 2e6}, {NULL, 0, 0, UNIT_NS, 0, 0}};

/* clang-format off */
static const FieldSpec gpu_fields[] = {
    {"bandwidth", 0, 1, UNIT_RATE, 1e-6, 1e6}, {"reached", 1, 1, UNIT_PART, 1e-2, 1}, {"launch", 2, 1, UNIT_NS, 0, 1e9},
    {"meeting", 3, 1, UNIT_NS, 0, 1e9},     {"partial", 4, 1, UNIT_NS, 0, 1e6},    {NULL, 0, 0, UNIT_NS, 0, 0},
};
/* clang-format on */

static const FieldSpec nest_fields[] = {
#define KNOB(knob, word, former, what, ...) {word, knob, 1, UNIT_KNOB, 0, MOST_OF_KNOB},
#include "plan/nest_knobs.def"
#undef KNOB
    {"threads", KNOB_COUNT, 1, UNIT_WHOLE, 1, 4096},
    {"ns", KNOB_COUNT + 1, 1, UNIT_NS, 0, 1e12},
    {NULL, 0, 0, UNIT_NS, 0, 0},
};

static const FieldSpec grid_fields[] = {
#define GRID_KNOB(knob, word, what, planned, ...) {word, knob, 1, UNIT_GRID_KNOB, 0, MOST_OF_GRID_KNOB},
#include "plan/grid_knobs.def"
#undef GRID_KNOB
    {"ns", GRID_KNOBS, 1, UNIT_NS, 0, 1e12},
    {NULL, 0, 0, UNIT_NS, 0, 0},
};

/* By number of the array: MOST_PLACED. */
#define PLACED(number) {#number, number, 1, UNIT_PLACEMENT, 0, PLACEMENT_COUNT - 1}
static const FieldSpec fuse_fields[] = {
    PLACED(0),
    PLACED(1),
    PLACED(2),
    PLACED(3),
    PLACED(4),
    PLACED(5),
    PLACED(6),
    PLACED(7),
    PLACED(8),
    PLACED(9),
    PLACED(10),
    PLACED(11),
    PLACED(12),
    PLACED(13),
    PLACED(14),
    PLACED(15),
    PLACED(16),
    PLACED(17),
    PLACED(18),
    PLACED(19),
    {"ns", MOST_PLACED, 1, UNIT_NS, 0, 1e12},
    {NULL, 0, 0, UNIT_NS, 0, 0},
};
_Static_assert(sizeof fuse_fields / sizeof *fuse_fields == MOST_PLACED + 2, "a field for each array");

const RecordSpec record_specs[RECORD_KINDS] = {
    [RECORD_KERNEL] = {"kernel", kernel_fields, true, false, false, false, false,
                       "kernel f32 avx512 14x32 g, then the nanoseconds of its steps"},
    [RECORD_DOT] = {"dot", dot_fields, true, false, false, false, false, "dot f32 avx512 step 0.16 tile 5.6 sum 0.8"},
    [RECORD_MOVE] = {"move", move_fields, false, false, false, false, false, "move f32 avx512 pack 0.2 gather 0.17"},
    [RECORD_ENGINE] = {"engine", engine_fields, false, false, false, false, false, "engine f32 avx2 kc 384 prefetch_distance 12"},
    [RECORD_BLOCK] = {"block", block_fields, true, true, false, false, false,
                      "block f16 sm_90 128x256x64_sm90a fixed 4100 step 450 alone 610"},
    [RECORD_GPU] = {"gpu", gpu_fields, false, true, true, false, false, "gpu sm_90 bandwidth 4300 launch 1500"},
    [RECORD_NEST] = {"nest", nest_fields, false, false, true, false, true, "nest avx512 8c5b3e6a1f20d497 accumulators 8 ns 4812"},
    [RECORD_GRID] = {"grid", grid_fields, false, true, true, false, true, "grid sm_90 8c5b3e6a1f20d497 threads 128 ns 4812"},
    [RECORD_FUSE] = {"fuse", fuse_fields, false, false, true, true, true, "fuse 8c5b3e6a1f20d497 0 whole 2 inlined ns 4812"},
};

/* Best instruction set first, as the kernel sets are, then kinds of GPU. */
static int isa_rank(const char *isa)
{
    int i = 0;
    while (i < ISA_COUNT + GPU_COUNT && strcmp(i < ISA_COUNT ? isa_name(i) : gpu_name(i - ISA_COUNT), isa) != 0)
        i++;
    return i;
}

/* Canonical order: type, instruction set, kind, columns, rows, name of the kernel; what is about all classes before what is about one. */
static int key_order(const RecordKey *x, const RecordKey *y)
{
    const int a[] = {(int)x->family, (int)x->tf32, isa_rank(x->isa), (int)x->kind, x->columns, x->rows};
    const int b[] = {(int)y->family, (int)y->tf32, isa_rank(y->isa), (int)y->kind, y->columns, y->rows};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    const int names = strcmp(x->kernel ? x->kernel : "", y->kernel ? y->kernel : "");
    return names ? names : (int)x->shape - (int)y->shape;
}

const char *profile_nest_name(Arena *arena, uint64_t fingerprint) { return arena_printf(arena, "%016" PRIx64, fingerprint); }

const char *record_type_name(int i) { return i < FAM_COUNT ? family_name((Family)i) : i == FAM_COUNT ? "tf32" : "3xtf32"; }

/* Where a record with this key stands or belongs; *found tells which of the two. */
static int record_place(const Profile *profile, const RecordKey *key, bool *found)
{
    int from = 0, to = profile->records.count;
    *found = false;
    while (from < to) {
        int middle = (from + to) / 2, order = key_order(&((Record *)profile->records.items[middle])->key, key);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

Record *profile_record(Arena *arena, Profile *profile, const RecordKey *key, bool add)
{
    bool found;
    int at = record_place(profile, key, &found);
    if (found)
        return profile->records.items[at];
    if (!add)
        return NULL;
    Record *record = arena_new_array(arena, Record, 1);
    record->key = *key;
    vec_push(arena, &profile->records, record);
    void **items = profile->records.items;
    memmove(items + at + 1, items + at, sizeof *items * (size_t)(profile->records.count - 1 - at));
    items[at] = record;
    return record;
}

Profile *profile_new(Arena *arena, const Profile *below)
{
    Profile *p = arena_new_array(arena, Profile, 1);
    for (int i = 0; below && i < below->records.count; i++) {
        Record *copy = arena_new_array(arena, Record, 1);
        *copy = *(const Record *)below->records.items[i];
        copy->fresh = 0;
        vec_push(arena, &p->records, copy);
    }
    for (int i = 0; below && i < below->comments.count; i++)
        vec_push(arena, &p->comments, below->comments.items[i]);
    return p;
}

/* Number of the field in its kind's table; -1 if there is none of this name. */
static int field_index(RecordKind kind, const char *name)
{
    const FieldSpec *fields = record_specs[kind].fields;
    for (int i = 0; fields[i].name; i++)
        if (strcmp(fields[i].name, name) == 0)
            return i;
    return -1;
}

const double *profile_get(const Profile *profile, const RecordKey *key, const char *field)
{
    bool found;
    int at = record_place(profile, key, &found), index = field_index(key->kind, field);
    if (!found || index < 0)
        return NULL;
    const Record *record = profile->records.items[at];
    return record->known >> index & 1 ? record->value + record_specs[key->kind].fields[index].at : NULL;
}

void profile_put(Arena *arena, Profile *profile, const RecordKey *key, const char *field, const double *values)
{
    int index = field_index(key->kind, field);
    if (index < 0)
        internal_error("a %s record has no field %s", record_specs[key->kind].name, field);
    const FieldSpec *spec = &record_specs[key->kind].fields[index];
    Record *record = profile_record(arena, profile, key, true);
    memcpy(record->value + spec->at, values, sizeof *values * (size_t)spec->count);
    record->known |= UINT32_C(1) << index;
}

static void remove_record(Profile *profile, const RecordKey *key)
{
    bool found;
    const int at = record_place(profile, key, &found);
    void **items = profile->records.items;
    if (found)
        memmove(items + at, items + at + 1, sizeof *items * (size_t)(--profile->records.count - at));
}

void profile_replace(Arena *arena, Profile *profile, const RecordKey *key)
{
    RecordKey other = *key;
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT && key->shape == CLASS_ALL; shape++) {
        other.shape = (ShapeClass)shape;
        remove_record(profile, &other);
    }
    profile_record(arena, profile, key, true)->known = 0;
}

const char *profile_comment(const Profile *profile, int i) { return i < profile->comments.count ? profile->comments.items[i] : NULL; }

void profile_drop_comments(Profile *profile, const char *begin)
{
    int kept = 0;
    for (int i = 0; i < profile->comments.count; i++)
        if (strncmp(profile->comments.items[i], begin, strlen(begin)) != 0)
            profile->comments.items[kept++] = profile->comments.items[i];
    profile->comments.count = kept;
}

void profile_add_comment(Arena *arena, Profile *profile, const char *line)
{
    for (int i = 0; i < profile->comments.count; i++)
        if (strcmp(profile->comments.items[i], line) == 0)
            return;
    vec_push(arena, &profile->comments, arena_strndup(arena, line, strlen(line)));
}

static bool is_knob(const FieldSpec *field)
{
    return field->unit == UNIT_KNOB || field->unit == UNIT_GRID_KNOB || field->unit == UNIT_PLACEMENT;
}
static bool is_whole(const FieldSpec *field) { return field->unit == UNIT_WHOLE || is_knob(field); }

static void print_key(Text *t, const RecordKey *key)
{
    text_puts(t, record_specs[key->kind].name);
    if (!record_specs[key->kind].any_type)
        text_printf(t, " %s", record_type_name((int)(key->tf32 ? FAM_COUNT + key->tf32 - TF32_ONCE : key->family)));
    if (!record_specs[key->kind].any_machine)
        text_printf(t, " %s", key->isa);
    if (key->kind == RECORD_KERNEL)
        text_printf(t, " %dx%d", key->rows, key->columns);
    else if (key->kernel)
        text_printf(t, " %s", key->kernel);
    if (key->shape != CLASS_ALL)
        text_printf(t, " %s", shape_classes[key->shape].word);
}

const char *profile_print(Arena *arena, const Profile *profile)
{
    Text t;
    text_init(&t, arena);
    text_puts(&t, "mikgen-profile 1\n");
    for (int i = 0; i < profile->comments.count; i++)
        text_printf(&t, "#%s%s\n", *(const char *)profile->comments.items[i] ? " " : "", (const char *)profile->comments.items[i]);
    for (int i = 0; i < profile->records.count; i++) {
        const Record *r = profile->records.items[i];
        const RecordSpec *spec = &record_specs[r->key.kind];
        print_key(&t, &r->key);
        for (int f = 0; spec->fields[f].name; f++) {
            if (!(r->known >> f & 1) || (is_knob(&spec->fields[f]) && r->value[spec->fields[f].at] == KNOB_PLANNED))
                continue;
            text_printf(&t, " %s", spec->fields[f].name);
            if (spec->fields[f].unit == UNIT_PLACEMENT) {
                text_printf(&t, " %s", placement_info[(int)r->value[spec->fields[f].at]].word);
                continue;
            }
            for (int i = 0; i < spec->fields[f].count; i++)
                text_printf(&t, is_whole(&spec->fields[f]) ? " %.0f" : " %.4g", r->value[spec->fields[f].at + i]);
        }
        text_putc(&t, '\n');
    }
    return t.data;
}

bool profile_knows(const Profile *profile, Family family, const char *isa)
{
    bool knows = false;
    for (int i = 0; profile && i < profile->records.count; i++) {
        const RecordKey *key = &((const Record *)profile->records.items[i])->key;
        knows |= key->family == family && strcmp(key->isa, isa) == 0;
    }
    return knows;
}
