//~ memsafety: true
// A stack from calloc: its counter says whether there is a node, from 0 on.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

struct stack {
    struct node *top;
    int count;
};

static void pop(struct stack *stack) {
    struct node *node = stack->top;
    stack->top = node->next;
    free(node);
    stack->count--;
}

int main(void) {
    struct stack *stack = calloc(1, sizeof *stack);
    if (!stack) return 1;
    int steps = __VERIFIER_nondet_int();
    for (int i = 0; i < steps; i++) {
        if (__VERIFIER_nondet_int()) {
            struct node *node = malloc(sizeof *node);
            if (!node) break;
            node->key = i;
            node->next = stack->top;
            stack->top = node;
            stack->count++;
        } else if (stack->count > 0) {
            pop(stack);
        }
    }
    while (stack->count > 0) pop(stack);
    free(stack);
    return 0;
}
