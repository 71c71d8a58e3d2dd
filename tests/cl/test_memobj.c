#include "cl/memobj.h"

#include "opened.h"

static selvi_memobj o;
static cl_int made; /* what the driver said of the last object */

static cl_mem buffer(cl_mem_flags flags, size_t bytes, void *host)
{
    cl_mem m = clCreateBuffer(opened.context, flags, bytes, host, &made);
    ck_assert_int_eq(made, CL_SUCCESS);
    return m;
}

static cl_mem part(cl_mem parent, cl_mem_flags flags, size_t origin, size_t bytes)
{
    cl_buffer_region region = {origin, bytes};
    cl_mem m = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &made);
    return made ? NULL : m;
}

static const cl_image_format four_bytes = {CL_RGBA, CL_UNSIGNED_INT8}, four_floats = {CL_RGBA, CL_FLOAT};

/* NULL if the driver refuses: `made` says how. */
static cl_mem image(cl_mem_flags flags, const cl_image_format *format, cl_image_desc desc)
{
    cl_mem m = clCreateImage(opened.context, flags, format, &desc, NULL, &made);
    return made ? NULL : m;
}

static void read_it(cl_mem m)
{
    ck_assert_msg(selvi_memobj_read(m, opened.context, &o) == SELV_OK, "%s", selv_error());
}

static void assert_range(cl_mem root, uint64_t root_bytes, uint64_t offset, uint64_t bytes)
{
    ck_assert_ptr_eq(o.root, root);
    ck_assert_uint_eq(o.root_bytes, root_bytes);
    ck_assert_uint_eq(o.offset, offset);
    ck_assert_uint_eq(o.bytes, bytes);
}

static void assert_shape(size_t width, size_t height, size_t depth, size_t element)
{
    ck_assert(o.is_image);
    ck_assert_uint_eq(o.width, width);
    ck_assert_uint_eq(o.height, height);
    ck_assert_uint_eq(o.depth, depth);
    ck_assert_uint_eq(o.element_bytes, element);
    ck_assert_uint_eq(o.tight_bytes, (uint64_t)width * height * depth * element);
}

START_TEST(a_buffer_is_its_own_root)
{
    cl_mem m = buffer(CL_MEM_READ_ONLY, 1000, NULL);
    read_it(m);
    assert_range(m, 1000, 0, 1000);
    ck_assert(!o.is_image);
    ck_assert_uint_eq(o.type, CL_MEM_OBJECT_BUFFER);
    ck_assert_uint_eq(o.flags & CL_MEM_READ_ONLY, CL_MEM_READ_ONLY);
    ck_assert_uint_eq(o.flags & CL_MEM_READ_WRITE, 0);
    clReleaseMemObject(m);
}
END_TEST

START_TEST(a_sub_buffer_is_a_range_of_its_parent)
{
    size_t unit = opened.at[0].alignment;
    cl_mem whole = buffer(CL_MEM_READ_WRITE, 8 * unit, NULL), sub = part(whole, 0, 2 * unit, 3 * unit);
    ck_assert_int_eq(made, CL_SUCCESS);
    read_it(sub);
    assert_range(whole, 8 * unit, 2 * unit, 3 * unit);
    clReleaseMemObject(sub);
    clReleaseMemObject(whole);
}
END_TEST

START_TEST(access_flags_are_the_handles_own_or_else_inherited)
{
    size_t unit = opened.at[0].alignment;
    cl_mem both = buffer(0, 2 * unit, NULL), reading = buffer(CL_MEM_READ_ONLY, 2 * unit, NULL);
    cl_mem narrowed = part(both, CL_MEM_WRITE_ONLY, 0, unit), inherited = part(reading, 0, unit, unit);
    read_it(both);
    ck_assert_uint_eq(o.flags & 7, CL_MEM_READ_WRITE);
    read_it(narrowed);
    ck_assert_uint_eq(o.flags & 7, CL_MEM_WRITE_ONLY);
    read_it(inherited);
    ck_assert_uint_eq(o.flags & 7, CL_MEM_READ_ONLY);
    clReleaseMemObject(narrowed);
    clReleaseMemObject(inherited);
    clReleaseMemObject(both);
    clReleaseMemObject(reading);
}
END_TEST

START_TEST(a_sub_buffer_of_a_sub_buffer_counts_from_the_root)
{
    size_t unit = opened.at[0].alignment;
    cl_mem whole = buffer(0, 8 * unit, NULL), sub = part(whole, 0, 2 * unit, 4 * unit);
    cl_mem inner = part(sub, 0, unit, unit);
    if (inner) {
        read_it(inner);
        assert_range(whole, 8 * unit, 3 * unit, unit);
        clReleaseMemObject(inner);
    }
    clReleaseMemObject(sub);
    clReleaseMemObject(whole);
    SKIP_IF(!inner, "the driver makes no sub-buffer of a sub-buffer, as the specification says")
}
END_TEST

START_TEST(images_of_each_shape_tell_their_size)
{
    static const struct {
        cl_image_desc desc;
        size_t width, height, depth;
    } shapes[] = {
        {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 7}, 7, 1, 1},
        {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 7, .image_array_size = 3}, 7, 3, 1},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 7, .image_height = 5}, 7, 5, 1},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 7, .image_height = 5, .image_array_size = 3},
         7,
         5,
         3},
        {{.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 7, .image_height = 5, .image_depth = 4}, 7, 5, 4},
    };
    SKIP_IF(!opened.at[0].images, "the device has no images")
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        cl_mem m = image(CL_MEM_READ_WRITE, &four_bytes, shapes[i].desc);
        ck_assert_msg(m != NULL, "shape %zu: the driver says %d", i, made);
        read_it(m);
        assert_shape(shapes[i].width, shapes[i].height, shapes[i].depth, 4);
        ck_assert_uint_eq(o.type, shapes[i].desc.image_type);
        ck_assert_ptr_eq(o.root, m);
        ck_assert_uint_ge(o.root_bytes, o.tight_bytes);
        ck_assert_uint_eq(o.bytes, o.root_bytes);
        ck_assert_uint_eq(o.offset, 0);
        clReleaseMemObject(m);
    }
}
END_TEST

