//~ options: --files given
#include <stdio.h>

/* The file is longer than the buffer, and is not closed when it is. */
int main(void) {
    FILE *f = fopen("line.txt", "r");
    char text[8];
    if (f == NULL)
        return 1;
    fread(text, 1, 12, f); //~ false(valid-deref)
    fclose(f);
    return 0;
}
