/* Images of every kind: as arguments, copied, filled, and as other looks at a buffer's bytes. */
#include "scan_support.h"

static const char source[] =
    "constant sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_NONE;\n"
    "kernel void get_1d(global uint *out, read_only image1d_t m) {\n"
    "    int x = get_global_id(0); out[x] = read_imageui(m, at, x).x; }\n"
    "kernel void get_2d(global uint *out, read_only image2d_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    out[y * get_global_size(0) + x] = read_imageui(m, at, (int2)(x, y)).x; }\n"
    "kernel void get_3d(global uint *out, read_only image3d_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imageui(m, at, (int4)(x, y, z, 0)).x; }\n"
    "kernel void get_1d_array(global uint *out, read_only image1d_array_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    out[y * get_global_size(0) + x] = read_imageui(m, at, (int2)(x, y)).x; }\n"
    "kernel void get_2d_array(global uint *out, read_only image2d_array_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imageui(m, at, (int4)(x, y, z, 0)).x; }\n"
    "kernel void get_buffer(global uint *out, read_only image1d_buffer_t m) {\n"
    "    int x = get_global_id(0); out[x] = read_imageui(m, x).x; }\n"
    "kernel void put_1d(write_only image1d_t m) {\n"
    "    int x = get_global_id(0); write_imageui(m, x, (uint4)(x * 3 + 1)); }\n"
    "kernel void put_2d(write_only image2d_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    write_imageui(m, (int2)(x, y), (uint4)((y * get_global_size(0) + x) * 3 + 1)); }\n"
    "kernel void put_1d_array(write_only image1d_array_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    write_imageui(m, (int2)(x, y), (uint4)((y * get_global_size(0) + x) * 3 + 1)); }\n"
    "kernel void put_2d_array(write_only image2d_array_t m) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    write_imageui(m, (int4)(x, y, z, 0),\n"
    "                  (uint4)(((z * get_global_size(1) + y) * get_global_size(0) + x) * 3 + 1)); }\n"
    "kernel void put_buffer(write_only image1d_buffer_t m) {\n"
    "    int x = get_global_id(0); write_imageui(m, x, (uint4)(x * 3 + 1)); }\n"
    "kernel void increase(read_write image2d_t m) {\n"
    "    int2 p = (int2)(get_global_id(0), get_global_id(1)); write_imageui(m, p, read_imageui(m, p) + 1u); }\n"
    "kernel void store(global uint *x, uint v) { x[get_global_id(0)] = v; }\n"
    "kernel void takes_buffer(global uint *x) { }\n";

static const cl_image_format one_word = {CL_R, CL_UNSIGNED_INT32};

/* NULL where the driver makes no such image. */
static cl_mem image(cl_image_desc desc)
{
    cl_int code;
    cl_mem m = clCreateImage(selv_context(s), CL_MEM_READ_WRITE, &one_word, &desc, NULL, &code);
    return code ? NULL : keep_mem(m);
}

enum { W = 5, H = 3, D = 4, MOST = W * H * D };

typedef struct shape {
    cl_image_desc desc;
    selv_range range;
    size_t pixels;
    const char *get, *put; /* put NULL: such an image cannot be written by every OpenCL C */
} shape;

static shape shape_of(cl_mem_object_type type)
{
    cl_image_desc flat = {.image_type = type, .image_width = W, .image_height = H};
    cl_image_desc deep = {.image_type = type, .image_width = W, .image_height = H, .image_depth = D};
    cl_image_desc rows = {.image_type = type, .image_width = W, .image_array_size = H};
    cl_image_desc layers = {.image_type = type, .image_width = W, .image_height = H, .image_array_size = D};
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
        return (shape){(cl_image_desc){.image_type = type, .image_width = W}, selv_1d(W), W, "get_1d", "put_1d"};
    case CL_MEM_OBJECT_IMAGE2D: return (shape){flat, selv_2d(W, H), W * H, "get_2d", "put_2d"};
    case CL_MEM_OBJECT_IMAGE3D: return (shape){deep, selv_3d(W, H, D), MOST, "get_3d", NULL};
    case CL_MEM_OBJECT_IMAGE1D_ARRAY: return (shape){rows, selv_2d(W, H), W * H, "get_1d_array", "put_1d_array"};
    default: return (shape){layers, selv_3d(W, H, D), MOST, "get_2d_array", "put_2d_array"};
    }
}

