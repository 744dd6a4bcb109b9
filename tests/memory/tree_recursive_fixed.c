//~ options: --engines graph
//~ memsafety: true
//~ memcleanup: true
//~ termination: true
// A search tree is grown, counted and freed by functions that call themselves.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *tree, int key) {
    if (!tree) {
        tree = malloc(sizeof *tree);
        tree->key = key;
        tree->left = tree->right = NULL;
    } else if (key < tree->key) {
        tree->left = insert(tree->left, key);
    } else {
        tree->right = insert(tree->right, key);
    }
    return tree;
}

static int count(struct tree *tree) {
    return tree ? (count(tree->left) + count(tree->right) + 1) % 100 : 0;
}

static void drop(struct tree *tree) {
    if (tree) {
        drop(tree->left);
        drop(tree->right);
        free(tree);
    }
}

int main(void) {
    struct tree *tree = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        tree = insert(tree, __VERIFIER_nondet_int());
    int found = count(tree);
    drop(tree);
    return found;
}
