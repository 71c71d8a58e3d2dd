/* An ordered tree of nodes that live inside the things they order (a treap).
 *
 *            [ 40 ]             in order by key, no key twice
 *           /      \            the priority falls on the way down
 *       [ 10 ]   [ 80 ]         the priority is a hash of the node's address: nothing is stored for balance,
 *           \                   and no order of insertion makes the tree deep
 *          [ 30 ]                                                                                       */
#ifndef SELVI_TRACKING_TREE_H
#define SELVI_TRACKING_TREE_H

#include "selvedge/selvedge.h"

typedef struct selvi_tree_node { /* first member of the thing */
    struct selvi_tree_node *left, *right, *parent;
    uint64_t key;
} selvi_tree_node;

void selvi_tree_insert(selvi_tree_node **root, selvi_tree_node *n); /* its key is set, and not in the tree */
void selvi_tree_remove(selvi_tree_node **root, selvi_tree_node *n);

/* NULL where there is none. */
selvi_tree_node *selvi_tree_floor(selvi_tree_node *root, uint64_t key); /* the last with a key of at most this */
selvi_tree_node *selvi_tree_first(selvi_tree_node *root);
selvi_tree_node *selvi_tree_next(const selvi_tree_node *n);
selvi_tree_node *selvi_tree_previous(const selvi_tree_node *n);

void selvi_tree_destroy(selvi_tree_node **root, void (*destroy)(selvi_tree_node *n));
size_t selvi_tree_check(const selvi_tree_node *root); /* asserts the picture; how many nodes there are */

#endif
