#include "base/suite.h"

#include "base/settings.h"

#include <stdio.h>

extern char **environ;

static selvi_settings settings;

/* The tests may themselves be run under some of these. */
static void clear_environment(void)
{
    for (char **entry = environ; *entry;) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
        if (strncmp(name, "SELVEDGE_", 9))
            entry++;
        else
            unsetenv(name);
    }
}

static void expect_refused(const char *name, const char *value, const char *words)
{
    setenv(name, value, 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_BAD_SETTING);
    ck_assert_msg(strstr(selv_error(), words), "%s=%s: \"%s\" does not hold \"%s\"", name, value, selv_error(), words);
    ck_assert_msg(strstr(selv_error(), name), "\"%s\" does not name %s", selv_error(), name);
    unsetenv(name);
}

START_TEST(nothing_set_is_all_zero)
{
    memset(&settings, 0xff, sizeof settings);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_OK);
    ck_assert_uint_eq(settings.serial, 0);
    ck_assert_uint_eq(settings.lanes, 0);
    ck_assert_ptr_null(settings.device);
    ck_assert_ptr_null(settings.log);
    ck_assert_ptr_null(settings.graph);
}
END_TEST

START_TEST(each_setting_arrives_in_its_own_field)
{
    setenv("SELVEDGE_SERIAL", "1", 1);
    setenv("SELVEDGE_LANES", "12", 1);
    setenv("SELVEDGE_DEVICE", "cpu", 1);
    setenv("SELVEDGE_LOG", "stderr", 1);
    setenv("SELVEDGE_GRAPH", "out/graph.dot", 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_OK);
    ck_assert_uint_eq(settings.serial, 1);
    ck_assert_uint_eq(settings.lanes, 12);
    ck_assert_str_eq(settings.device, "cpu");
    ck_assert_str_eq(settings.log, "stderr");
    ck_assert_str_eq(settings.graph, "out/graph.dot");
}
END_TEST

START_TEST(the_lowest_and_the_highest_number_are_allowed)
{
    setenv("SELVEDGE_LANES", "1", 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_OK);
    ck_assert_uint_eq(settings.lanes, 1);
    setenv("SELVEDGE_LANES", "64", 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_OK);
    ck_assert_uint_eq(settings.lanes, 64);
}
END_TEST

