#include <stdio.h>

int main(void) {
    char b[20] = "ab";
    sprintf(b, "x%s", b); //~ false(valid-deref)
    return 0;
}
