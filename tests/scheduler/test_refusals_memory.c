/* Memory that is refused: of another context, unknown, a part outside, misaligned, released, mapped, too much of it. */
#include "scheduler/refusal_support.h"

static cl_mem foreign_buffer(cl_context c)
{
    cl_int code;
    cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return m;
}

START_TEST(a_buffer_of_another_context_is_refused_by_every_call)
{
    scene w = scene_open(NULL);
    cl_context other = other_context(&w);
    cl_mem m = foreign_buffer(other);
    cl_event e;
    int v = 0, *p;
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), m, 1), SELV_OTHER_CONTEXT, "kernel set", "argument 0", "x",
            "context");
    REFUSED(&w, selv_copy(w.s, w.y, m, 4), SELV_OTHER_CONTEXT, "selv_copy", "context");
    REFUSED(&w, selv_fill(w.s, m, 1, 4), SELV_OTHER_CONTEXT, "selv_fill", "context");
    REFUSED(&w, selv_zero(w.s, m, 4), SELV_OTHER_CONTEXT, "selv_zero", "context");
    REFUSED(&w, selv_read(w.s, &v, m, 4), SELV_OTHER_CONTEXT, "selv_read", "context");
    REFUSED(&w, selv_write(w.s, m, &v, 4), SELV_OTHER_CONTEXT, "selv_write", "context");
    REFUSED(&w, selv_wait(w.s, m), SELV_OTHER_CONTEXT, "selv_wait", "context");
    REFUSED(&w, selv_ready(w.s, m), SELV_OTHER_CONTEXT, "selv_ready", "context");
    REFUSED(&w, selv_map(w.s, m, SELV_READ, &p), SELV_OTHER_CONTEXT, "selv_map", "context");
    REFUSED(&w, selv_unmap(w.s, m), SELV_OTHER_CONTEXT, "selv_unmap", "context");
    REFUSED(&w, selv_release(w.s, m), SELV_OTHER_CONTEXT, "selv_release", "context");
    REFUSED(&w, selv_name(w.s, m, "m"), SELV_OTHER_CONTEXT, "context");
    REFUSED(&w, selv_export(w.s, &e, selv_in(m)), SELV_OTHER_CONTEXT, "selv_export", "access 0", "context");
    cl_event done = user_event(selv_context(w.s));
    REFUSED(&w, selv_adopt(w.s, done, selv_out(w.y), selv_in(m)), SELV_OTHER_CONTEXT, "selv_adopt", "access 1",
            "context");
    clReleaseEvent(done);
    expect_works(&w);
    clReleaseMemObject(m);
    clReleaseContext(other);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_pointer_into_no_known_allocation_is_refused_with_the_ways_to_announce_it)
{
    scene w = scene_open(NULL);
    int mine[ITEMS];
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), mine, 1), SELV_UNKNOWN_POINTER, "kernel set", "argument 0", "x",
            "no allocation is known", "selv_svm", "selv_track");
    REFUSED(&w, selv_fill(w.s, mine, 1, sizeof mine), SELV_UNKNOWN_POINTER, "selv_fill", "selv_track");
    REFUSED(&w, selv_wait(w.s, mine), SELV_UNKNOWN_POINTER, "selv_wait", "selv_part(p, 0, bytes)");
    REFUSED(&w, selv_edit(w.s, mine), SELV_UNKNOWN_POINTER, "selv_edit", "selv_part(p, 0, bytes)");
    REFUSED(&w, selv_name(w.s, mine, "mine"), SELV_UNKNOWN_POINTER, "selv_track");
    REFUSED(&w, selv_svm_free(w.s, mine), SELV_UNKNOWN_POINTER, "selv_svm_free", "no SVM block");
    REFUSED(&w, selv_untrack(w.s, mine), SELV_UNKNOWN_POINTER, "selv_untrack", "no SVM block");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(one_past_the_end_is_an_error_that_says_so)
{
    scene w = scene_open(NULL);
    if (!w.block)
        return scene_close(&w, 0);
    REFUSED(&w, selv_launch(w.s, w.add, selv_1d(1), w.y, w.block + ITEMS), SELV_UNKNOWN_POINTER, "kernel add",
            "argument 1", "one past the end", "256 bytes");
    REFUSED(&w, selv_launch(w.s, w.add, selv_1d(1), w.y, w.block - 1), SELV_UNKNOWN_POINTER, "argument 1",
            "no allocation is known");
    expect_works(&w);
    ck_assert_msg(selv_launch(w.s, w.add, selv_1d(1), w.z, w.block + ITEMS - 1) > 0, "%s", selv_error());
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_part_outside_its_allocation_is_refused_and_both_ranges_are_told)
{
    scene w = scene_open(NULL);
    int v = 0;
    ck_assert_int_eq(selv_name(w.s, w.y, "yarn"), 0);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_within(w.y, 128, 129), 1), SELV_OUT_OF_RANGE, "kernel set",
            "argument 0", "[128, 257)", "yarn", "256");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(w.y, 128, 129), 1), SELV_OUT_OF_RANGE, "argument 0",
            "[128, 257)", "256");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(w.y, 256, 4), 1), SELV_OUT_OF_RANGE, "[256, 260)");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_strided(w.y, 0, 4, 5, 64), 1), SELV_OUT_OF_RANGE, "[0, 260)");
    REFUSED(&w, selv_copy(w.s, selv_part(w.y, 252, 8), w.x, 8), SELV_OUT_OF_RANGE, "selv_copy", "[252, 260)");
    REFUSED(&w, selv_copy(w.s, w.y, w.x, BYTES + 1), SELV_OUT_OF_RANGE, "selv_copy", "[0, 257)");
    REFUSED(&w, selv_copy(w.s, selv_part(w.y, 0, 8), w.x, 12), SELV_OUT_OF_RANGE, "12 bytes are asked for", "has 8");
    REFUSED(&w, selv_fill(w.s, selv_part(w.y, 8, 4), 1, 8), SELV_OUT_OF_RANGE, "selv_fill", "8 bytes", "has 4");
    REFUSED(&w, selv_read(w.s, &v, selv_part(w.y, 254, 4), 4), SELV_OUT_OF_RANGE, "selv_read", "[254, 258)");
    REFUSED(&w, selv_write(w.s, selv_part(w.y, 254, 4), &v, 4), SELV_OUT_OF_RANGE, "selv_write", "[254, 258)");
    REFUSED(&w, selv_wait(w.s, selv_part(w.y, 0, 257)), SELV_OUT_OF_RANGE, "selv_wait", "[0, 257)");
    if (w.block) {
        REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(w.block + 60, 0, 20), 1), SELV_OUT_OF_RANGE,
                "argument 0", "SVM", "there are 16");
        REFUSED(&w, selv_edit(w.s, selv_part(w.block, 4, BYTES)), SELV_OUT_OF_RANGE, "selv_edit", "[4, 260)");
    }
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(parts_that_overflow_are_refused)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_within(w.y, SIZE_MAX, 4), 1), SELV_OUT_OF_RANGE, "argument 0",
            "overflows");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(w.y, 4, SIZE_MAX - 2), 1), SELV_OUT_OF_RANGE,
            "argument 0", "overflows");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_strided(w.y, 0, 4, SIZE_MAX, SIZE_MAX), 1), SELV_OUT_OF_RANGE,
            "argument 0", "overflows");
    REFUSED(&w, selv_copy(w.s, w.y, w.x, SIZE_MAX), SELV_OUT_OF_RANGE, "selv_copy");
    REFUSED(&w, selv_wait(w.s, selv_within(w.y, SIZE_MAX - 3, 4)), SELV_OUT_OF_RANGE, "selv_wait");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_part_of_a_part_counts_from_it_and_lies_inside_it)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_within(selv_part(w.y, 128, 64), 32, 64), 1), SELV_OUT_OF_RANGE,
            "argument 0", "a part of a part reaches outside");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(selv_within(w.y, 0, 64), 128, 4), 1), SELV_OUT_OF_RANGE,
            "a part of a part reaches outside");
    int got[ITEMS];
    ck_assert_msg(selv_fill(w.s, selv_part(selv_part(w.z, 128, 64), 32, 32), 5, 32) > 0, "%s", selv_error());
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], i >= 40 && i < 48 ? 5 : 0);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(parts_of_no_bytes_are_refused)
{
    scene w = scene_open(NULL);
    int v = 0;
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(w.y, 0, 0), 1), SELV_INVALID, "argument 0", "0 bytes",
            "1 or more");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_strided(w.y, 0, 4, 0, 8), 1), SELV_INVALID, "0 bytes");
    REFUSED(&w, selv_copy(w.s, w.y, w.x, 0), SELV_INVALID, "selv_copy", "0 bytes");
    REFUSED(&w, selv_fill(w.s, w.y, 1, 0), SELV_INVALID, "selv_fill", "0 bytes");
    REFUSED(&w, selv_zero(w.s, w.y, 0), SELV_INVALID, "selv_zero", "0 bytes");
    REFUSED(&w, selv_read(w.s, &v, w.y, 0), SELV_INVALID, "selv_read", "0 bytes");
    REFUSED(&w, selv_write(w.s, w.y, &v, 0), SELV_INVALID, "selv_write", "0 bytes");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

