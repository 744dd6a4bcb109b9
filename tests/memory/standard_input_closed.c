//~ memsafety: false(valid-deref)
#include <stdio.h>

int main(void) {
    fclose(stdin);
    return getchar() == 'x'; //~ false(valid-deref)
}
