#include "base/suite.h"

#include "base/status.h"

#include <pthread.h>

START_TEST(before_any_failure_the_text_is_empty_and_not_null)
{
    ck_assert_ptr_nonnull(selv_error());
    ck_assert_str_eq(selv_error(), "");
}
END_TEST

START_TEST(a_failure_passes_its_status_on_and_keeps_its_text)
{
    ck_assert_int_eq(selvi_fail(SELV_MAPPED, "%s is mapped %d times", "image", 2), SELV_MAPPED);
    ck_assert_str_eq(selv_error(), "image is mapped 2 times");
}
END_TEST

START_TEST(the_last_failure_replaces_the_one_before)
{
    selvi_fail(SELV_INVALID, "a long text that must not shine through");
    selvi_fail(SELV_INVALID, "short");
    ck_assert_str_eq(selv_error(), "short");
}
END_TEST

START_TEST(the_outer_call_is_named_before_the_inner_fault)
{
    selvi_fail(SELV_OUT_OF_RANGE, "bytes 8 to 12 of 8");
    ck_assert_int_eq(selvi_fail_within(SELV_OUT_OF_RANGE, "blur, argument %d", 1), SELV_OUT_OF_RANGE);
    ck_assert_str_eq(selv_error(), "blur, argument 1: bytes 8 to 12 of 8");
}
END_TEST

static void fill(char *text, size_t bytes, char letter)
{
    memset(text, letter, bytes - 1);
    text[bytes - 1] = '\0';
}

START_TEST(a_text_without_end_is_cut_and_not_overrun)
{
    char endless[3 * SELVI_TEXT_BYTES];
    fill(endless, sizeof endless, 'x');
    selvi_fail(SELV_INVALID, "%s", endless);
    ck_assert_uint_eq(strlen(selv_error()), SELVI_TEXT_BYTES - 1);
}
END_TEST

START_TEST(a_cut_text_still_names_the_outer_call_and_the_beginning_of_the_inner_fault)
{
    char endless[3 * SELVI_TEXT_BYTES];
    fill(endless, sizeof endless, 'x');
    selvi_fail(SELV_INVALID, "inner %s", endless);
    selvi_fail_within(SELV_INVALID, "outer");
    ck_assert(!strncmp(selv_error(), "outer: inner xxx", 16));
    ck_assert_uint_lt(strlen(selv_error()), SELVI_TEXT_BYTES);

    fill(endless, sizeof endless, 'y');
    selvi_fail_within(SELV_INVALID, "%s", endless);
    ck_assert_ptr_nonnull(strstr(selv_error(), "yyy: outer: inner xxx"));
    ck_assert_uint_lt(strlen(selv_error()), SELVI_TEXT_BYTES);
}
END_TEST

START_TEST(a_text_is_set_as_it_is_and_not_read_as_a_format)
{
    selvi_error_set("100%s of %n");
    ck_assert_str_eq(selv_error(), "100%s of %n");
}
END_TEST

START_TEST(the_own_text_may_be_part_of_the_next_one)
{
    char before[64];
    selvi_fail(SELV_INVALID, "first");
    strcpy(before, selv_error());
    selvi_fail(SELV_INVALID, "again: %s", before);
    ck_assert_str_eq(selv_error(), "again: first");
}
END_TEST

static void *fail_elsewhere(void *seen_before)
{
    strcpy(seen_before, selv_error());
    selvi_fail(SELV_INVALID, "of the other thread");
    return NULL;
}

START_TEST(each_thread_has_a_text_of_its_own)
{
    pthread_t other;
    char seen_before[SELVI_TEXT_BYTES] = "nothing";
    selvi_fail(SELV_INVALID, "of this thread");
    ck_assert(!pthread_create(&other, NULL, fail_elsewhere, seen_before));
    ck_assert(!pthread_join(other, NULL));
    ck_assert_str_eq(seen_before, "");
    ck_assert_str_eq(selv_error(), "of this thread");
}
END_TEST

START_TEST(codes_have_the_names_of_the_headers)
{
    ck_assert_str_eq(selv_status_name(SELV_MAPPED), "SELV_MAPPED");
    ck_assert_str_eq(selv_status_name(SELV_BAD_SETTING), "SELV_BAD_SETTING");
    ck_assert_str_eq(selv_status_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    ck_assert_str_eq(selv_status_name(CL_INVALID_KERNEL_ARGS), "CL_INVALID_KERNEL_ARGS");
    ck_assert_str_eq(selv_status_name(0), "CL_SUCCESS");
}
END_TEST

START_TEST(a_code_that_nobody_gave_has_a_name_as_well)
{
    ck_assert_str_eq(selv_status_name(-30999), "unknown status");
    ck_assert_str_eq(selv_status_name(7), "unknown status");
    ck_assert_str_eq(selv_status_name(SELV_STATUS_LAST), "unknown status");
}
END_TEST

START_TEST(our_codes_are_below_those_of_opencl_and_each_is_another)
{
#define ROW(name, number, meaning) name,
    static const int codes[] = {SELV_STATUS_TABLE(ROW)};
#undef ROW
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        ck_assert_int_lt(codes[i], -31000);
        ck_assert_int_gt(codes[i], SELV_STATUS_LAST);
        for (size_t j = 0; j < i; j++)
            ck_assert_int_ne(codes[i], codes[j]);
    }
}
END_TEST

START_TEST(running_out_of_memory_tells_how_much_and_that_nothing_changed)
{
    ck_assert_int_eq(selvi_fail_memory(4096), CL_OUT_OF_HOST_MEMORY);
    ck_assert_ptr_nonnull(strstr(selv_error(), "4096 bytes"));
    ck_assert_ptr_nonnull(strstr(selv_error(), "nothing was changed"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("status");
    tcase_add_test(tests, before_any_failure_the_text_is_empty_and_not_null);
    tcase_add_test(tests, a_failure_passes_its_status_on_and_keeps_its_text);
    tcase_add_test(tests, the_last_failure_replaces_the_one_before);
    tcase_add_test(tests, the_outer_call_is_named_before_the_inner_fault);
    tcase_add_test(tests, a_text_without_end_is_cut_and_not_overrun);
    tcase_add_test(tests, a_cut_text_still_names_the_outer_call_and_the_beginning_of_the_inner_fault);
    tcase_add_test(tests, a_text_is_set_as_it_is_and_not_read_as_a_format);
    tcase_add_test(tests, the_own_text_may_be_part_of_the_next_one);
    tcase_add_test(tests, each_thread_has_a_text_of_its_own);
    tcase_add_test(tests, codes_have_the_names_of_the_headers);
    tcase_add_test(tests, a_code_that_nobody_gave_has_a_name_as_well);
    tcase_add_test(tests, our_codes_are_below_those_of_opencl_and_each_is_another);
    tcase_add_test(tests, running_out_of_memory_tells_how_much_and_that_nothing_changed);
    return run_case(tests);
}
