/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated multiprocessor: decoded code, warps, blocks, clusters and launches.
 *
 * Registers of a warp lie in one file, a register being an array of 32 values (a predicate: a mask of 32 bits),
 * so that an instruction is one loop over lanes. Lanes that are at the same instruction run together; each has
 * its own program counter when they part. A waiting lane is state, not a stack: nothing here switches contexts.
 *
 * The library is compiled with -fno-strict-aliasing: registers have no type, as in PTX. */
#ifndef SIM_MULTIPROCESSOR_H
#define SIM_MULTIPROCESSOR_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ptx.h"
#include "simulator.h"

enum {
    LANES = 32,
    ALL_LANES = -1,
    MAX_BARRIERS = 16,
    SHARED_BASE = 1024, /* the first KB of a block's shared memory belongs to the system */
    RANK_SHIFT = 24     /* a shared::cluster address: rank + 1 above the address in that block; 0: one's own */
};

/* Generic addresses outside global memory. */
#define SHARED_WINDOW 0x0100000000000000ull
#define LOCAL_WINDOW  0x0200000000000000ull
#define PARAM_WINDOW  0x0300000000000000ull
#define WINDOW_MASK   0xff00000000000000ull

typedef struct Warp Warp;
typedef struct Block Block;
typedef struct Cluster Cluster;
typedef struct Launch Launch;
typedef struct Inst Inst;

/* Where an operand's 32 lanes are: a byte offset into the warp's registers, or with the top bit into the
 * constants. */
typedef uint32_t Ref;
#define CONSTANT_REF 0x80000000u
#define NO_REF       0xffffffffu

typedef enum {
    FLOW_NEXT, /* run, go on */
    FLOW_SPIN, /* the same; a loop around it may be waiting for somebody */
    FLOW_SYNC, /* as FLOW_NEXT, but run may block the lanes; it sees the whole group, guards apart */
    FLOW_BRANCH,
    FLOW_TABLE, /* brx.idx */
    FLOW_EXIT
} Flow;

/* Of a memory access: volatile, relaxed or more; what it orders; past the first-level cache; for the block alone. */
enum { ORDER_STRONG = 1, ORDER_ACQUIRE = 2, ORDER_RELEASE = 4, ORDER_FAR = 8, ORDER_NEAR = 16 };

typedef void Run(Warp *w, const Inst *i, uint32_t mask);

struct Inst {
    Run *run;
    Ref d, a, b, c, e;
    Ref guard; /* NO_REF: none */
    bool is_guard_negated;
    uint8_t flow;
    uint8_t size, count; /* of memory accesses: bytes of an element, elements */
    uint8_t space, order; /* order: ORDER_ bits, of accesses */
    bool is_signed, is_hidden;
    bool is_collective; /* .aligned: all lanes of the warp that have not exited */
    bool needs_warp;    /* and none may have */
    int target;         /* of branches: the instruction */
    int64_t imm;
    uint32_t flags; /* what the family of run makes of it */
    Ref *refs;      /* further operands */
    int ref_count;
    bool writes_refs; /* they are results */
    void *extra;
    const Stmt *stmt; /* for diagnoses */
    const Function *origin;
};

typedef struct Code {
    const char *name; /* mangled */
    const char *source;
    const Function *function;
    const Module *module;
    Inst *insts;
    int count, room;
    size_t file_size; /* bytes of registers of a warp */
    uint8_t *constants;
    size_t constant_size, constant_room;
    size_t static_shared, shared_align, dynamic_align, local_size;
    struct {
        Ref ref;
        int which;
    } specials[64];
    int special_count;
    char *error; /* what decoding complained about; reported at launch */
    SimCounters counters;
} Code;

/* ---- waiting ---- */

typedef enum { WAIT_NONE, WAIT_BARRIER, WAIT_LANES, WAIT_MBARRIER, WAIT_CLUSTER, WAIT_GRID, WAIT_REGISTERS } WaitKind;

typedef struct {
    WaitKind kind;
    int barrier;      /* bar.sync's number */
    uint32_t lanes;   /* whom a warp's collective waits for */
    uint64_t address; /* the mbarrier */
    int pc;           /* of the waiting instruction */
} Wait;

/* ---- asynchronous copies of one thread: cp.async ---- */

typedef struct {
    uint32_t shared;
    int lane, size, source_size;
    uint64_t global;
    uint32_t group;
    const Inst *inst;
} Copy;

typedef struct {
    Copy *copies;
    int count, room;
    uint32_t group[LANES]; /* the group that the lane's next cp.async belongs to */
} Copies;

/* ---- wgmma in flight ---- */

typedef struct {
    uint32_t open; /* number of the open group */
    struct Flight *flights;
    bool any_taint, is_fenced, has_agents;
    uint32_t *taint; /* for each 64 bytes of registers: group + 1 that writes it, or 0 */
    int agents[4];   /* of the race check: group g is number g % 4's, since groups are waited for apart */
    uint64_t trace, *traces; /* what the warp has issued: a hash after each instruction */
    size_t issued, trace_room;
} WarpGroup;

struct Warp {
    uint8_t *file[2]; /* registers, constants */
    Code *code;
    Block *block;
    Launch *launch;
    int index;                              /* in the block */
    int pc;                                 /* of the running group; stale in lane_pc meanwhile */
    int next;                               /* run may change it */
    uint32_t group;                         /* lanes that run now */
    uint32_t alive, blocked, yielded, held; /* held: random-lazy lets others of the warp go first */
    uint32_t timed_out;                     /* lanes whose try_wait may come back with nothing */
    bool is_spinning;                       /* a spin instruction since the last backward branch */
    int turns;                              /* such branches */
    int registers;                          /* of each thread; 0: as many as at the launch */
    int lane_pc[LANES];
    Wait wait[LANES];
    uint8_t *local;
    Copies copies;
    WarpGroup wgmma;
    struct BulkGroups *bulk;
    uint32_t has_waited; /* lanes that have executed griddepcontrol.wait */
    long long instructions;
};

