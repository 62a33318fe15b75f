/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prelude is printed from ir/libm.def, in C for Clang and as the header of --emit=reference. */
#include "gen/front/text/spec_prelude.h"

#include <string.h>

#include "ir/node.h"

/* The limits are those of LP64 targets, the ones that emitted code is for. */
static const char definitions[] =
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;\n"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t; typedef "
    "unsigned long uint64_t;\n"
    "typedef signed char int_least8_t; typedef short int_least16_t; typedef int int_least32_t; typedef long "
    "int_least64_t;\n"
    "typedef unsigned char uint_least8_t; typedef unsigned short uint_least16_t; typedef unsigned "
    "uint_least32_t; typedef unsigned long uint_least64_t;\n"
    "typedef signed char int_fast8_t; typedef long int_fast16_t; typedef long int_fast32_t; typedef long "
    "int_fast64_t;\n"
    "typedef unsigned char uint_fast8_t; typedef unsigned long uint_fast16_t; typedef unsigned long "
    "uint_fast32_t; typedef unsigned long uint_fast64_t;\n"
    "typedef long intptr_t; typedef unsigned long uintptr_t; typedef long intmax_t; typedef unsigned long "
    "uintmax_t;\n"
    "typedef unsigned long size_t; typedef long ptrdiff_t; typedef int wchar_t;\n"
    "typedef float float_t; typedef double double_t;\n"
    "#define bool _Bool\n#define true 1\n#define false 0\n#define NULL ((void *)0)\n"
    "#define INT8_C(v) v\n#define INT16_C(v) v\n#define INT32_C(v) v\n#define INT64_C(v) v##L\n"
    "#define UINT8_C(v) v\n#define UINT16_C(v) v\n#define UINT32_C(v) v##U\n#define UINT64_C(v) v##UL\n"
    "#define CHAR_BIT 8\n#define CHAR_MIN (-128)\n#define CHAR_MAX 127\n#define SCHAR_MIN (-128)\n#define "
    "SCHAR_MAX 127\n"
    "#define UCHAR_MAX 255\n#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n#define USHRT_MAX 65535\n"
    "#define INT_MIN (-2147483647 - 1)\n#define INT_MAX 2147483647\n#define UINT_MAX 4294967295U\n"
    "#define LONG_MIN (-9223372036854775807L - 1)\n#define LONG_MAX 9223372036854775807L\n#define ULONG_MAX "
    "18446744073709551615UL\n"
    "#define LLONG_MIN (-9223372036854775807LL - 1)\n#define LLONG_MAX 9223372036854775807LL\n#define "
    "ULLONG_MAX 18446744073709551615ULL\n"
    "#define INT8_MIN (-128)\n#define INT8_MAX 127\n#define UINT8_MAX 255\n"
    "#define INT16_MIN (-32768)\n#define INT16_MAX 32767\n#define UINT16_MAX 65535\n"
    "#define INT32_MIN INT_MIN\n#define INT32_MAX INT_MAX\n#define UINT32_MAX UINT_MAX\n"
    "#define INT64_MIN LONG_MIN\n#define INT64_MAX LONG_MAX\n#define UINT64_MAX ULONG_MAX\n"
    "#define INTPTR_MIN LONG_MIN\n#define INTPTR_MAX LONG_MAX\n#define UINTPTR_MAX ULONG_MAX\n"
    "#define INTMAX_MIN LONG_MIN\n#define INTMAX_MAX LONG_MAX\n#define UINTMAX_MAX ULONG_MAX\n"
    "#define PTRDIFF_MIN LONG_MIN\n#define PTRDIFF_MAX LONG_MAX\n#define SIZE_MAX ULONG_MAX\n"
    "#define FLT_RADIX 2\n#define FLT_EVAL_METHOD 0\n#define DECIMAL_DIG 21\n"
    "#define FLT_MANT_DIG 24\n#define FLT_DIG 6\n#define FLT_DECIMAL_DIG 9\n#define FLT_MIN_EXP "
    "(-125)\n#define FLT_MAX_EXP 128\n"
    "#define FLT_MIN_10_EXP (-37)\n#define FLT_MAX_10_EXP 38\n"
    "#define FLT_MAX 0x1.fffffep127F\n#define FLT_MIN 0x1p-126F\n#define FLT_EPSILON 0x1p-23F\n#define "
    "FLT_TRUE_MIN 0x1p-149F\n"
    "#define DBL_MANT_DIG 53\n#define DBL_DIG 15\n#define DBL_DECIMAL_DIG 17\n#define DBL_MIN_EXP "
    "(-1021)\n#define DBL_MAX_EXP 1024\n"
    "#define DBL_MIN_10_EXP (-307)\n#define DBL_MAX_10_EXP 308\n"
    "#define DBL_MAX 0x1.fffffffffffffp1023\n#define DBL_MIN 0x1p-1022\n#define DBL_EPSILON 0x1p-52\n#define "
    "DBL_TRUE_MIN 0x1p-1074\n"
    "#define LDBL_MANT_DIG 64\n#define LDBL_DIG 18\n#define LDBL_DECIMAL_DIG 21\n#define LDBL_MIN_EXP "
    "(-16381)\n#define LDBL_MAX_EXP 16384\n"
    "#define LDBL_MAX 0x1.fffffffffffffffep16383L\n#define LDBL_MIN 0x1p-16382L\n#define LDBL_EPSILON "
    "0x1p-63L\n"
    "#define INFINITY __builtin_inff()\n#define NAN __builtin_nanf(\"\")\n"
    "#define HUGE_VAL __builtin_inf()\n#define HUGE_VALF __builtin_inff()\n#define HUGE_VALL __builtin_infl()\n"
    "#define isnan(x) __builtin_isnan(x)\n#define isinf(x) __builtin_isinf(x)\n#define isfinite(x) "
    "__builtin_isfinite(x)\n"
    "#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n#define M_LOG10E "
    "0.43429448190325182765\n"
    "#define M_LN2 0.69314718055994530942\n#define M_LN10 2.30258509299404568402\n#define M_PI "
    "3.14159265358979323846\n"
    "#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n#define M_1_PI "
    "0.31830988618379067154\n"
    "#define M_2_PI 0.63661977236758134308\n#define M_2_SQRTPI 1.12837916709551257390\n"
    "#define M_SQRT2 1.41421356237309504880\n#define M_SQRT1_2 0.70710678118654752440\n";

