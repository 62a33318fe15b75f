/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Instructions of sm_80 that CUDA C++ has no words for: asynchronous copies from global to shared memory, and accesses of shared
   memory by its addresses, which are 32-bit numbers here. The "memory" clobbers keep the compiler from moving ordinary accesses of
   shared memory across them. */
#pragma once
#include "problem.cuh"

/* A launch may begin before the one in front of it in the stream is over, if the host has asked for that (region.cuh): from here on, that
   one is over, and so is what it has waited for. Without that there is nothing to wait for, nor on older devices. */
MIK_DEVICE void mik_wait_for_launch(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The launch behind this one may begin as soon as all blocks have come here, or ended, and there is room. */
MIK_DEVICE void mik_let_next_begin(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

MIK_DEVICE uint32_t mik_shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

/* WIDTH bytes, 16, 8 or 4, on their way to shared memory, the first `bytes` of them from `from`, the others zero. */
template <int WIDTH> MIK_DEVICE void mik_cp_async(uint32_t to, const void *from, int bytes)
{
    if constexpr (WIDTH == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(from), "r"(bytes), "n"(WIDTH) : "memory");
}

/* The same, all of them from `from`, if they are wanted. */
template <int WIDTH> MIK_DEVICE void mik_cp_async_if(bool wanted, uint32_t to, const void *from)
{
    if constexpr (WIDTH == 16)
        asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %2, 0;\n\t@p cp.async.cg.shared.global [%0], [%1], 16;\n\t}" ::"r"(to),
                     "l"(from), "r"((int)wanted)
                     : "memory");
    else
        asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %2, 0;\n\t@p cp.async.ca.shared.global [%0], [%1], %3;\n\t}" ::"r"(to),
                     "l"(from), "r"((int)wanted), "n"(WIDTH)
                     : "memory");
}

MIK_DEVICE void mik_cp_async_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }

/* This thread's copies are there, all but its LEFT youngest groups. */
template <int LEFT> MIK_DEVICE void mik_cp_async_wait(void) { asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory"); }

MIK_DEVICE void mik_store(uint32_t to, uint32_t word) { asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(word) : "memory"); }

MIK_DEVICE void mik_store(uint32_t to, uint64_t word) { asm volatile("st.shared.b64 [%0], %1;" ::"r"(to), "l"(word) : "memory"); }

MIK_DEVICE void mik_store(uint32_t to, uint4 words)
{
    asm volatile("st.shared.v4.b32 [%0], { %1, %2, %3, %4};" ::"r"(to), "r"(words.x), "r"(words.y), "r"(words.z), "r"(words.w) : "memory");
}

/* An element of 4 or 8 bytes. */
template <typename T> MIK_DEVICE void mik_store_element(uint32_t to, T x)
{
    if constexpr (sizeof(T) == 8) {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        mik_store(to, bits);
    } else {
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        mik_store(to, bits);
    }
}

MIK_DEVICE uint32_t mik_load4(uint32_t from)
{
    uint32_t x;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
    return x;
}

/* *at += by. As an assignment it is often, for each of several in a row, a multiplication of its own. */
MIK_DEVICE void mik_go_on(const char **at, int64_t by) { asm("add.s64 %0, %1, %2;" : "=l"(*at) : "l"(*at), "l"(by)); }

/* The same, by so many elements of SIZE bytes: they take one register. */
template <int SIZE> MIK_DEVICE void mik_go_on_elements(const char **at, int by)
{
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(*at) : "r"(by), "n"(SIZE), "l"(*at));
}

/* threadIdx.x, but read where it stands: addresses that derive from it are not kept in registers all through a
   loop, one for each unrolled copy of each way to load an operand. */
MIK_DEVICE unsigned mik_thread(void)
{
    unsigned x;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(x));
    return x;
}

/* The widest copy, 16, 8, 4, 2 or 1 bytes, that base + i * stride are all aligned for. */
MIK_DEVICE int mik_width(const void *base, int64_t stride)
{
    const uint64_t bits = (uint64_t)(uintptr_t)base | (uint64_t)stride | 16;
    return (int)(bits & -bits);
}
