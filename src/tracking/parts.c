/* A part is a boundary and the state of the bytes behind it, up to the next boundary or the end of the allocation:
 *
 *   key 0       64           256
 *    |--W--------|--R---------|------|        So there cannot be a gap or an overlap, splitting adds a node,
 *    0          64           256    end       and merging removes one.
 *
 * Reserving splits at once, into equal neighbours, which no query can tell from one part. A boundary that a reserved
 * access begins or ends at is pinned: it is not merged away until that access is applied or undone.                  */
#include "tracking/parts.h"

#include "base/memory.h"
#include "base/status.h"
#include "tracking/check.h"

enum { PIN_BEGIN = 1, PIN_END = 2 }; /* accesses are disjoint: at most one begins and one ends at a boundary */

typedef struct selvi_part {
    selvi_tree_node node; /* key: where the part begins */
    selvi_clock writers, readers, accumulators;
    uint32_t pins;
} part;

_Static_assert(sizeof(part) <= 112, "the node of a part is most of what a tracked allocation costs");

static part *as_part(selvi_tree_node *n)
{
    return (part *)n;
}

static part *next_of(const part *n)
{
    return as_part(selvi_tree_next(&n->node));
}

static part *part_at(const selvi_parts *p, uint64_t byte)
{
    return as_part(selvi_tree_floor(p->root, byte));
}

static uint64_t end_of(const selvi_parts *p, const part *next)
{
    return next ? next->node.key : p->end;
}

static bool is_empty(const part *n)
{
    return !n->writers.count && !n->readers.count && !n->accumulators.count;
}

static bool equal(const part *a, const part *b)
{
    return selvi_clock_equal(&a->writers, &b->writers) && selvi_clock_equal(&a->readers, &b->readers) &&
           selvi_clock_equal(&a->accumulators, &b->accumulators);
}

static bool is_inside(const selvi_parts *p, const selvi_access *a)
{
    return p->begin <= a->begin && a->begin < a->end && a->end <= p->end;
}

static selv_status refuse_outside(const selvi_parts *p, const selvi_access *a)
{
    return selvi_fail(SELV_INTERNAL,
                      "an access to [%llu, %llu) reached an allocation of [%llu, %llu): the caller checks bounds first",
                      (unsigned long long)a->begin, (unsigned long long)a->end, (unsigned long long)p->begin,
                      (unsigned long long)p->end);
}

static void destroy_part(selvi_tree_node *n)
{
    part *gone = as_part(n);
    selvi_clock_destroy(&gone->writers);
    selvi_clock_destroy(&gone->readers);
    selvi_clock_destroy(&gone->accumulators);
    selvi_free(gone);
}

void selvi_parts_init(selvi_parts *p, uint64_t begin, uint64_t end)
{
    *p = (selvi_parts){.begin = begin, .end = end, .count = 1};
}

void selvi_parts_destroy(selvi_parts *p)
{
    selvi_tree_destroy(&p->root, destroy_part);
    memset(p, 0, sizeof *p);
}

static void add_node(selvi_parts *p, part *n, uint64_t begin)
{
    n->node.key = begin;
    p->count += p->root != NULL;
    selvi_tree_insert(&p->root, &n->node);
}

static void remove_node(selvi_parts *p, part *n)
{
    selvi_tree_remove(&p->root, &n->node);
    p->count -= p->root != NULL;
    destroy_part(&n->node);
}

/* Merging. ------------------------------------------------------------------------------------------------------- */

/* Merges equal neighbours, from the boundary behind `left` to the one at `end`. */
static void heal(selvi_parts *p, part *left, uint64_t end)
{
    part *n = left ? next_of(left) : NULL;
    while (n && n->node.key <= end) {
        part *next = next_of(n);
        if (!n->pins && equal(left, n))
            remove_node(p, n);
        else
            left = n;
        n = next;
    }
}

static void drop_if_untouched(selvi_parts *p)
{
    part *only = as_part(p->root);
    if (only && p->count == 1 && is_empty(only) && !only->pins)
        remove_node(p, only);
}