static void assert_pixels(const cl_uint *got, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(got[i] == 3 * i + 1, "pixel %zu is %u", i, got[i]);
}

/* Host to image, image to kernel, kernel to image, image to host: each ordered behind the one before. */
static void round_trip(const shape *f)
{
    cl_uint pixels[MOST], got[MOST] = {0};
    cl_mem m = image(f->desc), out = mem_of(sizeof got, NULL);
    for (size_t i = 0; i < MOST; i++)
        pixels[i] = (cl_uint)(3 * i + 1);
    selv_task w = given(selv_copy(s, m, selv_arg_of(pixels), f->pixels * 4));
    selv_task r = given(selv_launch(s, KERNEL(f->get), f->range, out, m));
    ck_assert(is_edge(s, w, r));
    ck_assert_int_eq(edge_between(s, w, r).to_mode, SELV_READ);
    OK(selv_read(s, got, out, f->pixels * 4));
    assert_pixels(got, f->pixels);
    if (!f->put)
        return;
    selv_task z = given(selv_zero(s, m, f->pixels * 4));
    selv_task p = given(selv_launch(s, KERNEL(f->put), f->range, m));
    ck_assert(is_edge(s, r, z) && is_edge(s, z, p));
    memset(got, 0, sizeof got);
    OK(selv_read(s, got, m, f->pixels * 4));
    assert_pixels(got, f->pixels);
}

#define ROUND_TRIP(type)                                                                                               \
    do {                                                                                                               \
        shape f = shape_of(type);                                                                                      \
        SKIP_IF(!image(f.desc), "the driver makes no such image")                                                      \
        round_trip(&f);                                                                                                \
    } while (0)

START_TEST(an_image_of_one_dimension_goes_round)
{
    ROUND_TRIP(CL_MEM_OBJECT_IMAGE1D);
}
END_TEST

START_TEST(an_image_of_two_dimensions_goes_round)
{
    ROUND_TRIP(CL_MEM_OBJECT_IMAGE2D);
}
END_TEST

START_TEST(an_image_of_three_dimensions_goes_round)
{
    ROUND_TRIP(CL_MEM_OBJECT_IMAGE3D);
}
END_TEST

START_TEST(an_array_of_one_dimensional_images_goes_round)
{
    ROUND_TRIP(CL_MEM_OBJECT_IMAGE1D_ARRAY);
}
END_TEST

START_TEST(an_array_of_two_dimensional_images_goes_round)
{
    ROUND_TRIP(CL_MEM_OBJECT_IMAGE2D_ARRAY);
}
END_TEST

static cl_mem picture(void)
{
    cl_mem m = image(shape_of(CL_MEM_OBJECT_IMAGE2D).desc);
    ck_assert_ptr_nonnull(m);
    return m;
}

START_TEST(a_read_write_image_chains_its_launches)
{
    cl_program p = NULL;
    cl_mem m = picture();
    cl_uint got[W * H];
    SKIP_IF(selv_build(s, source, "-cl-std=CL2.0", &p) && selv_failure(s), "no read_write images")
    kept.program = p;
    cl_kernel k = KERNEL("increase");
    given(selv_fill(s, m, ((cl_uint4){{5, 5, 5, 5}}), sizeof got));
    selv_task a = given(selv_launch(s, k, selv_2d(W, H), m)), b = given(selv_launch(s, k, selv_2d(W, H), m));
    ck_assert(is_edge(s, a, b));
    ck_assert(!edge_between(s, a, b).assumed);
    OK(selv_read(s, got, m, sizeof got));
    for (size_t i = 0; i < W * H; i++)
        ck_assert_uint_eq(got[i], 7);
}
END_TEST

