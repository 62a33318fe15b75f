/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double layer_flops(const Layer *l, int batch) { return 2.0 * batch * l->K * l->P * l->Q * l->C * l->R * l->S; }

static bool parse(const char *line, Layer *l)
{
    int pad_w, groups;
    *l = (Layer){.count = 1};
    return sscanf(line, "%39[^,],%39[^,],conv,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d", l->network, l->name, &l->C, &l->H, &l->W, &l->K, &l->R,
                  &l->S, &l->stride, &l->pad, &pad_w, &groups, &l->P, &l->Q) == 14 &&
           pad_w == l->pad && groups == 1 && l->P == (l->H + 2 * l->pad - l->R) / l->stride + 1 &&
           l->Q == (l->W + 2 * l->pad - l->S) / l->stride + 1;
}

static bool same_shape(const Layer *a, const Layer *b)
{
    return strcmp(a->network, b->network) == 0 && a->C == b->C && a->H == b->H && a->W == b->W && a->K == b->K && a->R == b->R &&
           a->S == b->S && a->stride == b->stride && a->pad == b->pad;
}

static void add(Layers *layers, const Layer *layer)
{
    for (int i = 0; i < layers->count; i++)
        if (same_shape(&layers->items[i], layer)) {
            layers->items[i].count++;
            return;
        }
    layers->items = realloc(layers->items, (size_t)(layers->count + 1) * sizeof *layers->items);
    if (!layers->items)
        abort();
    layers->items[layers->count++] = *layer;
}

Layers layers_read(const char *path)
{
    Layers layers = {NULL, 0};
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, file)) {
        Layer layer;
        if (line[0] == '#' || strncmp(line, "model,", 6) == 0)
            continue;
        if (!parse(line, &layer)) {
            fprintf(stderr, "%s: not a layer: %s", path, line);
            exit(2);
        }
        add(&layers, &layer);
    }
    fclose(file);
    return layers;
}