/* Empty clocks give their blocks back. Others keep theirs: a reserved access may count on the room. */
static void prune_clock(selvi_clock *c, const selvi_horizon *h)
{
    selvi_clock_prune(c, h);
    if (!c->count)
        selvi_clock_destroy(c);
}

void selvi_parts_prune(selvi_parts *p, const selvi_horizon *h)
{
    for (part *n = as_part(selvi_tree_first(p->root)); n; n = next_of(n)) {
        prune_clock(&n->writers, h);
        prune_clock(&n->readers, h);
        prune_clock(&n->accumulators, h);
    }
    heal(p, as_part(selvi_tree_first(p->root)), p->end);
    drop_if_untouched(p);
    p->pruned_at = p->count;
}

/* Query. --------------------------------------------------------------------------------------------------------- */

void selvi_hazards_clear(selvi_hazards *list)
{
    list->count = 0;
}

void selvi_hazards_destroy(selvi_hazards *list)
{
    selvi_free(list->at);
    memset(list, 0, sizeof *list);
}

/* The hazards that reach up to the part at hand stand last in the list, from `open` on: only they can be joined. */
typedef struct search {
    const selvi_access *access;
    const selvi_horizon *horizon;
    selvi_hazards *out;
    size_t open, known; /* known: where those that this part adds begin */
    selvi_hazard like;  /* all but the producer of the next hazard */
} search;

static bool same_hazard(const selvi_hazard *a, const selvi_hazard *b)
{
    return a->producer.lane == b->producer.lane && a->producer.position == b->producer.position && a->kind == b->kind &&
           a->accumulated == b->accumulated;
}

static void report(search *s, selvi_epoch producer)
{
    s->like.producer = producer;
    for (size_t i = s->open; i < s->known; i++)
        if (same_hazard(&s->out->at[i], &s->like)) {
            s->out->at[i].end = s->like.end;
            return;
        }
    s->out->at[s->out->count++] = s->like;
}

static void report_clock(search *s, const selvi_clock *c, selvi_hazard_kind kind, bool accumulated)
{
    const selvi_epoch *at = selvi_clock_epochs(c);
    s->like.kind = (uint8_t)kind;
    s->like.accumulated = accumulated;
    s->like.commutes = accumulated && s->access->mode == SELV_ACCUMULATE;
    for (uint32_t i = 0; i < c->count; i++)
        if (!selvi_horizon_covers(s->horizon, at[i]))
            report(s, at[i]);
}

static void report_part(search *s, const part *n)
{
    selvi_hazard_kind after_write = s->access->mode == SELV_WRITE ? SELVI_WAW : SELVI_RAW;
    report_clock(s, &n->writers, after_write, false);
    if (s->access->mode != SELV_READ)
        report_clock(s, &n->readers, SELVI_WAR, false);
    report_clock(s, &n->accumulators, after_write, true);
}

/* Moves the hazards that end before this part out of the open ones. */
static void close_ended(search *s, uint64_t begin)
{
    selvi_hazard *at = s->out->at;
    for (size_t i = s->open; i < s->out->count; i++)
        if (at[i].end != begin) {
            selvi_hazard ended = at[i];
            at[i] = at[s->open];
            at[s->open++] = ended;
        }
    s->known = s->out->count;
}

