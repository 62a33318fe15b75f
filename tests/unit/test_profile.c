/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles as text: what goes in comes out, later records win, and every wrong line is refused with its place and what
 * to write instead. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/kernels/gpu.h"
#include "plan/kernels/kernel.h"
#include "plan/profile/profile.h"
#include "tune/fuse_lines.h"
#include "tune/nest_lines.h"

#define HEAD "mikgen-profile 1\n"

static Profile *read_over(Arena *arena, const char *text, const Profile *below)
{
    Diag *diag = diag_new(arena, "test.profile", text, strlen(text), stderr);
    Profile *p = profile_parse(arena, diag, text, below, gpu_ends_name);
    assert_non_null(p);
    assert_int_equal(diag_errors(diag), 0);
    return p;
}

static Profile *read_profile(Arena *arena, const char *text) { return read_over(arena, text, NULL); }

/* The text must be refused with one message, in this place, that says `part`, and helps with `help`. */
static void refuse(const char *text, int line, int column, const char *part, const char *help)
{
    Arena *arena = arena_new();
    char *message = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&message, &size);
    Diag *diag = diag_new(arena, "test.profile", text, strlen(text), out);
    assert_null(profile_parse(arena, diag, text, NULL, gpu_ends_name));
    fclose(out);
    assert_int_equal(diag_errors(diag), 1);
    char *place = arena_printf(arena, "test.profile:%d:%d: error: ", line, column);
    if (strncmp(message, place, strlen(place)) != 0 || !strstr(message, part))
        fail_msg("instead of '%s%s':\n%s", place, part, message);
    const char *helped = strstr(message, "\nhelp: ");
    if (!helped || !strstr(helped, help))
        fail_msg("no help '%s':\n%s", help, message);
    free(message);
    arena_free(arena);
}

static void canonical_order_and_round_trip(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char canonical[] = HEAD "# a machine\n"
                                         "#\n"
                                         "# a compiler\n"
                                         "kernel f32 avx512 1x16 g 1 2 3 4 5 6 7 8\n"
                                         "kernel f32 avx512 14x16 g 1 2 3 4 5 6 7 8\n"
                                         "kernel f32 avx512 2x32 g 1.5 2 3 4 5 6 7 1.235e+04\n"
                                         "dot f32 avx512 step 0.16 tile 5.6 sum 0\n"
                                         "move f32 avx512 pack 0.2 gather 0.17\n"
                                         "engine f32 avx512 kc 512 prefetch_distance 12 doubt 0\n"
                                         "dot f32 avx2 step 1 tile 2 sum 3\n"
                                         "kernel f64 portable 1x2 g 1 1 1 1 1 1 1 1\n";
    Profile *p = read_profile(
        arena, "\n# a machine\n#\n\tmikgen-profile   1  # the version\r\n#a compiler\n"
               "kernel f64 portable 1x2 g 1 1 1 1 1 1 1 1\n"
               "# of no use to anybody\n"
               "engine f32 avx512 prefetch_distance 4 kc 512\nmove f32 avx512 gather 0.17\nengine f32 avx512 doubt 0 prefetch_distance 12\n"
               "  dot f32 avx2 sum 3 tile 2 step 1\n"
               "kernel f32 avx512 2x32 g 1.5 2e0 3 4 5 6 7 12345.6 # trailing\n"
               "kernel f32 avx512 14x16 g 1 2 3 4 5 6 7 8\r\n"
               "move f32 avx512 pack .2\n"
               "dot f32 avx512 step 0.16 tile 5.6 sum 0\n"
               "kernel f32 avx512 1x16 g 1 2 3 4 5 6 7 8");
    assert_string_equal(profile_print(arena, p), canonical);
    assert_string_equal(profile_print(arena, read_profile(arena, canonical)), canonical);
    arena_free(arena);
}

static void the_upper_profile_wins_field_by_field(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Profile *below = read_profile(
        arena, HEAD "# one\n# both\n"
                    "kernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8\nkernel f32 avx2 2x8 g 1 2 3 4 5 6 7 8\nmove f32 avx2 pack 1 far 2\n");
    Profile *above = read_over(arena,
                               HEAD "# both\n# two\n"
                                    "kernel f32 avx2 2x8 g 2 2 3 4 5 6 7 9\nmove f32 avx2 far 3 task 4\ndot f32 avx2 step 1 tile 2 sum 3\n",
                               below);
    assert_string_equal(profile_print(arena, above), HEAD "# one\n# both\n# two\n"
                                                          "kernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8\nkernel f32 avx2 2x8 g 2 2 3 4 5 6 7 9\n"
                                                          "dot f32 avx2 step 1 tile 2 sum 3\nmove f32 avx2 pack 1 far 3 task 4\n");
    assert_null(strstr(profile_print(arena, below), "task")); /* the lower one is as it was */
    arena_free(arena);
}

