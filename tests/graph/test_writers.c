#include "graph/feed.h"
#include "graph/suite.h"

#include "graph/phrase.h"

#include <stdio.h>
#include <unistd.h>

static feed f;

static void open_feed(void)
{
    feed_open(&f, 0);
}

static void close_feed(void)
{
    feed_close(&f);
}

/* Three tasks, a redundant edge, two reasons between one pair, an assumed mode, host memory. */
static void run_program(uint32_t lane, uint64_t address)
{
    feed_name(&f, 1, "buffer", "small");
    feed_name(&f, 2, "buffer", NULL);
    feed_name(&f, 3, "host memory", NULL);
    selvi_fact_access assumed = feed_access(SELV_READ_WRITE, 2, 0, 512, 1, "b");
    assumed.flags = SELVI_ACCESS_ASSUMED;
    feed_run(&f,
             (feed_task){.name = "write",
                         .kind = "write",
                         .access_count = 2,
                         .accesses = {feed_access(SELV_READ, 3, address, address + 1024, SELVI_NO_ARGUMENT, "source"),
                                      feed_access(SELV_WRITE, 1, 0, 1024, SELVI_NO_ARGUMENT, "destination")}});
    feed_run(&f, (feed_task){.name = "blur",
                             .lane = lane,
                             .access_count = 2,
                             .accesses = {feed_access(SELV_READ, 1, 0, 1024, 0, "src"), assumed}});
    feed_run(&f, (feed_task){.name = "mix",
                             .lane = 2 * lane,
                             .access_count = 2,
                             .accesses = {feed_access(SELV_WRITE, 1, 0, 1024, 0, "dst"),
                                          feed_access(SELV_READ, 2, 0, 1024, 1, NULL)}});
    feed_run(&f, (feed_task){.name = "read",
                             .kind = "read",
                             .access_count = 1,
                             .accesses = {feed_access(SELV_WRITE, 3, address, address + 512, SELVI_NO_ARGUMENT,
                                                      "destination")}});
}

static const char expected_text[] = "# selvedge graph 1\n"
                                    "# forgotten 0\n"
                                    "task t1 write write\n"
                                    "task t2 launch blur\n"
                                    "edge t1 t2 RAW small [0, 1024) - destination write -> 0 src read\n"
                                    "task t3 launch mix\n"
                                    "edge t2 t3 WAR small [0, 1024) 0 src read -> 0 dst write\n"
                                    "edge t2 t3 RAW buffer #2 [0, 512) 1 b read-write assumed -> 1 - read\n"
                                    "task t4 read read\n"
                                    "edge t1 t4 WAR host memory 512 bytes - source read -> - destination write\n";

START_TEST(the_text_has_a_line_for_each_task_and_each_reason)
{
    run_program(1, 0x10000);
    char *text = feed_text(&f);
    ck_assert_str_eq(text, expected_text);
    free(text);
}
END_TEST

START_TEST(the_text_does_not_depend_on_lanes_or_addresses)
{
    run_program(7, 0x7fff12340000);
    char *text = feed_text(&f);
    ck_assert_str_eq(text, expected_text);
    free(text);
}
END_TEST

