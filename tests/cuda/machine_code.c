/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the machine code that ptxas made, without a disassembler, and compares it with what it was made from.
 *
 *   machine_code list CUBIN                                what each kernel consists of
 *   machine_code loops CUBIN                               and its loops that multiply
 *   machine_code innermost CUBIN                           and how many instructions each of its innermost loops has
 *   machine_code check ARCH CUBIN PTX LOG KERNELS BOUNDS   1 and a line for every fault, 0 when there is none
 *
 * LOG is what `ptxas -v` said. A line of KERNELS is what the emitted file's tables promise of one kernel:
 *
 *   NAME THREADS BLOCKS SHARED PRODUCT COPIES FENCES STORES FLIGHT LOOPS
 *
 * BLOCKS of THREADS each live on one multiprocessor, as far as SHARED, all bytes of shared memory of a block, lets them; PRODUCT: mma,
 * wgmma or scalar; COPIES: tma, split (likewise, and stores into other blocks' shared memory, of 16 bytes all), async (all asynchronous
 * copies have 16 bytes), gather (tma and async), ring (some of them have) or any; FENCES: how often the code waits until other blocks see
 * what it stored; STORES: wide (as many stores of 16 bytes as the PTX has, and some), boxes (likewise, and tensor stores) or any; FLIGHT:
 * so many bytes are always on their way to a multiprocessor of data centres (sm_80, sm_90) that the
 * blocks fill, as asynchronous copies of 16 bytes; LOOPS: the line of BOUNDS that all its innermost loops that multiply keep
 * (machine_counts.h), or two (check_loops), or -. In no loop that multiplies is there a fence, and in others only where blocks count
 * themselves, or leave sums in each other's shared memory. A kernel with wgmma is a stub below sm_90: static shared memory,
 * which the dispatcher asks for, tells it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_counts.h"
#include "machine_kernels.h"

enum { MAX_NAME = 200, MAX_LOOPS = 16, MAX_INNERMOST = 512 };
static const char *const width_names[WIDTHS] = {"u8", "s8", "u16", "s16", "32", "64", "128", "?"};

/* ---- the checks ---- */

typedef struct {
    int arch, shared_kb, threads, blocks; /* of one multiprocessor */
} Machine;

static const Machine machines[] = {{80, 164, 2048, 32}, {86, 100, 1536, 16}, {89, 100, 1536, 24}, {90, 228, 2048, 32}};

static const Machine *find_machine(const char *name)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (strncmp(name, "sm_", 3) == 0 && machines[i].arch == atoi(name + 3))
            return &machines[i];
    fail("unknown architecture %s", name);
    return NULL;
}

static long long least(long long a, long long b) { return a < b ? a : b; }

/* How many blocks one multiprocessor holds: its registers lie in four parts of 16 K, a warp gets them from one
   part and 256 at a time; of shared memory each block takes 1 KB more than it asks for. */
static long long resident_blocks(const Machine *m, int registers, int threads, long long shared)
{
    const long long warps = (threads + 31) / 32, per_warp = (registers + 7) / 8 * 8 * 32;
    long long blocks = least(m->blocks, m->threads / (32 * warps));
    blocks = least(blocks, 16384 / (per_warp > 0 ? per_warp : 256) * 4 / warps);
    return least(blocks, m->shared_kb * 1024LL / (shared + 1024));
}

static void check_products(const Kernel *k, const char *product)
{
    const int mma = k->counts[instructions[I_HMMA].opcode] + k->counts[instructions[I_IMMA].opcode] +
                    k->counts[instructions[I_DMMA].opcode];
    const int wgmma = k->counts[instructions[I_HGMMA].opcode] + k->counts[instructions[I_IGMMA].opcode] +
                      k->counts[instructions[I_QGMMA].opcode];
    if (strcmp(product, "mma") == 0 ? mma == 0 : strcmp(product, "wgmma") == 0 ? wgmma == 0 : mma + wgmma > 0)
        fault(k->name, "should multiply by %s instructions, has %d mma and %d wgmma", product, mma, wgmma);
}

static void check_copies(const Kernel *k, const char *copies)
{
    const int copy = (int)instructions[I_LDGSTS].opcode, gathers = strcmp(copies, "gather") == 0;
    /* Of a pair of blocks each fetches all tensor copies for both, where the other operand is gathered. */
    const int shared = gathers ? k->counts[instructions[I_UTMALDG_MULTICAST].opcode] : 0;
    if ((strcmp(copies, "async") == 0 || gathers) && (k->counts[copy] == 0 || k->widths[copy][WIDE] < k->counts[copy]))
        fault(k->name, "%d of %d asynchronous copies have 16 bytes", k->widths[copy][WIDE], k->counts[copy]);
    if (strcmp(copies, "ring") == 0 && k->widths[copy][WIDE] == 0)
        fault(k->name, "none of its %d asynchronous copies has 16 bytes", k->counts[copy]);
    const int is_split = strcmp(copies, "split") == 0, far = (int)instructions[I_ST].opcode;
    if ((is_split || strcmp(copies, "tma") == 0 || gathers) && k->counts[instructions[I_UTMALDG].opcode] + shared == 0)
        fault(k->name, "has no tensor copies");
    if (is_split && (k->counts[far] == 0 || k->widths[far][WIDE] < k->counts[far]))
        fault(k->name, "%d of %d stores into other blocks have 16 bytes", k->widths[far][WIDE], k->counts[far]);
}

