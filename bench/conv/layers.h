/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution layers of networks, from a CSV file. */
#ifndef BENCH_LAYERS_H
#define BENCH_LAYERS_H

enum { NAME_SIZE = 40 };

typedef struct Layer {
    char network[NAME_SIZE], name[NAME_SIZE]; /* the first layer of this shape in the network */
    int count;                                /* layers of this shape in the network */
    int C, H, W, K, R, S, stride, pad;        /* image C x H x W, K filters of R x S */
    int P, Q;                                 /* the output is K x P x Q */
} Layer;

typedef struct Layers {
    Layer *items;
    int count;
} Layers;

/* Ends the program, with a message, when the file is missing or a row is no layer that this bench can run. */
Layers layers_read(const char *path);
/* Multiply-adds times two, padding included. */
double layer_flops(const Layer *layer, int batch);

#endif
