#include "scheduler/placement.h"

#include <limits.h>

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

static const selvi_epoch *candidate_on(const selvi_wish *wish, const selvi_lane *lane)
{
    for (size_t i = 0; i < wish->count; i++)
        if (wish->candidates[i].lane == lane->number)
            return &wish->candidates[i];
    return NULL;
}

/* A chain stays where it is, and costs no event at all. */
static selvi_lane *of_the_chain(const selvi_lanes *lanes, const selvi_wish *wish)
{
    if (!wish->one_producer || !wish->count || wish->candidates[0].lane != wish->last_writer)
        return NULL;
    selvi_lane *lane = selvi_lane_at(lanes, wish->last_writer);
    return takes(lane, SELVI_LANE_ORDINARY, wish->device) ? lane : NULL;
}

/* What speaks against a lane and for it, measured by what a wait costs (4). BUSY for each task that it has to do beyond
   the idlest lane: then another lane would begin earlier, even with a wait; but two say already that it is busy. Behind
   a producer at its TAIL no time is lost. The rest decides among equals.
   Found by simulating stencils, forks and joins, and random graphs: a stencil of width 8 on 4 lanes has 0.7 waits for
   each task, and 1.8 where any tail that the task depends on is taken, or else the last writer. If waits cost nothing
   at all, that takes the same time or up to a fifth more. */
enum { WAIT = 4, BUSY = 5, BUSY_MOST = 2, TAIL = 7, PRODUCER = 2, LAST_WRITER = 2 };

static int cost_of_waits(const selvi_lane *lane, const selvi_wish *wish)
{
    int cost = 0;
    for (size_t i = 0; i < wish->needed; i++)
        cost += selvi_clock_covers(&lane->clock, wish->candidates[i]) ? 0 : WAIT;
    return cost;
}

static int cost_of(const selvi_lane *lane, const selvi_wish *wish, size_t least)
{
    size_t beyond = selvi_lane_backlog(lane) - least;
    const selvi_epoch *producer = candidate_on(wish, lane);
    int cost = cost_of_waits(lane, wish) + BUSY * (int)(beyond < BUSY_MOST ? beyond : BUSY_MOST);
    if (producer)
        cost -= PRODUCER + (producer->position == lane->tail ? TAIL : 0);
    return cost - (lane->number == wish->last_writer ? LAST_WRITER : 0);
}

static size_t least_backlog(const selvi_lanes *lanes, int device)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < lanes->count; i++)
        if (takes(lanes->at[i], SELVI_LANE_ORDINARY, device) && selvi_lane_backlog(lanes->at[i]) < least)
            least = selvi_lane_backlog(lanes->at[i]);
    return least;
}

/* Beginning behind the lane that was taken last spreads work that depends on nothing. */
static selvi_lane *cheapest(selvi_lanes *lanes, const selvi_wish *wish)
{
    selvi_lane *best = NULL;
    int lowest = INT_MAX;
    size_t least = least_backlog(lanes, wish->device);
    for (size_t i = 0; i < lanes->count; i++) {
        selvi_lane *lane = selvi_lane_at(lanes, (uint32_t)((lanes->next_place + i) % lanes->count));
        int cost = takes(lane, SELVI_LANE_ORDINARY, wish->device) ? cost_of(lane, wish, least) : INT_MAX;
        if (cost < lowest) {
            lowest = cost;
            best = lane;
        }
    }
    return best;
}

selvi_lane *selvi_placement_alone(selvi_lanes *lanes, int device)
{
    for (size_t i = 0; i < lanes->count; i++)
        if (takes(lanes->at[i], SELVI_LANE_QUARANTINE, device) && !selvi_lane_backlog(lanes->at[i]))
            return lanes->at[i];
    return NULL;
}

/* A quarantine lane takes a task only behind one that it depends on: what fails there fails everything behind it, which
 * is right for a chain and for nothing else. */
static selvi_lane *in_quarantine(selvi_lanes *lanes, const selvi_wish *wish)
{
    for (size_t i = 0; i < wish->count; i++) {
        selvi_lane *lane = selvi_lane_at(lanes, wish->candidates[i].lane);
        if (takes(lane, SELVI_LANE_QUARANTINE, wish->device) && lane->tail == wish->candidates[i].position)
            return lane;
    }
    return selvi_placement_alone(lanes, wish->device);
}

selvi_lane *selvi_placement_choose(selvi_lanes *lanes, const selvi_wish *wish)
{
    if (behind_foreign(lanes, wish))
        return in_quarantine(lanes, wish);
    selvi_lane *lane = of_the_chain(lanes, wish);
    lane = lane ? lane : cheapest(lanes, wish);
    if (lane && !wish->count && lane->number != wish->last_writer)
        lanes->next_place = lane->number + 1;
    return lane;
}

selvi_lane *selvi_placement_foreign(selvi_lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++)
        if (takes(lanes->at[i], SELVI_LANE_FOREIGN, -1) && !selvi_lane_backlog(lanes->at[i]))
            return lanes->at[i];
    return NULL;
}
