/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/machine.h"

#include <stdio.h>
#include <string.h>

/* Between a desktop of 2018 and a server of 2023: 2 vector units, 2 loads and a store in a cycle. Bytes in a cycle are what one thread
 * gets in a long stretch. */
Machine machine_usual(VectorSetId set)
{
    return (Machine){.registers = vector_sets[set].registers,
                     .latency = 4,
                     .ports = 2,
                     .load_ports = 2,
                     .store_ports = 1,
                     .issue = 4,
                     .window = 256,
                     .cache_bytes = {32 << 10, 1 << 20, 32 << 20},
                     .beyond_bytes = {32, 10, 4},
                     .line = 64,
                     .page = 4096,
                     .threads = 1};
}

/* The first word of a file on cache number `index`; false: there is none. */
static bool read_word(int index, const char *what, char *word, int size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    FILE *f = fopen(path, "r");
    const bool ok = f && fgets(word, size, f);
    if (f)
        fclose(f);
    return ok;
}

Machine machine_here(VectorSetId set, int threads)
{
    Machine m = machine_usual(set);
    char type[32], level[32], size[32];
    for (int i = 0; read_word(i, "type", type, sizeof type); i++) {
        int number;
        double kilobytes;
        if (strncmp(type, "Instruction", 11) == 0 || !read_word(i, "level", level, sizeof level) ||
            !read_word(i, "size", size, sizeof size))
            continue;
        if (sscanf(level, "%d", &number) == 1 && number >= 1 && number <= CACHES && sscanf(size, "%lfK", &kilobytes) == 1 && kilobytes > 0)
            m.cache_bytes[number - 1] = kilobytes * 1024;
    }
    m.threads = threads > 1 ? threads : 1;
    m.cache_bytes[CACHES - 1] /= m.threads;
    return m;
}
