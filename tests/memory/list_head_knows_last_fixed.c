// The first block of a list leads back to the last one, so that blocks are put at its end without a walk; some are taken out on the way.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int id;
    struct node *next, *prev;
};

static void append(struct node **head, struct node *e) {
    if (*head) {
        e->prev = (*head)->prev;
        (*head)->prev->next = e;
        (*head)->prev = e;
        e->next = NULL;
    } else {
        *head = e;
        e->prev = e;
        e->next = NULL;
    }
}

static void take_out(struct node **head, struct node *e) {
    if (e->prev == e) {
        *head = NULL;
    } else if (e == *head) {
        e->next->prev = e->prev;
        *head = e->next;
    } else {
        e->prev->next = e->next;
        if (e->next)
            e->next->prev = e->prev;
        else
            (*head)->prev = e->prev;
    }
}

int main(void) {
    struct node *head = NULL, *next;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *e = malloc(sizeof *e);
        if (!e)
            break;
        e->id = i;
        append(&head, e);
    }
    for (struct node *e = head; e; e = next) {
        next = e->next;
        if (e->id % 3 == 0) {
            take_out(&head, e);
            free(e);
        }
    }
    for (struct node *e = head; e; e = next) {
        next = e->next;
        take_out(&head, e);
        free(e);
    }
    return 0;
}
