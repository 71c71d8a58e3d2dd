/* Pictures in memory and in files: PNG and JPEG, by way of stb. */
#ifndef PICTURE_IMAGE_H
#define PICTURE_IMAGE_H

#include <stddef.h>

typedef struct image {
    int width, height;
    unsigned char *rgb; /* three bytes for each pixel, row by row */
} image;

/* Both return NULL, or why it did not work. A loaded image is given back by image_free. */
const char *image_load(const char *path, image *out);
const char *image_save_png(const char *path, const image *picture);

image image_empty(int width, int height);
void image_free(image *picture);

/* The number of floats, and of bytes, that hold all channels. */
size_t image_values(const image *picture);

void image_to_floats(const image *picture, float *out);
void image_from_floats(const float *values, image *out); /* rounded to the nearest grey level */

/* The largest difference of any channel of any pixel, in grey levels. */
int image_difference(const image *a, const image *b);

#endif