START_TEST(a_one_dimensional_image_of_a_buffer_covers_the_bytes_of_its_pixels)
{
    cl_mem whole = buffer(0, 64 * 16, NULL);
    cl_mem m = image(0, &four_floats,
                     (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 60, .buffer = whole});
    if (m) {
        read_it(m);
        assert_range(whole, 64 * 16, 0, 60 * 16);
        assert_shape(60, 1, 1, 16);
        clReleaseMemObject(m);
    }
    clReleaseMemObject(whole);
    SKIP_IF(!m, "the driver makes no image1d_buffer_t")
}
END_TEST

START_TEST(an_image_of_a_sub_buffer_begins_where_the_sub_buffer_does)
{
    size_t unit = opened.at[0].alignment;
    cl_mem whole = buffer(0, 8 * unit, NULL), sub = part(whole, 0, 2 * unit, 4 * unit);
    cl_mem m =
        image(0, &four_bytes,
              (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = unit / 4, .buffer = sub});
    if (m) {
        read_it(m);
        assert_range(whole, 8 * unit, 2 * unit, unit);
        clReleaseMemObject(m);
    }
    clReleaseMemObject(sub);
    clReleaseMemObject(whole);
    SKIP_IF(!m, "the driver makes no image1d_buffer_t of a sub-buffer")
}
END_TEST

START_TEST(a_two_dimensional_image_of_a_buffer_covers_whole_rows)
{
    cl_mem whole = buffer(0, 1024 * 10, NULL);
    cl_mem m = image(0, &four_bytes,
                     (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = 100,
                                     .image_height = 8,
                                     .image_row_pitch = 1024,
                                     .buffer = whole});
    if (m) {
        read_it(m);
        assert_range(whole, 1024 * 10, 0, 1024 * 8);
        assert_shape(100, 8, 1, 4);
        clReleaseMemObject(m);
    }
    clReleaseMemObject(whole);
    SKIP_IF(!m, "the driver makes no 2D image of a buffer")
}
END_TEST

START_TEST(an_image_of_an_image_has_that_ones_storage)
{
    static const cl_image_format as_is = {CL_RGBA, CL_UNORM_INT8}, linear_of = {CL_sRGBA, CL_UNORM_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    cl_mem first = image(0, &linear_of, desc), second = NULL;
    desc.mem_object = first;
    second = first ? image(0, &as_is, desc) : NULL;
    if (second) {
        read_it(second);
        ck_assert_ptr_eq(o.root, first);
        ck_assert_uint_eq(o.bytes, o.root_bytes);
        clReleaseMemObject(second);
    }
    if (first)
        clReleaseMemObject(first);
    SKIP_IF(!second, "the driver makes no image of an image")
}
END_TEST

START_TEST(an_object_of_another_context_is_refused)
{
    cl_context other = clCreateContext(NULL, 1, &opened.at[0].id, NULL, NULL, &made);
    cl_mem m = clCreateBuffer(other, 0, 64, NULL, &made);
    o.bytes = 77;
    ck_assert_int_eq(selvi_memobj_read(m, opened.context, &o), SELV_OTHER_CONTEXT);
    ck_assert_ptr_nonnull(strstr(selv_error(), "selv_context"));
    ck_assert_uint_eq(o.bytes, 77);
    clReleaseMemObject(m);
    clReleaseContext(other);
}
END_TEST

START_TEST(null_is_refused)
{
    ck_assert_int_eq(selvi_memobj_read(NULL, opened.context, &o), SELV_INVALID);
    ck_assert_ptr_nonnull(strstr(selv_error(), "NULL"));
}
END_TEST

START_TEST(a_pipe_is_refused_with_a_reason)
{
    cl_mem m = clCreatePipe(opened.context, 0, 4, 16, NULL, &made);
    if (m && !made) {
        ck_assert_int_eq(selvi_memobj_read(m, opened.context, &o), SELV_UNSUPPORTED);
        ck_assert_ptr_nonnull(strstr(selv_error(), "pipe"));
        clReleaseMemObject(m);
        return;
    }
    SKIP_IF(true, "the driver makes no pipes")
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cl/memobj");
    TCase *t = tcase_create("memobj");
    tcase_add_checked_fixture(t, open_device, close_device);
    tcase_add_test(t, a_buffer_is_its_own_root);
    tcase_add_test(t, a_sub_buffer_is_a_range_of_its_parent);
    tcase_add_test(t, access_flags_are_the_handles_own_or_else_inherited);
    tcase_add_test(t, a_sub_buffer_of_a_sub_buffer_counts_from_the_root);
    tcase_add_test(t, images_of_each_shape_tell_their_size);
    tcase_add_test(t, a_one_dimensional_image_of_a_buffer_covers_the_bytes_of_its_pixels);
    tcase_add_test(t, an_image_of_a_sub_buffer_begins_where_the_sub_buffer_does);
    tcase_add_test(t, a_two_dimensional_image_of_a_buffer_covers_whole_rows);
    tcase_add_test(t, an_image_of_an_image_has_that_ones_storage);
    tcase_add_test(t, an_object_of_another_context_is_refused);
    tcase_add_test(t, null_is_refused);
    tcase_add_test(t, a_pipe_is_refused_with_a_reason);
    suite_add_tcase(s, t);
    return run_suite(s);
}
