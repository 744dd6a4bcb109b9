//~ memsafety: unknown
// The stream goes on to use a buffer that has ended.
#include <stdio.h>

static void lend(void) {
    char buffer[BUFSIZ];
    setbuf(stdout, buffer);
    printf("x");
}

int main(void) {
    lend();
    printf("y\n");
    return 0;
}
