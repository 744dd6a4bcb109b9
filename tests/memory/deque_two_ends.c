// When the last cell goes, the other end of the deque still leads to it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *back, *on;
};

struct deque {
    struct cell *front, *rear;
};

static void push_front(struct deque *d) {
    struct cell *c = malloc(sizeof *c);
    c->back = NULL;
    c->on = d->front;
    if (d->front)
        d->front->back = c;
    else
        d->rear = c;
    d->front = c;
}

static void push_rear(struct deque *d) {
    struct cell *c = malloc(sizeof *c);
    c->on = NULL;
    c->back = d->rear;
    if (d->rear)
        d->rear->on = c;
    else
        d->front = c;
    d->rear = c;
}

static void pop_front(struct deque *d) {
    struct cell *c = d->front;
    d->front = c->on;
    if (d->front)
        d->front->back = NULL;
    free(c);
}

int main(void) {
    struct deque *d = malloc(sizeof *d);
    d->front = d->rear = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int())
            push_front(d);
        else
            push_rear(d);
        if (__VERIFIER_nondet_int())
            pop_front(d);
    }
    while (d->front)
        pop_front(d);
    free(d);
    return 0;
}

//~ memsafety: false