START_TEST(a_number_that_is_none_is_refused_with_the_numbers_that_would_do)
{
    static const char *const bad[] = {
        "", " ", "two", "2x", "0x2", "-1", "+2", " 2", "2 ", "1.5", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused("SELVEDGE_LANES", bad[i], "expected a whole number from 1 to 64");
}
END_TEST

START_TEST(a_number_out_of_range_is_refused_with_the_range)
{
    expect_refused("SELVEDGE_LANES", "0", "from 1 to 64");
    expect_refused("SELVEDGE_LANES", "65", "from 1 to 64");
    expect_refused("SELVEDGE_LANES", "4294967297", "from 1 to 64"); /* 1 in 32 bits */
    expect_refused("SELVEDGE_SERIAL", "2", "from 0 to 1");
    expect_refused("SELVEDGE_SERIAL", "yes", "from 0 to 1");
}
END_TEST

START_TEST(a_mistyped_name_is_refused_and_the_nearest_one_named)
{
    expect_refused("SELVEDGE_LANSE", "2", "did you mean SELVEDGE_LANES?");
    expect_refused("SELVEDGE_LANE", "2", "did you mean SELVEDGE_LANES?");
    expect_refused("SELVEDGE_LANESS", "2", "did you mean SELVEDGE_LANES?");
    expect_refused("SELVEDGE_lanes", "2", "did you mean SELVEDGE_LANES?");
    expect_refused("SELVEDGE_DEVISE", "cpu", "did you mean SELVEDGE_DEVICE?");
    expect_refused("SELVEDGE_LOGS", "stderr", "did you mean SELVEDGE_LOG?");
    expect_refused("SELVEDGE_GRAPHS", "a.dot", "did you mean SELVEDGE_GRAPH?");
    expect_refused("SELVEDGE_SEREAL", "1", "did you mean SELVEDGE_SERIAL?");
}
END_TEST

START_TEST(a_name_of_any_length_is_refused)
{
    char endless[4096] = "SELVEDGE_";
    memset(endless + 9, 'X', sizeof endless - 10);
    expect_refused("SELVEDGE_", "1", "did you mean");
    setenv(endless, "1", 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_BAD_SETTING);
}
END_TEST

START_TEST(names_of_others_are_left_alone)
{
    setenv("SELVEDGEX", "1", 1);
    setenv("MY_SELVEDGE_LANES", "many", 1);
    setenv("SELVEDGE", "1", 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_OK);
}
END_TEST

START_TEST(a_text_that_is_empty_is_refused_with_what_it_may_be)
{
    expect_refused("SELVEDGE_DEVICE", "", "gpu|cpu|accelerator|NAME");
    expect_refused("SELVEDGE_LOG", "", "stderr|FILE");
    expect_refused("SELVEDGE_GRAPH", "", "FILE.dot|FILE.txt");
}
END_TEST

START_TEST(a_graph_may_be_dot_or_text)
{
    setenv("SELVEDGE_GRAPH", "a.b/graph.txt", 1);
    ck_assert_int_eq(selvi_settings_read(&settings), SELV_OK);
    ck_assert_str_eq(settings.graph, "a.b/graph.txt");
}
END_TEST

START_TEST(a_graph_of_another_kind_is_refused)
{
    static const char *const bad[] = {"file.png", "file",     "file.dot.svg", "folder.dot/file",
                                      "dot",      "file.DOT", "file."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused("SELVEDGE_GRAPH", bad[i], "ends in .dot or .txt");
}
END_TEST

START_TEST(of_two_faults_the_mistyped_name_is_told_first)
{
    setenv("SELVEDGE_LANES", "none", 1);
    expect_refused("SELVEDGE_DEVISE", "cpu", "SELVEDGE_DEVICE");
    expect_refused("SELVEDGE_LANES", "none", "whole number");
}
END_TEST

typedef struct page {
    char text[4096];
    size_t lines;
} page;

static void add_line(void *user, const char *text)
{
    page *p = user;
    strcat(strcat(p->text, text), "\n");
    p->lines++;
}

START_TEST(the_printed_table_has_a_row_for_each_setting_and_three_cells_in_each)
{
    page p = {{0}, 0};
    size_t bars = 0;
    selvi_settings_print(add_line, &p);
#define COUNT(field, NAME, kind, lowest, highest, value, help) +1
    ck_assert_uint_eq(p.lines, 0 SELVI_SETTINGS(COUNT));
#undef COUNT
    for (size_t i = 0; p.text[i]; i++)
        bars += p.text[i] == '|' && (i == 0 || p.text[i - 1] != '\\');
    ck_assert_uint_eq(bars, 4 * p.lines);
    ck_assert_ptr_nonnull(strstr(p.text, "| `SELVEDGE_LANES` | `N` | so many in-order queues"));
    ck_assert_ptr_nonnull(strstr(p.text, "| `SELVEDGE_LOG` | `stderr\\|FILE` |"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("settings");
    tcase_add_checked_fixture(tests, clear_environment, NULL);
    tcase_add_test(tests, nothing_set_is_all_zero);
    tcase_add_test(tests, each_setting_arrives_in_its_own_field);
    tcase_add_test(tests, the_lowest_and_the_highest_number_are_allowed);
    tcase_add_test(tests, a_number_that_is_none_is_refused_with_the_numbers_that_would_do);
    tcase_add_test(tests, a_number_out_of_range_is_refused_with_the_range);
    tcase_add_test(tests, a_mistyped_name_is_refused_and_the_nearest_one_named);
    tcase_add_test(tests, a_name_of_any_length_is_refused);
    tcase_add_test(tests, names_of_others_are_left_alone);
    tcase_add_test(tests, a_text_that_is_empty_is_refused_with_what_it_may_be);
    tcase_add_test(tests, a_graph_may_be_dot_or_text);
    tcase_add_test(tests, a_graph_of_another_kind_is_refused);
    tcase_add_test(tests, of_two_faults_the_mistyped_name_is_told_first);
    tcase_add_test(tests, the_printed_table_has_a_row_for_each_setting_and_three_cells_in_each);
    return run_case(tests);
}
