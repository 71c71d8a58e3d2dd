#include "scheduler/waits.h"

static const selvi_clock *before(const selvi_lanes *lanes, selvi_epoch e)
{
    return &selvi_lane_flight(selvi_lane_at(lanes, e.lane), e.position)->before;
}

static bool implied_by_another(const selvi_lanes *lanes, const selvi_epoch *candidates, size_t count, size_t which)
{
    for (size_t i = 0; i < count; i++)
        if (i != which && selvi_clock_covers(before(lanes, candidates[i]), candidates[which]))
            return true;
    return false;
}

/* "Comes before" has no cycles, so a candidate that is dropped is implied by one that stays: the order of dropping does
 * not matter. */
size_t selvi_waits_minimal(const selvi_lanes *lanes, const selvi_lane *lane, selvi_epoch *candidates, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (!selvi_clock_covers(&lane->clock, candidates[i]))
            candidates[left++] = candidates[i];
    for (size_t i = 0; i < left;) {
        if (!implied_by_another(lanes, candidates, left, i)) {
            i++;
            continue;
        }
        memmove(candidates + i, candidates + i + 1, (left - i - 1) * sizeof *candidates);
        left--;
    }
    return left;
}

selv_status selvi_waits_clock(const selvi_lanes *lanes, const selvi_lane *lane, const selvi_epoch *waits, size_t count,
                              selvi_clock *out)
{
    selvi_horizon horizon = selvi_lanes_horizon(lanes);
    selvi_clock_clear(out);
    selv_status st = selvi_clock_join(out, &lane->clock);
    for (size_t i = 0; !st && i < count; i++) {
        st = selvi_clock_join(out, before(lanes, waits[i]));
        st = st ? st : selvi_clock_reserve(out, 1);
        if (!st)
            selvi_clock_raise(out, waits[i]);
    }
    selvi_clock_prune(out, &horizon);
    return st;
}
