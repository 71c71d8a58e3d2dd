#include "tracking/tree.h"

#include <check.h>
#include <stdlib.h>

enum { NODES = 2000 };

typedef struct numbers {
    selvi_tree_node node[NODES];
    selvi_tree_node *root;
} numbers;

static numbers n;
static size_t destroyed;

/* Keys 10, 20, 30, ... in a scattered order (7 and NODES have no common divisor). */
static void fill(void)
{
    memset(&n, 0, sizeof n);
    for (size_t i = 0; i < NODES; i++) {
        size_t which = i * 7 % NODES;
        n.node[which].key = 10 * (which + 1);
        selvi_tree_insert(&n.root, &n.node[which]);
    }
    ck_assert_uint_eq(selvi_tree_check(n.root), NODES);
}

static size_t depth(const selvi_tree_node *root)
{
    if (!root)
        return 0;
    size_t left = depth(root->left), right = depth(root->right);
    return 1 + (left > right ? left : right);
}

START_TEST(nodes_come_in_order_of_their_keys)
{
    fill();
    selvi_tree_node *at = selvi_tree_first(n.root);
    for (size_t i = 0; i < NODES; i++, at = selvi_tree_next(at))
        ck_assert_ptr_eq(at, &n.node[i]);
    ck_assert_ptr_null(at);
    ck_assert_ptr_null(selvi_tree_previous(&n.node[0]));
    ck_assert_ptr_eq(selvi_tree_previous(&n.node[9]), &n.node[8]);
}
END_TEST

START_TEST(the_floor_is_the_last_key_that_is_not_above)
{
    fill();
    ck_assert_ptr_null(selvi_tree_floor(n.root, 9));
    ck_assert_ptr_eq(selvi_tree_floor(n.root, 10), &n.node[0]);
    ck_assert_ptr_eq(selvi_tree_floor(n.root, 19), &n.node[0]);
    ck_assert_ptr_eq(selvi_tree_floor(n.root, 20), &n.node[1]);
    ck_assert_ptr_eq(selvi_tree_floor(n.root, UINT64_MAX), &n.node[NODES - 1]);
    ck_assert_ptr_null(selvi_tree_floor(NULL, 5));
}
END_TEST

START_TEST(a_removed_node_is_found_no_more_and_the_others_are)
{
    fill();
    for (size_t i = 0; i < NODES; i += 2)
        selvi_tree_remove(&n.root, &n.node[i]);
    ck_assert_uint_eq(selvi_tree_check(n.root), NODES / 2);
    ck_assert_ptr_null(selvi_tree_floor(n.root, 19));
    ck_assert_ptr_eq(selvi_tree_floor(n.root, 39), &n.node[1]);
    for (size_t i = 1; i < NODES; i += 2)
        selvi_tree_remove(&n.root, &n.node[i]);
    ck_assert_ptr_null(n.root);
}
END_TEST

START_TEST(sorted_insertion_makes_no_deep_tree)
{
    memset(&n, 0, sizeof n);
    for (size_t i = 0; i < NODES; i++) {
        n.node[i].key = i;
        selvi_tree_insert(&n.root, &n.node[i]);
    }
    selvi_tree_check(n.root);
    ck_assert_uint_lt(depth(n.root), 60);
}
END_TEST

static void count_node(selvi_tree_node *node)
{
    ck_assert_ptr_nonnull(node);
    destroyed++;
}

START_TEST(destroying_visits_each_node_once)
{
    fill();
    destroyed = 0;
    selvi_tree_destroy(&n.root, count_node);
    ck_assert_uint_eq(destroyed, NODES);
    ck_assert_ptr_null(n.root);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tracking/tree");
    TCase *t = tcase_create("tree");
    tcase_add_test(t, nodes_come_in_order_of_their_keys);
    tcase_add_test(t, the_floor_is_the_last_key_that_is_not_above);
    tcase_add_test(t, a_removed_node_is_found_no_more_and_the_others_are);
    tcase_add_test(t, sorted_insertion_makes_no_deep_tree);
    tcase_add_test(t, destroying_visits_each_node_once);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
