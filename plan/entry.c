#include "plan/entry.h"

void note_entry_facts(const Func *f)
{
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++) {
            const Node *extent = f->params[i]->extent[d];
            while (extent->kind == N_CAST && type_bits(extent->type) >= type_bits(extent->kid[0]->type))
                extent = extent->kid[0];
            if (extent->kind != N_VAR || extent->sym->kind != S_PARAM || !type_is_signed(extent->type))
                continue;
            extent->sym->has_range = true;
            extent->sym->lo = 0;
            extent->sym->hi = type_max(extent->type);
        }
}
