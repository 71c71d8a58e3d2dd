/* The switches of the environment, seen from a program that knows nothing of them: the test process forks, the child
   sets its environment and runs the program, and the parent looks at what it left. */
#include "scan_support.h"

#include <sys/stat.h>

static const char source[] = SLOW_SOURCE "kernel void twice(global float *y, global const float *x) { *y = 2 * *x; }\n"
                                         "kernel void third(global float *z, global const float *x) { *z = *x / 3; }\n"
                                         "kernel void sum(global float *y, global const float *z) { *y += *z; }\n";

/* --- programs --- */

/* What every child does: 6 * 2 + 6 / 3. */
static int diamond(selv_scheduler *on)
{
    cl_program program = NULL;
    cl_kernel twice = NULL, third = NULL, sum = NULL;
    cl_mem x = NULL, y = NULL, z = NULL;
    float in = 6, out = 0;
    if (selv_build(on, source, NULL, &program) || selv_kernel(on, program, "twice", &twice) ||
        selv_kernel(on, program, "third", &third) || selv_kernel(on, program, "sum", &sum) ||
        selv_buffer(on, 4, &in, &x) || selv_buffer(on, 4, NULL, &y) || selv_buffer(on, 4, NULL, &z))
        return 2;
    selv_name(on, x, "input");
    selv_name(on, y, "doubled");
    selv_launch(on, twice, selv_1d(1), y, x);
    selv_launch(on, third, selv_1d(1), z, x);
    selv_launch(on, sum, selv_1d(1), y, z);
    return selv_read(on, &out, y, 4) || out != 14 ? 3 : 0;
}

static int closing(void)
{
    return selv_open(NULL, &s) ? 1 : diamond(s) || selv_close(s);
}

static int never_closing(void)
{
    return selv_open(NULL, &s) ? 1 : diamond(s);
}

static int twice_in_a_row(void)
{
    return closing() || closing();
}

static int refusing(void)
{
    if (selv_open(NULL, &s))
        return 1;
    return selv_zero(s, (cl_mem)NULL, 4) < 0 && selv_close(s) < 0 ? 0 : 2;
}

/* 16 of SELV_BAD_SETTING, -31016 */
static int opening(void)
{
    selv_status st = selv_open(NULL, &s);
    if (st)
        fputs(selv_error(), stderr);
    return st ? -st % 100 : selv_close(s);
}

/* --- running them --- */

static char folder[] = "/tmp/selvedge-test-XXXXXX";

static void make_folder(void)
{
    strcpy(folder, "/tmp/selvedge-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_folder(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* In a process of its own, which ends by exit(): what runs at exit runs. */
static int run_with(const char *name, const char *value, int (*program)(void))
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        if (name)
            setenv(name, value, 1);
        if (!freopen(in_folder("stderr"), "w", stderr))
            _exit(99);
        exit(program());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the program ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static const char *text_of(const char *name)
{
    static char text[16384];
    FILE *f = fopen(in_folder(name), "r");
    ck_assert_msg(f != NULL, "%s was not written", name);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

static size_t count_in(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
        n++;
    return n;
}

/* --- the graph --- */

static void assert_text_graph(const char *text)
{
    ck_assert_msg(strstr(text, "# selvedge graph 1\n") == text, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "task t1 launch twice\n"));
    ck_assert_ptr_nonnull(strstr(text, "task t3 launch sum\n"));
    ck_assert_ptr_nonnull(strstr(text, "task t4 read read\n"));
    ck_assert_ptr_nonnull(strstr(text, "edge t1 t3 RAW doubled [0, 4) 0 y read-write assumed -> 0 y read-write"));
    ck_assert_ptr_nonnull(strstr(text, "edge t2 t3 RAW"));
    ck_assert_ptr_nonnull(strstr(text, "edge t3 t4 RAW doubled"));
    ck_assert_uint_eq(count_in(text, "\nedge "), 3);
}

START_TEST(a_program_leaves_its_graph_as_text_without_a_change)
{
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("g.txt"), closing), 0);
    assert_text_graph(text_of("g.txt"));
}
END_TEST

