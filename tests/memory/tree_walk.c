// As tree_walk_fixed.c, but a block that was found is freed although it is still part of the tree.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static void drop(struct tree *tree) {
    if (!tree)
        return;
    drop(tree->left); //~ false(valid-deref)
    drop(tree->right);
    free(tree);
}

int main(void) {
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct tree **link = &root;
        while (*link)
            link = key < (*link)->key ? &(*link)->left : &(*link)->right;
        *link = malloc(sizeof **link);
        (*link)->key = key;
        (*link)->left = (*link)->right = NULL;
    }
    int key = __VERIFIER_nondet_int();
    struct tree *here = root;
    while (here && here->key != key)
        here = key < here->key ? here->left : here->right;
    if (here)
        free(here);
    drop(root);
    return 0;
}
