#include <stdio.h>

int main(void) {
    printf("one\n");
    fclose(stdout);
    printf("two\n"); //~ false(valid-deref)
    return 0;
}
