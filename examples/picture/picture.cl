/* The stages of the picture, one kernel each. An image is three floats for each pixel, row by row, 0 to 255; a mask is
   one float for each pixel. What a kernel only reads is `const`: two readers need no more to run side by side. */

/* The pixel that stands there; beyond the border, the nearest one. */
static size_t at(int x, int y)
{
    int w = get_global_size(0), h = get_global_size(1);
    return (size_t)clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1);
}

static size_t here(void)
{
    return at(get_global_id(0), get_global_id(1));
}

/* Weighs the square of 2 * radius + 1 pixels around each by a bell curve; radius is at most 15. */
kernel void blur(global float *result, global const float *image, int radius, float sigma)
{
    int x = get_global_id(0), y = get_global_id(1);
    float weights[31], all = 0;
    for (int i = -radius; i <= radius; i++)
        all += weights[i + radius] = exp(-0.5f * i * i / (sigma * sigma));
    float3 sum = 0;
    for (int i = -radius; i <= radius; i++) {
        float3 row = 0;
        for (int j = -radius; j <= radius; j++)
            row += weights[j + radius] * vload3(at(x + j, y + i), image);
        sum += weights[i + radius] * row;
    }
    vstore3(sum / (all * all), here(), result);
}

static float brightness(global const float *image, int x, int y)
{
    return dot(vload3(at(x, y), image), (float3)(0.299f, 0.587f, 0.114f));
}

/* How steeply the brightness changes: 0 on a plain surface; never more than 1. */
kernel void sobel(global float *mask, global const float *image, float gain)
{
    int x = get_global_id(0), y = get_global_id(1);
    float side[2], level[2];
    for (int k = 0; k < 2; k++) {
        int d = 2 * k - 1;
        side[k] = brightness(image, x + d, y - 1) + 2 * brightness(image, x + d, y) + brightness(image, x + d, y + 1);
        level[k] = brightness(image, x - 1, y + d) + 2 * brightness(image, x, y + d) + brightness(image, x + 1, y + d);
    }
    mask[here()] = min(gain * hypot(side[1] - side[0], level[1] - level[0]), 1.0f);
}

/* One work-group walks over the whole mask, then folds what its work-items found. */
static float fold(local float *found, float mine, float sign)
{
    size_t i = get_local_id(0);
    found[i] = sign * mine;
    for (size_t half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_way)
            found[i] = max(found[i], found[i + half_way]);
    }
    return sign * found[0];
}

kernel void maximum(global float *result, global const float *mask, local float *found, int pixels)
{
    float best = mask[0];
    for (int i = get_local_id(0); i < pixels; i += get_local_size(0))
        best = max(best, mask[i]);
    best = fold(found, best, 1);
    if (get_local_id(0) == 0)
        *result = best;
}

kernel void minimum(global float *result, global const float *mask, local float *found, int pixels)
{
    float best = mask[0];
    for (int i = get_local_id(0); i < pixels; i += get_local_size(0))
        best = min(best, mask[i]);
    best = fold(found, best, -1);
    if (get_local_id(0) == 0)
        *result = best;
}

/* Stretches the mask to 0..1 and `strength` times beyond: near an edge all becomes 1. A mask without edges stays 0. */
kernel void extend(global float *mask, global const float *lowest, global const float *highest, float strength)
{
    float span = max(*highest - *lowest, 0.001f);
    mask[here()] = clamp(strength * (mask[here()] - *lowest) / span, 0.0f, 1.0f);
}

/* Away from the blurred picture: what differs from its surroundings differs more. */
kernel void unsharpen(global float *result, global const float *image, global const float *blurred, float amount)
{
    float3 pixel = vload3(here(), image);
    pixel += amount * (pixel - vload3(here(), blurred));
    vstore3(clamp(pixel, 0.0f, 255.0f), here(), result);
}

/* The sharp picture where the mask is 1, the soft one where it is 0. */
kernel void combine(global float *result, global const float *sharp, global const float *soft, global const float *mask)
{
    vstore3(mix(vload3(here(), soft), vload3(here(), sharp), mask[here()]), here(), result);
}