typedef struct {
    int arrived;                          /* threads */
    int expected;                         /* 0: idle */
    bool has_count;                       /* the instruction names how many */
    uint32_t waiting[LANES], here[LANES]; /* of each warp, the lanes that wait, and those that have arrived */
    uint32_t votes;                       /* of bar.red: how many threads' predicate held */
} Barrier;

struct Block {
    Cluster *cluster;
    Launch *launch;
    uint32_t id[3];
    int rank;        /* in the cluster */
    uint8_t *shared; /* address SHARED_BASE */
    size_t shared_size;
    Warp *warps;
    int warp_count, thread_count, live_threads;
    Barrier barriers[MAX_BARRIERS];
    struct Shadow *shadow;
    struct Mbarriers *mbarriers;
    int spare_registers;  /* of each thread of a warp: given back, and not taken yet */
    bool has_looked;      /* it made an access by which blocks wait for each other, */
    bool is_synchronised; /* and one that acquires, or a fence since */
};

struct Cluster {
    Launch *launch;
    Block *blocks;
    int block_count;
    uint32_t id[3];
    int arrived, phase;   /* barrier.cluster */
    uint8_t *has_arrived; /* for each thread of the cluster: 1 arrived, 2 waits */
    struct Async *async;  /* bulk copies that have not landed */
    struct Clocks *clocks;
    bool is_done;
    Cluster *next;
};

/* How many fences a block has executed: in all, and before the last access that others may wait for. */
typedef struct {
    uint32_t count, published;
} FenceCount;

struct Launch {
    Code *code;
    uint32_t grid[3], block[3], cluster[3];
    size_t dynamic_shared, shared_size;
    uint8_t *params;
    size_t param_size;
    int device;
    SimSchedule schedule;
    bool has_races;
    uint64_t random;
    long long progress; /* grows whenever something changed that others may wait for */
    uint64_t clock;
    unsigned number; /* counts launches */
    Cluster *active; /* the clusters that have begun */
    uint32_t *order;
    int resident;       /* how many clusters the device runs at a time */
    FenceCount *fences; /* of each block, for the race check; NULL: not checked */
    /* Started before the launch in front of it was over: the oldest launch that may still run before a thread has executed
     * griddepcontrol.wait, and the oldest that may do so after, since the one in front has not waited for it; 0: none. */
    unsigned before_wait, after_wait, in_front;
    bool any_waited;
    long long busy;     /* grows when a warp has used up its slice without waiting in a loop */
    jmp_buf fault;
    SimCounters counters;
};

static inline void *reg(const Warp *w, Ref ref) { return w->file[ref >> 31] + (ref & 0x7fffffffu); }

static inline uint32_t pred(const Warp *w, Ref ref) { return *(uint32_t *)reg(w, ref); }

static inline bool is_lazy(const Launch *l) { return l->schedule != SIM_FORWARD_EAGER; }

static inline bool is_random(const Launch *l) { return l->schedule == SIM_RANDOM_LAZY; }

static inline bool is_reverse(const Launch *l) { return l->schedule == SIM_REVERSE_LAZY; }

/* splitmix64 */
static inline uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static inline int first_lane(uint32_t mask) { return __builtin_ctz(mask); }

/* for (int l in lanes of MASK, in the schedule's order) */
#define EACH_LANE(l, mask) for (uint32_t left_ = (mask), l = 0; left_ && (l = (uint32_t)__builtin_ctz(left_), 1); left_ &= left_ - 1)

/* ---- diagnosis.c: never return ---- */

_Noreturn void fault(Warp *w, const Inst *i, int lane, SimKind kind, const char *format, ...) __attribute__((format(printf, 5, 6)));
_Noreturn void fault_launch(Launch *l, SimKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diagnose(SimKind kind, const char *text);       /* from outside of a launch: keeps and prints it */
const char *inst_text(const Warp *w, const Inst *i); /* "line 12 `bar.sync 0;`" */
_Noreturn void fault_deadlock(Launch *l);

/* ---- decode.c ---- */

Code *decode(const Module *module, const Function *function);

/* ---- schedule.c ---- */

void run_grid(Launch *l);

/* Lanes of the running group wait; woken, they go on after the instruction, or do it again. */
void block_lanes(Warp *w, uint32_t lanes, Wait wait, bool again);
void wake(Warp *w, uint32_t lanes);
void wake_all(Cluster *c, WaitKind kind, uint64_t address);

/* Are ALL lanes in the group that runs I? Otherwise some lanes of the group wait for them at I. */
bool lanes_gathered(Warp *w, const Inst *i, uint32_t some, uint32_t all);

/* For operations whose lanes name who takes part: the next set of LEFT that is complete. Different sets may be
 * at one instruction. False: there is none; lanes of incomplete sets wait. MASK: the lanes that execute I. */
bool gather_lanes(Warp *w, const Inst *i, uint32_t mask, uint32_t *left, Ref members, uint32_t *lanes);

/* ---- load_store.c ---- */

/* Host address of SIZE bytes at a device address, checked. */
uint8_t *access_memory(Warp *w, const Inst *i, int lane, Space space, uint64_t address, size_t size, size_t align);
uint8_t *access_shared(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align, Block **owner);
uint8_t *access_global(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align);

#endif
