/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of instruction sets as JSON. */
#include "emit/sets.h"

#include <string.h>

#include "plan/targets.h"

/* The words of a text, one blank between two. */
static json_t *words(const char *text)
{
    json_t *all = json_array();
    while (*text) {
        const size_t length = strcspn(text, " ");
        json_array_append_new(all, json_stringn(text, length));
        text += length + (text[length] == ' ');
    }
    return all;
}

static json_t *kernels(int isa)
{
    json_t *all = json_object();
    for (int f = 0; f < FAM_COUNT; f++) {
        const IsaKernels *k = &isa_kernels[isa][f];
        if (k->text)
            json_object_set_new(all, family_name((Family)f),
                                json_pack("{s:s, s:s, s:s, s:o, s:o}", "text", k->text, "macro", k->macro, "target", k->target, "needs",
                                          words(k->needs), "traits", words(k->traits)));
    }
    return all;
}

/* The numbers of the sets that have kernels of their own, and these vectors for loops. */
static json_t *numbers_of(VectorSetId set)
{
    json_t *numbers = json_array();
    for (int isa = ISA_COUNT - 1; isa >= 0; isa--)
        if (isa_kernels[isa][FAM_F32].text && isa_loops(isa) == set)
            json_array_append_new(numbers, json_integer(isa_info[isa].number));
    return numbers;
}

static json_t *loops(const char *name)
{
    for (int i = 0; i < SET_COUNT; i++) {
        const VectorSet *set = &vector_sets[i];
        if (strcmp(set->name, name) == 0)
            return json_pack("{s:s#, s:s, s:s, s:s, s:o, s:i, s:o}", "letter", &set->letter, (size_t)1, "guard", set->guard, "macro",
                             set->macro, "target", set->attribute, "features", words(set->features), "bytes", set->bytes, "numbers",
                             numbers_of((VectorSetId)i));
    }
    return json_null();
}

/* Loops know a set by its number or by that of what it stands on. */
static const char *loops_of(int isa)
{
    while (!isa_kernels[isa][FAM_F32].text)
        isa = (int)isa_info[isa].base;
    return isa_info[isa].name;
}

/* "avx512 dot products". */
static json_t *in_words(int isa)
{
    const IsaInfo *info = &isa_info[isa];
    return strcmp(info->word, info->name) == 0 ? json_string(info->word) : json_sprintf("%s %s", loops_of(isa), info->word);
}

json_t *sets_model(void)
{
    json_t *all = json_array();
    for (int i = 0; i < ISA_COUNT; i++) {
        const IsaInfo *isa = &isa_info[i];
        json_array_append_new(all,
                              json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "name", isa->name, "number",
                                        isa->number, "base", isa_info[isa->base].name, "guard", isa->guard, "prefix", isa->prefix, "word",
                                        isa->word, "full", isa->full, "features", words(isa->features), "in_words", in_words(i), "traits",
                                        words(isa->traits), "loops_of", loops_of(i), "kernels", kernels(i), "loops", loops(isa->name)));
    }
    return all;
}

json_t *sets_held(unsigned held)
{
    json_t *names = json_array();
    for (int i = 0; i < ISA_COUNT; i++)
        if (isa_is_held(held, i))
            json_array_append_new(names, json_string(isa_name(i)));
    return names;
}
