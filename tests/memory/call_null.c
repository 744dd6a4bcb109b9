#include <stddef.h>

static int (*handler)(int);

int main(void) {
    return handler(1); //~ false(valid-deref)
}