static void the_last_line_wins(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char one[] = HEAD "# one\nkernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8\nmove f32 avx2 pack 1 far 2\n";
    static const char two[] = HEAD "# two\nkernel f32 avx2 1x8 g 2 3 4 5 6 7 8 9\nmove f32 avx2 far 3\n";
    Profile *joined = read_profile(arena, arena_printf(arena, "%s%s", one, two));
    assert_string_equal(profile_print(arena, joined), HEAD "# one\nkernel f32 avx2 1x8 g 2 3 4 5 6 7 8 9\nmove f32 avx2 pack 1 far 3\n");
    arena_free(arena);
}

static void records_can_be_put_and_asked_for(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Profile *p = profile_new(arena, NULL);
    RecordKey kernel = {.kind = RECORD_KERNEL, .family = FAM_F64, .isa = "avx512", .rows = 3, .columns = 8},
              move = {.kind = RECORD_MOVE, .family = FAM_F64, .isa = "avx512"};
    const double g[G_KNOTS] = {1, 2, 3, 4, 5, 6, 7, 8}, far = 0.25;
    assert_null(profile_get(p, &kernel, "g"));
    profile_put(arena, p, &move, "far", &far);
    profile_put(arena, p, &kernel, "g", g);
    profile_put(arena, p, &kernel, "g", g);
    assert_memory_equal(profile_get(p, &kernel, "g"), g, sizeof g);
    assert_true(*profile_get(p, &move, "far") == far);
    assert_null(profile_get(p, &move, "pack"));
    kernel.rows = 4;
    assert_null(profile_get(p, &kernel, "g"));
    profile_add_comment(arena, p, "here");
    profile_add_comment(arena, p, "here");
    assert_string_equal(profile_comment(p, 0), "here");
    assert_null(profile_comment(p, 1));
    assert_string_equal(profile_print(arena, p), HEAD "# here\nkernel f64 avx512 3x8 g 1 2 3 4 5 6 7 8\nmove f64 avx512 far 0.25\n");
    arena_free(arena);
}

static const KernelSet *set_of(const KernelSet *sets, const char *isa)
{
    for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++)
        if (strcmp(sets[i].isa, isa) == 0)
            return &sets[i];
    fail_msg("no kernels for %s", isa);
    return NULL;
}

static const TileKernel *tile_of(const KernelSet *set, int mr, int nv)
{
    for (int i = 0; i < set->ntiles; i++)
        if (set->tiles[i].mr == mr && set->tiles[i].nv == nv)
            return &set->tiles[i];
    fail_msg("no kernel %dx%d", mr, nv);
    return NULL;
}

static void applied_to_kernel_sets(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Profile *p = read_profile(arena, HEAD "kernel f32 avx2 2x16 g 1 2 3 4 500 600 700 800\n"
                                          "kernel f32 avx2 99x16 g 1 2 3 4 5 6 7 8\n" /* of another generation: of no use, and no fault */
                                          "dot f32 avx2 step 11 tile 12 sum 13\nmove f32 avx2 far_a 14\n"
                                          "engine f32 avx2 near_bytes 15 dot_columns 0 prefetch_distance 3 doubt 7\n");
    const KernelSet *plain = kernel_sets(arena, FAM_F32, &(KernelOptions){.n_gen = 32});
    const KernelSet *sets = kernel_sets(arena, FAM_F32, &(KernelOptions){.n_gen = 32, .profile = p});
    const KernelSet *x = set_of(plain, "avx2"), *y = set_of(sets, "avx2");
    const double g[G_KNOTS] = {1, 2, 3, 4, 500, 600, 700, 800};
    const TileKernel *known = tile_of(y, 2, 2), *other = tile_of(y, 1, 1);
    for (int i = 0; i < G_KNOTS; i++) {
        assert_true(known->g[i] == g[i]);
        /* Kernels that the profile does not know are scaled as the one that it knows is. */
        double expected = tile_of(x, 1, 1)->g[i] * g[i] / tile_of(x, 2, 2)->g[i];
        assert_true(other->g[i] >= expected * 0.999 && (i == 0 || other->g[i] >= other->g[i - 1]));
    }
    assert_true(y->dot_step == 11 && y->dot_tile == 12 && y->dot_sum == 13);
    assert_true(y->move.far_a == 14 && y->move.near_bytes == 15 && y->move.dot_columns == 0);
    assert_true(y->engine.prefetch_distance == 3 && y->engine.doubt == 7 && y->engine.band == x->engine.band);
    assert_memory_equal(&x->engine, &engine_usual, sizeof engine_usual);
    assert_int_equal(engine_number(y, ENGINE_near_bytes), 15);
    assert_int_equal(engine_number(y, ENGINE_prefetch_distance), 3);
    assert_int_equal(engine_number(x, ENGINE_kc), 512); /* which is a family's */
    assert_int_equal(engine_number(set_of(kernel_sets(arena, FAM_F64, &(KernelOptions){.n_gen = 32}), "avx2"), ENGINE_kc), 384);
    assert_true(y->move.pack == x->move.pack && y->move.kc == x->move.kc);
    assert_memory_equal(set_of(sets, "avx512")->tiles, set_of(plain, "avx512")->tiles, sizeof(TileKernel));
    const KernelSet *f64 = set_of(kernel_sets(arena, FAM_F64, &(KernelOptions){.n_gen = 32, .profile = p}), "avx2");
    assert_true(f64->dot_step == x->dot_step);
    arena_free(arena);
}

