/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine_kernels.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_counts.h"

const InstructionInfo instructions[INSTRUCTION_COUNT] = {
#define X(name, opcode, has_width, begin, within) {#name, opcode, has_width, begin, within},
    INSTRUCTIONS(X)
#undef X
};

Kernel kernels[MAX_KERNELS];
int kernel_count, faults;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("machine_code: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

void fault(const char *kernel, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s: ", kernel);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    faults++;
}

Text read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    Text text = {NULL, 0};
    size_t room = 1 << 16, got;
    if (!file || !(text.bytes = malloc(room)))
        fail("cannot read %s", path);
    while ((got = fread(text.bytes + text.size, 1, room - 1 - text.size, file)) > 0) {
        text.size += got;
        if (text.size == room - 1 && !(text.bytes = realloc(text.bytes, room *= 2)))
            fail("no memory for %s", path);
    }
    fclose(file);
    text.bytes[text.size] = '\0';
    return text;
}

Kernel *find_kernel(const char *name, size_t length)
{
    for (int i = 0; i < kernel_count; i++)
        if (strlen(kernels[i].name) == length && memcmp(kernels[i].name, name, length) == 0)
            return &kernels[i];
    return NULL;
}

/* ---- the cubin ---- */

typedef struct {
    const char *name;
    uint32_t type;
    uint64_t offset, size;
} Section;

static uint64_t number(const Text *file, uint64_t at, int bytes)
{
    uint64_t value = 0;
    if (at > file->size || file->size - at < (uint64_t)bytes)
        fail("the cubin is cut off");
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)file->bytes[at + (uint64_t)i] << (8 * i);
    return value;
}

/* 80, 90: what it is for. */
static int arch_of(const Text *file) { return (int)(number(file, 48, 4) >> 8 & 0xff); }

enum { SECTION_HEADER = 64, SHT_NOBITS_ = 8, SYMBOL = 24 };

/* Section i; names stand in section `names`, -1: without its name. */
static Section get_section(const Text *file, int i, int names)
{
    const uint64_t header = number(file, 40, 8) + (uint64_t)i * SECTION_HEADER;
    Section section = {"", (uint32_t)number(file, header + 4, 4), number(file, header + 24, 8), number(file, header + 32, 8)};
    if (section.type != SHT_NOBITS_ && (section.offset > file->size || file->size - section.offset < section.size))
        fail("the cubin is cut off");
    if (names >= 0) {
        const uint64_t at = get_section(file, names, -1).offset + number(file, header, 4);
        number(file, at, 1); /* inside; the file ends with a 0 of ours */
        section.name = file->bytes + at;
    }
    return section;
}

static void read_code(const Text *file, const Section *section, Kernel *kernel)
{
    Code *const code = &kernel->code;
    code->count = (int)(section->size / 16);
    code->is_hopper = arch_of(file) >= 90;
    kernel->multiplies_plainly = 1;
    code->words = malloc((size_t)section->size + 1);
    if (!code->words)
        fail("no memory for %s", kernel->name);
    for (int i = 0; i < code->count; i++) {
        const uint64_t at = section->offset + 16 * (uint64_t)i;
        const Word word = {number(file, at, 8), number(file, at + 8, 8)};
        code->words[i] = word;
        kernel->multiplies_plainly &= !is_tensor_product(word);
        kernel->counts[opcode_of(word)]++;
        kernel->widths[opcode_of(word)][word.high >> 9 & (WIDTHS - 1)]++;
    }
}

/* The attributes of all kernels: format, number, 16 bits of value or of the size of what follows. */
static void read_attributes(const Text *file, const Section *info, const Section *symbols, const Section *strings)
{
    enum { WITH_SIZE = 4, FRAME_SIZE = 0x11, REGISTERS = 0x2f };
    for (uint64_t at = info->offset; at + 4 <= info->offset + info->size;) {
        const int format = (int)number(file, at, 1), attribute = (int)number(file, at + 1, 1);
        if (format == WITH_SIZE && (attribute == FRAME_SIZE || attribute == REGISTERS)) {
            const uint64_t symbol = symbols->offset + number(file, at + 4, 4) * SYMBOL;
            const char *name = file->bytes + strings->offset + number(file, symbol, 4);
            Kernel *const kernel = name < file->bytes + file->size ? find_kernel(name, strlen(name)) : NULL;
            if (kernel && attribute == FRAME_SIZE)
                kernel->frame = (long long)number(file, at + 8, 4);
            else if (kernel)
                kernel->registers = (int)number(file, at + 8, 4);
        }
        at += 4 + (format == WITH_SIZE ? number(file, at + 2, 2) : 0);
    }
}