/* Bytes that each thread always has on their way: in the loop around a wait that leaves groups of copies pending, the copies of
 * as many rounds, and of the one that starts behind it. */
static long long in_flight(const Kernel *k)
{
    enum { GROUPS = 38, MOST_GROUPS = 63, BYTES = 16 };
    bool *const inside = calloc(2 * (size_t)k->code.count + 1, sizeof *inside), *const other = inside + k->code.count;
    long long most = 0;
    if (!inside)
        fail("no memory for %s", k->name);
    for (int i = 0; i < k->code.count; i++) {
        const long long groups = (long long)(k->code.words[i].low >> GROUPS & MOST_GROUPS);
        if (opcode_of(k->code.words[i]) != instructions[I_DEPBAR].opcode || groups == 0)
            continue;
        const int size = smallest_loop(&k->code, i, inside);
        long long copies = 0;
        for (int j = 0; j < k->code.count && size > 0; j++) {
            const Word word = k->code.words[j];
            copies += inside[j] && opcode_of(word) == instructions[I_LDGSTS].opcode && (word.high >> 9 & (WIDTHS - 1)) == WIDE &&
                      smallest_loop(&k->code, j, other) == size;
        }
        most = most > (groups + 1) * copies * BYTES ? most : (groups + 1) * copies * BYTES;
    }
    free(inside);
    return most;
}

static void check_stores(const Kernel *k, const char *stores)
{
    const int wide = k->widths[instructions[I_STG].opcode][WIDE];
    if (strcmp(stores, "any") != 0 && (wide == 0 || wide != k->ptx_stores))
        fault(k->name, "%d stores of 16 bytes, but %d in the PTX", wide, k->ptx_stores);
    if (strcmp(stores, "boxes") == 0 && k->counts[instructions[I_UTMASTG].opcode] == 0)
        fault(k->name, "has no tensor stores");
}

/* MEMBAR's bits 76 and 77: 0 for what is seen by the block itself. */
static int is_far(Word word) { return (word.high >> 12 & 3) != 0; }

/* What a block shows itself only so that tensor copies see it, too, is no fence. */
static int is_fence(const Kernel *k, int i)
{
    const unsigned opcode = opcode_of(k->code.words[i]);
    const int shows = opcode == instructions[I_MEMBAR].opcode && !is_far(k->code.words[i]) && i + 1 < k->code.count &&
                      opcode_of(k->code.words[i + 1]) == instructions[I_FENCE].opcode;
    return (opcode == instructions[I_MEMBAR].opcode && !shows) || opcode == instructions[I_ERRBAR].opcode ||
           opcode == instructions[I_CGAERRBAR].opcode;
}

/* Multiplies: on tensor cores, or in a kernel without them on the others. */
static int is_product(const Kernel *k, Word word) { return is_tensor_product(word) || (k->multiplies_plainly && is_plain_product(word)); }

/* Is there such an instruction, or if it is 0 a fence, in a loop? */
static int has_within(const Kernel *k, const bool *inside, unsigned opcode)
{
    for (int i = 0; i < k->code.count; i++)
        if (inside[i] && (opcode ? opcode_of(k->code.words[i]) == opcode : is_fence(k, i)))
            return 1;
    return 0;
}

/* Does a loop have a smaller one that multiplies? What else multiplies in it is what that one leaves over. */
static int has_smaller(const Kernel *k, const bool *inside, int size)
{
    bool *const other = calloc((size_t)k->code.count + 1, sizeof *other);
    int found = 0;
    if (!other)
        fail("no memory for %s", k->name);
    for (int i = 0; i < k->code.count && !found; i++)
        found = inside[i] && is_product(k, k->code.words[i]) && smallest_loop(&k->code, i, other) < size;
    free(other);
    return found;
}