/* What is measured on some machine corrects the kernels that the analytical terms choose: alone over a few steps, half of it,
 * as logarithms go, over more, and over many only by what it says of all kernels. */
static void usual_profiles_correct_without_choosing(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Profile *usual = read_profile(arena,
                                  HEAD "kernel f32 avx2 1x8 g 4 8 16 32 64 128 256 512\nkernel f32 avx2 4x24 g 2 4 6 9 300 900 2000 4000\n"
                                       "dot f32 avx2 step 11 tile 12 sum 13\n");
    Profile *own = read_profile(arena, HEAD "move f32 avx2 far_a 14\n");
    assert_true(profile_knows(usual, FAM_F32, "avx2") && !profile_knows(usual, FAM_F32, "avx512"));
    assert_true(!profile_knows(usual, FAM_F64, "avx2") && !profile_knows(NULL, FAM_F32, "avx2"));
    const KernelOptions opt = {.n_gen = 4, .n_syn = 12, .n_mik = 12};
    KernelOptions with = opt, both = opt;
    with.usual = both.usual = usual;
    both.profile = own;
    const KernelSet *plain = set_of(kernel_sets(arena, FAM_F32, &opt), "avx2"), *y = set_of(kernel_sets(arena, FAM_F32, &with), "avx2");
    const KernelSet *z = set_of(kernel_sets(arena, FAM_F32, &both), "avx2");
    assert_int_equal(plain->ntiles, y->ntiles);
    const double measured[2][G_KNOTS] = {{4, 8, 16, 32, 64, 128, 256, 512}, {2, 4, 6, 9, 300, 900, 2000, 4000}};
    const int mean = 3, many = G_KNOTS - 1;
    double scale[G_KNOTS] = {0};
    for (int j = 0; j < G_KNOTS; j++)
        for (int i = 0; i < y->ntiles; i++) {
            const TileKernel *a = &plain->tiles[i], *b = &y->tiles[i];
            assert_true(a->mr == b->mr && a->nv == b->nv);
            const bool narrow = a->mr == 1 && a->nv == 1;
            if (narrow || (a->mr == 4 && a->nv == 3))
                scale[j] = fmax(scale[j], measured[!narrow][j] / a->g[j]); /* the median: the upper one of two */
        }
    const double *analytical = tile_of(plain, 1, 1)->g, *got = tile_of(y, 1, 1)->g;
    assert_true(scale[many] > 0);
    assert_true(fabs(got[mean] * got[mean] - measured[0][mean] * analytical[mean] * scale[mean]) < 1e-9 * got[mean] * got[mean]);
    assert_true(fabs(got[many] - analytical[many] * scale[many]) < 1e-9 * got[many]);
    assert_true(tile_of(y, 1, 1)->g[0] == 4);
    assert_true(y->dot_step == 11 && plain->dot_step != 11);
    /* A profile of the user's replaces it. */
    assert_true(z->move.far_a == 14 && z->dot_step == plain->dot_step && tile_of(z, 1, 1)->g[0] == tile_of(plain, 1, 1)->g[0]);
    arena_free(arena);
}

