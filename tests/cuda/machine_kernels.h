/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the kernels of a cubin, and what the PTX and ptxas's log say of them.
 *
 * A cubin is an ELF file: section `.text.NAME` has the instructions of a kernel, 16 bytes each; the low 12 bits
 * are the opcode, bits 73 to 75 the width of a memory access. These numbers are not documented. That they mean
 * what the table below says is checked each time: for instructions that ptxas translates one to one, there are
 * as many in the machine code as in the PTX. */
#ifndef MACHINE_KERNELS_H
#define MACHINE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "machine_loops.h"

/* name, opcode, whether it accesses memory with a width, what the PTX calls it (NULL: not one to one). PTX
   statements are matched by their beginning, and must contain the second text; the first row that fits counts. Asynchronous copies are counted
   that have 16 bytes: ptxas unrolls loops around narrower ones. */
#define INSTRUCTIONS(X) \
    X(HMMA, 0x23c, 0, "mma.sync.", ".f32.") \
    X(IMMA, 0x237, 0, "mma.sync.", ".s32.") \
    X(DMMA, 0x23f, 0, "mma.sync.", ".f64.") \
    X(QGMMA, 0x9f3, 0, "wgmma.mma_async.", ".f32.e") \
    X(HGMMA, 0x9f0, 0, "wgmma.mma_async.", ".f32.") \
    X(IGMMA, 0x9f1, 0, "wgmma.mma_async.", ".s32.") \
    X(LDSM, 0x83b, 0, "ldmatrix.", "") \
    X(DEPBAR, 0x91a, 0, NULL, NULL) \
    X(LDGSTS, 0xfae, 1, "cp.async.cg.", ".shared.global") \
    X(UTMALDG, 0x5b4, 0, "cp.async.bulk.tensor.", "::bytes [") \
    X(UTMALDG_MULTICAST, 0x3b4, 0, "cp.async.bulk.tensor.", ".multicast::cluster") \
    X(UTMASTG, 0x3b5, 0, "cp.async.bulk.tensor.", ".bulk_group [") \
    X(STSM, 0x844, 0, "stmatrix.", "") \
    X(USETMAXREG, 0x9c8, 0, "setmaxnreg.", "") \
    X(SYNCS_INIT, 0x5b2, 0, "mbarrier.init.", "") \
    X(LDG, 0x981, 1, NULL, NULL) \
    X(STG, 0x986, 1, NULL, NULL) \
    X(LDS, 0x984, 1, NULL, NULL) \
    X(STS, 0x388, 1, NULL, NULL) \
    X(ST, 0x385, 1, "st.shared::cluster.", ".v4.") \
    X(STS_R, 0x988, 1, NULL, NULL) \
    X(LDL, 0x983, 1, NULL, NULL) \
    X(STL, 0x387, 1, NULL, NULL) \
    X(STL_R, 0x987, 1, NULL, NULL) \
    X(BAR, 0xb1d, 0, NULL, NULL) \
    X(FFMA, 0x223, 0, NULL, NULL) \
    X(DFMA, 0x22b, 0, NULL, NULL) \
    X(ATOMG, 0x9a8, 0, NULL, NULL) \
    X(MEMBAR, 0x992, 0, NULL, NULL) \
    X(FENCE, 0x3c6, 0, NULL, NULL) \
    X(ERRBAR, 0x9ab, 0, NULL, NULL) \
    X(CGAERRBAR, 0x5ab, 0, NULL, NULL) \
    X(NOP, 0x918, 0, NULL, NULL)

typedef enum {
#define X(name, opcode, has_width, begin, within) I_##name,
    INSTRUCTIONS(X)
#undef X
        INSTRUCTION_COUNT
} Instruction;

typedef struct {
    const char *name;
    unsigned opcode;
    int has_width;
    const char *begin, *within;
} InstructionInfo;

extern const InstructionInfo instructions[INSTRUCTION_COUNT];

enum { OPCODES = 4096, WIDTHS = 8, WIDE = 6, MAX_KERNELS = 512 };

typedef struct {
    const char *name; /* in the cubin, which is kept */
    int registers, log_registers; /* of a thread; -1: not told */
    long long static_shared;      /* bytes */
    long long frame;              /* bytes of local memory of a thread */
    Code code;
    int counts[OPCODES];         /* by opcode */
    int widths[OPCODES][WIDTHS]; /* memory accesses among them by width */
    int ptx[INSTRUCTION_COUNT];  /* what the PTX has of them */
    int in_ptx;                  /* bool: there is an entry of this name */
    int multiplies_plainly;      /* bool: it has no products on tensor cores */
    int ptx_stores;              /* of 16 bytes, so written */
} Kernel;

typedef struct {
    char *bytes; /* and a 0 behind them */
    size_t size;
} Text;

extern Kernel kernels[MAX_KERNELS]; /* of the cubin, in its order */
extern int kernel_count;
extern int faults; /* how many lines fault() has printed */

/* Prints a message on standard error and exits with status 2: the input is none, or memory is short. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line about this kernel on standard output, and counts it. */
void fault(const char *kernel, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* All of a file; the caller frees its bytes. */
Text read_file(const char *path);

/* NULL: there is none of this name, which has `length` bytes. */
Kernel *find_kernel(const char *name, size_t length);

/* Fills kernels[], whose names point into what is read. */
void read_cubin(const char *path);

/* Counts of these kernels what the PTX has of each instruction. */
void read_ptx(const char *path);

/* Notes the registers that ptxas tells of them; a warning of its (C75..) is a fault. */
void read_log(const char *path);

#endif
