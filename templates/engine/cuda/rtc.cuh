/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What kernels need of headers, where NVRTC compiles them. */
#pragma once
#ifdef __CUDACC_RTC__ /* it takes the kernels alone, and has no headers */
#pragma nv_diag_suppress 177 /* functions that only the host calls, too */

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807ll - 1)
#define INT64_MAX 9223372036854775807ll
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#if MIK_TMA
struct alignas(64) CUtensorMap {
    uint64_t opaque[16];
};
#endif
#endif
