//~ memsafety: false(valid-deref)
#include <stdio.h>

int main(void) {
    FILE *f = fopen("log", "w");
    if (f == NULL)
        return 0;
    fprintf(f, "%d\n", 1);
    fclose(f);
    fputs("late", f); //~ false(valid-deref)
    return 0;
}
