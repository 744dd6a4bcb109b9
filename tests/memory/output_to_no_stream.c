//~ memsafety: false(valid-deref)
// The file need not be there.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("log", "w");
    fprintf(f, "x"); //~ false(valid-deref)
    if (f != NULL)
        fclose(f);
    return 0;
}
