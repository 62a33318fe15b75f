/* The highest rate of single-precision arithmetic that one core reaches. */
#pragma once

/* Seconds on a clock that never goes back. */
double now(void);

/* Floating-point operations per second of a loop of independent fused multiply-adds with the widest vectors
   of this machine; plain C where the machine is not an x86-64. Takes about a tenth of a second. */
double peak_flops(void);
