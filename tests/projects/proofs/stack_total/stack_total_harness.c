#include <stdlib.h>

#include "stack.h"

/* malloc may fail, and nothing excludes that here. */
void harness()
{
    struct stack stack;
    __CPROVER_assume(stack.length <= MAX_ITEMS);
    stack.items = malloc(stack.length * sizeof(*stack.items));
    if (stack.items != NULL)
        stack_total(&stack);
}
