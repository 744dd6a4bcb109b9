#include <assert.h>
#include <stdlib.h>

#include "stack.h"

bool __CPROVER_file_local_stack_c_reserve(struct stack *stack);
__CPROVER_size_t __CPROVER_uninterpreted_place(const void *, int);

void harness()
{
    struct stack stack;
    __CPROVER_assume(stack.capacity <= MAX_ITEMS && stack.length <= stack.capacity);
    stack.items = malloc(stack.capacity * sizeof(*stack.items));
    __CPROVER_assume(stack.items != NULL);
    struct stack old = stack;
    bool has_room = __CPROVER_file_local_stack_c_reserve(&stack);
    int item;
    bool pushed = stack_push(&stack, item);
    assert(pushed == has_room);
    assert(stack.length == old.length + pushed);
    assert(!pushed || stack.items[old.length] == item);
    assert(__CPROVER_POINTER_OBJECT(stack.items) == __CPROVER_POINTER_OBJECT(old.items));
    assert(__CPROVER_uninterpreted_place(stack.items, 1) == __CPROVER_uninterpreted_place(old.items, 1));
    assert(__CPROVER_rw_ok(stack.items, stack.capacity * sizeof(int)));
    assert(!__CPROVER_overflow_plus(stack.length, 1));
}