static size_t alignment_of(const scene *w)
{
    cl_uint bits = 0;
    ck_assert_int_eq(clGetDeviceInfo(selv_device(w->s, 0), CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL),
                     CL_SUCCESS);
    return bits / 8;
}

START_TEST(a_part_that_no_sub_buffer_can_begin_is_refused_and_the_alignment_told)
{
    scene w = scene_open(NULL);
    char number[32];
    size_t unit = alignment_of(&w);
    snprintf(number, sizeof number, "multiples of %zu bytes", unit);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_part(w.y, 4, 8), 1), SELV_MISALIGNED, "kernel set",
            "argument 0", "byte 4", number, "selv_within", "SVM");
    ck_assert_msg(selv_launch(w.s, w.set, selv_1d(1), selv_part(w.z, unit, 8), 1) > 0, "%s", selv_error());
    if (w.block) /* any offset will do */
        ck_assert_msg(selv_launch(w.s, w.add, selv_1d(1), w.z, selv_part(w.block, 4, 8)) > 0, "%s", selv_error());
    block_back(&w);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_released_buffer_is_refused_by_every_call)
{
    scene w = scene_open(NULL);
    cl_mem gone;
    int v = 0, *p;
    ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &gone), 0);
    ck_assert_int_eq(selv_name(w.s, gone, "gone"), 0);
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), gone, 1), 0);
    ck_assert_int_eq(selv_release(w.s, gone), 0);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), gone, 1), SELV_RELEASED, "kernel set", "argument 0", "gone",
            "selv_release before");
    REFUSED(&w, selv_copy(w.s, w.y, gone, 4), SELV_RELEASED, "selv_copy", "gone");
    REFUSED(&w, selv_read(w.s, &v, gone, 4), SELV_RELEASED, "selv_read", "gone");
    REFUSED(&w, selv_wait(w.s, gone), SELV_RELEASED, "selv_wait", "gone");
    REFUSED(&w, selv_map(w.s, gone, SELV_READ, &p), SELV_RELEASED, "selv_map", "gone");
    REFUSED(&w, selv_release(w.s, gone), SELV_RELEASED, "selv_release", "gone");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(freed_svm_is_refused_by_every_call)
{
    scene w = scene_open(NULL);
    int v = 0, *gone;
    if (!w.block)
        return scene_close(&w, 0);
    ck_assert_int_eq(selv_svm(w.s, BYTES, &gone), 0);
    ck_assert_int_eq(selv_svm_free(w.s, gone), 0);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), gone, 1), SELV_RELEASED, "kernel set", "argument 0",
            "freed or untracked before");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), gone + 5, 1), SELV_RELEASED, "argument 0", "freed");
    REFUSED(&w, selv_fill(w.s, gone, 1, 4), SELV_RELEASED, "selv_fill", "freed");
    REFUSED(&w, selv_wait(w.s, gone), SELV_RELEASED, "selv_wait", "freed");
    REFUSED(&w, selv_edit(w.s, gone), SELV_RELEASED, "selv_edit", "freed");
    REFUSED(&w, selv_read(w.s, &v, gone, 4), SELV_RELEASED, "selv_read", "freed");
    REFUSED(&w, selv_svm_free(w.s, gone), SELV_RELEASED, "selv_svm_free", "freed or untracked before");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(untracked_svm_is_refused_until_it_is_tracked_again)
{
    scene w = scene_open(NULL);
    if (!w.block)
        return scene_close(&w, 0);
    int *own = clSVMAlloc(selv_context(w.s), CL_MEM_READ_WRITE, BYTES, 0);
    ck_assert_int_eq(selv_track(w.s, own, BYTES), 0);
    REFUSED(&w, selv_svm_free(w.s, own), SELV_INVALID, "selv_svm_free", "your own", "selv_untrack");
    REFUSED(&w, selv_untrack(w.s, w.block), SELV_INVALID, "selv_untrack", "selv_svm_free");
    REFUSED(&w, selv_untrack(w.s, own + 1), SELV_UNKNOWN_POINTER, "selv_untrack", "4 bytes behind its beginning");
    REFUSED(&w, selv_track(w.s, own + 8, 16), SELV_INVALID, "selv_track", "overlap");
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), own, 3), 0);
    ck_assert_int_eq(selv_untrack(w.s, own), 0);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), own, 1), SELV_RELEASED, "argument 0", "untracked before");
    REFUSED(&w, selv_untrack(w.s, own), SELV_RELEASED, "selv_untrack", "untracked before");
    ck_assert_int_eq(selv_track(w.s, own, BYTES), 0);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, own), 0);
    expect_all(&w, w.z, 3);
    ck_assert_int_eq(selv_untrack(w.s, own), 0);
    clSVMFree(selv_context(w.s), own);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(what_is_mapped_for_reading_may_be_read_by_tasks_and_not_written)
{
    scene w = scene_open(NULL);
    const int *p;
    ck_assert_int_eq(selv_name(w.s, w.x, "xylem"), 0);
    ck_assert_int_eq(selv_map(w.s, w.x, SELV_READ, &p), 0);
    ck_assert_int_eq(p[5], 7);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.x, 1), SELV_MAPPED, "kernel set",
            "argument 0 (x, global int*)", "xylem", "selv_map", "for reading", "selv_unmap");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(1), selv_within(w.x, 0, 4), 1), SELV_MAPPED, "xylem");
    REFUSED(&w, selv_zero(w.s, w.x, BYTES), SELV_MAPPED, "fill", "xylem", "selv_unmap");
    REFUSED(&w, selv_copy(w.s, w.x, w.y, BYTES), SELV_MAPPED, "copy, destination", "xylem");
    REFUSED(&w, selv_map(w.s, w.x, SELV_READ, &p), SELV_MAPPED, "selv_map", "xylem", "mapped already");
    REFUSED(&w, selv_release(w.s, w.x), SELV_MAPPED, "selv_release", "xylem", "selv_unmap");
    expect_works(&w); /* reads x */
    ck_assert_int_eq(p[5], 7);
    ck_assert_int_gt(selv_unmap(w.s, w.x), 0);
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.x, 1), 0);
    expect_all(&w, w.x, 1);
    scene_close(&w, 0);
}
END_TEST