void read_cubin(const char *path)
{
    const Text file = read_file(path);
    Section info = {0}, symbols = {0}, strings = {0};
    if (file.size < 64 || memcmp(file.bytes, "\177ELF\2\1", 6) != 0)
        fail("%s is not an ELF file", path);
    const int count = (int)number(&file, 60, 2), names = (int)number(&file, 62, 2);
    const uint64_t reserved = arch_of(&file) >= 90 ? 1024 : 0; /* the system's part comes first there */
    for (int i = 0; i < count; i++) {
        const Section section = get_section(&file, i, names);
        if (strncmp(section.name, ".text.", 6) == 0) {
            if (kernel_count == MAX_KERNELS)
                fail("%s has too many kernels", path);
            Kernel *const kernel = &kernels[kernel_count++];
            kernel->name = section.name + 6;
            kernel->registers = kernel->log_registers = -1;
            read_code(&file, &section, kernel);
        } else if (strcmp(section.name, ".nv.info") == 0) {
            info = section;
        } else if (strcmp(section.name, ".symtab") == 0) {
            symbols = section;
        } else if (strcmp(section.name, ".strtab") == 0) {
            strings = section;
        }
    }
    for (int i = 0; i < count; i++) {
        const Section section = get_section(&file, i, names);
        if (strncmp(section.name, ".nv.shared.", 11) == 0) {
            Kernel *const kernel = find_kernel(section.name + 11, strlen(section.name + 11));
            if (kernel)
                kernel->static_shared = (long long)section.size - (section.size >= reserved ? (long long)reserved : 0);
        }
    }
    read_attributes(&file, &info, &symbols, &strings);
}

/* ---- the PTX and the assembler's log ---- */

/* A statement begins at x. */
static void count_statement(const char *x, Kernel *kernel)
{
    const size_t length = strcspn(x, " \t\n;");
    kernel->ptx_stores += length == 16 && strncmp(x, "st.global.v4.b32", length) == 0;
    for (int i = 0; i < INSTRUCTION_COUNT; i++) {
        const char *const begin = instructions[i].begin;
        if (!begin || strncmp(x, begin, strlen(begin)) != 0)
            continue;
        const char *const within = strstr(x, instructions[i].within);
        if (within && within < x + length) {
            kernel->ptx[i]++;
            return;
        }
    }
}

void read_ptx(const char *path)
{
    const Text file = read_file(path);
    Kernel *kernel = NULL;
    for (const char *x = file.bytes; *x; x += strcspn(x, ";{}\n"), x += *x != '\0') {
        x += strspn(x, " \t");
        const char *const entry = x + (strncmp(x, ".visible ", 9) == 0 ? 9 : 0);
        if (strncmp(entry, ".entry ", 7) == 0) {
            kernel = find_kernel(entry + 7, strcspn(entry + 7, "( \t\n"));
            if (kernel)
                kernel->in_ptx = 1;
        }
        if (*x == '@') {
            x += strcspn(x, " \t\n;");
            x += strspn(x, " \t");
        }
        if (kernel)
            count_statement(x, kernel);
    }
    free(file.bytes);
}

void read_log(const char *path)
{
    static const char entry[] = "Compiling entry function '", used[] = "Used ";
    const Text file = read_file(path);
    Kernel *kernel = NULL;
    for (char *line = file.bytes; *line; line += strcspn(line, "\n"), line += *line != '\0') {
        const size_t length = strcspn(line, "\n");
        const char *found = strstr(line, entry);
        if (found && found < line + length)
            kernel = find_kernel(found + sizeof entry - 1, strcspn(found + sizeof entry - 1, "'"));
        found = strstr(line, used);
        if (found && found < line + length && kernel)
            kernel->log_registers = atoi(found + sizeof used - 1);
        found = strstr(line, "C75");
        if (found && found < line + length && found[3] >= '0' && found[3] <= '9')
            fault(kernel ? kernel->name : path, "%.*s", (int)length, line);
    }
    free(file.bytes);
}
