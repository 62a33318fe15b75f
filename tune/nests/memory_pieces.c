/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted by what they have in common, then by place: those that meet are one run, runs evenly spread copies of one. */
#include "tune/nests/memory_pieces.h"

#include <math.h>
#include <stdlib.h>

typedef struct Part {
    const ReplayAccess *access;
    double low, bytes; /* of a run of it */
    int number;        /* which access it was */
} Part;

static int order(double a, double b) { return (a > b) - (a < b); }

/* Alike: of one array in one loop, moving by as much. */
static int compare_kinds(const ReplayAccess *a, const ReplayAccess *b)
{
    int result = order(a->array->id, b->array->id);
    result = result ? result : order(a->loop, b->loop);
    result = result ? result : order(a->place.wild, b->place.wild);
    result = result ? result : order(a->place.known, b->place.known);
    result = result ? result : order(a->lanes, b->lanes);
    result = result ? result : order(isnan(a->apart), isnan(b->apart));
    result = result ? result : isnan(a->apart) ? 0 : order(a->apart, b->apart);
    for (int i = 0; i < DUAL_LOOPS && !result; i++)
        result = order(a->place.slope[i], b->place.slope[i]);
    return result;
}

static int compare_parts(const void *left, const void *right)
{
    const Part *a = left, *b = right;
    int result = compare_kinds(a->access, b->access);
    result = result ? result : order(a->low, b->low);
    return result ? result : order(a->number, b->number);
}

static double bytes_of_array(const Numbers *numbers, const Sym *array)
{
    double bytes = type_bytes(array->type);
    for (int i = 0; i < array->rank; i++) {
        const Dual extent = array->extent[i] ? dual_of(numbers, array->extent[i]) : (Dual){0};
        if (!extent.known || dual_moves(&extent))
            return INFINITY;
        bytes *= fmax(extent.value, 0);
    }
    return bytes;
}

/* Lanes that are apart, else copies of the run. */
static Piece *new_piece(const Replay *replay, Arena *arena, const Part *part)
{
    const ReplayAccess *a = part->access;
    Piece *p = arena_alloc(arena, sizeof *p);
    *p = (Piece){.array = a->array,
                 .loop = a->loop,
                 .times = a->times,
                 .low = part->low,
                 .bytes = part->bytes,
                 .copies = isnan(a->apart) ? 1 : a->lanes,
                 .apart = isnan(a->apart) ? 0 : fabs(a->apart) * a->element,
                 .wild = a->place.wild,
                 .scattered = isnan(a->apart) ? a->lanes : 1,
                 .array_bytes = bytes_of_array(&replay->numbers, a->array)};
    for (int i = 0; i < DUAL_LOOPS; i++)
        p->slope[i] = a->place.slope[i] * a->element;
    return p;
}

/* Parts number `from` to `end` - 1, which are alike: runs that meet as one, several runs as copies. */
static Piece *piece_of(const Replay *replay, Arena *arena, const Part *parts, int from, int end)
{
    Piece *p = new_piece(replay, arena, &parts[from]);
    double last = p->low, reach = p->low + p->bytes, first_bytes = 0;
    int runs = 1;
    for (int i = from; i < end; i++) {
        p->loads = p->loads || !parts[i].access->stores;
        p->stores = p->stores || parts[i].access->stores;
        p->times = fmax(p->times, parts[i].access->times);
        if (parts[i].low > reach) {
            first_bytes = fmax(first_bytes, reach - last);
            last = parts[i].low;
            runs++;
        }
        reach = fmax(reach, parts[i].low + parts[i].bytes);
    }
    p->bytes = fmax(first_bytes, reach - last);
    if (runs > 1) {
        p->scattered *= p->copies > 1 ? p->copies : 1;
        p->copies = runs;
        p->apart = (last - p->low) / (runs - 1);
    }
    return p;
}

Vec pieces_of(const Replay *replay, Arena *arena)
{
    const Vec *accesses = &replay->accesses;
    Part *parts = arena_new_array(arena, Part, accesses->count + 1);
    Vec pieces = {0};
    int count = 0;
    for (int i = 0; i < accesses->count; i++) {
        const ReplayAccess *a = accesses->items[i];
        const double back = !isnan(a->apart) && a->apart < 0 ? a->apart * (a->lanes - 1) : 0;
        if (!a->non_temporal)
            parts[count++] = (Part){a, (a->place.value + back) * a->element, a->run * a->element, i};
    }
    qsort(parts, (size_t)count, sizeof *parts, compare_parts);
    for (int from = 0, end; from < count; from = end) {
        for (end = from + 1; end < count && compare_kinds(parts[from].access, parts[end].access) == 0;)
            end++;
        vec_push(arena, &pieces, piece_of(replay, arena, parts, from, end));
    }
    return pieces;
}
