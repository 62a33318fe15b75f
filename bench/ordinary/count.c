/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin of qemu: counts the instructions of two parts of a program, and of all that they call in libraries.
 *
 *   qemu-aarch64 -plugin ./count.so,a=LOW-HIGH[+LOW-HIGH...],b=...,rest=... PROGRAM
 *
 * Ranges of addresses, in hexadecimal. What runs belongs to the part whose code was entered last. `rest` is the code that calls both: there, and
 * until one of them is entered again, nothing is counted. At the end comes a line "count NAME CALLS INSTRUCTIONS" for each of the two. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of qemu-plugin.h, version 1, that this uses: Debian's package has no headers. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
typedef struct qemu_info_t qemu_info_t;
typedef void (*OnTranslation)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*OnRun)(unsigned cpu, void *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, OnTranslation call);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, OnRun call, int registers, void *block);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t id, void *data), void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { MOST_RANGES = 32, NEITHER = -1, REST = 2, PARTS };

typedef struct {
    const char *name;
    uint64_t low[MOST_RANGES], high[MOST_RANGES];
    int ranges;
    uint64_t calls, instructions;
} Part;

typedef struct {
    uint64_t instructions;
    int part; /* NEITHER: of libraries */
} Block;

static Part parts[PARTS] = {{.name = "a"}, {.name = "b"}, {.name = "rest"}};
static int runs = REST;

static int part_of(uint64_t address)
{
    for (int p = 0; p < PARTS; p++)
        for (int r = 0; r < parts[p].ranges; r++)
            if (address >= parts[p].low[r] && address < parts[p].high[r])
                return p;
    return NEITHER;
}

static void on_run(unsigned cpu, void *data)
{
    (void)cpu;
    const Block *block = data;
    if (block->part != NEITHER && block->part != runs) {
        if (runs == REST)
            parts[block->part].calls++;
        runs = block->part;
    }
    parts[runs].instructions += block->instructions;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    Block *block = malloc(sizeof *block);
    *block = (Block){qemu_plugin_tb_n_insns(tb), part_of(qemu_plugin_tb_vaddr(tb))};
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_run, 0, block);
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
    (void)id, (void)data;
    for (int p = 0; p < REST; p++)
        fprintf(stderr, "count %s %" PRIu64 " %" PRIu64 "\n", parts[p].name, parts[p].calls, parts[p].instructions);
}

static int read_ranges(Part *part, const char *text)
{
    for (char *end; *text; text = *end ? end + 1 : end) {
        if (part->ranges == MOST_RANGES)
            return -1;
        part->low[part->ranges] = strtoull(text, &end, 16);
        if (*end != '-')
            return -1;
        part->high[part->ranges++] = strtoull(end + 1, &end, 16);
    }
    return 0;
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        for (int p = 0; p < PARTS; p++) {
            const size_t length = strlen(parts[p].name);
            if (!strncmp(argv[i], parts[p].name, length) && argv[i][length] == '=' && read_ranges(&parts[p], argv[i] + length + 1))
                return -1;
        }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
