// Structs among variadic arguments.
#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);

struct table {
    int entries[6];
};

static int look_up(int count, ...) {
    va_list list;
    va_start(list, count);
    struct table first = va_arg(list, struct table);
    int index = va_arg(list, int);
    va_end(list);
    return first.entries[index]; //~ false(valid-deref)
}

int main(void) {
    struct table table = {{0}};
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index > 6)
        return 0;
    return look_up(2, table, index);
}
