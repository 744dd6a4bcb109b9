// The entry behind the one that is dropped still leads back to it.
//~ options: --engines graph
//~ memsafety: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int keys[8];

struct entry {
    int *key;
    struct entry *prev, *next;
};

static void prepend(struct entry **list, int *key) {
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->prev = NULL;
    e->next = *list;
    if (*list)
        (*list)->prev = e;
    *list = e;
}

static void drop_equal(struct entry **list, int key) {
    struct entry *e = *list;
    while (e) {
        struct entry *next = e->next;
        if (*e->key == key) {
            if (e->prev)
                e->prev->next = e->next;
            else
                *list = e->next;
            free(e);
        }
        e = next;
    }
}

int main(void) {
    struct entry *list = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int())
            prepend(&list, &keys[__VERIFIER_nondet_uchar() % 8]);
        else
            drop_equal(&list, __VERIFIER_nondet_int());
    }
    while (list) {
        struct entry *e = list;
        list = e->next;
        free(e);
    }
    return 0;
}