static size_t occurrences(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

START_TEST(the_drawing_has_one_arrow_for_each_pair)
{
    run_program(1, 0x10000);
    char *dot = feed_dot(&f, false);
    ck_assert_uint_eq(occurrences(dot, " -> "), 3);
    ck_assert_ptr_nonnull(strstr(dot, "t2 [label=\"t2 blur\""));
    ck_assert_ptr_nonnull(strstr(dot, "t2 -> t3 [label=\"WAR small\\nRAW buffer #2\""));
    ck_assert_ptr_null(strstr(dot, "t1 -> t3"));
    ck_assert_ptr_null(strstr(dot, "style=dashed"));
    free(dot);
}
END_TEST

START_TEST(redundant_arrows_are_drawn_dotted_on_request)
{
    run_program(1, 0x10000);
    char *dot = feed_dot(&f, true);
    const char *arrow = strstr(dot, "t1 -> t3 [label=\"WAW small\"");
    ck_assert_uint_eq(occurrences(dot, " -> "), 4);
    ck_assert_ptr_nonnull(arrow);
    ck_assert_uint_eq(occurrences(dot, "style=dotted"), 1);
    ck_assert(strstr(arrow, "style=dotted") < strchr(arrow, '\n'));
    free(dot);
}
END_TEST

START_TEST(an_arrow_is_dashed_where_every_reason_is_assumed)
{
    selvi_fact_access assumed = feed_access(SELV_READ_WRITE, 1, 0, 512, 1, "b");
    assumed.flags = SELVI_ACCESS_ASSUMED;
    feed_run(&f, (feed_task){.name = "a", .access_count = 1, .accesses = {assumed}});
    feed_run(&f, (feed_task){.name = "b", .access_count = 1, .accesses = {assumed}});
    char *dot = feed_dot(&f, false);
    ck_assert_uint_eq(occurrences(dot, "style=dashed"), 1);
    free(dot);
}
END_TEST

START_TEST(a_failed_task_is_red)
{
    feed_one(&f, "good", SELV_WRITE, 1);
    feed_one(&f, "bad", SELV_WRITE, 2);
    f.observer.failed(f.observer.self, 2, "the \"cause\"");
    char *dot = feed_dot(&f, false);
    ck_assert_uint_eq(occurrences(dot, "penwidth=3"), 1);
    ck_assert_ptr_nonnull(strstr(dot, "failed: the \\\\x22cause\\\\x22"));
    free(dot);
}
END_TEST

START_TEST(odd_bytes_are_escaped_and_others_are_not)
{
    char out[64];
    ck_assert_str_eq(selvi_escape("a\"b\\c\nd", '"', out, sizeof out), "a\\\\x22b\\\\x5cc\\\\x0ad");
    ck_assert_str_eq(selvi_escape("a\"b\\c\nd", 0, out, sizeof out), "a\"b\\x5cc\\x0ad");
    ck_assert_str_eq(selvi_escape("gr\xc3\xbc\xc3\x9f", 0, out, sizeof out), "gr\xc3\xbc\xc3\x9f");
    ck_assert_str_eq(selvi_escape("\xff\xc3", 0, out, sizeof out), "\\xff\\xc3");
    ck_assert_uint_lt(strlen(selvi_escape("0123456789\n\n\n", 0, out, 16)), 16);
}
END_TEST

START_TEST(graphviz_takes_any_name)
{
    char command[256], path[] = "/tmp/selvedge-graph-XXXXXX";
    if (system("dot -V >/dev/null 2>&1")) {
        printf("skipped graphviz_takes_any_name: graphviz is not installed (apt-get install graphviz)\n");
        return;
    }
    feed_name(&f, 1, "buffer", "\"]; evil -> \\ \n\x01\xff<b>gr\xc3\xbc\xc3\x9f</b>");
    feed_one(&f, "k\"\\", SELV_WRITE, 1);
    feed_one(&f, "<html>", SELV_READ_WRITE, 1);
    f.observer.failed(f.observer.self, 2, "\"\\");
    int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    ck_assert_int_eq(selvi_graph_write(f.r, SELV_GRAPH_DOT, out), SELV_OK);
    fclose(out);
    snprintf(command, sizeof command, "test -z \"$(dot -Tsvg -o /dev/null %s 2>&1)\"", path);
    int refused = system(command);
    unlink(path);
    ck_assert_int_eq(refused, 0);
}
END_TEST

START_TEST(the_end_of_the_path_tells_the_format)
{
    char folder[] = "/tmp/selvedge-graph-XXXXXX", path[64], line[64] = "";
    static const char *const first[][2] = {{"g.dot", "digraph selvedge {\n"}, {"g.txt", "# selvedge graph 1\n"}};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, first[i][0]);
        ck_assert_int_eq(selvi_graph_save(f.r, path), SELV_OK);
        FILE *in = fopen(path, "r");
        ck_assert_ptr_nonnull(fgets(line, sizeof line, in));
        fclose(in);
        unlink(path);
        ck_assert_str_eq(line, first[i][1]);
    }
    rmdir(folder);
}
END_TEST

START_TEST(a_path_or_format_that_cannot_be_is_refused)
{
    ck_assert_int_eq(selvi_graph_save(f.r, "graph.png"), SELV_INVALID);
    ck_assert_ptr_nonnull(strstr(selv_error(), "'graph.png': expected a name that ends in .dot or .txt"));
    ck_assert_int_eq(selvi_graph_save(f.r, NULL), SELV_INVALID);
    ck_assert_int_eq(selvi_graph_save(f.r, "/nowhere/at/all.dot"), SELV_INVALID);
    ck_assert_ptr_nonnull(strstr(selv_error(), "/nowhere/at/all.dot"));
    ck_assert_int_eq(selvi_graph_write(f.r, (selv_graph_format)9, stdout), SELV_INVALID);
    ck_assert_int_eq(selvi_graph_write(f.r, SELV_GRAPH_DOT, NULL), SELV_INVALID);
}
END_TEST

START_TEST(a_stream_that_takes_nothing_is_reported)
{
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    ck_assert_int_eq(selvi_graph_write(f.r, SELV_GRAPH_TEXT, full), SELV_INVALID);
    ck_assert_ptr_nonnull(strstr(selv_error(), "the stream did not take the graph"));
    fclose(full);
}
END_TEST

START_TEST(every_output_says_how_many_tasks_are_forgotten)
{
    feed few;
    feed_open(&few, 2);
    for (int i = 0; i < 5; i++)
        feed_one(&few, "w", SELV_WRITE, 1);
    char *dot = feed_dot(&few, false), *text = feed_text(&few);
    ck_assert_ptr_nonnull(strstr(dot, "3 older tasks are no longer kept"));
    ck_assert_ptr_nonnull(strstr(text, "# forgotten 3\ntask t4 launch w\n"));
    free(dot);
    free(text);
    feed_close(&few);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("writers");
    tcase_add_checked_fixture(t, open_feed, close_feed);
    tcase_add_test(t, the_text_has_a_line_for_each_task_and_each_reason);
    tcase_add_test(t, the_text_does_not_depend_on_lanes_or_addresses);
    tcase_add_test(t, the_drawing_has_one_arrow_for_each_pair);
    tcase_add_test(t, redundant_arrows_are_drawn_dotted_on_request);
    tcase_add_test(t, an_arrow_is_dashed_where_every_reason_is_assumed);
    tcase_add_test(t, a_failed_task_is_red);
    tcase_add_test(t, odd_bytes_are_escaped_and_others_are_not);
    tcase_add_test(t, graphviz_takes_any_name);
    tcase_add_test(t, the_end_of_the_path_tells_the_format);
    tcase_add_test(t, a_path_or_format_that_cannot_be_is_refused);
    tcase_add_test(t, a_stream_that_takes_nothing_is_reported);
    tcase_add_test(t, every_output_says_how_many_tasks_are_forgotten);
    return run_case(t);
}