START_TEST(what_is_mapped_for_writing_is_refused_to_readers_too)
{
    scene w = scene_open(NULL);
    int *p, v;
    ck_assert_int_eq(selv_map(w.s, w.x, SELV_READ_WRITE, &p), 0);
    REFUSED(&w, selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x), SELV_MAPPED, "kernel add", "it reads", "for writing",
            "selv_unmap");
    REFUSED(&w, selv_read(w.s, &v, w.x, 4), SELV_MAPPED, "selv_read", "for writing");
    REFUSED(&w, selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, p), SELV_ARGUMENT_KIND, "argument 1", "a buffer is mapped",
            "selv_unmap");
    for (int i = 0; i < ITEMS; i++)
        p[i] = 7;
    ck_assert_int_gt(selv_unmap(w.s, w.x), 0);
    REFUSED(&w, selv_unmap(w.s, w.x), SELV_INVALID, "selv_unmap", "not mapped");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(unmapping_what_is_not_mapped_and_unknown_modes_are_refused)
{
    scene w = scene_open(NULL);
    int *p = NULL;
    REFUSED(&w, selv_unmap(w.s, w.x), SELV_INVALID, "selv_unmap", "not mapped", "selv_map");
    REFUSED(&w, selv_map(w.s, w.x, SELV_NONE, &p), SELV_INVALID, "selv_map", "mode 0", "SELV_READ_WRITE");
    REFUSED(&w, selv_map(w.s, w.x, SELV_ACCUMULATE, &p), SELV_INVALID, "mode 4");
    REFUSED(&w, selv_map(w.s, w.x, (selv_mode)77, &p), SELV_INVALID, "mode 77");
    ck_assert_ptr_null(p);
    REFUSED(&w, selv_edit(w.s, w.x), SELV_UNSUPPORTED, "selv_edit", "selv_map");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_host_mapped_block_stays_readable_when_the_task_that_would_take_it_is_refused)
{
    scene w = scene_open(NULL);
    if (!w.block)
        return scene_close(&w, 0);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.block), 0);
    ck_assert_int_eq(selv_edit(w.s, w.block), 0);
    /* refused by us, and by the driver, after the block was taken back from the host */
    REFUSED(&w, selv_launch(w.s, w.numbers, selv_1d(ITEMS), w.block, 300, 1, 1, 1), SELV_ARGUMENT_VALUE, "300");
    const selv_statistics before = stats_of(&w);
    ck_assert_int_lt(selv_launch(w.s, w.set, selv_group(selv_1d(ITEMS), 48, 1, 1), w.block, 1), 0);
    ck_assert_int_eq(selv_finish(w.s), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_uint_eq(stats_of(&w).parts, before.parts);
    w.block[3] = 9; /* still mapped for writing */
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_buffer_larger_than_the_device_allows_is_refused_with_what_there_is)
{
    scene w = scene_open(NULL);
    cl_ulong most = 0;
    cl_mem m = NULL;
    int *p = NULL;
    clGetDeviceInfo(selv_device(w.s, 0), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)most);
    const selv_statistics before = stats_of(&w);
    selv_status st = selv_buffer(w.s, (size_t)most * 2, NULL, &m);
    ck_assert_msg(st == CL_INVALID_BUFFER_SIZE || st == CL_MEM_OBJECT_ALLOCATION_FAILURE, "%d", st);
    expect_words((const char *const[]){"a buffer of", number, "in one piece", "holds", "release", NULL});
    const selv_statistics after = stats_after(&w, st);
    expect_same(&before, &after);
    ck_assert_ptr_null(m);
    if (w.block) {
        REFUSED(&w, selv_svm(w.s, (size_t)most * 2, &p), CL_MEM_OBJECT_ALLOCATION_FAILURE, "an SVM block of", number,
                "release");
        ck_assert_ptr_null(p);
    }
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(memory_of_no_bytes_is_refused)
{
    scene w = scene_open(NULL);
    cl_mem m;
    int *p;
    REFUSED(&w, selv_buffer(w.s, 0, NULL, &m), SELV_INVALID, "selv_buffer", "0 bytes");
    REFUSED(&w, selv_svm(w.s, 0, &p), SELV_INVALID, "selv_svm", "0 bytes");
    REFUSED(&w, selv_track(w.s, &w, 0), SELV_INVALID, "selv_track", "0 bytes");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, a_buffer_of_another_context_is_refused_by_every_call);
    tcase_add_test(t, a_pointer_into_no_known_allocation_is_refused_with_the_ways_to_announce_it);
    tcase_add_test(t, one_past_the_end_is_an_error_that_says_so);
    tcase_add_test(t, a_part_outside_its_allocation_is_refused_and_both_ranges_are_told);
    tcase_add_test(t, parts_that_overflow_are_refused);
    tcase_add_test(t, a_part_of_a_part_counts_from_it_and_lies_inside_it);
    tcase_add_test(t, parts_of_no_bytes_are_refused);
    tcase_add_test(t, a_part_that_no_sub_buffer_can_begin_is_refused_and_the_alignment_told);
    tcase_add_test(t, a_released_buffer_is_refused_by_every_call);
    tcase_add_test(t, freed_svm_is_refused_by_every_call);
    tcase_add_test(t, untracked_svm_is_refused_until_it_is_tracked_again);
    tcase_add_test(t, what_is_mapped_for_reading_may_be_read_by_tasks_and_not_written);
    tcase_add_test(t, what_is_mapped_for_writing_is_refused_to_readers_too);
    tcase_add_test(t, unmapping_what_is_not_mapped_and_unknown_modes_are_refused);
    tcase_add_test(t, a_host_mapped_block_stays_readable_when_the_task_that_would_take_it_is_refused);
    tcase_add_test(t, a_buffer_larger_than_the_device_allows_is_refused_with_what_there_is);
    tcase_add_test(t, memory_of_no_bytes_is_refused);
}

int main(void)
{
    return run_tests("refusals_memory", add_tests, 30);
}