START_TEST(a_program_that_never_closes_leaves_its_graph_too)
{
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("g.txt"), never_closing), 0);
    assert_text_graph(text_of("g.txt"));
}
END_TEST

START_TEST(a_program_that_opens_twice_leaves_the_graph_of_the_last)
{
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("g.txt"), twice_in_a_row), 0);
    assert_text_graph(text_of("g.txt"));
}
END_TEST

START_TEST(a_program_leaves_its_graph_as_dot_that_graphviz_accepts)
{
    char command[256];
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("g.dot"), never_closing), 0);
    const char *text = text_of("g.dot");
    ck_assert_ptr_nonnull(strstr(text, "digraph"));
    ck_assert_uint_eq(count_in(text, " -> "), 3);
    SKIP_IF(system("command -v dot >/dev/null"), "graphviz is not installed")
    snprintf(command, sizeof command, "dot -Tsvg %s -o %s", in_folder("g.dot"), in_folder("g.svg"));
    ck_assert_int_eq(system(command), 0);
    ck_assert_ptr_nonnull(strstr(text_of("g.svg"), "<svg"));
}
END_TEST

START_TEST(a_graph_of_another_ending_is_refused_at_once)
{
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("g.png"), opening), 16);
    ck_assert_ptr_nonnull(strstr(text_of("stderr"), "g.png"));
    ck_assert_ptr_nonnull(strstr(text_of("stderr"), ".dot"));
}
END_TEST

START_TEST(a_graph_that_cannot_be_written_is_told_of_and_the_program_runs)
{
    setenv("SELVEDGE_LOG", in_folder("log"), 1);
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("missing/g.dot"), closing), 0);
    ck_assert_ptr_nonnull(strstr(text_of("log"), "missing/g.dot"));
}
END_TEST

START_TEST(without_the_setting_nothing_is_recorded_or_written)
{
    ck_assert_int_eq(run_with(NULL, NULL, closing), 0);
    ck_assert_str_eq(text_of("stderr"), "");
    struct stat found;
    ck_assert_int_ne(stat(in_folder("g.txt"), &found), 0);
}
END_TEST

/* --- lanes and order --- */

static int count_lanes(void)
{
    selv_statistics now;
    if (selv_open(&(selv_config){.lanes_per_device = 5}, &s) || diamond(s) || selv_stats(s, &now) || selv_close(s))
        return 99;
    return (int)now.lanes;
}

START_TEST(the_environment_says_how_many_lanes_and_wins_over_the_program)
{
    ck_assert_int_eq(run_with(NULL, NULL, count_lanes), 5);
    ck_assert_int_eq(run_with("SELVEDGE_LANES", "3", count_lanes), 3);
    ck_assert_int_eq(run_with("SELVEDGE_LANES", "1", count_lanes), 1);
    ck_assert_int_eq(run_with("SELVEDGE_LANES", "64", count_lanes), 64);
    ck_assert_int_eq(run_with("SELVEDGE_SERIAL", "1", count_lanes), 1);
    ck_assert_int_eq(run_with("SELVEDGE_SERIAL", "0", count_lanes), 5);
}
END_TEST

/* In serial order a launch returns when it is done. */
static int busy_after_a_launch(void)
{
    cl_program program = NULL;
    cl_mem x = NULL;
    selv_statistics now = {.tasks_running = 99};
    if (selv_open(NULL, &s) || selv_build(s, source, NULL, &program) || selv_buffer(s, 4, NULL, &x))
        return 98;
    cl_kernel slow = kernel_of(s, program, "slow");
    selv_launch(s, slow, selv_1d(1), x, 4 * SLOW_TURNS);
    selv_stats(s, &now);
    return selv_close(s) ? 97 : (int)now.tasks_running;
}

START_TEST(serially_each_task_is_finished_before_the_next)
{
    ck_assert_int_eq(run_with("SELVEDGE_SERIAL", "1", busy_after_a_launch), 0);
    ck_assert_int_eq(run_with(NULL, NULL, busy_after_a_launch), 1);
    setenv("SELVEDGE_SERIAL", "1", 1);
    ck_assert_int_eq(run_with("SELVEDGE_GRAPH", in_folder("g.txt"), closing), 0);
    assert_text_graph(text_of("g.txt")); /* the graph is that of the hazards all the same */
}
END_TEST

