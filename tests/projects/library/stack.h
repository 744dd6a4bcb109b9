struct stack;
struct stack *stack_new(unsigned capacity);
void stack_push(struct stack *s, int value);
int stack_pop(struct stack *s);
void stack_free(struct stack *s);
