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

static void move_behind(selvi_epoch *candidates, size_t count, size_t which)
{
    selvi_epoch e = candidates[which];
    memmove(candidates + which, candidates + which + 1, (count - which - 1) * sizeof *candidates);
    candidates[count - 1] = e;
}

/* "Comes before" has no cycles, so a candidate that is moved is implied by one that stays: the order of moving does not
 * matter. */
size_t selvi_waits_needed(const selvi_lanes *lanes, selvi_epoch *candidates, size_t count)
{
    size_t needed = count;
    for (size_t i = 0; i < needed;)
        if (implied_by_another(lanes, candidates, needed, i)) {
            move_behind(candidates, count, i);
            needed--;
        } else {
            i++;
        }
    return needed;
}

/* In a quarantine lane order is not enough: behind a failed command NVIDIA 580 fails most of those that follow in its
 * queue, and runs some. Only a wait for its event fails them all.
 * What the clock has, it has with all that comes before: nothing dropped here implied anything that is left. */
size_t selvi_waits_on_lane(const selvi_lane *lane, selvi_epoch *needed, size_t count)
{
    size_t left = 0;
    if (lane->kind == SELVI_LANE_QUARANTINE)
        return count;
    for (size_t i = 0; i < count; i++)
        if (!selvi_clock_covers(&lane->clock, needed[i]))
            needed[left++] = needed[i];
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
