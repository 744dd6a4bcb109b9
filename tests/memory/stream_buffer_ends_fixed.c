//~ memsafety: true
#include <stdio.h>

int main(void) {
    setbuf(stdout, NULL);
    printf("x");
    printf("y\n");
    return 0;
}
