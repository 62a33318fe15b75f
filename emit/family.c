/* SPDX-License-Identifier: GPL-3.0-or-later */
/* families[] of the model: the variant table of plan/kernels/kernel.c as JSON. */
#include "emit/stage.h"

#include "plan/kernels/cover.h"
#include "plan/kernels/kernel.h"
#include <stdlib.h>
#include <string.h>

/* Costs as C text: JSON's numbers carry more digits than anyone measures. */
static json_t *nanoseconds(Arena *arena, double x) { return json_string(arena_printf(arena, "%.4g", x)); }

static json_t *tiles(Arena *arena, Family family, const KernelSet *set)
{
    json_t *out = json_array();
    for (int i = 0; i < set->ntiles; i++) {
        const TileKernel *k = &set->tiles[i];
        json_t *g = json_array();
        for (int j = 0; j < G_KNOTS; j++)
            json_array_append_new(g, nanoseconds(arena, k->g[j]));
        json_array_append_new(out, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:o}", "mr", k->mr, "nv", k->nv, "sets", k->sets, "uM",
                                             k->uM, "uN", k->uN, "uK", k->uK, "symbol", tile_symbol(arena, family, set, k), "g", g));
    }
    return out;
}

static json_t *dots(Arena *arena, Family family, const KernelSet *set)
{
    json_t *out = json_array();
    for (int i = 0; i < set->ndots; i++) {
        const DotKernel *k = &set->dots[i];
        json_array_append_new(out, json_pack("{s:i, s:i, s:i, s:s}", "rows", k->rows, "cols", k->cols, "sets", k->sets, "symbol",
                                             dot_symbol(arena, family, set, k)));
    }
    return out;
}

static json_t *move(Arena *arena, const MoveCosts *c)
{
    const struct {
        const char *name;
        double value;
    } times[] = {{"pack", c->pack}, {"gather", c->gather},     {"convert", c->convert}, {"column", c->column},
                 {"far", c->far},   {"conflict", c->conflict}, {"far_a", c->far_a},     {"conflict_a", c->conflict_a},
                 {"read", c->read}, {"read_all", c->read_all}, {"task", c->task}};
    json_t *o = json_pack("{s:i}", "side", c->side);
#define ENGINE_SIZE(word, ...) json_object_set_new(o, #word, json_integer(c->word));
#define ENGINE_KNOB(word, ...)
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        json_object_set_new(o, times[i].name, nanoseconds(arena, times[i].value));
    return o;
}

/* What C says for one of the engine's blocking parameters. */
static json_t *engine_text(Arena *arena, const EngineKnobInfo *info, int value)
{
    return json_string(info->whole == 1 ? arena_printf(arena, "%d", value) : arena_printf(arena, "%.2ff", (double)value / info->whole));
}

/* The blocking parameters of the engine's text, by name. */
static json_t *engine(Arena *arena, const KernelSet *set)
{
    json_t *o = json_object();
    for (int i = 0; i < ENGINE_KNOBS; i++)
        if (engine_knob_info[i].in_text)
            json_object_set_new(o, engine_knob_info[i].name, engine_text(arena, &engine_knob_info[i], engine_number(set, (EngineKnob)i)));
    return o;
}

json_t *stage_engine_numbers(void)
{
    json_t *out = json_array();
    for (int i = 0; i < ENGINE_KNOBS; i++) {
        const EngineKnobInfo *info = &engine_knob_info[i];
        json_array_append_new(
            out, json_pack("{s:s, s:s, s:i}", "name", info->name, "of", info->in_text ? "fitted" : "move", "whole", info->whole));
    }
    return out;
}

/* Are they others than those that the text has, on some instruction set? */
static bool engine_is_fitted(const KernelSet *sets, int n)
{
    for (int i = 0; i < n; i++)
        if (memcmp(&sets[i].engine, &engine_usual, sizeof engine_usual) != 0)
            return true;
    return false;
}

static json_t *numbers(const unsigned char *x, int n)
{
    json_t *out = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(out, json_integer(x[i]));
    return out;
}

