/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops as control flow has them: what ptxas moves out of line, such as the second round of a wait, is part of
 * them.
 *
 * A branch has its target, in words of 4 bytes behind it, from bit 34 on; on sm_90 the lower 8 bits of that are
 * bits 16 to 23. Calls have the same, and some of them are branches out of a loop that never return. Bits 12 to
 * 15 are the predicate, 7: always. */
#include "machine_loops.h"

#include <stdlib.h>
#include <string.h>

enum { CALL = 0x944, BRA = 0x947, EXIT = 0x94d, RET = 0x950 };

static bool is_always(Word word) { return (word.low >> 12 & 15) == 7; }

/* A branch that other threads of the warp may not take is not the end of a block either. */
static bool goes_on(Word word)
{
    const unsigned opcode = opcode_of(word);
    if (opcode == BRA)
        return !is_always(word) || (word.high >> 20 & 0xff) != 0x38;
    return (opcode != EXIT && opcode != RET) || !is_always(word);
}

/* Where instruction i branches to; -1: nowhere. */
static int target(const Code *code, int i)
{
    const Word word = code->words[i];
    if (opcode_of(word) != BRA && opcode_of(word) != CALL)
        return -1;
    const int64_t high = (int64_t)(word.low >> 34 << 34) / ((int64_t)1 << 34);
    const int64_t to = i + 1 + (code->is_hopper ? high * 256 + (int64_t)(word.low >> 16 & 0xff) : high) / 4;
    return to >= 0 && to < code->count ? (int)to : -1;
}

/* Who comes before an instruction: the one in front of it, and a list of branches. */
typedef struct {
    int *first, *next; /* of an instruction; of a branch; -1: the end */
} Branches;

static Branches find_branches(const Code *code)
{
    const int count = code->count;
    Branches b = {malloc(2 * (size_t)count * sizeof(int)), NULL};
    if (!b.first)
        abort();
    b.next = b.first + count;
    memset(b.first, 0xff, 2 * (size_t)count * sizeof(int));
    for (int i = 0; i < count; i++) {
        const int to = target(code, i);
        if (to < 0)
            continue;
        b.next[i] = b.first[to];
        b.first[to] = i;
    }
    return b;
}

static void reach(int i, bool *inside, int *stack, int *depth)
{
    if (inside[i])
        return;
    inside[i] = true;
    stack[(*depth)++] = i;
}

/* Whatever comes to `last` without passing `head`: a loop, unless the kernel's start does. Returns its size, or
 * 0. */
static int fill_loop(const Code *code, const Branches *b, int head, int last, bool *inside, int *stack)
{
    int depth = 0, size = 1;
    memset(inside, 0, (size_t)code->count * sizeof *inside);
    inside[head] = true;
    reach(last, inside, stack, &depth);
    while (depth > 0) {
        const int i = stack[--depth];
        size++;
        if (i > 0 && goes_on(code->words[i - 1]))
            reach(i - 1, inside, stack, &depth);
        for (int from = b->first[i]; from >= 0; from = b->next[from])
            reach(from, inside, stack, &depth);
    }
    return inside[0] && head != 0 ? 0 : size;
}

int smallest_loop(const Code *code, int at, bool *inside)
{
    const int count = code->count;
    const Branches b = find_branches(code);
    int *const stack = malloc((size_t)count * sizeof *stack), least = 0, best = -1;
    if (!stack)
        abort();
    for (int i = 0; i < count; i++) {
        const int to = target(code, i);
        if (to < 0 || to > i)
            continue;
        const int size = fill_loop(code, &b, to, i, inside, stack);
        if (size > 0 && inside[at] && (best < 0 || size < least)) {
            least = size;
            best = i;
        }
    }
    if (best >= 0)
        fill_loop(code, &b, target(code, best), best, inside, stack);
    free(stack);
    free(b.first);
    return least;
}

/* Adds to inside[] what comes back to `head`, from wherever; false if there is nothing but the branch itself, as behind the end of a
 * kernel, or no loop. */
static bool fill_all(const Code *code, const Branches *b, int head, bool *inside, bool *some, int *stack)
{
    int size = 0;
    memset(inside, 0, (size_t)code->count * sizeof *inside);
    for (int from = b->first[head]; from >= 0; from = b->next[from]) {
        if (from <= head || fill_loop(code, b, head, from, some, stack) == 0)
            continue;
        for (int i = 0; i < code->count; i++) {
            size += some[i] && !inside[i];
            inside[i] |= some[i];
        }
    }
    return size > 1;
}

int innermost_loops(const Code *code, int *sizes, int room)
{
    const size_t count = (size_t)code->count;
    const Branches b = find_branches(code);
    bool *const is_head = calloc(3 * count + 1, sizeof *is_head), *const inside = is_head + count, *const some = inside + count;
    int *const stack = malloc(count * sizeof *stack), n = 0;
    if (!is_head || !stack)
        abort();
    for (int i = 0; i < code->count; i++)
        is_head[i] = fill_all(code, &b, i, inside, some, stack);
    for (int i = 0; i < code->count && n < room; i++) {
        if (!is_head[i])
            continue;
        fill_all(code, &b, i, inside, some, stack);
        bool has_other = false;
        sizes[n] = 0;
        for (int j = 0; j < code->count; j++) {
            sizes[n] += inside[j];
            has_other |= inside[j] && is_head[j] && j != i;
        }
        n += !has_other;
    }
    free(stack);
    free(is_head);
    free(b.first);
    return n;
}
