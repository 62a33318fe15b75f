/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU's micro-kernels: all that the registers hold, with their analytical times. */
#include "plan/kernels/kernel.h"

#include "plan/kernels/cover.h"
#include "plan/kernels/measured.h"
#include "plan/kernels/rank.h"
#include "plan/profile/profile.h"

enum { MAX_SETS = 8, MAX_DOT_SETS = 4, MAX_SHALLOW_WIDTH = 4, PANEL_ROWS = 4, PANEL_BYTES = 128 };

/* clang-format off */
static const struct FamilyInfo {
    const char *acc, *panel;
    int bytes, size;  /* of a sum; of a panel's element */
    int unit, head;   /* of a panel: elements along k that one multiply-add takes, elements of a line before them */
    int kc;
    bool adds_apart;  /* a multiply-add is two instructions, with a vector between them */
} families[FAM_COUNT] = {
    [FAM_F32] = {"float", "float", 4, 4, 1, 0, 512, false},
    [FAM_F64] = {"double", "double", 8, 8, 1, 0, 384, false},
    [FAM_I8] = {"int32_t", "int16_t", 4, 2, 2, 0, 768, false},
    [FAM_I32] = {"uint32_t", "uint32_t", 4, 4, 1, 0, 512, true},
    [FAM_BF16] = {"float", "uint16_t", 4, 2, 2, 2, 1024, false},
    [FAM_U8S8] = {"int32_t", "uint8_t", 4, 1, 4, 4, 2048, false},
};
/* clang-format on */

/* What it gives a family. */
static bool has_family(int isa, Family family) { return isa_kernels[isa][family].text != NULL; }

bool family_is_base(Family family) { return has_family(ISA_PORTABLE, family); }
const char *family_acc(Family family) { return families[family].acc; }
const char *family_panel(Family family) { return families[family].panel; }
int family_unit(Family family) { return families[family].unit; }
int family_head(Family family) { return families[family].head; }

void note_families(const Contraction *c, bool *used)
{
    used[c->family] = true;
    if (c->dots != FAM_COUNT)
        used[c->dots] = true;
}

const KernelOptions kernel_defaults = {.n_gen = 32, .n_syn = 12, .n_mik = 64};

/* Nanoseconds of a cycle, for the analytical terms. */
static const double cycle = 0.28;

/* Cycles that a vector of B takes beside the multiply-adds, for it comes from the second cache. Far less than any of them, so that it
 * decides between tiles that are as fast otherwise: what one machine hides makes tiles of three rows a tenth slower than those of
 * fourteen on another one. */
static const double refill = 0.0075;

static double max3(double a, double b, double c)
{
    double m = a > b ? a : b;
    return m > c ? m : c;
}

/* The most sets, a power of two, with which all accumulators still number at most `limit`. */
static int accumulator_sets(int accumulators, int limit, int most)
{
    int sets = 1;
    while (sets < most && 2 * sets * accumulators <= limit)
        sets *= 2;
    return sets;
}

/* Analytical terms: a step takes as long as its multiply-adds, the cache lines of its row of B, which is seldom aligned
 * and so touches one more than it has vectors, or the elements of A, whatever takes longest. It takes `unit` elements. */
static TileKernel tile_kernel(const IsaInfo *isa, const struct FamilyInfo *family, int mr, int nv)
{
    TileKernel k = {.mr = mr, .nv = nv, .sets = accumulator_sets(mr * nv, isa->hide, MAX_SETS)};
    const double fma = family->adds_apart ? 2 * isa->fma : isa->fma;
    const double step = (max3(fma * mr * nv, isa->load * (nv + 1), isa->splat * mr) + refill * nv) / family->unit, tile = 16 + mr * nv;
    for (int i = 0; i < G_KNOTS; i++)
        k.g[i] = (g_knots[i] * step + tile) * cycle;
    return k;
}

/* Whether a tile with its operands fits the registers (DynaChain's constraints on a micro-kernel's shape). Vectors: all
 * sums, and of the operands of a step the shorter side and one of the longer, and perhaps a product. General ones: a pointer for every four
 * rows; three strides between rows, B, its stride and A's along k, the count, the tile, the stack and one to spare. */
static bool fits_registers(const IsaInfo *isa, const struct FamilyInfo *family, const TileKernel *k)
{
    enum { ROWS_PER_POINTER = 4, OTHERS = 10 };
    const int held = k->mr < k->nv ? k->mr : k->nv, pointers = (k->mr + ROWS_PER_POINTER - 1) / ROWS_PER_POINTER;
    return k->mr * k->nv * k->sets + held + 1 + family->adds_apart <= isa->registers && pointers + OTHERS <= isa->general;
}

/* All tiles, as far as the cover tables go. */
static void add_tiles(Arena *arena, KernelSet *set, const IsaInfo *isa, const struct FamilyInfo *family)
{
    set->tiles = arena_new_array(arena, TileKernel, isa->registers * COVER_WIDTHS);
    for (int nv = 1; nv < COVER_WIDTHS; nv++)
        for (int mr = 1; mr <= COVER_HEIGHTS; mr++) {
            const TileKernel k = tile_kernel(isa, family, mr, nv);
            if (fits_registers(isa, family, &k))
                set->tiles[set->ntiles++] = k;
        }
}