START_TEST(readers_of_an_image_are_not_ordered_and_a_write_waits_for_both)
{
    cl_mem m = picture(), a = mem_of(W * H * 4, NULL), b = mem_of(W * H * 4, NULL);
    gate g = close_gate(s, m);
    selv_task r1 = given(selv_launch(s, KERNEL("get_2d"), selv_2d(W, H), a, m));
    selv_task r2 = given(selv_launch(s, KERNEL("get_2d"), selv_2d(W, H), b, m));
    selv_task w = given(selv_launch(s, KERNEL("put_2d"), selv_2d(W, H), m));
    open_gate(g);
    UNORDERED(r1, r2);
    ck_assert_uint_eq(edges_into(s, w), 2);
    OK(selv_wait(s, m));
}
END_TEST

/* --- from a buffer --- */

static cl_mem words(void)
{
    return plain_mem(CL_MEM_READ_WRITE, 4096);
}

START_TEST(a_one_dimensional_image_of_a_buffer_is_the_buffers_bytes)
{
    cl_mem x = words(), out = mem_of(4 * W, NULL);
    cl_uint got[W];
    cl_mem m = image((cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = W, .buffer = x});
    SKIP_IF(!m, "the driver makes no image of a buffer")
    gate g = close_gate(s, x);
    selv_task w = given(selv_launch(s, KERNEL("store"), selv_1d(W), selv_within(x, 0, W * 4), 9u));
    selv_task beside = given(selv_launch(s, KERNEL("store"), selv_1d(1), selv_part(x, 2048, 2048), 8u));
    selv_task r = given(selv_launch(s, KERNEL("get_buffer"), selv_1d(W), out, m));
    selv_task z = given(selv_fill(s, x, 0u, 4096));
    open_gate(g);
    ck_assert(is_edge(s, w, r) && is_edge(s, r, z) && is_edge(s, beside, z));
    UNORDERED(beside, r);
    OK(selv_read(s, got, out, sizeof got));
    ck_assert(got[0] == 9 && got[W - 1] == 9);
}
END_TEST

START_TEST(what_a_kernel_writes_to_an_image_of_a_buffer_is_in_the_buffer)
{
    cl_mem x = words();
    cl_uint got[W];
    SKIP_IF(on_pocl(), "PoCL 3.1 crashes where a kernel writes to an image of a buffer, without Selvedge too")
    cl_mem m = image((cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = W, .buffer = x});
    SKIP_IF(!m, "the driver makes no image of a buffer")
    selv_task z = given(selv_zero(s, x, 4096));
    selv_task p = given(selv_launch(s, KERNEL("put_buffer"), selv_1d(W), m));
    ck_assert(is_edge(s, z, p));
    OK(selv_read(s, got, x, sizeof got));
    assert_pixels(got, W);
}
END_TEST

START_TEST(a_two_dimensional_image_of_a_buffer_is_ordered_with_it)
{
    cl_mem x = words();
    cl_uint pitch = 0;
    clGetDeviceInfo(selv_device(s, 0), CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof pitch, &pitch, NULL);
    size_t row = (pitch ? pitch : 16) * 4;
    cl_mem m = image((cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 2, .image_row_pitch = row, .buffer = x});
    SKIP_IF(!m, "the driver makes no two-dimensional image of a buffer")
    selv_task w = given(selv_zero(s, x, 4096));
    selv_task p = given(selv_launch(s, KERNEL("put_2d"), selv_2d(8, 2), m));
    selv_edge e = edge_between(s, w, p);
    ck_assert_uint_eq(e.begin, 0);
    ck_assert_uint_eq(e.end, 2 * row);
}
END_TEST

