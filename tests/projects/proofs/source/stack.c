#include "stack.h"

#include <stdlib.h>

/* Called in this file only: other files know it by the name that goto-cc gives it. */
static bool reserve(struct stack *stack)
{
    if (stack->length < stack->capacity)
        return true;
    log_error("full");
    return false;
}

bool stack_push(struct stack *stack, int item)
{
    if (!reserve(stack))
        return false;
    stack->items[stack->length++] = item;
    return true;
}

unsigned stack_total(const struct stack *stack)
{
    unsigned total = 0;
    for (size_t i = 0; i < stack->length; i++)
        total += (unsigned)stack->items[i];
    return total;
}

/* Not what a proof wants to see. */
int log_error(const char *what)
{
    abort();
    return *what;
}