static void wrong_headers_are_refused(void **state)
{
    (void)state;
    refuse("", 1, 1, "no profile", "mikgen-profile 1");
    refuse("# only a comment\n", 2, 1, "no profile", "mikgen-profile 1");
    refuse("kernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8\n", 1, 1, "no profile", "mikgen-profile 1");
    refuse("mikgen-profile\n", 1, 15, "version is missing", "mikgen-profile 1");
    refuse("mikgen-profile 2\n", 1, 16, "version '2'", "measure again");
    refuse("mikgen-profile 1 2\n", 1, 18, "'2' does not belong here", "mikgen-profile 1");
    refuse("mikgen-profile 10\n", 1, 16, "version '10'", "measure again");
    refuse(HEAD "dot f32 avx2 step 1 tile 1 sum 1\nmikgen-profile 2\n", 3, 16, "version '2'", "measure again");
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    refuse(HEAD "kernal f32 avx2\n", 2, 1, "no record 'kernal'", "kernel, dot, move, engine, block, gpu, nest, grid or fuse");
    refuse(HEAD "kernel f31 avx2\n", 2, 8, "no type 'f31'", "f32, f64, i8");
    refuse(HEAD "kernel\n", 2, 7, "ends before its type", "f32, f64, i8");
    refuse(HEAD "# x\n\n dot f32 avx51 step 1\n", 4, 10, "no instruction set 'avx51'", "avx512, avx2");
    refuse(HEAD "dot f32 # avx2\n", 2, 9, "ends before its instruction set", "avx512, avx2");
    refuse(HEAD "dot f32 avx2 step 1 tale 2\n", 2, 21, "no field 'tale'", "step, tile or sum");
    refuse(HEAD "kernel f32 avx2 1x8 h 1\n", 2, 21, "no field 'h'", "write g");
    refuse(HEAD "move f32 avx2 pak 1\n", 2, 15, "no field 'pak'", "pack, gather");
    refuse(HEAD "move f32 avx2 kc 512\n", 2, 15, "no field 'kc', an engine record has", "engine TYPE ISA");
    refuse(HEAD "engine f32 avx2 pack 1\n", 2, 17, "no field 'pack'", "kc, l2_bytes");
    refuse(HEAD "engine f32 avx2 prefetch_distance 1 prefetch_distance 2\n", 2, 37, "'prefetch_distance' of this record is given twice",
           "leave one");
    refuse(HEAD "engine f32 avx2\n", 2, 1, "says nothing", "engine f32 avx2 kc 384 prefetch_distance 12");
    refuse(HEAD "engine f32 sm_90 kc 512\n", 2, 12, "no instruction set 'sm_90'", "avx512, avx2");
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "1x", "x8", "0x8", "1x0", "1*8", "1x8x", "-1x8", "1X8", "01x8", "99999x8", "1x99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "kernel f32 avx2 %s g 1 2 3 4 5 6 7 8\n", wrong[i]);
        refuse(text, 2, 17, "no size of a kernel", "14x32");
    }
    refuse(HEAD "kernel f32 avx2\n", 2, 16, "ends before its kernel's size", "14x32");
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"abc", "1,5", "0x10", "nan", "inf", "1e999", "--1", "1e", "1.2.3", "infinity"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "dot f32 avx2 step %s tile 1 sum 1\n", wrong[i]);
        refuse(text, 2, 19, "is no number", "nanoseconds");
    }
    refuse(HEAD "dot f32 avx2 step -1 tile 1 sum 1\n", 2, 19, "'step' cannot be -1", "nanoseconds");
    refuse(HEAD "kernel f32 avx2 1x8 g 0 2 3 4 5 6 7 8\n", 2, 23, "'g' cannot be 0", "1, 4, 16");
    refuse(HEAD "kernel f32 avx2 1x8 g 1 2 3 4 5 6 7 6\n", 2, 37, "'g' decreases", "more steps");
    refuse(HEAD "engine f32 avx2 kc 1.5\n", 2, 20, "'kc' cannot be 1.5", "whole number from 16");
    refuse(HEAD "engine f32 avx2 kc 0\n", 2, 20, "'kc' cannot be 0", "whole number from 16");
    refuse(HEAD "engine f32 avx2 l2_bytes 1e12\n", 2, 26, "'l2_bytes' cannot be", "whole number");
    refuse(HEAD "engine f32 avx2 prefetch_distance -1\n", 2, 35, "'prefetch_distance' cannot be -1", "whole number from 0 to 256");
}

#define NEST "8c5b3e6a1f20d497"

/* Profiles written before the knobs had their present words are read, and printed with those. */
static void former_words_of_knobs_are_read(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char text[] = HEAD "nest avx2 " NEST " map 2 sums 4 math_map 4 math_sums 8 column 16 rest 4 rows 2 fetch 1 ahead 8 past 2 "
                                    "block 16 strip 32 ns 7\n"
                                    "engine f32 avx2 ask 12 ask_strip 15 fetch_near 16 fetch_far 4\n";
    Diag *diag = diag_new(arena, "test.profile", text, strlen(text), stderr);
    const Profile *profile = profile_parse(arena, diag, text, NULL, gpu_ends_name);
    assert_non_null(profile);
    assert_string_equal(profile_print(arena, profile), HEAD
                        "engine f32 avx2 prefetch_distance 12 prefetch_panel 15 prefetch_near 16 prefetch_far 4\n"
                        "nest avx2 " NEST " unroll 2 accumulators 4 unroll_math 4 accumulators_math 8 unroll_outer 16 unroll_remainder 4 "
                        "unroll_and_jam 2 prefetch_row 1 prefetch_distance 8 non_temporal 2 tile_outer 16 column_rows 32 ns 7\n");
    refuse(HEAD "engine f32 avx2 ask 1 prefetch_distance 2\n", 2, 23, "'prefetch_distance' of this record is given twice", "leave one");
    refuse(HEAD "nest avx2 " NEST " map 2 unroll 2 ns 1\n", 2, 34, "'unroll' of this record is given twice", "leave one of the two away");
    arena_free(arena);
}

