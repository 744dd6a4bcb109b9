//~ options: --files given
//~ all: true
#include <stdio.h>

/* As much of the file as the buffer holds. */
int main(void) {
    FILE *f = fopen("line.txt", "r");
    char text[8];
    if (f == NULL)
        return 1;
    fread(text, 1, sizeof text, f);
    fclose(f);
    return 0;
}