/* Fences stand where blocks that share a tile count themselves, or leave each other sums, not in the steps of a sum. */
static void check_fences(const Kernel *k)
{
    bool *const seen = calloc(2 * (size_t)k->code.count + 1, sizeof *seen);
    bool *const inside = seen + k->code.count;
    if (!seen)
        fail("no memory for %s", k->name);
    for (int i = 0; i < k->code.count; i++) {
        const int product = is_product(k, k->code.words[i]);
        if (seen[i] || (!product && !is_fence(k, i)))
            continue;
        const int size = smallest_loop(&k->code, i, inside);
        if (size == 0)
            continue;
        if (!product && !has_within(k, inside, instructions[I_ATOMG].opcode) && !has_within(k, inside, instructions[I_ST].opcode))
            fault(k->name, "instruction %d is a fence in a loop without a counter", i);
        if (!product || (has_within(k, inside, 0) && has_smaller(k, inside, size)))
            continue;
        if (has_within(k, inside, 0))
            fault(k->name, "a fence in the loop around instruction %d, which multiplies", i);
        for (int j = 0; j < k->code.count; j++)
            seen[j] |= inside[j];
    }
    free(seen);
}

/* Loops that multiply have no more than the bound of that name says; NAME/OTHER: those that access memory otherwise than by copies and loads
   of tiles, than OTHER. */
static void check_loops(const Kernel *k, const char *bounds, const char *names)
{
    LoopCounts loops[MAX_LOOPS];
    LoopBound bound[2];
    char name[2][32] = {"", ""};
    const int count = count_loops(&k->code, loops, MAX_LOOPS), has_other = sscanf(names, "%31[^/]/%31s", name[0], name[1]) == 2;
    for (int i = 0; i <= has_other; i++)
        if (!find_bound(bounds, name[i], &bound[i]))
            fail("no bound is called %s", name[i]);
    if (count == 0)
        fault(k->name, "has no loop that multiplies");
    for (const LoopCounts *l = loops; l < loops + count; l++) {
        const LoopBound *const b = &bound[has_other && l->memory > 0];
        if (l->integers > most_integers(b, l))
            fault(k->name, "%d integer instructions, should be %.0f, in the loop around instruction %d", l->integers, most_integers(b, l),
                  l->first);
        if (l->products < b->products * l->size)
            fault(k->name, "%d of %d instructions multiply in the loop around instruction %d", l->products, l->size, l->first);
    }
}

/* MEMBAR's bits 76 and 77: 0 for what is seen by the block itself. */
static int far_fences(const Kernel *k)
{
    int count = 0;
    for (int i = 0; i < k->code.count; i++) {
        const Word word = k->code.words[i];
        count += opcode_of(word) == instructions[I_MEMBAR].opcode && is_far(word);
    }
    return count;
}

/* How many of instruction i the kernel has that count as what the PTX calls it. */
static int translated(const Kernel *k, int i)
{
    const unsigned opcode = instructions[i].opcode;
    return i == I_LDGSTS ? k->widths[opcode][WIDE] : k->counts[opcode];
}

/* VIMNMX.RELU, which clamps to 0 and to a bound (bit 76), with a predicate (bits 81 to 83, 7: none), which ptxas 13.0 takes for whether the
   bound is reached: wrongly, as an H200 showed. */
static int asks_clamp(Word word) { return (opcode_of(word) & 0x1ff) == 0x048 && (word.high >> 12 & 1) != 0 && (word.high >> 17 & 7) != 7; }

static void check_clamps(const Kernel *k)
{
    for (int i = 0; i < k->code.count; i++)
        if (asks_clamp(k->code.words[i]))
            fault(k->name, "instruction %d asks a clamp whether it has reached its bound", i);
}

/* What holds of any kernel. */
static void check_kernel(const Kernel *k)
{
    check_clamps(k);
    if (k->registers != k->log_registers)
        fault(k->name, "%d registers in the cubin, %d in the log", k->registers, k->log_registers);
    if (!k->in_ptx)
        fault(k->name, "is not in the PTX");
    for (int i = 0; i < INSTRUCTION_COUNT; i++)
        if (instructions[i].begin && translated(k, i) != k->ptx[i])
            fault(k->name, "%d instructions %s, but %d %s in the PTX", translated(k, i), instructions[i].name, k->ptx[i],
                  instructions[i].begin);
    check_fences(k);
}

