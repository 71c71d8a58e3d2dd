/* Writes a small picture of odd size for the tests: noise over a slope, so that no stage is left without work. */
#include "image.h"

#include <stdint.h>
#include <stdio.h>

static void paint(image *picture)
{
    uint32_t noise = 1;
    for (size_t i = 0; i < image_values(picture); i++) {
        noise = noise * 1664525u + 1013904223u;
        picture->rgb[i] = (unsigned char)((noise >> 25) + i / 20);
    }
}

int main(int argc, char **argv)
{
    image picture = image_empty(37, 23);
    if (argc != 2 || !picture.rgb)
        return 1;
    paint(&picture);
    const char *why = image_save_png(argv[1], &picture);
    if (why)
        fprintf(stderr, "%s: %s\n", argv[1], why);
    image_free(&picture);
    return why ? 1 : 0;
}