/* A line says all about its nest: what one before it said counts no more. */
static void nests_are_read_and_replaced(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char text[] = HEAD "nest avx2 " NEST " accumulators 8 unroll 4 unroll_and_jam 0 ns 12.5\n"
                                    "nest portable " NEST " accumulators 2 ns 7\n"
                                    "nest avx2 " NEST " unroll_outer 16 lanes 2 ns 11\n";
    Diag *diag = diag_new(arena, "test.profile", text, strlen(text), stderr);
    const Profile *profile = profile_parse(arena, diag, text, NULL, gpu_ends_name);
    assert_non_null(profile);
    assert_string_equal(profile_print(arena, profile), HEAD "nest avx2 " NEST " unroll_outer 16 lanes 2 ns 11\n"
                                                            "nest portable " NEST " accumulators 2 ns 7\n");
    HostNest nest = {.fingerprint = UINT64_C(0x8c5b3e6a1f20d497)};
    NestKnobs knobs;
    assert_true(knobs_get(arena, profile, &nest, SET_AVX2, CLASS_ALL, &knobs));
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        assert_int_equal(knobs.value[knob], knob == KNOB_UNROLL_OUTER ? 16 : knob == KNOB_LANES ? KNOB_INNER : KNOB_PLANNED);
    assert_false(knobs_get(arena, profile, &nest, SET_AVX512, CLASS_ALL, &knobs));
    Profile *more = profile_new(arena, profile);
    knobs_put(arena, more, &nest, SET_AVX2, CLASS_ALL, &(NestKnobs){.value = {[KNOB_ACCUMULATORS] = 2}}, (NestTime){10, 1});
    assert_string_equal(profile_print(arena, more), HEAD "nest avx2 " NEST " accumulators 2 ns 10\n"
                                                         "nest portable " NEST " accumulators 2 ns 7\n");
    assert_int_equal(knobs_threads(arena, more, &nest, SET_AVX2), 1);
    assert_int_equal(knobs_threads(arena, more, &nest, SET_AVX512), 0);
    knobs_put(arena, more, &nest, SET_AVX2, CLASS_ALL, &(NestKnobs){.value = {[KNOB_TASKS] = 4}}, (NestTime){6, 8});
    static const char on_threads[] = HEAD "nest avx2 " NEST " tasks 4 threads 8 ns 6\n"
                                          "nest portable " NEST " accumulators 2 ns 7\n";
    assert_string_equal(profile_print(arena, more), on_threads);
    diag = diag_new(arena, "test.profile", on_threads, strlen(on_threads), stderr);
    assert_int_equal(knobs_threads(arena, profile_parse(arena, diag, on_threads, NULL, gpu_ends_name), &nest, SET_AVX2), 8);
    arena_free(arena);
}

/* Lines about classes of calls stand beside one about all, until another one about all comes: merged by cat, a newer profile's lines count. */
static void nests_have_lines_for_classes(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char text[] = HEAD "nest avx2 " NEST " memory unroll 4 ns 90\n"
                                    "nest avx2 " NEST " l2 unroll 2 ns 8\n"
                                    "nest avx2 " NEST " l2 unroll 1 ns 7\n"
                                    "nest portable " NEST " l2 unroll 2 ns 9\n";
    const Profile *p = read_profile(arena, text);
    assert_string_equal(profile_print(arena, p), HEAD "nest avx2 " NEST " l2 unroll 1 ns 7\n"
                                                      "nest avx2 " NEST " memory unroll 4 ns 90\n"
                                                      "nest portable " NEST " l2 unroll 2 ns 9\n");
    HostNest nest = {.fingerprint = UINT64_C(0x8c5b3e6a1f20d497)};
    NestKnobs knobs;
    assert_false(knobs_get(arena, p, &nest, SET_AVX2, CLASS_ALL, &knobs));
    assert_false(knobs_get(arena, p, &nest, SET_AVX2, CLASS_L3, &knobs));
    assert_true(knobs_get(arena, p, &nest, SET_AVX2, CLASS_MEMORY, &knobs));
    assert_int_equal(knobs.value[KNOB_UNROLL], 4);
    /* the text that is printed means the same */
    const char *merged = arena_printf(arena, "%s%snest avx2 " NEST " unroll 8 ns 60\nnest avx2 " NEST " l3 unroll 1 ns 50\n", text, HEAD);
    p = read_profile(arena, merged);
    static const char both[] = HEAD "nest avx2 " NEST " unroll 8 ns 60\n"
                                    "nest avx2 " NEST " l3 unroll 1 ns 50\n"
                                    "nest portable " NEST " l2 unroll 2 ns 9\n";
    assert_string_equal(profile_print(arena, p), both);
    assert_string_equal(profile_print(arena, read_profile(arena, both)), both);
    Profile *more = profile_new(arena, p);
    knobs_put(arena, more, &nest, SET_AVX2, CLASS_MEMORY, &(NestKnobs){.value = {[KNOB_UNROLL] = 2}}, (NestTime){10, 1});
    assert_true(knobs_get(arena, more, &nest, SET_AVX2, CLASS_L3, &knobs));
    knobs_put(arena, more, &nest, SET_AVX2, CLASS_ALL, &(NestKnobs){.value = {[KNOB_UNROLL] = 4}}, (NestTime){10, 1});
    assert_string_equal(profile_print(arena, more), HEAD "nest avx2 " NEST " unroll 4 ns 10\n"
                                                         "nest portable " NEST " l2 unroll 2 ns 9\n");
    arena_free(arena);
}

