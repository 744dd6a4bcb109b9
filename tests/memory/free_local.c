#include <stdlib.h>

int main(void) {
    int x = 1;
    int *p = &x;
    free(p); //~ false(valid-free)
    return 0;
}