static int writing_the_devices_name(void)
{
    char name[128] = "";
    FILE *f = fopen(in_folder("name"), "w");
    if (!f || selv_open(NULL, &s))
        return 1;
    clGetDeviceInfo(selv_device(s, 0), CL_DEVICE_NAME, sizeof name, name, NULL);
    return fputs(name, f) < 0 || fclose(f) || selv_close(s);
}

START_TEST(a_device_is_found_by_kind_or_name_and_a_wrong_one_is_told)
{
    ck_assert_int_eq(run_with("SELVEDGE_DEVICE", "no such device", opening), 13); /* SELV_NO_DEVICE, -31013 */
    ck_assert_int_eq(run_with(NULL, NULL, writing_the_devices_name), 0);
    ck_assert_int_eq(run_with("SELVEDGE_DEVICE", text_of("name"), opening), 0);
}
END_TEST

START_TEST(a_mistyped_name_or_value_is_refused)
{
    ck_assert_int_eq(run_with("SELVEDGE_LANE", "3", opening), 16);
    ck_assert_int_eq(run_with("SELVEDGE_LANES", "many", opening), 16);
    ck_assert_int_eq(run_with("SELVEDGE_LANES", "0", opening), 16);
    ck_assert_int_eq(run_with("SELVEDGE_SERIAL", "yes", opening), 16);
    ck_assert_int_eq(run_with("SELVEDGE_LOG", "/no such folder/log", opening), 16);
}
END_TEST

/* --- the log --- */

START_TEST(refusals_go_to_the_log_that_the_environment_names)
{
    ck_assert_int_eq(run_with("SELVEDGE_LOG", in_folder("log"), refusing), 0);
    const char *text = text_of("log");
    ck_assert_msg(strstr(text, "selvedge: selv_zero") == text && count_in(text, "\n") == 1, "%s", text);
    ck_assert_str_eq(text_of("stderr"), "");
    ck_assert_int_eq(run_with("SELVEDGE_LOG", in_folder("log"), refusing), 0);
    ck_assert_uint_eq(count_in(text_of("log"), "\n"), 2); /* it is appended to */
}
END_TEST

START_TEST(refusals_go_to_stderr_if_the_environment_says_so_and_nowhere_if_not)
{
    ck_assert_int_eq(run_with("SELVEDGE_LOG", "stderr", refusing), 0);
    ck_assert_ptr_nonnull(strstr(text_of("stderr"), "selvedge: selv_zero"));
    ck_assert_int_eq(run_with(NULL, NULL, refusing), 0);
    ck_assert_str_eq(text_of("stderr"), "");
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("tests");
    tcase_add_checked_fixture(t, make_folder, remove_folder);
    tcase_add_test(t, a_program_leaves_its_graph_as_text_without_a_change);
    tcase_add_test(t, a_program_that_never_closes_leaves_its_graph_too);
    tcase_add_test(t, a_program_that_opens_twice_leaves_the_graph_of_the_last);
    tcase_add_test(t, a_program_leaves_its_graph_as_dot_that_graphviz_accepts);
    tcase_add_test(t, a_graph_of_another_ending_is_refused_at_once);
    tcase_add_test(t, a_graph_that_cannot_be_written_is_told_of_and_the_program_runs);
    tcase_add_test(t, without_the_setting_nothing_is_recorded_or_written);
    tcase_add_test(t, the_environment_says_how_many_lanes_and_wins_over_the_program);
    tcase_add_test(t, serially_each_task_is_finished_before_the_next);
    tcase_add_test(t, a_device_is_found_by_kind_or_name_and_a_wrong_one_is_told);
    tcase_add_test(t, a_mistyped_name_or_value_is_refused);
    tcase_add_test(t, refusals_go_to_the_log_that_the_environment_names);
    tcase_add_test(t, refusals_go_to_stderr_if_the_environment_says_so_and_nowhere_if_not);
    return run_cases("scheduler/graph env", t, NULL);
}
