#include <stdlib.h>

int main(void) {
    char *s = "abc";
    free(s); //~ false(valid-free)
    return 0;
}