/* One line of the list. */
static void check_promise(const Machine *m, const char *line, const char *bounds)
{
    char name[MAX_NAME], product[16], copies[16], stores[16], loops[64];
    int threads, blocks, fences;
    long long shared, flight;
    if (sscanf(line, "%199s %d %d %lld %15s %15s %d %15s %lld %63s", name, &threads, &blocks, &shared, product, copies, &fences, stores,
               &flight, loops) != 10 ||
        threads < 1)
        fail("not a line of a list of kernels: %.60s", line);
    const Kernel *const k = find_kernel(name, strlen(name));
    if (!k) {
        fault(name, "is not in the cubin");
        return;
    }
    if (strcmp(product, "wgmma") == 0 && m->arch < 90) {
        if (k->static_shared == 0)
            fault(name, "a stub without static shared memory");
        return;
    }
    check_products(k, product);
    check_copies(k, copies);
    check_stores(k, stores);
    if (strcmp(loops, "-") != 0)
        check_loops(k, bounds, loops);
    if (far_fences(k) != fences)
        fault(name, "%d fences, should be %d", far_fences(k), fences);
    const int local = k->counts[instructions[I_LDL].opcode] + k->counts[instructions[I_STL].opcode] +
                      k->counts[instructions[I_STL_R].opcode];
    if (local > 0 || k->frame > 0)
        fault(name, "uses local memory: %d accesses, %lld bytes", local, k->frame);
    if (k->static_shared > 0)
        fault(name, "has %lld bytes of static shared memory", k->static_shared);
    const long long room = m->shared_kb * 1024LL, hoped = least(blocks, room / (shared + 1024));
    const long long fit = resident_blocks(m, k->registers, threads, shared);
    if (shared > room - 1024 && (strcmp(product, "wgmma") == 0 || m->arch == 80))
        fault(name, "%lld bytes of shared memory fit into no block", shared);
    if (hoped > fit)
        fault(name, "%lld blocks should live on a multiprocessor, but %d registers, %d threads, %lld bytes: %lld do", hoped, k->registers,
              threads, shared, fit);
    const long long away = flight > 0 && (m->arch == 80 || m->arch == 90) ? least(hoped, fit) * threads * in_flight(k) : flight;
    if (away < flight)
        fault(name, "%lld bytes are on their way to %lld blocks, should be %lld", away, least(hoped, fit), flight);
}

static int check(char **arguments)
{
    const Machine *const machine = find_machine(arguments[0]);
    read_cubin(arguments[1]);
    read_ptx(arguments[2]);
    read_log(arguments[3]);
    const Text list = read_file(arguments[4]), bounds = read_file(arguments[5]);
    if (kernel_count == 0)
        fail("%s has no kernels", arguments[1]);
    for (int i = 0; i < kernel_count; i++)
        check_kernel(&kernels[i]);
    for (const char *line = list.bytes; *line; line += strcspn(line, "\n"), line += *line != '\0')
        check_promise(machine, line, bounds.bytes);
    free(list.bytes);
    free(bounds.bytes);
    return faults > 0;
}

static void list_kernel(const Kernel *k)
{
    int total = 0;
    for (int i = 0; i < OPCODES; i++)
        total += k->counts[i];
    printf("%s: %d registers, %lld bytes of static shared, %lld of local memory, %d instructions\n", k->name, k->registers,
           k->static_shared, k->frame, total);
    for (int i = 0; i < INSTRUCTION_COUNT; i++) {
        const unsigned opcode = instructions[i].opcode;
        if (k->counts[opcode] == 0)
            continue;
        total -= k->counts[opcode];
        printf("  %-10s %5d", instructions[i].name, k->counts[opcode]);
        for (int w = 0; w < WIDTHS && instructions[i].has_width; w++)
            if (k->widths[opcode][w] > 0)
                printf("  %s: %d", width_names[w], k->widths[opcode][w]);
        putchar('\n');
    }
    printf("  others     %5d\n", total);
}

static void list_loops(const Kernel *k)
{
    LoopCounts loops[MAX_LOOPS];
    const int count = count_loops(&k->code, loops, MAX_LOOPS);
    for (const LoopCounts *l = loops; l < loops + count; l++)
        printf("%s %d size %d products %d integers %d copies %d matrices %d loads %d memory %d branches %d\n", k->name, l->first, l->size,
               l->products, l->integers, l->copies, l->matrices, l->loads, l->memory, l->branches);
}

static void list_innermost(const Kernel *k)
{
    int sizes[MAX_INNERMOST];
    const int count = innermost_loops(&k->code, sizes, MAX_INNERMOST);
    printf("%s:", k->name);
    for (int i = 0; i < count; i++)
        printf(" %d", sizes[i]);
    putchar('\n');
}

typedef struct {
    const char *name;
    void (*print)(const Kernel *);
} Listing;

int main(int count, char **arguments)
{
    if (count == 8 && strcmp(arguments[1], "check") == 0)
        return check(arguments + 2);
    static const Listing listings[] = {{"list", list_kernel}, {"loops", list_loops}, {"innermost", list_innermost}};
    for (size_t l = 0; count == 3 && l < sizeof listings / sizeof *listings; l++) {
        if (strcmp(arguments[1], listings[l].name) != 0)
            continue;
        read_cubin(arguments[2]);
        for (int i = 0; i < kernel_count; i++)
            listings[l].print(&kernels[i]);
        return 0;
    }
    fail("usage: machine_code list|loops|innermost CUBIN | machine_code check ARCH CUBIN PTX LOG KERNELS BOUNDS");
}
