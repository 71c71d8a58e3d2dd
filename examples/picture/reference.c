/* Written apart from the kernels: each blur in two passes, along the rows and down the columns, and the brightness as a
   plane of its own. So the two agree only if both are right. */
#include "reference.h"

#include "stages.h"

#include <math.h>
#include <stdlib.h>

typedef struct size {
    int width, height;
} size;

static int inside(int i, int end)
{
    return i < 0 ? 0 : i >= end ? end - 1 : i;
}

static const float *pixel(const float *image, size s, int x, int y)
{
    return image + 3 * ((size_t)inside(y, s.height) * (size_t)s.width + (size_t)inside(x, s.width));
}

/* A pass of the blur: (dx, dy) is (1, 0) along rows, (0, 1) down columns. */
static void blur_pass(float *out, const float *in, size s, int radius, float sigma, int dx, int dy)
{
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++, out += 3) {
            double sum[3] = {0, 0, 0}, weights = 0;
            for (int i = -radius; i <= radius; i++) {
                const float *p = pixel(in, s, x + i * dx, y + i * dy);
                double weight = exp(-0.5 * i * i / (sigma * sigma));
                weights += weight;
                for (int c = 0; c < 3; c++)
                    sum[c] += weight * p[c];
            }
            for (int c = 0; c < 3; c++)
                out[c] = (float)(sum[c] / weights);
        }
}

static float brightness(const float *p)
{
    return 0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2];
}

static void find_edges(float *mask, const float *in, size s, float gain)
{
    static const int weight[3] = {1, 2, 1};
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++) {
            float across = 0, down = 0;
            for (int i = -1; i <= 1; i++) {
                float w = (float)weight[i + 1];
                across += w * (brightness(pixel(in, s, x + 1, y + i)) - brightness(pixel(in, s, x - 1, y + i)));
                down += w * (brightness(pixel(in, s, x + i, y + 1)) - brightness(pixel(in, s, x + i, y - 1)));
            }
            *mask++ = fminf(gain * sqrtf(across * across + down * down), 1);
        }
}

static void stretch(float *mask, size_t n, float strength)
{
    float lowest = mask[0], highest = mask[0];
    for (size_t i = 1; i < n; i++) {
        lowest = fminf(lowest, mask[i]);
        highest = fmaxf(highest, mask[i]);
    }
    for (size_t i = 0; i < n; i++)
        mask[i] = fminf(strength * (mask[i] - lowest) / fmaxf(highest - lowest, 0.001f), 1);
}

static void sharpen(float *out, const float *in, const float *blurred, size_t n, float amount)
{
    for (size_t i = 0; i < n; i++)
        out[i] = fmaxf(0, fminf(255, in[i] + amount * (in[i] - blurred[i])));
}

static void blend(float *image, const float *soft, const float *mask, size_t n)
{
    for (size_t i = 0; i < n; i++)
        image[i] = mask[i / 3] * image[i] + (1 - mask[i / 3]) * soft[i];
}

enum { PHOTO, SMALL, LARGE, SHARP, PASS, PLANES };

static void blur(float *out, float *const planes[], size s, int radius, float sigma)
{
    blur_pass(planes[PASS], planes[PHOTO], s, radius, sigma, 1, 0);
    blur_pass(out, planes[PASS], s, radius, sigma, 0, 1);
}

static void compute(float *const planes[], float *mask, size s)
{
    size_t pixels = (size_t)s.width * (size_t)s.height;
    blur(planes[SMALL], planes, s, SMALL_RADIUS, SMALL_SIGMA);
    blur(planes[LARGE], planes, s, LARGE_RADIUS, LARGE_SIGMA);
    blur(planes[SHARP], planes, s, SHARPEN_RADIUS, SHARPEN_SIGMA);
    sharpen(planes[SHARP], planes[PHOTO], planes[SHARP], 3 * pixels, SHARPEN_AMOUNT);
    find_edges(mask, planes[SMALL], s, FINE_GAIN);
    blend(planes[SHARP], planes[SMALL], mask, 3 * pixels);
    find_edges(mask, planes[LARGE], s, ROUGH_GAIN);
    stretch(mask, pixels, EXTEND_STRENGTH);
    blend(planes[SHARP], planes[LARGE], mask, 3 * pixels);
}

bool reference_picture(const image *photo, image *out)
{
    size s = {photo->width, photo->height};
    size_t values = image_values(photo);
    float *memory = malloc((PLANES * values + values / 3) * sizeof *memory);
    if (!memory)
        return false;
    float *planes[PLANES];
    for (size_t i = 0; i < PLANES; i++)
        planes[i] = memory + i * values;
    image_to_floats(photo, planes[PHOTO]);
    compute(planes, memory + PLANES * values, s);
    image_from_floats(planes[SHARP], out);
    free(memory);
    return true;
}