/* choose_knobs(): knobs of a nest, and of classes that have others. */
static void classes_of_a_nest_are_chosen(void **state)
{
    (void)state;
    Ir *ir = ir_new(arena_new(), NULL);
    HostNest nest = {.fingerprint = UINT64_C(0x8c5b3e6a1f20d497), .costs.touched = mk_float(ir, T_DOUBLE, 8)};
    Plan plan = {.func = NULL};
    Vec nests = {0};
    vec_push(ir->arena, &nests, &nest);
    set_stages(ir->arena, &plan.stages, STAGE_HOST_NEST, &nests);
    const ClassForm *avx2 = nest.chosen.of_class[SET_AVX2], *portable = nest.chosen.of_class[SET_PORTABLE];
    choose_knobs(ir, &plan,
                 read_profile(ir->arena, HEAD "nest avx2 " NEST " unroll 4 ns 9\nnest avx2 " NEST " l2 unroll 4 ns 9\nnest avx2 " NEST
                                              " l3 unroll 2 ns 9\n"
                                              "nest portable " NEST " l2 unroll 1 ns 9\nnest portable " NEST " l3 unroll 2 ns 9\n"
                                              "nest portable " NEST " memory unroll 1 ns 9\n"));
    assert_int_equal(nest.chosen.knobs[SET_AVX2].value[KNOB_UNROLL], 4);
    assert_true(!avx2[CLASS_L2].differs && avx2[CLASS_L3].differs && !avx2[CLASS_MEMORY].differs);
    assert_int_equal(avx2[CLASS_L3].knobs.value[KNOB_UNROLL], 2);
    /* all have their own: the nest's are those of the last */
    assert_int_equal(nest.chosen.knobs[SET_PORTABLE].value[KNOB_UNROLL], 1);
    assert_true(!portable[CLASS_L2].differs && portable[CLASS_L3].differs && !portable[CLASS_MEMORY].differs);
    arena_free(ir->arena);
}

static void wrong_lines_about_nests_are_refused(void **state)
{
    (void)state;
    refuse(HEAD "nest avx2 " NEST " l4 accumulators 8 ns 1\n", 2, 28, "no field 'l4'",
           "a class, l2, l3 or memory, goes right behind the nest");
    refuse(HEAD "nest avx2 " NEST " accumulators 8 l2 ns 1\n", 2, 43, "no field 'l2'", "goes right behind the nest");
    refuse(HEAD "nest avx2 " NEST " l2 l3 accumulators 8 ns 1\n", 2, 31, "no field 'l3'", "unroll, accumulators");
    refuse(HEAD "nest avx2 " NEST " l2\n", 2, 1, "says nothing", "accumulators 8");
    refuse(HEAD "grid sm_90 0123456789abcdef l2 threads 128 ns 1\n", 2, 29, "no field 'l2'", "threads, wide");
    refuse(HEAD "nest f32 avx2\n", 2, 6, "no instruction set 'f32'", "avx512, avx2");
    refuse(HEAD "nest avx2\n", 2, 10, "ends before its nest", "--dump-after=vectors");
    refuse(HEAD "nest avx2 8c5b3e6a1f20d49 ns 1\n", 2, 11, "'8c5b3e6a1f20d49' is no nest", "16 hexadecimal digits");
    refuse(HEAD "nest avx2 8C5B3E6A1F20D497 ns 1\n", 2, 11, "is no nest", "16 hexadecimal digits");
    refuse(HEAD "nest avx2 " NEST " accumulators 3 ns 1\n", 2, 41, "'accumulators' cannot be 3", "write 1, 2, 4 or 8, or 0: as planned");
    refuse(HEAD "nest avx2 " NEST " accumulators 1.5 ns 1\n", 2, 41, "'accumulators' cannot be 1.5", "write 1, 2, 4 or 8");
    refuse(HEAD "nest avx2 " NEST " lanes 3 ns 1\n", 2, 34, "'lanes' cannot be 3", "write 1 or 2");
    refuse(HEAD "nest avx2 " NEST " tasks 3 ns 1\n", 2, 34, "'tasks' cannot be 3", "write 1, 2 or 4");
    refuse(HEAD "nest avx2 " NEST " threads 0 ns 1\n", 2, 36, "'threads' cannot be 0", "whole number from 1 to 4096");
    refuse(HEAD "nest avx2 " NEST " accumulators 8\n", 2, 1, "lacks 'ns'", "ns 4812");
    refuse(HEAD "nest avx2 " NEST "\n", 2, 1, "says nothing", "accumulators 8");
    refuse(HEAD "nest avx2 " NEST " g 1\n", 2, 28, "no field 'g'", "unroll, accumulators");
}