/* The solved covers, as plan/kernels/cover.h describes them; widths without kernels are left out of `heights`. */
static json_t *covers(const CoverTables *t)
{
    json_t *columns = json_array(), *heights = json_array(), *main = json_array();
    for (int r = 0; r < COVER_REGIMES; r++) {
        json_t *classes = json_array(), *widths = json_object();
        for (int m = 1; m <= COVER_ROWS; m++)
            json_array_append_new(classes, numbers(t->columns[r][m], COVER_COLUMNS + 1));
        for (int nv = 1; nv < COVER_WIDTHS; nv++)
            if (t->reach[nv]) {
                char key[12];
                snprintf(key, sizeof key, "%d", nv);
                json_object_set_new(widths, key, numbers(t->heights[r][nv], t->reach[nv] + 1));
            }
        json_array_append_new(columns, classes);
        json_array_append_new(heights, widths);
        json_array_append_new(main, numbers(t->main[r], COVER_WIDTHS));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "columns", columns, "heights", heights, "main", main, "reach",
                     numbers(t->reach, COVER_WIDTHS));
}

/* ---------------------------------------------------------------- what contractions use of a family */

/* What may be true of a contraction and a family. */
typedef bool ContractionTest(const Contraction *c, Family family);

static bool any_meets(const Vec *contractions, Family family, ContractionTest *test)
{
    for (int i = 0; i < contractions->count; i++)
        if (test(contractions->items[i], family))
            return true;
    return false;
}

/* An operand describes itself (emit/stage_gather.c). */
static bool gathers(const Contraction *c, Family family) { return c->family == family && (c->a.gather || c->b.gather); }

/* A B that was prepacked, of calls or of the blocks of a chain, is read in place. */
static bool reads_ahead(const Contraction *c, Family family)
{
    const bool prepacked = c->ahead_b.of && !c->quantized && (c->dots == FAM_COUNT ? c->family : c->dots) == family;
    return prepacked || (c->family == family && (c->turns || (c->with.in_chain && family_unit(family) == 1)));
}

/* Its roles may be exchanged at a call. */
static bool turns(const Contraction *c, Family family) { return c->turns && c->family == family; }

/* Panels of a B that was prepacked for dot products are read. */
static bool reads_words(const Contraction *c, Family family) { return c->ahead_b.of && c->family == family && c->dots != FAM_COUNT; }

/* Rows of an A that was prepacked are read: */
static bool reads_rows(const Contraction *c, Family family)
{
    return c->ahead_a.of && (c->dots != FAM_COUNT ? c->dots : c->family) == family;
}

/* of words for dot products, which the family unpacks. */
static bool reads_row_words(const Contraction *c, Family family) { return c->ahead_a.of && c->dots != FAM_COUNT && c->family == family; }

/* The generator solves its covers. */
static bool has_fixed_covers(const Contraction *c, Family family) { return c->family == family && c->chosen.covers; }

/* Tiles of dot products may read an A where it is, word by word, */
static bool reads_a_words(const Contraction *c, Family family) { return c->dots == family && stage_a_is_words(c); }

/* and jump from row to row. */
static bool jumps(const Contraction *c, Family family)
{
    return (c->a.rows && reads_a_words(c, family)) || (family_unit(family) == 1 && gathers(c, family));
}

/* Outputs of a row of Winograd's tiles, at most; 0: none may have them. */
static int winograd(const Vec *contractions, Family family)
{
    int most = 0;
    for (int i = 0; i < contractions->count; i++) {
        const Contraction *c = contractions->items[i];
        if (c->family == family && c->winograd > most)
            most = c->winograd;
    }
    return most;
}

static int shares_anything(const Quantized *q)
{
    int any = 0;
    for (int i = 0; i < SHARED_COUNT; i++)
        any |= q->shared[i] != NULL;
    return any;
}

/* Of those that read a B prepacked as codes, for each kind: 1 << bits of a code, 1 << 17 for bf16; and 1 if groups of steps share
 * anything. [] if there are none. */
static json_t *codes_read(const Vec *contractions, Family family)
{
    int codes[CODE_KINDS] = {0}, any = 0;
    for (int i = 0; i < contractions->count; i++) {
        const Contraction *c = contractions->items[i];
        if (c->family == family && c->ahead_b.of && c->quantized)
            any = codes[c->quantized->kind] |= 1 << (c->quantized->bits + (c->quantized->code->type == T_BF16)) |
                                               shares_anything(c->quantized);
    }
    json_t *out = json_array();
    for (int kind = 0; any && kind < CODE_KINDS; kind++)
        json_array_append_new(out, json_integer(codes[kind]));
    return out;
}

/* The array whose elements the family's packing converts into panels, or NULL. */
static const Sym *converted(const Operand *o) { return o->in_place ? NULL : stage_packs(o); }

