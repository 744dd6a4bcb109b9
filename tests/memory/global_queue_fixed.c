// A queue in a global struct: null at both ends, or a list.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
    int number;
};

static struct {
    struct item *first, *last;
    int count;
} queue;

static void put(int number) {
    struct item *i = malloc(sizeof *i);
    i->number = number;
    i->next = NULL;
    if (queue.first)
        queue.last->next = i;
    else
        queue.first = i;
    queue.last = i;
    queue.count++;
}

static void take(void) {
    struct item *i = queue.first;
    queue.first = i->next;
    if (!queue.first)
        queue.last = NULL;
    queue.count--;
    free(i);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int k = 0; k < n; k++) {
        if (__VERIFIER_nondet_int())
            put(k);
        else if (queue.first)
            take();
    }
    while (queue.first)
        take();
    return 0;
}

//~ memsafety: true
