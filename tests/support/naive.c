#include "support/naive.h"

#include <check.h>

void naive_clear(naive_model *m)
{
    for (size_t i = 0; i < NAIVE_BYTES; i++)
        m->bytes[i].count = 0;
}

static bool replaces(selv_mode mode)
{
    return mode == SELV_WRITE || mode == SELV_READ_WRITE;
}

static bool both_harmless(selv_mode before, selv_mode after)
{
    return before == SELV_READ && after == SELV_READ;
}

static uint8_t kind_of(selv_mode before, selv_mode after)
{
    if (before == SELV_READ)
        return SELVI_WAR;
    return after == SELV_WRITE ? SELVI_WAW : SELVI_RAW;
}

static size_t last_write(const naive_byte *b)
{
    for (size_t i = b->count; i-- > 0;)
        if (replaces(b->events[i].mode))
            return i;
    return 0;
}

/* A later event of the same sort in the same lane says all that this one would. */
static bool is_said_later(const naive_byte *b, size_t i)
{
    for (size_t j = i + 1; j < b->count; j++)
        if (b->events[j].epoch.lane == b->events[i].epoch.lane && b->events[j].mode == b->events[i].mode)
            return true;
    return false;
}

size_t naive_query(const naive_model *m, uint64_t byte, selv_mode mode, const selvi_horizon *h, selvi_hazard *out)
{
    const naive_byte *b = &m->bytes[byte];
    size_t count = 0;
    for (size_t i = last_write(b); i < b->count; i++) {
        const naive_event *v = &b->events[i];
        if (both_harmless(v->mode, mode) || selvi_horizon_covers(h, v->epoch) || is_said_later(b, i))
            continue;
        out[count++] = (selvi_hazard){.producer = v->epoch,
                                      .kind = kind_of(v->mode, mode),
                                      .accumulated = v->mode == SELV_ACCUMULATE,
                                      .commutes = v->mode == SELV_ACCUMULATE && mode == SELV_ACCUMULATE};
    }
    return count;
}

void naive_apply(naive_model *m, const selvi_access *a, selvi_epoch e)
{
    for (uint64_t i = a->begin; i < a->end && i < NAIVE_BYTES; i++) {
        naive_byte *b = &m->bytes[i];
        if (b->count == NAIVE_EVENTS)
            ck_abort_msg("the model keeps at most %d events of a byte", NAIVE_EVENTS);
        b->events[b->count++] = (naive_event){e, (selv_mode)a->mode};
    }
}