static bool has_part(const Contraction *c, Family family) { return c->family == family || c->dots == family; }

/* The types of memory that the family's packing converts into its panels, each once. */
static json_t *sources(const Vec *contractions, Family family)
{
    bool used[T_COUNT] = {false};
    for (int i = 0; i < contractions->count; i++) {
        const Contraction *c = contractions->items[i];
        const Operand *operands[] = {&c->a, &c->b};
        for (int k = 0; k < 2; k++)
            if (has_part(c, family) && converted(operands[k]))
                used[converted(operands[k])->type] = true;
    }
    json_t *out = json_array();
    for (int t = 0; t < T_COUNT; t++)
        if (used[t])
            json_array_append_new(out, json_string(stored_name((Type)t)));
    return out;
}

/* The types that some sums of the family are only rounded to, which its kernels can store: bits, 1: bf16; 2: half. */
static int narrows(const Vec *contractions, Family family)
{
    int types = 0;
    for (int i = 0; i < contractions->count; i++) {
        const Contraction *c = contractions->items[i];
        if (has_part(c, family) && c->lowered.converts && !c->lowered.hooks[HOOK_EPILOGUE].func)
            types |= c->c.array->type == T_BF16 ? 1 : 2;
    }
    return family == FAM_F32 ? types : family == FAM_BF16 ? types & 1 : 0;
}

static void add_uses(json_t *o, const Vec *contractions, Family family)
{
    static const struct {
        const char *name;
        ContractionTest *test;
    } all[] = {{"gathers", gathers},   {"fixed_covers", has_fixed_covers}, {"ahead", reads_ahead},         {"turned", turns},
               {"words", reads_words}, {"rows_ahead", reads_rows},         {"row_words", reads_row_words}, {"a_words", reads_a_words},
               {"jumps", jumps}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_object_set_new(o, all[i].name, json_boolean(any_meets(contractions, family, all[i].test)));
    json_object_set_new(o, "winograd", json_integer(winograd(contractions, family)));
    json_object_set_new(o, "quantized", codes_read(contractions, family));
}

/* ---------------------------------------------------------------- families */

/* `always_dots`: wherever there are dot-product instructions, another family has the family's work. */
static json_t *family_model(Kernels *kernels, Family family, bool always_dots)
{
    Arena *arena = kernels->arena;
    const KernelSet *sets = kernels_of(kernels, family);
    const bool fitted = kernels->opt.vary || engine_is_fitted(sets, kernel_set_count(family, &kernels->opt));
    json_t *isas = json_array();
    int tile_size = 0;
    for (int i = 0; i < kernel_set_count(family, &kernels->opt); i++) {
        const KernelSet *s = &sets[i];
        if (always_dots && !isa_kernels[isa_named(s->isa)][FAM_F32].text)
            continue;
        for (int k = 0; k < s->ntiles; k++) {
            int size = s->tiles[k].mr * s->tiles[k].nv * s->lanes;
            tile_size = size > tile_size ? size : tile_size;
        }
        json_array_append_new(isas, json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                                              "name", s->isa, "target", s->target, "level", s->level, "lanes", s->lanes, "registers",
                                              s->registers, "shallow", numbers(s->shallow, s->nshallow), "slim", s->nslim, "row", s->nrow,
                                              "panels", s->npanels, "column", numbers(s->column, s->ncolumn), "kernels",
                                              tiles(arena, family, s), "dots", dots(arena, family, s), "dot_step",
                                              nanoseconds(arena, s->dot_step), "dot_tile", nanoseconds(arena, s->dot_tile), "dot_sum",
                                              nanoseconds(arena, s->dot_sum), "move", move(arena, &s->move), "cover", covers(s->cover)));
        if (fitted)
            json_object_set_new(json_array_get(isas, json_array_size(isas) - 1), "engine", engine(arena, s));
    }
    json_t *knots = json_array();
    for (int i = 0; i < G_KNOTS; i++)
        json_array_append_new(knots, json_integer(g_knots[i]));
    json_t *o = json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:i, s:o}", "name", family_name(family), "acc", family_acc(family), "panel",
                          family_panel(family), "unit", family_unit(family), "head", family_head(family), "isas", isas, "tile_size",
                          tile_size, "knots", knots);
    json_object_set_new(o, "sweeps", json_boolean(sets[0].nshallow > 0));
    json_object_set_new(o, "fitted", json_boolean(fitted));
    json_object_update_new(o, json_pack("{s:i, s:i, s:i, s:i}", "cover_rows", COVER_ROWS, "cover_columns", COVER_COLUMNS, "cover_heights",
                                        COVER_HEIGHTS, "cover_steps", COVER_STEPS));
    return o;
}

