// As tree_with_parents_fixed.c, but a block may hang on both sides of the one above: it is freed twice.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right, *up;
};

static void drop(struct tree *tree) {
    if (!tree)
        return;
    drop(tree->left);
    drop(tree->right);
    free(tree);
}

int main(void) {
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct tree *above = NULL, *at = root;
        while (at) {
            above = at;
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        }
        struct tree *leaf = malloc(sizeof *leaf);
        leaf->left = leaf->right = NULL;
        leaf->up = above;
        if (!above)
            root = leaf;
        else if (!above->left)
            above->left = above->right = leaf;
        else if (!above->right)
            above->right = leaf;
        else
            free(leaf);
    }
    drop(root);
    return 0;
}