static selv_status search_part(search *s, const part *n, uint64_t begin, uint64_t end)
{
    size_t most = (size_t)n->writers.count + n->readers.count + n->accumulators.count;
    selv_status st = selvi_grow(&s->out->at, &s->out->capacity, s->out->count + most, sizeof *s->out->at);
    if (st)
        return st;
    s->like.begin = begin;
    s->like.end = end;
    close_ended(s, begin);
    report_part(s, n);
    return SELV_OK;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static selv_status search_parts(search *s, const selvi_parts *p)
{
    const selvi_access *a = s->access;
    selv_status st = SELV_OK;
    uint64_t begin = a->begin;
    for (const part *n = part_at(p, begin), *next; !st && n && begin < a->end; n = next) {
        next = next_of(n);
        uint64_t end = smaller(end_of(p, next), a->end);
        st = search_part(s, n, begin, end);
        begin = end;
    }
    return st;
}

selv_status selvi_parts_query(const selvi_parts *p, const selvi_access *a, uint32_t index, const selvi_horizon *h,
                              selvi_hazards *out)
{
    size_t before = out->count;
    search s = {.access = a, .horizon = h, .out = out, .open = before, .like = {.access = index}};
    if (a->mode == SELV_NONE)
        return SELV_OK;
    if (!is_inside(p, a))
        return refuse_outside(p, a);
    selv_status st = search_parts(&s, p);
    if (st)
        out->count = before;
    return st;
}

/* Reserve, undo, apply. ------------------------------------------------------------------------------------------ */

static selv_status copy_state(part *to, const part *from)
{
    selv_status st = selvi_clock_copy(&to->writers, &from->writers);
    if (!st)
        st = selvi_clock_copy(&to->readers, &from->readers);
    return st ? st : selvi_clock_copy(&to->accumulators, &from->accumulators);
}

/* A new boundary; the bytes behind it are in the same state as those before. NULL: out of memory. */
static part *split(selvi_parts *p, const part *from, uint64_t at)
{
    part *n = selvi_alloc(sizeof *n);
    if (n && from && copy_state(n, from)) {
        destroy_part(&n->node);
        return NULL;
    }
    if (n)
        add_node(p, n, at);
    return n;
}

static selv_status pin(selvi_parts *p, uint64_t at, uint32_t which)
{
    if (at == p->end)
        return SELV_OK;
    part *n = part_at(p, at);
    if (n->node.key != at)
        n = split(p, n, at);
    if (!n)
        return CL_OUT_OF_HOST_MEMORY;
    n->pins |= which;
    return SELV_OK;
}

/* `first` is the part at the access's first byte. */
static void unpin_and_heal(selvi_parts *p, const selvi_access *a, part *first)
{
    part *left = first ? as_part(selvi_tree_previous(&first->node)) : NULL;
    part *behind = a->end < p->end ? part_at(p, a->end) : NULL;
    if (first && first->node.key == a->begin)
        first->pins &= ~(uint32_t)PIN_BEGIN;
    if (behind && behind->node.key == a->end)
        behind->pins &= ~(uint32_t)PIN_END;
    heal(p, left ? left : first, a->end);
}

/* The clock that this mode raises in every part that it touches; NULL for those that replace the state. */
static selvi_clock *raised_by(uint8_t mode, part *n)
{
    if (mode == SELV_READ)
        return &n->readers;
    return mode == SELV_ACCUMULATE ? &n->accumulators : NULL;
}

static selv_status reserve_clocks(selvi_parts *p, const selvi_access *a)
{
    selv_status st = SELV_OK;
    part *n = part_at(p, a->begin);
    if (raised_by(a->mode, n))
        for (; !st && n && n->node.key < a->end; n = next_of(n))
            st = selvi_clock_reserve(raised_by(a->mode, n), 1);
    return st;
}

static selv_status reserve_all(selvi_parts *p, const selvi_access *a)
{
    if (!p->root && !split(p, NULL, p->begin))
        return CL_OUT_OF_HOST_MEMORY;
    selv_status st = pin(p, a->begin, PIN_BEGIN);
    if (!st)
        st = pin(p, a->end, PIN_END);
    return st ? st : reserve_clocks(p, a);
}

selv_status selvi_parts_reserve(selvi_parts *p, const selvi_access *a)
{
    if (a->mode == SELV_NONE)
        return SELV_OK;
    if (!is_inside(p, a))
        return refuse_outside(p, a);
    selv_status st = reserve_all(p, a);
    if (st)
        selvi_parts_undo(p, a);
    return st;
}

/* A debug build looks at every step, as long as that stays cheap. */
enum { CHECKED_PARTS = 32 };

static void check_few(const selvi_parts *p)
{
    if (p->count <= CHECKED_PARTS)
        SELVI_DEBUG_ONLY(selvi_parts_check(p));
}

void selvi_parts_undo(selvi_parts *p, const selvi_access *a)
{
    if (a->mode == SELV_NONE || !is_inside(p, a))
        return;
    unpin_and_heal(p, a, part_at(p, a->begin));
    drop_if_untouched(p);
    check_few(p);
}

/* The whole range becomes one part, written by e. */
static void replace_state(selvi_parts *p, part *first, uint64_t end, selvi_epoch e)
{
    for (part *n = next_of(first); n && n->node.key < end; n = next_of(first))
        remove_node(p, n);
    selvi_clock_clear(&first->writers);
    selvi_clock_clear(&first->readers);
    selvi_clock_clear(&first->accumulators);
    selvi_clock_raise(&first->writers, e);
}

static void forget_complete(part *n, const selvi_horizon *h)
{
    if (!h)
        return;
    selvi_clock_prune(&n->writers, h);
    selvi_clock_prune(&n->readers, h);
    selvi_clock_prune(&n->accumulators, h);
}

static void apply_to_parts(selvi_parts *p, part *n, const selvi_access *a, selvi_epoch e, const selvi_horizon *h)
{
    if (!raised_by(a->mode, n))
        replace_state(p, n, a->end, e);
    for (; n && n->node.key < a->end; n = next_of(n)) {
        if (raised_by(a->mode, n))
            selvi_clock_raise(raised_by(a->mode, n), e);
        forget_complete(n, h);
    }
}

void selvi_parts_apply(selvi_parts *p, const selvi_access *a, selvi_epoch e, const selvi_horizon *h)
{
    part *first = part_at(p, a->begin);
    if (a->mode == SELV_NONE || !first || !is_inside(p, a))
        return;
    apply_to_parts(p, first, a, e, h);
    unpin_and_heal(p, a, first);
    if (h && p->count > 2 * p->pruned_at + 16)
        selvi_parts_prune(p, h);
    check_few(p);
}

/* Looking. ------------------------------------------------------------------------------------------------------- */

static selv_status join_unfinished(selvi_clock *out, const selvi_clock *c, const selvi_horizon *h)
{
    selv_status st = SELV_OK;
    const selvi_epoch *at = selvi_clock_epochs(c);
    for (uint32_t i = 0; !st && i < c->count; i++)
        if (!selvi_horizon_covers(h, at[i]) && !selvi_clock_covers(out, at[i])) {
            st = selvi_clock_reserve(out, 1);
            if (!st)
                selvi_clock_raise(out, at[i]);
        }
    return st;
}

selv_status selvi_parts_clock(const selvi_parts *p, const selvi_horizon *h, selvi_clock *out)
{
    selv_status st = SELV_OK;
    for (const part *n = as_part(selvi_tree_first(p->root)); !st && n; n = next_of(n)) {
        st = join_unfinished(out, &n->writers, h);
        if (!st)
            st = join_unfinished(out, &n->readers, h);
        if (!st)
            st = join_unfinished(out, &n->accumulators, h);
    }
    return st;
}

void selvi_parts_each(const selvi_parts *p, uint64_t begin, uint64_t end, selvi_parts_visit visit, void *user)
{
    static const selvi_clock none;
    begin = begin > p->begin ? begin : p->begin;
    end = smaller(end, p->end);
    if (!p->root && begin < end)
        visit(user, p->begin, p->end, &none, &none, &none);
    for (const part *n = begin < end ? part_at(p, begin) : NULL; n && n->node.key < end; n = next_of(n))
        visit(user, n->node.key, end_of(p, next_of(n)), &n->writers, &n->readers, &n->accumulators);
}

static void check_part(const selvi_parts *p, const part *n)
{
    const part *before = as_part(selvi_tree_previous(&n->node));
    assert(p->begin <= n->node.key && n->node.key < p->end);
    assert(before || n->node.key == p->begin);
    assert(!before || n->pins || !equal(before, n));
    selvi_clock_check(&n->writers);
    selvi_clock_check(&n->readers);
    selvi_clock_check(&n->accumulators);
}

void selvi_parts_check(const selvi_parts *p)
{
    size_t count = selvi_tree_check(p->root);
    assert(p->begin < p->end || (!p->root && !p->count));
    assert(p->count == (p->root ? count : p->count ? 1 : 0));
    for (const part *n = as_part(selvi_tree_first(p->root)); n; n = next_of(n))
        check_part(p, n);
}
