/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a large image with stb_image_write and reads it again with stb_image, each as often as told:
 *     image png|jpg|bmp|tga|hdr TIMES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stb_image.h"
#include "stb_image_write.h"

enum { WIDTH = 800, HEIGHT = 600, CHANNELS = 3 };

static unsigned char pixels[WIDTH * HEIGHT * CHANNELS];
static float light[WIDTH * HEIGHT * CHANNELS];
static unsigned char *file;
static int size, room;

static void take(void *context, void *data, int n)
{
    (void)context;
    if (size + n > room) {
        room = 2 * (size + n);
        file = realloc(file, (size_t)room);
        if (!file)
            exit(1);
    }
    memcpy(file + size, data, (size_t)n);
    size += n;
}

/* Slopes with some noise, so that there is something to predict. */
static void draw(void)
{
    unsigned state = 1;
    for (int i = 0; i < WIDTH * HEIGHT * CHANNELS; i++) {
        state = state * 1664525 + 1013904223;
        int x = i / CHANNELS % WIDTH, y = i / CHANNELS / WIDTH;
        pixels[i] = (unsigned char)((x * (1 + i % CHANNELS) + y + (int)(state >> 29)) / 4);
        light[i] = (float)pixels[i] / 16;
    }
}

static int write_image(const char *format)
{
    size = 0;
    if (strcmp(format, "png") == 0)
        return stbi_write_png_to_func(take, NULL, WIDTH, HEIGHT, CHANNELS, pixels, 0);
    if (strcmp(format, "jpg") == 0)
        return stbi_write_jpg_to_func(take, NULL, WIDTH, HEIGHT, CHANNELS, pixels, 90);
    if (strcmp(format, "bmp") == 0)
        return stbi_write_bmp_to_func(take, NULL, WIDTH, HEIGHT, CHANNELS, pixels);
    if (strcmp(format, "tga") == 0)
        return stbi_write_tga_to_func(take, NULL, WIDTH, HEIGHT, CHANNELS, pixels);
    return stbi_write_hdr_to_func(take, NULL, WIDTH, HEIGHT, CHANNELS, light);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    draw();
    unsigned sum = 0;
    for (int i = atoi(argv[2]); i > 0; i--) {
        int width, height, channels;
        if (!write_image(argv[1]))
            return 1;
        unsigned char *read = stbi_load_from_memory(file, size, &width, &height, &channels, 4);
        if (!read)
            return 1;
        sum += read[sum % (4u * WIDTH * HEIGHT)];
        stbi_image_free(read);
    }
    printf("%d bytes, %u\n", size, sum);
    return 0;
}