typedef struct Prototype {
    const char *name;
    Type result;
    int nargs;
    Type arg[3];
} Prototype;

static const Prototype prototypes[] = {
#define LIBM(name, result, nargs, ...) {#name, result, nargs, {__VA_ARGS__}},
#include "ir/libm.def"
};

/* Those that the spec names; NULL: all. */
static void print_common(Text *text, const char *spec)
{
    text_puts(text, definitions);
    for (size_t i = 0; i < sizeof prototypes / sizeof *prototypes; i++) {
        const Prototype *p = &prototypes[i];
        if (spec && !strstr(spec, p->name))
            continue;
        text_printf(text, "%s %s(", type_spec_name(p->result), p->name);
        for (int a = 0; a < p->nargs; a++)
            text_printf(text, "%s%s", a ? ", " : "", type_spec_name(p->arg[a]));
        text_puts(text, ");\n");
    }
}

void prelude_common(Text *text) { print_common(text, NULL); }

/* Macros that choose among sqrtf, sqrt and sqrtl, and the like, by the types of all arguments that are double in sqrt. The first is for floats of
 * 16 bits, too, whose types are not named: a compiler that reads what the macros stand for may not have them. */
static const char *tgmath_text(Arena *arena)
{
    Text text;
    text_init(&text, arena);
    text_puts(&text,
              "#pragma once\n#define MIKGEN_BY_TYPE(v, name) \\\n"
              "    _Generic((v), default: name##f, double: name, long double: name##l, _Bool: name, char: name, signed char: name, \\\n"
              "             unsigned char: name, short: name, unsigned short: name, int: name, unsigned: name, long: name, \\\n"
              "             unsigned long: name, long long: name, unsigned long long: name)\n");
    for (size_t i = 0; i < sizeof prototypes / sizeof *prototypes; i++) {
        const Prototype *p = &prototypes[i];
        static const char *const arguments[] = {"", "x", "x, y", "x, y, z"}, *const sums[] = {"", "x", "(x) + (y)", "(x) + (y) + (z)"};
        int floating = 0;
        while (floating < p->nargs && p->arg[floating] == T_DOUBLE)
            floating++;
        if (floating)
            text_printf(&text, "#define %s(%s) MIKGEN_BY_TYPE(%s, %s)(%s)\n", p->name, arguments[p->nargs], sums[floating], p->name,
                        arguments[p->nargs]);
    }
    return text.data;
}

/* It alone takes names from the spec, such as I. */
static const char *prelude_complex(void)
{
    return "#define complex _Complex\n#define _Complex_I (__extension__ 1.0iF)\n#define I _Complex_I\n"
           "#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))\n"
           "#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))\n"
           "#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))\n"
           "#define MIK_COMPLEX(name, real, number) \\\n"
           "    real creal##name(number); real cimag##name(number); real cabs##name(number); real carg##name(number); \\\n"
           "    number conj##name(number); number cexp##name(number); number csqrt##name(number); number cproj##name(number); \\\n"
           "    number clog##name(number); number csin##name(number); number ccos##name(number); number ctan##name(number); \\\n"
           "    number csinh##name(number); number ccosh##name(number); number ctanh##name(number); \\\n"
           "    number casin##name(number); number cacos##name(number); number catan##name(number); \\\n"
           "    number casinh##name(number); number cacosh##name(number); number catanh##name(number); \\\n"
           "    number cpow##name(number, number);\n"
           "MIK_COMPLEX(, double, double _Complex)\n"
           "MIK_COMPLEX(f, float, float _Complex)\n"
           "MIK_COMPLEX(l, long double, long double _Complex)\n"
           "#undef MIK_COMPLEX\n";
}

