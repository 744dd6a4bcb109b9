// As trees_in_list_fixed.c, but two entries of the list lead to one tree.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

struct entry {
    struct tree *tree;
    struct entry *next;
};

static void drop(struct tree *tree) {
    if (!tree)
        return;
    drop(tree->left);
    drop(tree->right);
    free(tree);
}

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

int main(void) {
    struct tree **table = calloc(16, sizeof *table);
    while (__VERIFIER_nondet_int()) {
        unsigned at = (unsigned)__VERIFIER_nondet_int() % 16;
        table[at] = insert(table[at], __VERIFIER_nondet_int());
    }
    struct entry *list = NULL;
    for (int i = 0; i < 16; i++) {
        struct entry *entry = malloc(sizeof *entry);
        entry->tree = table[i == 3 ? 2 : i];
        entry->next = list;
        list = entry;
    }
    free(table);
    while (list) {
        struct entry *next = list->next;
        drop(list->tree);
        free(list);
        list = next;
    }
    return 0;
}
