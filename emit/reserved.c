/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit/reserved.def as a table that is searched by name, by language and by where a name is taken. */
#include "emit/reserved.h"

#include <stdlib.h>
#include <string.h>

#define RESERVED(kind, ...) static const char *const kind[] = {__VA_ARGS__};
#include "emit/reserved.def"
#undef RESERVED

/* What a kind of names keeps from being called so, in C and in CUDA: `inside`: parameters, variables, arrays, which are of no
 * consequence to what stands at file scope unless the same function needs that; `outside`: functions, and why. */
typedef struct Kind {
    const char *const *names;
    size_t count;
    bool inside_c, inside_cuda;
    const char *outside_c, *outside_cuda;
} Kind;

#define NAMES(kind) kind, sizeof kind / sizeof *kind
static const char c_keyword[] = "is a keyword of C", cpp_keyword[] = "is a keyword of C++", cuda_word[] = "is a word of CUDA",
                  macro[] = "is a macro of system headers", declared[] = "is what a header of the C library declares",
                  cuda_macro[] = "is a macro of CUDA's headers", cuda_declared[] = "is what a header of CUDA declares";
/* clang-format off */
static const Kind kinds[] = {
    {NAMES(C_KEYWORD), true, true, c_keyword, c_keyword},
    {NAMES(CPP_KEYWORD), true, true, cpp_keyword, cpp_keyword}, /* in C too: C++ reads the header */
    {NAMES(CUDA_WORD), false, true, NULL, cuda_word},
    {NAMES(USED), true, true, declared, declared},
    {NAMES(OURS), true, true, NULL, NULL},
    {NAMES(PLATFORM), true, true, macro, macro},
    {NAMES(MACRO), true, true, macro, macro},
    {NAMES(HEADER), false, false, declared, declared},
    {NAMES(CUDA_MACRO), false, true, NULL, cuda_macro},
    {NAMES(CUDA_HEADER), false, false, NULL, cuda_declared},
};
/* clang-format on */

/* How reserved names begin: with `start` and then any character, or one of `then`. */
typedef struct Beginning {
    const char *start, *then;
    bool inside, cuda_only;
    const char *outside;
} Beginning;

static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_", lower[] = "abcdefghijklmnopqrstuvwxyz_";
static const char compilers[] = "begins as names of compilers and system headers do", ours[] = "begins as names do that every file defines";
static const char digits[] = "0123456789";
/* f32z16_load, the vectors of loops. */
#define VECTORS(type) \
    {type "z", digits, true, false, ours}, {type "y", digits, true, false, ours}, { type "p", digits, true, false, ours }
/* clang-format off */
static const Beginning beginnings[] = {
    VECTORS("f16"), VECTORS("f32"), VECTORS("f64"), VECTORS("i8"), VECTORS("i16"), VECTORS("i32"), VECTORS("i64"),
    VECTORS("u8"), VECTORS("u16"), VECTORS("u32"), VECTORS("u64"), VECTORS("mask"),
    {"__", NULL, true, false, compilers}, /* C11 7.1.3 */
    {"_", upper, true, false, compilers},
    {"_mm", NULL, true, false, compilers}, /* intrinsics */
    {"_", NULL, false, false, compilers},
    {"mik_", NULL, true, false, ours},
    {"MIK_", NULL, true, false, ours},
    {"MIKGEN_", NULL, true, false, ours},
    {"mikgen_", NULL, true, false, ours},
    {"cuda", upper, true, true, cuda_declared},
    {"CUDA", NULL, true, true, cuda_macro},
    {"CU", lower, true, true, cuda_declared},
    {"cu", upper, true, true, cuda_declared},
    {"NV_", NULL, true, true, cuda_macro},
    {"NVCL_", NULL, true, true, cuda_declared},
};
/* clang-format on */

static int compare(const void *name, const void *item) { return strcmp(name, *(const char *const *)item); }

static bool is_in(const Kind *kind, const char *name)
{
    return bsearch(name, kind->names, kind->count, sizeof *kind->names, compare) != NULL;
}

static bool begins(const Beginning *b, const char *name, bool cuda)
{
    const size_t len = strlen(b->start);
    return (cuda || !b->cuda_only) && strncmp(name, b->start, len) == 0 && (!b->then || (name[len] && strchr(b->then, name[len])));
}

/* Headers have guards: NAME_DYN_H. */
static bool is_guard(const char *name)
{
    static const char end[] = "_DYN_H";
    const size_t len = strlen(name), n = sizeof end - 1;
    return len > n && strcmp(name + len - n, end) == 0;
}

bool name_begins_reserved(const char *name, bool cuda)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (beginnings[i].inside && begins(&beginnings[i], name, cuda))
            return true;
    return false;
}

bool name_is_keyword(const char *name) { return is_in(&kinds[0], name); }

bool name_is_reserved(const char *name, bool cuda)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((cuda ? kinds[i].inside_cuda : kinds[i].inside_c) && is_in(&kinds[i], name))
            return true;
    return is_guard(name) || name_begins_reserved(name, cuda);
}

const char *name_is_taken(const char *name, bool cuda)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *why = cuda ? kinds[i].outside_cuda : kinds[i].outside_c;
        if (why && is_in(&kinds[i], name))
            return why;
    }
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(&beginnings[i], name, cuda))
            return beginnings[i].outside;
    return is_guard(name) ? "ends as the guards of headers do" : NULL;
}
