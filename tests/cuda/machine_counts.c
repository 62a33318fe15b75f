/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An opcode's low 9 bits say what it does, the 3 above them what its operands are. The classes were read off what a disassembler
 * says of the project's kernels and of CUTLASS'. */
#include "machine_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    CLASS_OTHER,
    CLASS_TENSOR,
    CLASS_PLAIN,
    CLASS_INTEGER,
    CLASS_COPY,
    CLASS_MATRIX,
    CLASS_LOAD,
    CLASS_MEMORY,
    CLASS_BRANCH
} Class;

static const struct {
    unsigned first, last;
    Class class;
} classes[] = {
    {0x002, 0x007, CLASS_INTEGER}, /* MOV P2R R2P CS2R SEL */
    {0x00c, 0x00c, CLASS_INTEGER}, /* ISETP */
    {0x010, 0x01f, CLASS_INTEGER}, /* IADD3 LEA LOP3 IABS PRMT IMNMX SHF PLOP3 */
    {0x023, 0x023, CLASS_PLAIN},   /* FFMA */
    {0x024, 0x027, CLASS_INTEGER}, /* IMAD */
    {0x02b, 0x02b, CLASS_PLAIN},   /* DFMA */
    {0x036, 0x036, CLASS_INTEGER}, /* VIADD */
    {0x037, 0x037, CLASS_TENSOR},  /* IMMA */
    {0x03b, 0x03b, CLASS_MATRIX},   /* LDSM */
    {0x03c, 0x03c, CLASS_TENSOR},  /* HMMA */
    {0x03f, 0x03f, CLASS_TENSOR},  /* DMMA */
    {0x048, 0x048, CLASS_INTEGER}, /* VIMNMX */
    {0x080, 0x0a5, CLASS_INTEGER}, /* UMOV USEL UISETP UIADD3 ULEA ULOP3 UPRMT USHF UPLOP3 UIMAD */
    {0x0b9, 0x0b9, CLASS_MEMORY},  /* ULDC */
    {0x0ca, 0x0ca, CLASS_INTEGER}, /* R2UR */
    {0x119, 0x119, CLASS_INTEGER}, /* S2R */
    {0x145, 0x145, CLASS_OTHER},   /* BSSY */
    {0x144, 0x144, CLASS_BRANCH},  /* CALL */
    {0x147, 0x149, CLASS_BRANCH},  /* BRA BRX */
    {0x180, 0x183, CLASS_MEMORY},  /* LD LDG LDC LDL */
    {0x184, 0x184, CLASS_LOAD},    /* LDS */
    {0x185, 0x18f, CLASS_MEMORY},  /* ST STG STL STS ATOMS SHFL CCTL */
    {0x1a8, 0x1a9, CLASS_MEMORY},  /* ATOMG */
    {0x1ae, 0x1ae, CLASS_COPY},    /* LDGSTS */
    {0x1b4, 0x1b4, CLASS_COPY},    /* UTMALDG */
    {0x1c2, 0x1c3, CLASS_INTEGER}, /* R2UR S2UR */
    {0x1f0, 0x1f3, CLASS_TENSOR},  /* HGMMA IGMMA */
};

static Class class_of(Word word)
{
    const unsigned base = opcode_of(word) & 0x1ff;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (base >= classes[i].first && base <= classes[i].last)
            return classes[i].class;
    return CLASS_OTHER;
}

bool is_tensor_product(Word word) { return class_of(word) == CLASS_TENSOR; }
bool is_plain_product(Word word) { return class_of(word) == CLASS_PLAIN; }

/* ptxas puts three loads that are never made, of address 0 into no register, before a copy. */
static bool is_never(Word word) { return (word.low >> 12 & 15) == 15; }

static LoopCounts count(const Code *code, const bool *inside, int first, Class product)
{
    LoopCounts c = {.first = first};
    for (int i = 0; i < code->count; i++) {
        if (!inside[i] || is_never(code->words[i]))
            continue;
        const Class class = class_of(code->words[i]);
        c.size++;
        c.products += class == product;
        c.integers += class == CLASS_INTEGER;
        c.copies += class == CLASS_COPY;
        c.matrices += class == CLASS_MATRIX;
        c.loads += class == CLASS_LOAD;
        c.memory += class == CLASS_MEMORY;
        c.branches += class == CLASS_BRANCH;
    }
    return c;
}

/* A loop that stores into global memory finishes outputs, whatever it multiplies for them. */
static bool has_store(const Code *code, const bool *inside)
{
    enum { STG = 0x186 };
    bool found = false;
    for (int i = 0; i < code->count && !found; i++)
        found = inside[i] && (opcode_of(code->words[i]) & 0x1ff) == STG;
    return found;
}

int count_loops(const Code *code, LoopCounts *loops, int room)
{
    bool *const inside = calloc(3 * (size_t)code->count + 1, sizeof *inside), *const other = inside + code->count,
                *const seen = other + code->count;
    Class product = CLASS_PLAIN;
    int n = 0;
    if (!inside)
        abort();
    for (int i = 0; i < code->count; i++)
        product = is_tensor_product(code->words[i]) ? CLASS_TENSOR : product;
    for (int i = 0; i < code->count && n < room; i++) {
        if (seen[i] || class_of(code->words[i]) != product)
            continue;
        const int size = smallest_loop(code, i, inside);
        bool has_smaller = size == 0;
        for (int j = 0; j < code->count && !has_smaller; j++)
            has_smaller = inside[j] && class_of(code->words[j]) == product && smallest_loop(code, j, other) < size;
        if (has_smaller)
            continue;
        for (int j = 0; j < code->count; j++)
            seen[j] |= inside[j];
        if (product == CLASS_PLAIN && has_store(code, inside))
            continue;
        loops[n++] = count(code, inside, i, product);
    }
    free(inside);
    return n;
}

bool find_bound(const char *text, const char *name, LoopBound *bound)
{
    for (; *text; text += strcspn(text, "\n"), text += *text != '\0')
        if (sscanf(text, "%23s %lf %lf %lf %lf %lf %lf", bound->name, &bound->integers, &bound->per_copy, &bound->per_matrix,
                   &bound->per_load, &bound->per_access, &bound->products) == 7 &&
            strcmp(bound->name, name) == 0)
            return true;
    return false;
}

double most_integers(const LoopBound *bound, const LoopCounts *loop)
{
    return bound->integers + bound->per_copy * loop->copies + bound->per_matrix * loop->matrices + bound->per_load * loop->loads +
           bound->per_access * loop->memory;
}
