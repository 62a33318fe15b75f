/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks, cut from the front; those that a reset has emptied are used again. AddressSanitizer sees each allocation by itself: what is not
 * allocated of a chunk is poisoned, and of what is, some bytes behind it. */
#include "ir/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
enum { GAP = 16 }; /* bytes that stay poisoned behind an allocation */
#else
#define ASAN_POISON_MEMORY_REGION(p, size)   ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(p, size) ((void)0)
enum { GAP = 0 };
#endif

enum { CHUNK = 64 * 1024 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
    bool is_reused;
    alignas(max_align_t) char data[];
} Chunk;

struct Arena {
    Chunk *chunks, *spare; /* spare: emptied by arena_reset, not zero */
    Arena *child;
};

void arena_out_of_memory(void)
{
    fputs("mikgen: internal error: out of memory\n", stderr);
    exit(2);
}

static void *must(void *p)
{
    if (!p)
        arena_out_of_memory();
    return p;
}

Arena *arena_new(void) { return must(calloc(1, sizeof(Arena))); }

Arena *arena_child(Arena *arena)
{
    if (!arena->child)
        arena->child = arena_new();
    return arena->child;
}

static void free_chunks(Chunk *c)
{
    for (Chunk *next; c; c = next) {
        next = c->next;
        free(c);
    }
}

void arena_free(Arena *arena)
{
    if (!arena)
        return;
    arena_free(arena->child);
    free_chunks(arena->chunks);
    free_chunks(arena->spare);
    free(arena);
}

void arena_reset(Arena *arena)
{
    while (arena->chunks) {
        Chunk *c = arena->chunks;
        arena->chunks = c->next;
        ASAN_POISON_MEMORY_REGION(c->data, c->size);
        c->used = 0;
        c->is_reused = true;
        c->next = arena->spare;
        arena->spare = c;
    }
}

/* With room for `size` bytes, in front of the arena's chunks. */
static Chunk *add_chunk(Arena *arena, size_t size)
{
    Chunk *c = arena->spare;
    if (c && c->size >= size) {
        arena->spare = c->next;
    } else {
        size_t room = size > CHUNK ? size : CHUNK;
        c = must(calloc(1, sizeof(Chunk) + room));
        c->size = room;
        ASAN_POISON_MEMORY_REGION(c->data, room);
    }
    c->next = arena->chunks;
    return arena->chunks = c;
}

void *arena_alloc(Arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    const size_t room = (size + align - 1) / align * align + GAP;
    Chunk *c = arena->chunks;
    if (!c || c->size - c->used < room)
        c = add_chunk(arena, room);
    void *p = c->data + c->used;
    c->used += room;
    ASAN_UNPOISON_MEMORY_REGION(p, size);
    return c->is_reused ? memset(p, 0, size) : p;
}

char *arena_strndup(Arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *out = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(out, (size_t)len + 1, format, again);
    va_end(again);
    return out;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *out = arena_vprintf(arena, format, args);
    va_end(args);
    return out;
}

void vec_push(Arena *arena, Vec *vec, void *item)
{
    if (vec->count == vec->capacity) {
        int capacity = vec->capacity ? 2 * vec->capacity : 8;
        void **items = arena_new_array(arena, void *, capacity);
        if (vec->count)
            memcpy(items, vec->items, sizeof(void *) * (size_t)vec->count);
        vec->items = items;
        vec->capacity = capacity;
    }
    vec->items[vec->count++] = item;
}

void text_init(Text *text, Arena *arena)
{
    text->arena = arena;
    text->size = 0;
    text->capacity = 256;
    text->data = arena_alloc(arena, text->capacity);
}

static void text_append(Text *text, const char *s, size_t len)
{
    if (text->size + len + 1 > text->capacity) {
        size_t capacity = 2 * text->capacity;
        while (capacity < text->size + len + 1)
            capacity *= 2;
        char *data = arena_alloc(text->arena, capacity);
        memcpy(data, text->data, text->size);
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, s, len);
    text->size += len;
    text->data[text->size] = '\0';
}

void text_putc(Text *text, char c) { text_append(text, &c, 1); }

void text_putn(Text *text, const char *s, size_t len) { text_append(text, s, len); }

void text_puts(Text *text, const char *s) { text_append(text, s, strlen(s)); }

void text_printf(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *s = arena_vprintf(text->arena, format, args);
    va_end(args);
    text_puts(text, s);
}
