/* Long programs: what is kept has to stay bounded, and memory flat, however many tasks there were. */
#include "scheduler/support.h"

#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LAUNCHES = 100000, SANITIZED = 1 }; /* sanitizers take ten times as long, and keep what was freed */
#else
enum { LAUNCHES = 1000000, SANITIZED = 0 };
#endif

enum { IN_FLIGHT = 1024, TENTHS = 10 };

static const char *source = "kernel void add(global int *y, global const int *x) { y[0] += x[0]; }";

static selv_scheduler *s;

static void setup(void)
{
    const selv_config config = {.size = sizeof config, .tasks_in_flight = IN_FLIGHT};
    OK(selv_open(&config, &s));
}

static void teardown(void)
{
    close_well(s);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Resident memory of this process. */
static size_t resident_bytes(void)
{
    unsigned long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%lu %lu", &all, &resident), 2);
    fclose(f);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* One event for each task in flight; each of two buffers is one part; the host memory of a read is a third allocation.
 */
static void assert_bounded(uint64_t records)
{
    selv_statistics now = stats_of(s);
    ck_assert_uint_le(now.live_events, IN_FLIGHT);
    ck_assert_uint_le(now.tasks_running, IN_FLIGHT);
    ck_assert_uint_le(now.allocations, 3);
    ck_assert_uint_le(now.parts, 6);
    ck_assert_uint_eq(now.records, records);
    ck_assert_uint_le(now.lanes, 64);
}

static void assert_nothing_left(void)
{
    OK(selv_finish(s));
    ck_assert_uint_eq(stats_of(s).live_events, 0);
    ck_assert_uint_eq(stats_of(s).tasks_running, 0);
}

START_TEST(ten_thousand_fills_finished_each_hundred_hold_no_event_and_no_new_part)
{
    cl_mem m = buffer_of(s, 64, NULL);
    for (int i = 1; i <= 10000; i++) {
        given(selv_fill(s, m, i, 64));
        if (i % 100 == 0) {
            assert_nothing_left();
            ck_assert_uint_eq(stats_of(s).parts, 2); /* the buffer, and all host memory */
        }
    }
    ck_assert_int_eq(read_int(s, m), 10000);
    ck_assert_uint_eq(stats_of(s).waits, 0);
    OK(selv_release(s, m));
}
END_TEST

static double launch_a_tenth(cl_kernel add, cl_mem y, cl_mem x)
{
    double began = seconds();
    for (int i = 0; i < LAUNCHES / TENTHS; i++) {
        given(selv_launch(s, add, selv_1d(1), y, x));
        if (i % 1000 == 0)
            assert_bounded(0);
    }
    return seconds() - began;
}

/* The first tenth may grow what is kept for reuse; after it there is room for noise of the driver, and for nothing that
   grows with the launches: 16 bytes for each would be 14 MiB. */
static void assert_flat(size_t after_first, size_t after_last)
{
    const size_t noise = (size_t)8 << 20;
    if (!SANITIZED)
        ck_assert_msg(after_last <= after_first + noise, "memory grew from %zu to %zu KiB", after_first >> 10,
                      after_last >> 10);
}

START_TEST(a_million_launches_keep_events_parts_and_memory_bounded)
{
    const int one = 1, zero = 0;
    size_t resident[TENTHS];
    cl_program program = build(s, source);
    cl_kernel add = kernel_of(s, program, "add");
    cl_mem x = buffer_of(s, sizeof one, &one), y = buffer_of(s, sizeof zero, &zero);
    for (int i = 0; i < TENTHS; i++) {
        double took = launch_a_tenth(add, y, x);
        resident[i] = resident_bytes();
        printf("launches to %d: %.2f s, %zu KiB resident\n", (i + 1) * (LAUNCHES / TENTHS), took, resident[i] >> 10);
    }
    assert_flat(resident[0], resident[TENTHS - 1]);
    ck_assert_int_eq(read_int(s, y), LAUNCHES);
    ck_assert_uint_eq(stats_of(s).tasks, LAUNCHES + 1);
    ck_assert_uint_eq(stats_of(s).waits, 0);
    assert_nothing_left();
    OK(selv_release(s, x));
    OK(selv_release(s, y));
    clReleaseKernel(add);
    clReleaseProgram(program);
}
END_TEST

/* Records are bounded too: the newest 65536 are kept. */
START_TEST(more_tasks_than_records_are_kept_of_leave_the_newest)
{
    enum { KEPT = 65536, MORE = 2000 };
    cl_mem m = buffer_of(s, 64, NULL);
    size_t count = 0;
    OK(selv_record(s, true));
    for (int i = 0; i < KEPT + MORE; i++)
        given(selv_fill(s, m, i, 64));
    assert_bounded(KEPT);
    OK(selv_edges(s, NULL, 0, &count));
    ck_assert_uint_eq(count, KEPT - 1); /* each fill follows the one before, and of the first kept one that is gone */
    OK(selv_release(s, m));
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("endurance");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, ten_thousand_fills_finished_each_hundred_hold_no_event_and_no_new_part);
    tcase_add_test(c, a_million_launches_keep_events_parts_and_memory_bounded);
    tcase_add_test(c, more_tasks_than_records_are_kept_of_leave_the_newest);
    return run_case("endurance", c, 240);
}
