/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One arena per run: everything the generator allocates lives until arena_free.
 * Out of memory is the one fault it cannot report upwards: it prints and exits with status 2. */
#ifndef MIKGEN_IR_ARENA_H
#define MIKGEN_IR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Arena Arena;

/* Says that memory has run out, and ends with exit status 2, as every function here does then. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void arena_out_of_memory(void);

Arena *arena_new(void);
void arena_free(Arena *arena);
/* An arena that ends with this one: the same at every call. */
Arena *arena_child(Arena *arena);
/* Everything allocated from it so far is gone; its memory is used again. */
void arena_reset(Arena *arena);

/* `size` zeroed bytes, aligned for any type; never NULL. Owned by the arena. */
void *arena_alloc(Arena *arena, size_t size);

/* A copy of the first `len` bytes of `text`, NUL-terminated. Owned by the arena. */
char *arena_strndup(Arena *arena, const char *text, size_t len);

/* printf into the arena. Owned by the arena. */
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args);

#define arena_new_array(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

/* A growable array of pointers in an arena: `items` moves when it grows. */
typedef struct Vec {
    void **items;
    int count, capacity;
} Vec;

void vec_push(Arena *arena, Vec *vec, void *item);

/* A growable text, NUL-terminated at every moment. Zero-initialise; owned by the arena. */
typedef struct Text {
    Arena *arena;
    char *data;
    size_t size, capacity;
} Text;

void text_init(Text *text, Arena *arena);
void text_putc(Text *text, char c);
void text_puts(Text *text, const char *s);
void text_putn(Text *text, const char *s, size_t len); /* the first `len` bytes, which may be any */
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
