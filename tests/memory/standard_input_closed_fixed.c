//~ memsafety: true
#include <stdio.h>

int main(void) {
    int c = getchar();
    fclose(stdin);
    return c == 'x';
}
