// Elements of their own rise to their place by swaps: the one that is put in is held by its caller meanwhile.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct task {
    int prio;
};

struct queue {
    struct task **heap;
    size_t n, cap;
};

static int push(struct queue *q, struct task *t) {
    if (q->n == q->cap) {
        size_t cap = q->cap ? q->cap * 2 : 8;
        struct task **heap = realloc(q->heap, cap * sizeof *heap);
        if (!heap)
            return 0;
        q->heap = heap;
        q->cap = cap;
    }
    size_t i = q->n++;
    q->heap[i] = t;
    while (i > 0) {
        size_t up = (i - 1) / 2;
        if (q->heap[up]->prio <= q->heap[i]->prio)
            break;
        struct task *other = q->heap[up];
        q->heap[up] = q->heap[i];
        q->heap[i] = other;
        i = up;
    }
    return 1;
}

int main(void) {
    struct queue q = {0};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct task *t = malloc(sizeof *t);
        if (!t)
            break;
        t->prio = __VERIFIER_nondet_int();
        if (!push(&q, t)) {
            free(t);
            break;
        }
    }
    for (size_t i = 0; i < q.n; i++)
        free(q.heap[i]);
    free(q.heap);
    return 0;
}
