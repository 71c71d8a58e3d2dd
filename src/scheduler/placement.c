#include "scheduler/placement.h"

/* The rules, first match wins. "Never lose to one in-order queue" belongs here too, before all others: it decides from
   the backlog and from the length of the work whether to spread at all. */

static bool behind_foreign(const selvi_lanes *lanes, const selvi_wish *wish)
{
    for (size_t i = 0; i < wish->count; i++)
        if (selvi_lanes_gated(lanes, wish->candidates[i]))
            return true;
    return false;
}

selvi_lane_kind selvi_placement_kind(const selvi_lanes *lanes, const selvi_wish *wish)
{
    return behind_foreign(lanes, wish) ? SELVI_LANE_QUARANTINE : SELVI_LANE_ORDINARY;
}

static bool takes(const selvi_lane *lane, selvi_lane_kind kind, int device)
{
    return lane->kind == kind && lane->device == device && selvi_lane_open(lane);
}

/* The task depends on the last task of this lane: lane order does for it what an event would do. A quarantine lane,
   too, takes a task only so: what fails there fails everything behind it, which is right for a chain and for nothing
   else. */
static selvi_lane *at_a_tail(selvi_lanes *lanes, const selvi_wish *wish, selvi_lane_kind kind)
{
    selvi_lane *best = NULL;
    for (size_t i = 0; i < wish->count; i++) {
        selvi_lane *lane = selvi_lane_at(lanes, wish->candidates[i].lane);
        if (takes(lane, kind, wish->device) && lane->tail == wish->candidates[i].position &&
            (!best || lane->number == wish->last_writer))
            best = lane;
    }
    return best;
}

static bool depends_on_lane(const selvi_wish *wish, uint32_t lane)
{
    for (size_t i = 0; i < wish->count; i++)
        if (wish->candidates[i].lane == lane)
            return true;
    return false;
}

/* Idle lanes in turn, else the one with the least to do; among equals one that the task depends on. Beginning behind
   the lane that was taken last spreads work that depends on nothing. */
static selvi_lane *least_busy(selvi_lanes *lanes, const selvi_wish *wish)
{
    selvi_lane *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < lanes->count; i++) {
        selvi_lane *lane = selvi_lane_at(lanes, (uint32_t)((lanes->next_place + i) % lanes->count));
        if (!takes(lane, SELVI_LANE_ORDINARY, wish->device))
            continue;
        size_t load = 2 * selvi_lane_backlog(lane) + !depends_on_lane(wish, lane->number);
        if (load < least) {
            least = load;
            best = lane;
        }
    }
    return best;
}

static selvi_lane *where_it_was_written(selvi_lanes *lanes, const selvi_wish *wish, const selvi_lane *idlest)
{
    selvi_lane *lane = wish->last_writer ? selvi_lane_at(lanes, wish->last_writer) : NULL;
    if (!lane || !takes(lane, SELVI_LANE_ORDINARY, wish->device))
        return NULL;
    bool worth_it =
        depends_on_lane(wish, lane->number) || (idlest && selvi_lane_backlog(lane) <= selvi_lane_backlog(idlest));
    return worth_it ? lane : NULL;
}

selvi_lane *selvi_placement_alone(selvi_lanes *lanes, int device)
{
    for (size_t i = 0; i < lanes->count; i++)
        if (takes(lanes->at[i], SELVI_LANE_QUARANTINE, device) && !selvi_lane_backlog(lanes->at[i]))
            return lanes->at[i];
    return NULL;
}

static selvi_lane *in_quarantine(selvi_lanes *lanes, const selvi_wish *wish)
{
    selvi_lane *lane = at_a_tail(lanes, wish, SELVI_LANE_QUARANTINE);
    return lane ? lane : selvi_placement_alone(lanes, wish->device);
}

selvi_lane *selvi_placement_choose(selvi_lanes *lanes, const selvi_wish *wish)
{
    if (behind_foreign(lanes, wish))
        return in_quarantine(lanes, wish);
    selvi_lane *lane = at_a_tail(lanes, wish, SELVI_LANE_ORDINARY);
    if (lane)
        return lane;
    selvi_lane *idlest = least_busy(lanes, wish);
    lane = where_it_was_written(lanes, wish, idlest);
    if (!lane && idlest)
        lanes->next_place = idlest->number + 1;
    return lane ? lane : idlest;
}

selvi_lane *selvi_placement_foreign(selvi_lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++)
        if (takes(lanes->at[i], SELVI_LANE_FOREIGN, -1) && !selvi_lane_backlog(lanes->at[i]))
            return lanes->at[i];
    return NULL;
}
