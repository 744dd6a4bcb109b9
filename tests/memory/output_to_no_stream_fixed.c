//~ memsafety: true
#include <stdio.h>

int main(void) {
    FILE *f = fopen("log", "w");
    if (f == NULL)
        return 0;
    fprintf(f, "x");
    fclose(f);
    return 0;
}