static void lines_about_placements(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ir *ir = ir_new(arena, NULL);
    static const char text[] = HEAD "fuse " NEST " 3 inlined ns 9\n"
                                    "fuse " NEST " 2 inlined 0 whole 1 planned ns 7\n"
                                    "fuse 0123456789abcdef ns 3\n";
    Profile *p = read_profile(arena, text);
    /* the last line says all */
    static const char canonical[] = HEAD "fuse 0123456789abcdef ns 3\n"
                                         "fuse " NEST " 0 whole 2 inlined ns 7\n";
    assert_string_equal(profile_print(arena, p), canonical);
    assert_string_equal(profile_print(arena, read_profile(arena, canonical)), canonical);
    Producer producers[] = {{.number = 2}, {.number = 0}, {.number = 1}, {.number = -1}, {.number = MOST_PLACED}};
    Plan plan = {.fingerprint = UINT64_C(0x8c5b3e6a1f20d497), .producers = producers, .nproducers = 5};
    choose_placements(ir, &plan, p);
    static const Placement expected[] = {PLACE_INLINED, PLACE_WHOLE, PLACE_PLANNED, PLACE_PLANNED, PLACE_PLANNED};
    for (int i = 0; i < 5; i++)
        assert_int_equal(producers[i].placement, expected[i]);
    Placements placements;
    assert_true(placements_get(arena, p, UINT64_C(0x0123456789abcdef), &placements));
    assert_false(placements_get(arena, p, 1, &placements));
    assert_false(placements_get(arena, NULL, 1, &placements));
    placements.of[19] = PLACE_MERGED;
    placements_put(arena, p, plan.fingerprint, &placements, 5);
    assert_string_equal(profile_print(arena, p), HEAD "fuse 0123456789abcdef ns 3\nfuse " NEST " 19 merged ns 5\n");
    arena_free(arena);
}

static void wrong_lines_about_placements_are_refused(void **state)
{
    (void)state;
    refuse(HEAD "fuse\n", 2, 5, "ends before its operator", "--dump-after=nests");
    refuse(HEAD "fuse avx2 " NEST " ns 1\n", 2, 6, "'avx2' is no operator", "16 hexadecimal digits");
    refuse(HEAD "fuse " NEST "\n", 2, 1, "says nothing", "0 whole 2 inlined");
    refuse(HEAD "fuse " NEST " 0 whole\n", 2, 1, "lacks 'ns'", "ns 4812");
    refuse(HEAD "fuse " NEST " 0 inline ns 1\n", 2, 25, "array 0 cannot be 'inline'", "write planned, inlined, merged or whole");
    refuse(HEAD "fuse " NEST " 1\n", 2, 24, "ends before it says where array 1 is computed", "write planned, inlined, merged or whole");
    refuse(HEAD "fuse " NEST " 20 whole ns 1\n", 2, 23, "no field '20'", "18, 19 or ns");
    refuse(HEAD "fuse " NEST " whole ns 1\n", 2, 23, "no field 'whole'", "write 0, 1, 2");
    refuse(HEAD "fuse " NEST " 1 whole 1 merged ns 1\n", 2, 31, "is given twice", "leave one of the two away");
    refuse(HEAD "fuse " NEST " l2 1 whole ns 1\n", 2, 23, "no field 'l2'", "write 0, 1, 2");
}

static void lines_about_grids(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char text[] = HEAD "grid sm_90 0123456789abcdef threads 128 tile 0 ns 7\n"
                                    "nest avx2 0123456789abcdef unroll_and_jam 2 ns 3\n"
                                    "grid sm_90 0123456789abcdef lanes 1024 wide 32 ns 5\n"
                                    "grid sm_80 0123456789abcdef rows 32 ns 9\n";
    const Profile *p = read_profile(arena, text);
    /* the last line says all */
    assert_string_equal(profile_print(arena, p), HEAD "nest avx2 0123456789abcdef unroll_and_jam 2 ns 3\n"
                                                      "grid sm_80 0123456789abcdef rows 32 ns 9\n"
                                                      "grid sm_90 0123456789abcdef wide 32 lanes 1024 ns 5\n");
    refuse(HEAD "grid avx2 0123456789abcdef ns 1\n", 2, 6, "no kind of GPU 'avx2'", "sm_80");
    refuse(HEAD "grid sm_90 0123456789abcde ns 1\n", 2, 12, "is no nest", "");
    refuse(HEAD "grid sm_90 0123456789abcdef threads 96 ns 1\n", 2, 37, "'threads' cannot be 96",
           "64, 128, 256, 512 or 1024, or 0: as planned");
    refuse(HEAD "grid sm_90 0123456789abcdef lanes 128.5 ns 1\n", 2, 35, "'lanes' cannot be 128.5", "threads of a block that has a row");
    refuse(HEAD "grid sm_90 0123456789abcdef threads 128\n", 2, 1, "lacks 'ns'", "grid sm_90");
    refuse(HEAD "grid sm_90 0123456789abcdef sums 4 ns 1\n", 2, 29, "no field 'sums'", "threads, wide");
    arena_free(arena);
}