/* What operators that are not known yet may want of a family: every part of it. */
static void make_whole(json_t *family, Family f)
{
    static const char *const sources[FAM_COUNT][4] = {
        [FAM_F32] = {"half", "bf16"}, [FAM_I8] = {"s8", "u8", "s16"}, [FAM_BF16] = {"bf16"}, [FAM_U8S8] = {"s8", "u8"}};
    json_t *list = json_array();
    for (int i = 0; i < 4 && sources[f][i]; i++)
        json_array_append_new(list, json_string(sources[f][i]));
    json_object_set_new(family, "gathers", json_boolean(family_unit(f) == 1));
    json_object_set_new(family, "fixed_covers", json_boolean(family_is_base(f)));
    json_object_set_new(family, "ahead", json_boolean(f != FAM_I8));
    json_object_set_new(family, "turned", json_boolean(family_unit(f) == 1));
    json_object_set_new(family, "words", json_boolean(f == FAM_I8 || f == FAM_F32));
    json_object_set_new(family, "rows_ahead", json_boolean(f != FAM_I8));
    json_object_set_new(family, "row_words", json_boolean(f == FAM_I8 || f == FAM_F32));
    json_t *codes = json_array();
    for (int kind = 0; f == FAM_F32 && kind < CODE_KINDS; kind++)
        json_array_append_new(codes,
                              json_integer(1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 8 | (kind == CODE_WHOLE_ZEROS ? 0 : 1 << 16 | 1 << 17)));
    json_object_set_new(family, "quantized", codes);
    json_object_set_new(family, "sources", list);
    json_object_set_new(family, "narrows", json_integer(f == FAM_F32 ? 3 : f == FAM_BF16));
    json_object_set_new(family, "a_words", json_boolean(family_head(f) > 0));
    json_object_set_new(family, "jumps", json_boolean(family_unit(f) == 1 || family_head(f) > 0));
}

/* tables: 64-bit FNV-1a of the family's kernels and their order, by whose numbers operators speak of them. */
static void add_fingerprint(Arena *arena, json_t *family)
{
    char *text = json_dumps(json_object_get(family, "isas"), JSON_SORT_KEYS | JSON_COMPACT);
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *p = text; *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    free(text);
    json_object_set_new(family, "tables", json_string(arena_printf(arena, "0x%016llx", (unsigned long long)h)));
}

json_t *stage_whole_families(const bool *used, Kernels *kernels, int winograd)
{
    json_t *out = json_array();
    for (int f = 0; f < FAM_COUNT; f++) {
        if (!used[f])
            continue;
        json_t *family = family_model(kernels, (Family)f, false);
        make_whole(family, (Family)f);
        json_object_set_new(family, "winograd", json_integer(f == FAM_F32 || f == FAM_F64 ? winograd : 0));
        add_fingerprint(kernels->arena, family);
        json_array_append_new(out, family);
    }
    return out;
}

json_t *stage_families(Plan *const *plans, int nplans, Kernels *kernels, bool cuda)
{
    bool used[FAM_COUNT] = {false}, without_dots[FAM_COUNT] = {false};
    Vec contractions = {0};
    for (int i = 0; i < nplans; i++)
        for (int j = 0; j < contraction_count(plans[i]); j++) {
            const Contraction *c = contraction_at(plans[i], j);
            vec_push(kernels->arena, &contractions, (void *)c);
            cuda ? (void)(used[c->family] = true) : note_families(c, used);
            without_dots[c->family] |= c->dots == FAM_COUNT;
        }
    json_t *out = json_array();
    for (int f = 0; f < FAM_COUNT; f++) {
        if (!used[f])
            continue;
        json_t *family = cuda ? json_pack("{s:s}", "name", family_name((Family)f))
                              : family_model(kernels, (Family)f, family_is_base((Family)f) && !without_dots[f]);
        add_uses(family, &contractions, (Family)f);
        if (!cuda) {
            json_object_set_new(family, "sources", sources(&contractions, (Family)f));
            json_object_set_new(family, "narrows", json_integer(narrows(&contractions, (Family)f)));
        }
        json_array_append_new(out, family);
    }
    return out;
}