const SourceHeader *spec_headers(Arena *arena)
{
    const SourceHeader headers[] = {
        {"math.h", ""},
        {"complex.h", prelude_complex()},
        {"tgmath.h", tgmath_text(arena)},
        {"stdint.h", ""},
        {"inttypes.h", ""},
        {"stddef.h", ""},
        {"stdbool.h", ""},
        {"float.h", ""},
        {"limits.h", ""},
        {"stdlib.h", ""},
        {"stdio.h", ""}, /* many texts begin with it; what it declares is refused where it is used */
        {"sys/types.h", ""},
        {"string.h", "#pragma once\nvoid *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);\n"
                     "void *memmove(void *, const void *, size_t);\n"},
        {"assert.h", "#pragma once\n#define assert(condition) ((void)sizeof((condition) ? 1 : 0))\n#define static_assert _Static_assert\n"},
        {NULL, NULL},
    };
    SourceHeader *own = arena_new_array(arena, SourceHeader, sizeof headers / sizeof *headers);
    memcpy(own, headers, sizeof headers);
    return own;
}

/* Does what stands behind "include" name a header without a text? */
static bool is_empty_header(const SourceHeader *headers, const char *rest)
{
    rest += strspn(rest, " \t");
    for (; headers->name; headers++) {
        const size_t len = strlen(headers->name);
        if (!*headers->text && *rest == '<' && strncmp(rest + 1, headers->name, len) == 0 && rest[len + 1] == '>')
            return true;
    }
    return false;
}

/* May it use names that it does not spell? Other files do, tokens that are glued together, names that go on in the next line. */
static bool may_name_others(Arena *arena, const char *spec)
{
    static const char *const ways[] = {"##", "\\", "??", "%:", "signbit"}; /* the third and fourth spell the former, the last is a macro */
    static const char word[] = "include";
    const SourceHeader *headers = strstr(spec, word) ? spec_headers(arena) : NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strstr(spec, ways[i]))
            return true;
    for (const char *p = spec; (p = strstr(p, word)); p += sizeof word - 1)
        if (!is_empty_header(headers, p + sizeof word - 1))
            return true;
    return false;
}

const char *prelude_text(Arena *arena, const char *spec)
{
    enum { LONG = 16384 }; /* all functions are little beside it */
    Text text;
    text_init(&text, arena);
    text_puts(&text, "typedef long ssize_t;\n"
                     "#define signbit(x) (copysign(1.0, x) < 0)\n"
                     "#define __fp16 _Float16\n"
                     "typedef _Float16 half; typedef __bf16 bf16;\n"
                     "typedef struct __nv_fp8_e4m3 { unsigned char __x; } __nv_fp8_e4m3, e4m3;\n"
                     "typedef struct __nv_fp8_e5m2 { unsigned char __x; } __nv_fp8_e5m2, e5m2;\n"
                     "float e4m3_to_float(struct __nv_fp8_e4m3); float e5m2_to_float(struct __nv_fp8_e5m2);\n"
                     "struct __nv_fp8_e4m3 float_to_e4m3(float); struct __nv_fp8_e5m2 float_to_e5m2(float);\n");
    print_common(&text, !spec || strlen(spec) > LONG || may_name_others(arena, spec) ? NULL : spec);
    return text.data;
}

bool prelude_declares(const char *function)
{
    for (size_t i = 0; i < sizeof prototypes / sizeof *prototypes; i++)
        if (strcmp(prototypes[i].name, function) == 0)
            return true;
    return false;
}

const char *definition_lines(Arena *arena, const Vec *words)
{
    Text lines;
    text_init(&lines, arena);
    for (int i = 0; words && i < words->count; i++) {
        const char *word = words->items[i], *value = strchr(word, '=');
        const int len = (int)(value ? value - word : (long)strlen(word)) - 2;
        text_printf(&lines, "#undef %.*s\n", len, word + 2);
        if (word[1] == 'D')
            text_printf(&lines, "#define %.*s %s\n", len, word + 2, value ? value + 1 : "1");
    }
    return lines.data;
}

