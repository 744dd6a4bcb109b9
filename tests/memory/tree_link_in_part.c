// A block of zeros is put on top of a tree after a byte of its other link was written: that link is not null any more, and no tree hangs on it.
//~ options: --engines graph
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *right, *left; };
static void drop(struct tree *tree)
{
    if (!tree) return;
    drop(tree->left); //~ false(valid-deref)
    drop(tree->right);
    free(tree);
}
int main(void)
{
    struct tree *root = 0;
    while (__VERIFIER_nondet_int()) {
        struct tree *made = malloc(sizeof *made);
        if (__VERIFIER_nondet_int()) {
            made->left = root;
            made->right = 0;
        } else {
            made->right = root;
            made->left = 0;
        }
        root = made;
    }
    if (__VERIFIER_nondet_int()) {
        struct tree *made = calloc(1, sizeof *made);
        ((char *)made)[3] = 1;
        made->left = root;
        root = made;
    }
    drop(root);
    return 0;
}
