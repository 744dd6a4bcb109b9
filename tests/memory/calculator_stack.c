//~ options: --property memsafety
// The stack is full when it holds DEPTH numbers.
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 4
static int stack[DEPTH];
static int used;

static void push(int number) {
    if (used > DEPTH)
        exit(1);
    stack[used++] = number; //~ false(valid-deref)
}

static int pop(void) {
    if (used <= 0)
        exit(1);
    return stack[--used];
}

int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        if (c == '+' || c == '*') {
            int right = pop(), left = pop();
            push(c == '+' ? left ^ right : left & right);
        } else if (c == '\n') {
            pop();
        } else if (c >= '0' && c <= '9') {
            push(c - '0');
        }
    }
    return 0;
}
