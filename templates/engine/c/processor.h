/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The instruction sets of an x86 processor. This file asks CPUID itself: compilers' built-ins need a run-time library, and some of these
   know no set. */
#pragma once
#include "compiler.h"

#if MIK_X86
/* Instruction sets of which the operating system saves the registers, too. */
enum {
    MIK_HAS_AVX2 = 1,
    MIK_HAS_FMA = 2,
    MIK_HAS_F16C = 4,
    MIK_HAS_AVX512F = 8,
    MIK_HAS_AVX512BW = 16,
    MIK_HAS_AVX512DQ = 32,
    MIK_HAS_AVX512VL = 64,
    MIK_HAS_AVX512VNNI = 128,
    MIK_HAS_AVX512BF16 = 256,
    MIK_HAS_BEEN_ASKED = 512
};

/* Answers of CPUID: ECX of leaf 1, EBX and ECX of leaf 7, EAX of its second part; and of XGETBV: what of the registers the operating
   system saves (XCR0), 0 without one that says so. */
typedef struct {
    uint32_t ecx1, ebx7, ecx7, eax7_1, saved;
} mik_processor;

/* The sets that such a processor has. AVX wants the registers of SSE and AVX (bits 1, 2), AVX-512 its own three parts (5 to 7), too. */
static int mik_sets_of(const mik_processor *p)
{
    const int avx = p->ecx1 >> 28 & 1 && (p->saved & 0x06) == 0x06, wide = avx && (p->saved & 0xe0) == 0xe0 && p->ebx7 >> 16 & 1;
    int sets = MIK_HAS_BEEN_ASKED;
    if (avx)
        sets |= (p->ebx7 >> 5 & 1 ? MIK_HAS_AVX2 : 0) | (p->ecx1 >> 12 & 1 ? MIK_HAS_FMA : 0) | (p->ecx1 >> 29 & 1 ? MIK_HAS_F16C : 0);
    if (wide)
        sets |= MIK_HAS_AVX512F | (p->ebx7 >> 30 & 1 ? MIK_HAS_AVX512BW : 0) | (p->ebx7 >> 17 & 1 ? MIK_HAS_AVX512DQ : 0) |
                (p->ebx7 >> 31 & 1 ? MIK_HAS_AVX512VL : 0) | (p->ecx7 >> 11 & 1 ? MIK_HAS_AVX512VNNI : 0) |
                (p->eax7_1 >> 5 & 1 ? MIK_HAS_AVX512BF16 : 0);
    return sets;
}

static __attribute__((noinline)) int mik_ask_processor(void)
{
    mik_processor p = {0, 0, 0, 0, 0};
    uint32_t eax, ebx, ecx, edx;
    const uint32_t last = __get_cpuid_max(0, NULL);
    if (last < 7)
        return MIK_HAS_BEEN_ASKED;
    __cpuid(1, eax, ebx, p.ecx1, edx);
    if (p.ecx1 >> 27 & 1)                            /* OSXSAVE: XGETBV is there */
        __asm__ __volatile__("xgetbv" : "=a"(p.saved), "=d"(edx) : "c"(0));
#if defined(__APPLE__)
    p.saved |= p.saved & 0x04 ? 0xe0 : 0;            /* macOS saves AVX-512's registers from their first use on */
#endif
    __cpuid_count(7, 0, eax, p.ebx7, p.ecx7, edx);
    if (eax >= 1)
        __cpuid_count(7, 1, p.eax7_1, ebx, ecx, edx);
    return mik_sets_of(&p);
}

/* The sets of this processor, which is asked once: CPUID takes long in virtual machines. Threads that come first together find the same.
   It is always the same, so callers need not take memory for changed: what they have in registers stays there. */
static __attribute__((noinline, const)) int mik_sets(void)
{
#if MIK_DRAWS
#ifdef MIK_ANY_PROCESSOR
    return ~0; /* nothing is run */
#endif
#endif
    static int found;
    int sets = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (__builtin_expect(!sets, 0))
        __atomic_store_n(&found, sets = mik_ask_processor(), __ATOMIC_RELAXED);
    return sets;
}

/* Are all of these among the sets that were found? */
MIK_INLINE int mik_has(int found, int sets) { return (found & sets) == sets; }
#endif

/* Names the sets that were found, in a line; returns its length, as snprintf does. */
MIK_UNUSED static int mik_say_sets(char *buf, size_t size)
{
#if MIK_DRAWS
#ifdef MIK_ANY_PROCESSOR
    return snprintf(buf, size, "%s", ""); /* none was looked for */
#endif
#endif
#if MIK_X86
    static const char *const names[] = {" avx2",     " fma",      " f16c",       " avx512f",   " avx512bw",
                                        " avx512dq", " avx512vl", " avx512vnni", " avx512bf16"};
    const int sets = mik_sets();
    char text[100] = " none";
    size_t used = 0;
    for (int i = 0; i < 9; i++)
        if (sets >> i & 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", names[i]);
#if MIK_SOME_SETS
    return snprintf(buf, size, "instruction sets of this file: %s; found:%s\n", MIK_NAMES_HELD, text);
#else
    return snprintf(buf, size, "instruction sets found:%s\n", text);
#endif
#else
#if MIK_SOME_SETS
    return snprintf(buf, size, "instruction sets of this file: %s; found: %s\n", MIK_NAMES_HELD, MIK_FOUND_BY_GUARD);
#else
    return snprintf(buf, size, "instruction sets found: %s\n", MIK_FOUND_BY_GUARD);
#endif
#endif
}
