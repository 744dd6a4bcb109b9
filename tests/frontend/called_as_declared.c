// Structs by value, several results and variadic arguments through pointers of the right type.
//~ memsafety: true
#include <assert.h>
#include <stdarg.h>
struct large {
    int a[9];
};
struct pair {
    long a, b;
};
static int first(struct large large) { return large.a[0]; }
static struct pair swap(struct pair pair) { return (struct pair){pair.b, pair.a}; }
static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int sum = 0;
    while (count-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void) {
    struct large large = {{1}};
    int (*take)(struct large) = first;
    struct pair (*turn)(struct pair) = swap;
    int (*add)(int, ...) = sum;
    assert(take(large) == 1);
    assert(turn((struct pair){1, 2}).a == 2);
    assert(add(2, 3, 4) == 7 && add(0) == 0);
    return 0;
}
