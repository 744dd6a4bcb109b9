//~ memsafety: false(valid-memtrack)
#include <stdarg.h>
#include <stdlib.h>

static void release(int count, ...) {
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        free(va_arg(list, void *));
    va_end(list);
}

int main(void) {
    release(1, malloc(3), malloc(4));
    return 0;
}
