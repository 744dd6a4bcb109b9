//~ memsafety: true
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, va_list list) {
    int all = 0;
    for (int i = 0; i < count; i++)
        all += va_arg(list, int);
    return all;
}

static int add(int count, ...) {
    va_list list;
    va_start(list, count);
    int all = sum(count, list);
    va_end(list);
    return all;
}

int main(void) {
    char text[12];
    sprintf(text, "%d", add(3, 1, 2, 3));
    puts(text);
    return 0;
}
