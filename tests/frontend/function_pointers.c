//~ all: true
#include <assert.h>

typedef int operation(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation *choose(char c) { return c == '+' ? add : &sub; }

struct shape {
    int side;
    int (*area)(const struct shape *);
};

static int square(const struct shape *s) { return s->side * s->side; }

static operation *const table[] = {add, sub, 0};

static int apply(operation *op, int a, int b) { return (*****op)(a, b); }

int main(void) {
    assert(apply(choose('+'), 3, 4) == 7 && choose('-')(3, 4) == -1);
    struct shape s = {5, square};
    assert(s.area(&s) == 25);
    int n = 0;
    for (operation *const *p = table; *p; p++)
        n += (*p)(10, 1);
    assert(n == 20 && table[0] == add && table[0] != sub);
    return 0;
}
