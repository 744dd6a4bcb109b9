//~ memsafety: true
#include <stdio.h>

int main(void) {
    printf("one\n");
    fclose(stdin);
    printf("two\n");
    return 0;
}
