#include "stack.h"

int main(void) {
    struct stack *s = stack_new(2);
    stack_push(s, 1);
    stack_push(s, 2);
#ifdef OVERFLOW
    stack_push(s, 3);
#endif
    int top = stack_pop(s);
    stack_free(s);
    return top - 2;
}
