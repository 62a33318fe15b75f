/* The race check of global memory: blocks of one launch that touch a word, one of them writing, with nothing
 * between them. A block that has made any atomic, volatile or acquiring access counts as ordered with all
 * others: what it waited for is not followed. So this finds tiles that overlap, and no more. */
#include <stdlib.h>

#include "device.h"
#include "shadow.h"

/* Of each 4 bytes: who wrote them, and in which launch. */
typedef struct {
    uint32_t launch, block, inst, bytes;
} Word;

static uint32_t block_number(const Block *b)
{
    const uint32_t *grid = b->launch->grid;
    return b->id[0] + grid[0] * (b->id[1] + grid[1] * b->id[2]) + 1;
}

static Word *words_of(uint64_t address)
{
    Allocation *a = heap_find(address);
    if (!a)
        return NULL;
    if (!a->shadow)
        a->shadow = calloc(a->size / 4 + 2, sizeof(Word));
    return a->shadow ? (Word *)a->shadow + (address - a->start) / 4 : NULL;
}

void shadow_global(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind)
{
    Block *b = w->block;
    if (kind == ACCESS_ATOMIC || i->flow == FLOW_SPIN)
        b->is_synchronised = true;
    Word *word = words_of(address);
    if (!word || b->is_synchronised)
        return;
    uint32_t number = block_number(b), launch = w->launch->number;
    for (uint64_t at = address; at < address + size; at = at / 4 * 4 + 4, word++) {
        uint64_t stop = at / 4 * 4 + 4 < address + size ? 4 : address + size - at / 4 * 4;
        uint32_t bytes = (1u << stop) - (1u << at % 4);
        if (word->launch == launch && word->block != number && word->bytes & bytes)
            fault(w, i, lane, COC_RACE,
                  "this %s of global address 0x%llx and the write by block number %u, %s, are not ordered",
                  kind == ACCESS_READ ? "read" : "write", (unsigned long long)at, word->block - 1,
                  inst_text(w, &w->code->insts[word->inst]));
        if (kind == ACCESS_READ)
            continue;
        bool is_same = word->launch == launch && word->block == number;
        *word = (Word){launch, number, (uint32_t)(i - w->code->insts), is_same ? word->bytes | bytes : bytes};
    }
}
