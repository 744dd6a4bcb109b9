#include "stack.h"

#include <stdlib.h>

struct stack {
    unsigned used;
    int *items;
};

struct stack *stack_new(unsigned capacity) {
    struct stack *s = malloc(sizeof *s);
    s->used = 0;
    s->items = malloc(capacity * sizeof *s->items);
    return s;
}

void stack_push(struct stack *s, int value) { s->items[s->used++] = value; }

int stack_pop(struct stack *s) { return s->items[--s->used]; }

void stack_free(struct stack *s) {
    free(s->items);
    free(s);
}
