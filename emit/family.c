/* families[] of the model: the variant table of plan/kernel.c as JSON. */
#include "emit/stage.h"
#include "plan/gpu.h"
#include "plan/kernel.h"

static json_t *tiles(Arena *arena, Family family, const KernelSet *set)
{
    json_t *out = json_array();
    for (int i = 0; i < set->ntiles; i++) {
        const TileKernel *k = &set->tiles[i];
        json_array_append_new(out, json_pack("{s:i, s:i, s:i, s:s, s:f, s:f}", "mr", k->mr, "nv", k->nv, "sets", k->sets, "symbol",
                                             tile_symbol(arena, family, set, k), "per_step", k->per_step, "per_tile", k->per_tile));
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

static json_t *costs(Family family)
{
    MoveCosts c = move_costs(family);
    json_t *o = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "pack", c.pack, "gather", c.gather, "convert", c.convert, "far", c.far,
                          "conflict", c.conflict, "far_a", c.far_a, "conflict_a", c.conflict_a);
    json_object_update_new(o, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "near_bytes", c.near_bytes, "conflict_bytes",
                                        c.conflict_bytes, "l2_bytes", c.l2_bytes,
                                        "l3_bytes", c.l3_bytes, "kc", c.kc, "dot_columns", c.dot_columns, "task", c.task));
    return o;
}

/* `always_dots`: wherever there are dot-product instructions, another family has the family's work. */
static json_t *family_model(Arena *arena, Family family, int max_kernels, bool always_dots)
{
    int count;
    KernelSet *sets = kernel_sets(arena, family, max_kernels, &count);
    json_t *isas = json_array();
    int tile_size = 0;
    for (int i = 0; i < count; i++) {
        const KernelSet *s = &sets[i];
        if (always_dots && s->level == DOTS_LEVEL)
            continue;
        for (int k = 0; k < s->ntiles; k++) {
            int size = s->tiles[k].mr * s->tiles[k].nv * s->lanes;
            tile_size = size > tile_size ? size : tile_size;
        }
        json_array_append_new(isas, json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:f, s:f, s:f}", "name", s->isa, "target", s->target,
                                              "level", s->level, "lanes", s->lanes, "kernels", tiles(arena, family, s), "dots", dots(arena, family, s),
                                              "dot_step", s->dot_step, "dot_tile", s->dot_tile, "dot_sum", s->dot_sum));
    }
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:i, s:o}", "name", family_name(family), "acc", family_acc(family), "panel",
                     family_panel(family), "unit", family_unit(family), "head", family_head(family), "isas", isas, "tile_size",
                     tile_size, "costs", costs(family));
}

/* On a GPU each stage has kernels of its own; the file shares what depends on the depth of their rings only. */
static json_t *device_family_model(Arena *arena, Family family, int max_kernels)
{
    int count;
    const GpuKernel *kernels = gpu_kernels(arena, family, max_kernels, &count);
    json_t *stages = json_array();
    for (int depth = 2; depth <= 5; depth++)
        for (int i = 0; i < count; i++)
            if (kernels[i].stages == depth) {
                json_array_append_new(stages, json_integer(depth));
                break;
            }
    return json_pack("{s:s, s:o}", "name", family_name(family), "stages", stages);
}

/* The types of memory that the family's packing converts into its panels, each once. */
static json_t *sources(Plan *const *plans, int nplans, Family family)
{
    bool used[T_COUNT] = {false};
    for (int i = 0; i < nplans; i++)
        for (int j = 0; j < plans[i]->ncontractions; j++) {
            const Contraction *c = plans[i]->contractions[j];
            const Operand *operands[] = {&c->a, &c->b};
            for (int k = 0; k < 2; k++)
                if ((c->family == family || c->dots == family) && operands[k]->strided && !operands[k]->in_place)
                    used[operands[k]->array->type] = true;
        }
    json_t *out = json_array();
    for (int t = 0; t < T_COUNT; t++)
        if (used[t])
            json_array_append_new(out, json_string(stored_name((Type)t)));
    return out;
}

json_t *stage_families(Arena *arena, Plan *const *plans, int nplans, int max_kernels, bool cuda)
{
    bool used[FAM_COUNT + 1] = {false}, without_dots[FAM_COUNT] = {false};
    for (int i = 0; i < nplans; i++)
        for (int j = 0; j < plans[i]->ncontractions; j++) {
            used[plans[i]->contractions[j]->family] = true;
            used[cuda ? FAM_COUNT : plans[i]->contractions[j]->dots] = true;
            without_dots[plans[i]->contractions[j]->family] |= plans[i]->contractions[j]->dots == FAM_COUNT;
        }
    json_t *out = json_array();
    for (int f = 0; f < FAM_COUNT; f++) {
        if (!used[f])
            continue;
        const bool base = f == FAM_F32 || f == FAM_F64 || f == FAM_I8;
        json_t *family = cuda ? device_family_model(arena, (Family)f, max_kernels)
                              : family_model(arena, (Family)f, max_kernels, base && !without_dots[f]);
        if (!cuda)
            json_object_set_new(family, "sources", sources(plans, nplans, (Family)f));
        json_array_append_new(out, family);
    }
    return out;
}
