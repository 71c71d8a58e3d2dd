#include "scheduler/failure.h"

#include "base/memory.h"
#include "tracking/check.h"

#include <stdio.h>

/* The cause that needs no memory: there from the beginning. */
static char no_memory[] = "a task failed, and there was no host memory left to keep the reason";
enum { CAUSE_NO_MEMORY = 1 };

void selvi_failures_open(selvi_failures *f)
{
    pthread_mutex_init(&f->first_mutex, NULL);
}

void selvi_failures_destroy(selvi_failures *f)
{
    for (size_t i = 0; i < f->cause_count; i++)
        selvi_free(f->causes[i].text);
    for (size_t i = 0; i < f->name_count; i++)
        selvi_free(f->names[i]);
    selvi_free(f->causes);
    selvi_free(f->runs);
    selvi_free(f->names);
    pthread_mutex_destroy(&f->first_mutex);
}

const char *selvi_failures_name(selvi_failures *f, const char *name)
{
    for (size_t i = 0; i < f->name_count; i++)
        if (!strcmp(f->names[i], name))
            return f->names[i];
    if (selvi_grow(&f->names, &f->name_room, f->name_count + 1, sizeof *f->names))
        return NULL;
    char *copy = selvi_copy_text(name);
    if (copy)
        f->names[f->name_count++] = copy;
    return copy;
}

const char *selvi_failures_text(const selvi_failures *f, uint32_t cause)
{
    return cause <= CAUSE_NO_MEMORY ? no_memory : f->causes[cause - CAUSE_NO_MEMORY - 1].text;
}

uint32_t selvi_failures_cause(selvi_failures *f, selv_task t, const char *name, const char *why)
{
    char text[SELVI_TEXT_BYTES / 2];
    if (selvi_grow(&f->causes, &f->cause_room, f->cause_count + 1, sizeof *f->causes))
        return CAUSE_NO_MEMORY;
    snprintf(text, sizeof text, "t%lld %s failed: %s", (long long)t, name, why);
    selvi_cause cause = {t, selvi_copy_text(text)};
    if (!cause.text)
        return CAUSE_NO_MEMORY;
    f->causes[f->cause_count++] = cause;
    return (uint32_t)f->cause_count + CAUSE_NO_MEMORY;
}

static bool is_own_cause(const selvi_failures *f, selv_task t, uint32_t cause)
{
    return cause > CAUSE_NO_MEMORY && f->causes[cause - CAUSE_NO_MEMORY - 1].task == t;
}

static void describe(const selvi_failures *f, selv_task t, const char *name, uint32_t cause, char *out, size_t bytes)
{
    if (is_own_cause(f, t, cause))
        snprintf(out, bytes, "%s", selvi_failures_text(f, cause));
    else
        snprintf(out, bytes, "t%lld%s%s did not run, since it depends on a task that failed: %s", (long long)t,
                 name ? " " : "", name ? name : "", selvi_failures_text(f, cause));
}

/* The run before which t belongs. */
static size_t place_of(const selvi_failures *f, selv_task t)
{
    size_t low = 0, high = f->run_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->runs[middle].last < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

selv_status selvi_failures_reserve(selvi_failures *f, size_t tasks)
{
    return selvi_grow(&f->runs, &f->run_room, f->run_count + tasks, sizeof *f->runs);
}

static void insert_run(selvi_failures *f, selv_task t, uint32_t cause)
{
    size_t i = place_of(f, t);
    if (i && f->runs[i - 1].last == t - 1 && f->runs[i - 1].cause == cause) {
        f->runs[i - 1].last = t;
        return;
    }
    memmove(f->runs + i + 1, f->runs + i, (f->run_count - i) * sizeof *f->runs);
    f->runs[i] = (selvi_failed_run){t, t, cause};
    f->run_count++;
}

void selvi_failures_check(const selvi_failures *f)
{
    for (size_t i = 0; i < f->run_count; i++) {
        const selvi_failed_run *run = &f->runs[i];
        assert(run->first > 0 && run->first <= run->last);
        assert(!i || f->runs[i - 1].last < run->first);
        assert(run->cause >= CAUSE_NO_MEMORY && run->cause <= f->cause_count + CAUSE_NO_MEMORY);
    }
}

void selvi_failures_add(selvi_failures *f, selv_task t, const char *name, uint32_t cause)
{
    char text[SELVI_TEXT_BYTES];
    f->failed_tasks++;
    insert_run(f, t, cause);
    SELVI_DEBUG_ONLY(selvi_failures_check(f));
    describe(f, t, name, cause, text, sizeof text);
    selvi_failures_remember(f, SELV_TASK_FAILED, text);
}

selv_status selvi_failures_of(selvi_failures *f, selv_task t)
{
    char text[SELVI_TEXT_BYTES];
    size_t i = place_of(f, t);
    if (i == f->run_count || f->runs[i].first > t)
        return SELV_OK;
    describe(f, t, NULL, f->runs[i].cause, text, sizeof text);
    selvi_error_set(text);
    return SELV_TASK_FAILED;
}

selv_status selvi_failures_tell(selvi_failures *f, uint32_t cause, const char *what)
{
    return selvi_fail(
        SELV_TASK_FAILED,
        "%s: the task that should have written it failed: %s. Overwrite it with selv_write, selv_fill or a launch "
        "with selv_out to use it again",
        what, selvi_failures_text(f, cause));
}

void selvi_failures_remember(selvi_failures *f, selv_status st, const char *text)
{
    pthread_mutex_lock(&f->first_mutex);
    if (!f->first) {
        f->first = st;
        snprintf(f->first_text, sizeof f->first_text, "%s", text);
    }
    pthread_mutex_unlock(&f->first_mutex);
}

selv_status selvi_failures_take(selvi_failures *f)
{
    pthread_mutex_lock(&f->first_mutex);
    selv_status st = f->first;
    f->first = SELV_OK;
    if (st)
        selvi_error_set(f->first_text);
    pthread_mutex_unlock(&f->first_mutex);
    return st;
}
