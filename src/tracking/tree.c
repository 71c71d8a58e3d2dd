#include "tracking/tree.h"

#include "tracking/check.h"

static uint64_t priority(const selvi_tree_node *n)
{
    uint64_t x = (uintptr_t)n;
    x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* Where the pointer to n stands: in its parent, or the root. */
static selvi_tree_node **link_to(selvi_tree_node **root, const selvi_tree_node *n)
{
    if (!n->parent)
        return root;
    return n->parent->left == n ? &n->parent->left : &n->parent->right;
}

/* Puts `heir` (or NULL) in the place of n. */
static void replace(selvi_tree_node **root, selvi_tree_node *n, selvi_tree_node *heir)
{
    *link_to(root, n) = heir;
    if (heir)
        heir->parent = n->parent;
}

/* n changes places with its parent, which becomes its child. */
static void rotate_up(selvi_tree_node **root, selvi_tree_node *n)
{
    selvi_tree_node *above = n->parent;
    bool left = above->left == n;
    selvi_tree_node *between = left ? n->right : n->left;
    replace(root, above, n);
    *(left ? &n->right : &n->left) = above;
    *(left ? &above->left : &above->right) = between;
    above->parent = n;
    if (between)
        between->parent = above;
}

void selvi_tree_insert(selvi_tree_node **root, selvi_tree_node *n)
{
    selvi_tree_node **at = root, *above = NULL;
    while (*at) {
        above = *at;
        at = n->key < above->key ? &above->left : &above->right;
    }
    *at = n;
    n->left = n->right = NULL;
    n->parent = above;
    while (n->parent && priority(n->parent) < priority(n))
        rotate_up(root, n);
}

void selvi_tree_remove(selvi_tree_node **root, selvi_tree_node *n)
{
    while (n->left && n->right)
        rotate_up(root, priority(n->left) > priority(n->right) ? n->left : n->right);
    replace(root, n, n->left ? n->left : n->right);
}

selvi_tree_node *selvi_tree_floor(selvi_tree_node *root, uint64_t key)
{
    selvi_tree_node *best = NULL;
    while (root) {
        if (root->key <= key)
            best = root;
        root = root->key <= key ? root->right : root->left;
    }
    return best;
}

selvi_tree_node *selvi_tree_first(selvi_tree_node *root)
{
    while (root && root->left)
        root = root->left;
    return root;
}

static selvi_tree_node *last(selvi_tree_node *root)
{
    while (root && root->right)
        root = root->right;
    return root;
}

selvi_tree_node *selvi_tree_next(const selvi_tree_node *n)
{
    if (n->right)
        return selvi_tree_first(n->right);
    while (n->parent && n->parent->right == n)
        n = n->parent;
    return n->parent;
}

selvi_tree_node *selvi_tree_previous(const selvi_tree_node *n)
{
    if (n->left)
        return last(n->left);
    while (n->parent && n->parent->left == n)
        n = n->parent;
    return n->parent;
}

void selvi_tree_destroy(selvi_tree_node **root, void (*destroy)(selvi_tree_node *n))
{
    selvi_tree_node *n = *root;
    *root = NULL;
    if (!n)
        return;
    selvi_tree_destroy(&n->left, destroy);
    selvi_tree_destroy(&n->right, destroy);
    destroy(n);
}

static void check_child(const selvi_tree_node *n, const selvi_tree_node *child)
{
    assert(!child || child->parent == n);
    assert(!child || priority(child) <= priority(n));
}

size_t selvi_tree_check(const selvi_tree_node *root)
{
    size_t count = 0;
    assert(!root || !root->parent);
    for (const selvi_tree_node *n = selvi_tree_first((selvi_tree_node *)root); n; n = selvi_tree_next(n)) {
        const selvi_tree_node *before = selvi_tree_previous(n);
        assert(!before || before->key < n->key);
        check_child(n, n->left);
        check_child(n, n->right);
        count++;
    }
    return count;
}
