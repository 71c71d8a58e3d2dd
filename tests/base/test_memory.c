#include "base/scarce.h"
#include "base/suite.h"

#include "base/memory.h"

START_TEST(a_block_is_zeroed)
{
    for (size_t bytes = 1; bytes < 5000; bytes += 499) {
        unsigned char *block = selvi_alloc(bytes);
        for (size_t i = 0; i < bytes; i++)
            ck_assert_uint_eq(block[i], 0);
        memset(block, 0xee, bytes); /* so that the next one does not find zeros by chance */
        selvi_free(block);
    }
}
END_TEST

START_TEST(no_bytes_are_a_block_too)
{
    void *block = selvi_alloc(0);
    ck_assert_ptr_nonnull(block);
    selvi_free(block);
    selvi_free(NULL);
}
END_TEST

START_TEST(a_copied_text_is_one_of_its_own)
{
    char original[] = "blur";
    char *copy = selvi_copy_text(original);
    original[0] = 'x';
    ck_assert_str_eq(copy, "blur");
    selvi_free(copy);
}
END_TEST

START_TEST(an_array_grows_with_its_contents_and_zeros_behind_them)
{
    uint32_t *array = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(selvi_grow(&array, &capacity, i + 1, sizeof *array), SELV_OK);
        ck_assert_uint_gt(capacity, i);
        for (size_t rest = i; rest < capacity; rest++)
            ck_assert_uint_eq(array[rest], 0);
        array[i] = i + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(array[i], i + 1);
    selvi_free(array);
}
END_TEST

START_TEST(room_that_is_there_is_not_made_again)
{
    char *array = NULL;
    size_t capacity = 0;
    ck_assert_int_eq(selvi_grow(&array, &capacity, 100, 1), SELV_OK);
    char *before = array;
    size_t had = capacity;
    scarce_left = 0;
    selv_status st = selvi_grow(&array, &capacity, had, 1);
    scarce_left = -1;
    ck_assert_int_eq(st, SELV_OK);
    ck_assert_ptr_eq(array, before);
    ck_assert_uint_eq(capacity, had);
    selvi_free(array);
}
END_TEST

START_TEST(growing_one_by_one_doubles)
{
    char *array = NULL;
    size_t capacity = 0, times = 0;
    for (size_t n = 1; n <= 1 << 16; n++) {
        size_t before = capacity;
        ck_assert_int_eq(selvi_grow(&array, &capacity, n, 1), SELV_OK);
        times += capacity != before;
    }
    ck_assert_uint_le(times, 16);
    selvi_free(array);
}
END_TEST

static void expect_unchanged(size_t need, size_t element_bytes)
{
    uint64_t *array = NULL;
    size_t capacity = 0;
    ck_assert_int_eq(selvi_grow(&array, &capacity, 4, sizeof *array), SELV_OK);
    uint64_t *before = array;
    size_t had = capacity;
    array[0] = 42;
    ck_assert_int_eq(selvi_grow(&array, &capacity, need, element_bytes), CL_OUT_OF_HOST_MEMORY);
    ck_assert_ptr_eq(array, before);
    ck_assert_uint_eq(capacity, had);
    ck_assert_uint_eq(array[0], 42);
    ck_assert_ptr_nonnull(strstr(selv_error(), "out of host memory"));
    selvi_free(array);
}

START_TEST(an_array_that_no_size_can_hold_is_refused_and_stays_as_it_was)
{
    expect_unchanged(SIZE_MAX, 8);
    expect_unchanged(SIZE_MAX / 8 + 2, 8); /* times 8 it would wrap around to 8 */
    expect_unchanged(SIZE_MAX / 3, 3);
}
END_TEST

START_TEST(an_array_that_cannot_grow_stays_as_it_was)
{
    uint64_t *array = NULL;
    size_t capacity = 0;
    ck_assert_int_eq(selvi_grow(&array, &capacity, 4, sizeof *array), SELV_OK);
    uint64_t *before = array;
    size_t had = capacity;
    scarce_left = 0;
    selv_status st = selvi_grow(&array, &capacity, had + 1, sizeof *array);
    scarce_left = -1;
    ck_assert_int_eq(st, CL_OUT_OF_HOST_MEMORY);
    ck_assert_ptr_eq(array, before);
    ck_assert_uint_eq(capacity, had);
    selvi_free(array);
}
END_TEST

START_TEST(a_block_that_there_is_no_memory_for_is_null_with_a_text)
{
    scarce_left = 0;
    void *block = selvi_alloc(12345);
    char *copy = selvi_copy_text("text");
    scarce_left = -1;
    ck_assert_ptr_null(block);
    ck_assert_ptr_null(copy);
    ck_assert_ptr_nonnull(strstr(selv_error(), "5 bytes"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("memory");
    tcase_add_test(tests, a_block_is_zeroed);
    tcase_add_test(tests, no_bytes_are_a_block_too);
    tcase_add_test(tests, a_copied_text_is_one_of_its_own);
    tcase_add_test(tests, an_array_grows_with_its_contents_and_zeros_behind_them);
    tcase_add_test(tests, room_that_is_there_is_not_made_again);
    tcase_add_test(tests, growing_one_by_one_doubles);
    tcase_add_test(tests, an_array_that_no_size_can_hold_is_refused_and_stays_as_it_was);
    tcase_add_test(tests, an_array_that_cannot_grow_stays_as_it_was);
    tcase_add_test(tests, a_block_that_there_is_no_memory_for_is_null_with_a_text);
    return run_case(tests);
}
