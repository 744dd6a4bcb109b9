// An iterator holds the address of the link that leads to where it stands, and goes on from a block that it has freed.
//~ options: --engines graph
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int *data;
    struct entry *next;
};

struct iterator {
    struct entry **link;
    struct entry *current;
};

static int numbers[4];

static void append(struct entry **list, int *data) {
    struct entry *new = malloc(sizeof *new);
    if (!new)
        return;
    new->data = data;
    new->next = NULL;
    if (!*list) {
        *list = new;
        return;
    }
    struct entry *last = *list;
    while (last->next)
        last = last->next;
    last->next = new;
}

static int has_more(struct iterator *it) {
    if (!it->current)
        return *it->link != NULL;
    return it->current->next != NULL;
}

static int *step(struct iterator *it) {
    if (!it->current) {
        it->current = *it->link;
    } else {
        it->link = &it->current->next;
        it->current = it->current->next;
    }
    return it->current ? it->current->data : NULL;
}

static void take_out(struct iterator *it) {
    if (!it->current || it->current != *it->link)
        return;
    *it->link = it->current->next;
    free(it->current);
}

int main(void) {
    struct entry *list = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        append(&list, &numbers[__VERIFIER_nondet_int() & 3]);
    struct iterator it = {&list, NULL};
    while (has_more(&it)) {
        int *number = step(&it);
        if (*number == 0 && __VERIFIER_nondet_int())
            take_out(&it);
    }
    while (list) {
        struct entry *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