static void wrong_lines_about_gpus_are_refused(void **state)
{
    (void)state;
    refuse(HEAD "block f31 sm_90\n", 2, 7, "no type 'f31'", "u8s8, f8, tf32 or 3xtf32");
    refuse(HEAD "kernel tf32 avx2\n", 2, 8, "no type 'tf32'", "f32, f64, i8");
    refuse(HEAD "block f16 avx2 1x8\n", 2, 11, "no kind of GPU 'avx2'", "sm_80, sm_86, sm_89 or sm_90");
    refuse(HEAD "kernel f32 sm_90 1x8\n", 2, 12, "no instruction set 'sm_90'", "avx512");
    refuse(HEAD "block f16\n", 2, 10, "ends before its kind of GPU", "sm_80");
    refuse(HEAD "block f16 sm_90\n", 2, 16, "ends before its kernel", "128x256x64_sm90a");
    static const char *const wrong[] = {
        "128x256",        "128x256x64",           "128x256x64_sm90", "128x256_sm80", "0x256x64_sm80", "128x256x64_all_sm80",
        "128x256x64_any", "128x256x64_any_sm90a", "128x256x64sm80",  "x256x64_sm80", "sm80"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "block f16 sm_90 %s fixed 1 step 1 alone 1\n", wrong[i]);
        refuse(text, 2, 17, "is no kernel", "as in its symbol");
    }
    refuse(HEAD "block f16 sm_90 8x64x64_sm90a fixed 1 step 1\n", 2, 1, "lacks 'alone'", "fixed 4100 step 450");
    refuse(HEAD "block f16 sm_90 8x64x64_sm90a fixed 1 step 0 alone 1\n", 2, 44, "'step' cannot be 0", "nanoseconds");
    refuse(HEAD "block f16 sm_90 8x64x64_sm90a fixed 1 step 1 alone 3e6\n", 2, 52, "'alone' cannot be 3e6", "nanoseconds");
    refuse(HEAD "block f16 sm_90 8x64x64_sm90a g 1\n", 2, 31, "no field 'g'", "fixed, step or alone");
    refuse(HEAD "gpu f16 sm_90\n", 2, 5, "no kind of GPU 'f16'", "sm_80");
    refuse(HEAD "gpu sm_90\n", 2, 1, "says nothing", "gpu sm_90 bandwidth 4300");
    refuse(HEAD "gpu sm_90 reached 1.5\n", 2, 19, "'reached' cannot be 1.5", "from 0.01 to 1");
    refuse(HEAD "gpu sm_90 bandwidth fast\n", 2, 21, "'fast' is no number", "bytes per nanosecond");
    refuse(HEAD "gpu sm_90 bandwidth 1 launch 1 bandwidth 2\n", 2, 32, "given twice", "leave one");
}

static void missing_and_repeated_fields_are_refused(void **state)
{
    (void)state;
    refuse(HEAD "kernel f32 avx2 1x8 g 1 2 3 4 5 6 7\n", 2, 36, "ends before the numbers of 'g' do", "8 times in nanoseconds: of 1, 4, 16");
    refuse(HEAD "kernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8 9\n", 2, 39, "no field '9'", "write g");
    refuse(HEAD "kernel f32 avx2 1x8\n", 2, 1, "says nothing", "kernel f32 avx512 14x32 g");
    refuse(HEAD "move f32 avx2\n", 2, 1, "says nothing", "move f32 avx512 pack");
    refuse(HEAD "move f32 avx2 pack\n", 2, 19, "ends before the numbers of 'pack'", "nanoseconds");
    refuse(HEAD "dot f32 avx2 step 1 sum 1\n", 2, 1, "lacks 'tile'", "step 0.16 tile 5.6 sum 0.8");
    refuse(HEAD "dot f32 avx2 step 1 tile 1 sum 1 step 2\n", 2, 34, "'step' of this record is given twice", "leave one");
    refuse(HEAD "move f32 avx2 far 1\nmove f32 avx2 far 1 pack 1 far 1\n", 3, 28, "'far' of this record is given twice", "leave one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_order_and_round_trip),
        cmocka_unit_test(the_upper_profile_wins_field_by_field),
        cmocka_unit_test(the_last_line_wins),
        cmocka_unit_test(records_can_be_put_and_asked_for),
        cmocka_unit_test(applied_to_kernel_sets),
        cmocka_unit_test(usual_profiles_correct_without_choosing),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(former_words_of_knobs_are_read),
        cmocka_unit_test(nests_are_read_and_replaced),
        cmocka_unit_test(nests_have_lines_for_classes),
        cmocka_unit_test(classes_of_a_nest_are_chosen),
        cmocka_unit_test(wrong_lines_about_nests_are_refused),
        cmocka_unit_test(wrong_lines_about_gpus_are_refused),
        cmocka_unit_test(lines_about_grids),
        cmocka_unit_test(lines_about_placements),
        cmocka_unit_test(wrong_lines_about_placements_are_refused),
        cmocka_unit_test(missing_and_repeated_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
