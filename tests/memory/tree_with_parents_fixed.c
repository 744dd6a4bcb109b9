//~ options: --engines graph
//~ memsafety: true
// Blocks of a tree know the one above. A new one is hung below the one at which a walk ended, where there is room.
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
            above->left = leaf;
        else if (!above->right)
            above->right = leaf;
        else
            free(leaf);
    }
    drop(root);
    return 0;
}