/* Of floats of 8 bits, which no C has. */
static const char fp8_functions[] =
    "typedef struct __nv_fp8_e4m3 { unsigned char __x; } __nv_fp8_e4m3, e4m3;\n"
    "typedef struct __nv_fp8_e5m2 { unsigned char __x; } __nv_fp8_e5m2, e5m2;\n"
    "/* A float of 8 bits, so many of which are its fraction: exponents are from 1 - bias on. */\n"
    "static float mik_fp8_value(int x, int fraction, int bias)\n"
    "{\n"
    "    int exponent = (x & 127) >> fraction, rest = x & ((1 << fraction) - 1);\n"
    "    float value = ldexpf(exponent ? rest + (1 << fraction) : rest, (exponent ? exponent : 1) - bias - fraction);\n"
    "    if (fraction == 3 && (x & 127) == 127)\n"
    "        value = NAN;\n"
    "    if (fraction == 2 && exponent == 31)\n"
    "        value = rest ? NAN : INFINITY;\n"
    "    return x & 128 ? -value : value;\n"
    "}\n"
    "/* The nearest, of two the even one; what is larger than the greatest finite one becomes that. */\n"
    "static unsigned char mik_fp8_nearest(float x, int fraction, int bias)\n"
    "{\n"
    "    int greatest = fraction == 3 ? 126 : 123, sign = signbit(x) ? 128 : 0, exponent;\n"
    "    if (x != x)\n"
    "        return 127;\n"
    "    if (fabsf(x) >= mik_fp8_value(greatest, fraction, bias))\n"
    "        return (unsigned char)(sign | greatest);\n"
    "    frexpf(x, &exponent);\n"
    "    exponent = x == 0 || exponent - 1 < 1 - bias ? 1 : exponent - 1 + bias;\n"
    "    return (unsigned char)(sign | (((exponent - 1) << fraction) + (int)rintf(ldexpf(fabsf(x), fraction + bias - exponent))));\n"
    "}\n"
    "static float e4m3_to_float(e4m3 x) { return mik_fp8_value(x.__x, 3, 7); }\n"
    "static float e5m2_to_float(e5m2 x) { return mik_fp8_value(x.__x, 2, 15); }\n"
    "static e4m3 float_to_e4m3(float x) { return (e4m3){mik_fp8_nearest(x, 3, 7)}; }\n"
    "static e5m2 float_to_e5m2(float x) { return (e5m2){mik_fp8_nearest(x, 2, 15)}; }\n";

void prelude_reference(Text *text, const NarrowTypes *named)
{
    text_puts(text, "#include <float.h>\n"
                    "#include <limits.h>\n"
                    "#include <math.h>\n"
                    "#include <stdbool.h>\n"
                    "#include <stddef.h>\n"
                    "#include <stdint.h>\n"
                    "#include <stdlib.h>\n"
                    "#include <sys/types.h>\n"
                    "#define __fp16 _Float16\n" /* whose arithmetic would be that of float, where a compiler has it */
                    "#ifdef __clang__ /* its C library's <complex.h> may have them for gcc alone */\n"
                    "#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))\n"
                    "#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))\n"
                    "#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))\n"
                    "#endif\n"
                    "#ifndef M_PI\n"
                    "#define M_E 2.7182818284590452354\n"
                    "#define M_LOG2E 1.4426950408889634074\n"
                    "#define M_LOG10E 0.43429448190325182765\n"
                    "#define M_LN2 0.69314718055994530942\n"
                    "#define M_LN10 2.30258509299404568402\n"
                    "#define M_PI 3.14159265358979323846\n"
                    "#define M_PI_2 1.57079632679489661923\n"
                    "#define M_PI_4 0.78539816339744830962\n"
                    "#define M_1_PI 0.31830988618379067154\n"
                    "#define M_2_PI 0.63661977236758134308\n"
                    "#define M_2_SQRTPI 1.12837916709551257390\n"
                    "#define M_SQRT2 1.41421356237309504880\n"
                    "#define M_SQRT1_2 0.70710678118654752440\n"

                    "#endif\n");
    if (named->half || named->bf16) /* where a processor computes in these types, products would not round before they are added */
        text_puts(text, "#ifdef __clang__\n"
                        "#pragma STDC FP_CONTRACT OFF\n"
                        "#elif defined(__GNUC__)\n"
                        "#pragma GCC optimize(\"fp-contract=off\")\n"
                        "#endif\n");
    if (named->half)
        text_puts(text, "typedef _Float16 half;\n");
    if (named->bf16)
        text_puts(text, "#if !defined(__clang__) && __GNUC__ < 13\n"
                        "#error \"there is no bf16 before gcc 13: take a newer one, or clang\"\n"
                        "#endif\n"
                        "typedef __bf16 bf16;\n");
    if (named->fp8)
        text_puts(text, fp8_functions);
}
