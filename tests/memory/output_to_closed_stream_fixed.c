//~ memsafety: true
#include <stdio.h>

int main(void) {
    FILE *f = fopen("log", "w");
    if (f == NULL)
        return 0;
    fprintf(f, "%d\n", 1);
    fputs("early", f);
    fputc('x', f);
    fclose(f);
    fprintf(stderr, "done\n");
    return 0;
}
