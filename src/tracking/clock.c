#include "tracking/clock.h"

#include "base/memory.h"
#include "tracking/check.h"

bool selvi_horizon_covers(const selvi_horizon *h, selvi_epoch e)
{
    return h && e.lane < h->lanes && e.position <= h->complete[e.lane];
}

static selvi_epoch *entries(selvi_clock *c)
{
    return c->capacity ? c->at.many : &c->at.one;
}

const selvi_epoch *selvi_clock_epochs(const selvi_clock *c)
{
    return c->capacity ? c->at.many : &c->at.one;
}

/* Index of the first entry whose lane is not below this one. */
static uint32_t place_of(const selvi_clock *c, uint32_t lane)
{
    const selvi_epoch *at = selvi_clock_epochs(c);
    uint32_t low = 0, high = c->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at[middle].lane < lane)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool holds(const selvi_clock *c, uint32_t place, uint32_t lane)
{
    return place < c->count && selvi_clock_epochs(c)[place].lane == lane;
}

uint64_t selvi_clock_get(const selvi_clock *c, uint32_t lane)
{
    uint32_t place = place_of(c, lane);
    return holds(c, place, lane) ? selvi_clock_epochs(c)[place].position : 0;
}

bool selvi_clock_covers(const selvi_clock *c, selvi_epoch e)
{
    return e.position <= selvi_clock_get(c, e.lane);
}

bool selvi_clock_equal(const selvi_clock *a, const selvi_clock *b)
{
    return a->count == b->count &&
           (!a->count || !memcmp(selvi_clock_epochs(a), selvi_clock_epochs(b), a->count * sizeof(selvi_epoch)));
}

static uint32_t room(const selvi_clock *c)
{
    return (c->capacity ? c->capacity : 1) - c->count;
}

/* The smallest block holds two entries: most parts that outgrow the one inside are used by two lanes. */
static selv_status grow(selvi_clock *c, uint32_t need)
{
    uint32_t capacity = c->capacity ? c->capacity : 1;
    while (capacity < need)
        capacity *= 2;
    selvi_epoch *many = selvi_alloc(capacity * sizeof *many);
    if (!many)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(many, selvi_clock_epochs(c), c->count * sizeof *many);
    if (c->capacity)
        selvi_free(c->at.many);
    c->at.many = many;
    c->capacity = capacity;
    return SELV_OK;
}

selv_status selvi_clock_reserve(selvi_clock *c, uint32_t more)
{
    return more <= room(c) ? SELV_OK : grow(c, c->count + more);
}

void selvi_clock_raise(selvi_clock *c, selvi_epoch e)
{
    uint32_t place = place_of(c, e.lane);
    selvi_epoch *at = entries(c) + place;
    if (holds(c, place, e.lane)) {
        at->position = at->position > e.position ? at->position : e.position;
        return;
    }
    if (!e.position)
        return;
    SELVI_DEBUG_ONLY(assert(room(c)));
    memmove(at + 1, at, (c->count - place) * sizeof *at);
    *at = e;
    c->count++;
}

static uint32_t lanes_missing(const selvi_clock *c, const selvi_clock *other)
{
    const selvi_epoch *at = selvi_clock_epochs(other);
    uint32_t missing = 0;
    for (uint32_t i = 0; i < other->count; i++)
        missing += !holds(c, place_of(c, at[i].lane), at[i].lane);
    return missing;
}

selv_status selvi_clock_join(selvi_clock *c, const selvi_clock *other)
{
    selv_status st = selvi_clock_reserve(c, lanes_missing(c, other));
    for (uint32_t i = 0; !st && i < other->count; i++)
        selvi_clock_raise(c, selvi_clock_epochs(other)[i]);
    return st;
}

selv_status selvi_clock_copy(selvi_clock *c, const selvi_clock *from)
{
    selv_status st = from->count > c->count ? selvi_clock_reserve(c, from->count - c->count) : SELV_OK;
    if (st)
        return st;
    memmove(entries(c), selvi_clock_epochs(from), from->count * sizeof(selvi_epoch));
    c->count = from->count;
    return SELV_OK;
}

void selvi_clock_prune(selvi_clock *c, const selvi_horizon *h)
{
    selvi_epoch *at = entries(c);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!selvi_horizon_covers(h, at[i]))
            at[kept++] = at[i];
    c->count = kept;
}

void selvi_clock_clear(selvi_clock *c)
{
    c->count = 0;
}

void selvi_clock_destroy(selvi_clock *c)
{
    if (c->capacity)
        selvi_free(c->at.many);
    memset(c, 0, sizeof *c);
}

void selvi_clock_check(const selvi_clock *c)
{
    const selvi_epoch *at = selvi_clock_epochs(c);
    assert(c->count <= (c->capacity ? c->capacity : 1));
    for (uint32_t i = 0; i < c->count; i++) {
        assert(at[i].position > 0);
        assert(!i || at[i - 1].lane < at[i].lane);
    }
}
