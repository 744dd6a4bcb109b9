#include <stdbool.h>
#include <stddef.h>

struct stack {
    size_t length, capacity;
    int *items;
};

bool stack_push(struct stack *stack, int item);
unsigned stack_total(const struct stack *stack);
int log_error(const char *what);