START_TEST(an_image_made_where_a_released_image_of_a_buffer_stood_is_looked_at_anew)
{
    enum { TIMES = 50 };
    cl_mem out = mem_of(4 * W, NULL);
    handles seen = {.count = 0};
    cl_uint got[W];
    selv_task last = 0;
    for (cl_uint i = 0; i < TIMES; i++) {
        cl_int code;
        cl_mem x = buffer_of(s, 4096, NULL);
        cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = W, .buffer = x};
        cl_mem m = clCreateImage(selv_context(s), CL_MEM_READ_WRITE, &one_word, &desc, NULL, &code);
        SKIP_IF(code, "the driver makes no image of a buffer")
        selv_task w = given(selv_fill(s, x, i, 4096));
        selv_task r = given(selv_launch(s, KERNEL("get_buffer"), selv_1d(W), selv_out(out), m));
        kept.kernel_count = 0;
        ORDERED(w, r);
        if (last)
            UNORDERED(last, w);
        OK(selv_read(s, got, out, sizeof got));
        ck_assert_uint_eq(got[W - 1], i);
        until_unused(m);
        clReleaseMemObject(m);
        until_unused(x);
        clReleaseMemObject(x);
        note_handle(&seen, m);
        last = r;
    }
    ck_assert_msg(!handles_come_again() || seen.again, "no handle was used again: this asserts nothing");
}
END_TEST

/* --- what is refused --- */

START_TEST(an_image_for_a_buffer_and_a_buffer_for_an_image_are_refused)
{
    cl_mem m = picture(), x = mem_of(64, NULL);
    refused_with(selv_launch(s, KERNEL("takes_buffer"), selv_1d(1), m), SELV_ARGUMENT_KIND);
    error_says("image");
    refused_with(selv_launch(s, KERNEL("put_2d"), selv_2d(1, 1), x), SELV_ARGUMENT_KIND);
    error_says("image");
    refused_with(selv_launch(s, KERNEL("put_2d"), selv_2d(1, 1), NULL), SELV_ARGUMENT_KIND);
}
END_TEST

START_TEST(images_are_copied_and_passed_whole)
{
    cl_mem m = picture();
    cl_uint got[W * H];
    refused_with(selv_read(s, got, m, sizeof got - 4), SELV_OUT_OF_RANGE);
    error_says("60 bytes");
    refused_with(selv_launch(s, KERNEL("put_2d"), selv_2d(1, 1), selv_part(m, 4, 4)), SELV_UNSUPPORTED);
    cl_uint *p = NULL;
    refused_with(selv_map(s, m, SELV_READ, &p), SELV_UNSUPPORTED);
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, an_image_of_one_dimension_goes_round);
    tcase_add_test(t, an_image_of_two_dimensions_goes_round);
    tcase_add_test(t, an_image_of_three_dimensions_goes_round);
    tcase_add_test(t, an_array_of_one_dimensional_images_goes_round);
    tcase_add_test(t, an_array_of_two_dimensional_images_goes_round);
    tcase_add_test(t, a_read_write_image_chains_its_launches);
    tcase_add_test(t, readers_of_an_image_are_not_ordered_and_a_write_waits_for_both);
    tcase_add_test(t, a_one_dimensional_image_of_a_buffer_is_the_buffers_bytes);
    tcase_add_test(t, what_a_kernel_writes_to_an_image_of_a_buffer_is_in_the_buffer);
    tcase_add_test(t, a_two_dimensional_image_of_a_buffer_is_ordered_with_it);
    tcase_add_test(t, an_image_made_where_a_released_image_of_a_buffer_stood_is_looked_at_anew);
    tcase_add_test(t, an_image_for_a_buffer_and_a_buffer_for_an_image_are_refused);
    tcase_add_test(t, images_are_copied_and_passed_whole);
    return run_cases("scheduler/images", t, NULL);
}
