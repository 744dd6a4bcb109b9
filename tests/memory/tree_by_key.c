// As tree_by_key_fixed.c, but of equal keys one goes to the left where the walk went to the right: what stands there is lost.
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
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
        int key = __VERIFIER_nondet_int();
        struct tree *above = NULL, *at = root;
        while (at) {
            above = at;
            at = key < at->key ? at->left : at->right;
        }
        struct tree *leaf = malloc(sizeof *leaf);
        leaf->key = key;
        leaf->left = leaf->right = NULL;
        if (!above)
            root = leaf;
        else if (key <= above->key)
            above->left = leaf;
        else
            above->right = leaf;
    }
    drop(root);
    return 0;
}
