#include "image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

const char *image_load(const char *path, image *out)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return strerror(errno);
    out->rgb = stbi_load_from_file(file, &out->width, &out->height, NULL, 3);
    fclose(file);
    return out->rgb ? NULL : "this is no PNG or JPEG that can be read";
}

const char *image_save_png(const char *path, const image *picture)
{
    errno = 0;
    if (stbi_write_png(path, picture->width, picture->height, 3, picture->rgb, 3 * picture->width))
        return NULL;
    return errno ? strerror(errno) : "the picture could not be packed";
}

image image_empty(int width, int height)
{
    image made = {width, height, calloc((size_t)width * (size_t)height, 3)};
    return made;
}

void image_free(image *picture)
{
    free(picture->rgb);
    picture->rgb = NULL;
}

size_t image_values(const image *picture)
{
    return (size_t)picture->width * (size_t)picture->height * 3;
}

void image_to_floats(const image *picture, float *out)
{
    for (size_t i = 0; i < image_values(picture); i++)
        out[i] = picture->rgb[i];
}

void image_from_floats(const float *values, image *out)
{
    for (size_t i = 0; i < image_values(out); i++) {
        float value = values[i] < 0 ? 0 : values[i] > 255 ? 255 : values[i];
        out->rgb[i] = (unsigned char)(value + 0.5f);
    }
}

int image_difference(const image *a, const image *b)
{
    int largest = 0;
    for (size_t i = 0; i < image_values(a); i++) {
        int difference = abs(a->rgb[i] - b->rgb[i]);
        largest = difference > largest ? difference : largest;
    }
    return largest;
}
