// A cursor in a block of its own stands between the entries of a list, which are counted.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *prev, *next;
    int key;
};

struct list {
    struct entry *head, *tail;
    unsigned count;
};

struct cursor {
    struct list *of;
    struct entry *next;
    int steps, key;
};

static void append(struct list *l, int key) {
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = NULL;
    e->prev = l->tail;
    if (l->count)
        l->tail->next = e;
    else
        l->head = e;
    l->tail = e;
    l->count++;
}

static void drop(struct list *l, struct entry *e) {
    if (e->prev)
        e->prev->next = e->next;
    else
        l->head = e->next;
    if (e->next)
        e->next->prev = e->prev;
    else
        l->tail = e->prev;
    l->count--;
    free(e);
}

static void drop_all(struct list *l, int key) {
    struct cursor *c = malloc(sizeof *c);
    c->of = l;
    c->next = l->head;
    while (c->next) {
        struct entry *e = c->next;
        c->next = e->next;
        if (e->key == key)
            drop(l, e);
    }
    free(c);
}

int main(void) {
    struct list *l = malloc(sizeof *l);
    l->head = l->tail = NULL;
    l->count = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        append(l, i);
    drop_all(l, __VERIFIER_nondet_int());
    while (l->count)
        drop(l, l->head);
    free(l);
    return 0;
}

//~ memsafety: true