static void add_dots(Arena *arena, KernelSet *set, const IsaInfo *isa)
{
    int total = 0;
    for (int c = 0; c < MAX_DOT_COLS; c++)
        total += isa->dots[c];
    set->dots = arena_new_array(arena, DotKernel, total);
    for (int c = 1; c <= MAX_DOT_COLS; c++)
        for (int r = 1; r <= isa->dots[c - 1]; r++)
            set->dots[set->ndots++] = (DotKernel){r, c, accumulator_sets(r * c, isa->hide / 2 + 4, MAX_DOT_SETS)};
}

/* A row of B for each step in registers, beside the sums of a row and an element of A; with a single vector of columns, as
 * many steps as leave room for the sums of the next row to begin. */
static void add_shallow(KernelSet *set, const IsaInfo *isa)
{
    while (set->nshallow < SHALLOW_STEPS && 4 * (set->nshallow + 1) <= 3 * isa->registers) {
        const int width = (isa->registers - 2) / (set->nshallow + 2);
        set->shallow[set->nshallow++] = (unsigned char)(width < MAX_SHALLOW_WIDTH ? width : MAX_SHALLOW_WIDTH);
    }
    set->nslim = set->nshallow * 9 / 8; /* 27 of 32 registers: one step more and the compilers spill */
}

/* Four rows' sums of panels prepacked, each two cache lines wide, in half of the registers. One row of A beside an element of it
 * and a vector of B; one vector of columns in every height that a tile could have. */
static void add_lines(KernelSet *set, const IsaInfo *isa, const struct FamilyInfo *family)
{
    set->npanels = isa->registers * isa->bytes / (2 * PANEL_ROWS * PANEL_BYTES);
    set->nrow = isa->registers - 4;
    for (int mr = 1; mr <= COVER_HEIGHTS; mr++) {
        const TileKernel k = tile_kernel(isa, family, mr, 1);
        if (!fits_registers(isa, family, &k))
            break;
        set->column[set->ncolumn++] = (unsigned char)k.sets;
    }
}

static MoveCosts move_costs(void)
{
    return (MoveCosts){
#define ENGINE_SIZE(word, whole, usual, ...) .word = (usual),
#define ENGINE_KNOB(word, ...)
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
        .pack = 0.7 * cycle,
        .gather = 0.6 * cycle,
        .convert = 3.0 * cycle,
        .column = cycle,
        .far = 0.8 * cycle,
        .conflict = cycle,
        .far_a = 0.005 * cycle,
        .conflict_a = 0.35 * cycle,
        .read = 0.04,
        .read_all = 0.08,
        .task = 3000};
}

/* Blocks have sides of at most 16 * n_gen: so many multiply-adds deep, so many rows and columns. By default the caches bound them. */
static void bound_blocks(KernelSet *set, int unit, int n_gen)
{
    const int side = 16 * n_gen;
    if (n_gen >= kernel_defaults.n_gen)
        return;
    set->move.side = side;
    set->move.kc = set->move.kc < side * unit ? set->move.kc : side * unit;
}

int kernel_set_count(Family family, const KernelOptions *opt)
{
    int count = 0;
    for (int i = 0; i < ISA_COUNT; i++)
        count += has_family(i, family) && isa_is_held(opt->held, i);
    return count;
}

KernelSet *kernel_sets(Arena *arena, Family family, const KernelOptions *opt)
{
    KernelSet *sets = arena_new_array(arena, KernelSet, ISA_COUNT), *set = sets;
    const int unit = families[family].unit;
    for (int i = 0; i < ISA_COUNT; i++) {
        const IsaInfo *isa = &isa_info[i];
        if (!has_family(i, family) || !isa_is_held(opt->held, i))
            continue;
        *set = (KernelSet){.isa = isa->name,
                           .target = isa_kernels[i][family].target,
                           .level = isa->number,
                           .lanes = isa->bytes / families[family].bytes,
                           .registers = isa->registers,
                           .dot_step = 0.55 / unit * cycle,
                           .dot_tile = 20 * cycle,
                           .dot_sum = 3 * cycle,
                           .move = move_costs(),
                           .engine = engine_usual};
        set->move.kc = families[family].kc;
        add_tiles(arena, set, isa, &families[family]);
        add_dots(arena, set, isa);
        if (unit == 1) {
            add_shallow(set, isa);
            add_lines(set, isa, &families[family]);
        }
        apply_profile(opt->profile, family, set, true);
        bound_blocks(set, unit, opt->n_gen);
        rank_tiles(arena, set, families[family].size, opt);
        if (!profile_knows(opt->profile, family, set->isa))
            apply_profile(opt->usual, family, set, false);
        bound_blocks(set, unit, opt->n_gen);
        set->cover = cover_tables(arena, set->tiles, set->ntiles);
        set++;
    }
    return sets;
}

const KernelSet *kernels_of(Kernels *kernels, Family family)
{
    if (!kernels->sets[family])
        kernels->sets[family] = kernel_sets(kernels->arena, family, &kernels->opt);
    return kernels->sets[family];
}

const char *tile_symbol(Arena *arena, Family family, const KernelSet *set, const TileKernel *k)
{
    return arena_printf(arena, "mik_%s_%dx%d_%s", family_name(family), k->mr, k->nv * set->lanes, set->isa);
}

const char *dot_symbol(Arena *arena, Family family, const KernelSet *set, const DotKernel *k)
{
    return arena_printf(arena, "mik_%s_dot%dx%d_%s", family_name(family), k->rows, k->cols, set->isa);
}
