/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static size_t element_bytes(Type type)
{
    static const size_t bytes[] = {[F32] = 4, [F64] = 8, [F16] = 2, [I8] = 1, [U8] = 1, [I32] = 4};
    return bytes[type];
}

size_t array_bytes(const Array *array) { return (size_t)array->count * element_bytes(array->type); }

void *allocate(size_t bytes, size_t stagger)
{
    char *memory = aligned_alloc(4096, (bytes + stagger + 8191) / 4096 * 4096);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    memset(memory, 0, bytes + stagger);
    return memory + stagger;
}

static double get(const void *data, Type type, int64_t i)
{
    switch (type) {
    case F32: return ((const float *)data)[i];
    case F64: return ((const double *)data)[i];
    case F16: return (double)((const _Float16 *)data)[i];
    case I8: return ((const int8_t *)data)[i];
    case U8: return ((const uint8_t *)data)[i];
    default: return ((const int32_t *)data)[i];
    }
}

static void set(void *data, Type type, int64_t i, double value)
{
    switch (type) {
    case F32: ((float *)data)[i] = (float)value; break;
    case F64: ((double *)data)[i] = value; break;
    case F16: ((_Float16 *)data)[i] = (_Float16)(float)value; break;
    case I8: ((int8_t *)data)[i] = (int8_t)floor(value); break;
    case U8: ((uint8_t *)data)[i] = (uint8_t)floor(value); break;
    default: ((int32_t *)data)[i] = (int32_t)floor(value);
    }
}

static double draw(void)
{
    static uint64_t state;
    return random_unit(&state);
}

void fill(const Array *array, void *data)
{
    const double range = array->high - array->low;
    for (int64_t i = 0; i < array->count; i++)
        set(data, array->type, i, array->low + (array->is_sorted ? (range - 1) * (double)i / (double)(array->count - 1) : draw() * range));
    for (int64_t i = 0; i < array->dominant; i++)
        set(data, array->type, i * (array->dominant + 1), (double)array->dominant);
}

static FILE *open_data(const char *folder, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    FILE *file = fopen(path, mode);
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

void save(const char *folder, const char *prefix, const Array *array, const void *data)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", prefix, array->name);
    FILE *file = open_data(folder, name, "wb");
    if (fwrite(data, 1, array_bytes(array), file) != array_bytes(array) || fclose(file)) {
        perror(name);
        exit(1);
    }
}

void load(const char *folder, const char *prefix, const Array *array, void *data)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", prefix, array->name);
    FILE *file = open_data(folder, name, "rb");
    if (fread(data, 1, array_bytes(array), file) != array_bytes(array)) {
        fprintf(stderr, "%s: too short\n", name);
        exit(1);
    }
    fclose(file);
}

double difference(const Array *array, const void *found_data, const void *wanted_data)
{
    const bool is_integer = array->type >= I8;
    double squares = 0, most = 0;
    for (int64_t i = 0; i < array->count; i++) {
        double value = get(wanted_data, array->type, i);
        squares += value * value;
    }
    const double scale = sqrt(squares / (double)array->count);
    for (int64_t i = 0; i < array->count; i++) {
        const double value = get(wanted_data, array->type, i), found = get(found_data, array->type, i);
        if (value == found || (isnan(value) && isnan(found)))
            continue;
        const double far = is_integer ? fabs(value - found) : fabs(value - found) / (fabs(value) + scale);
        if (!(far <= most))
            most = isnan(far) ? INFINITY : far;
    }
    return most;
}
