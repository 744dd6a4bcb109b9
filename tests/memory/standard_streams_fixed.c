//~ memsafety: true
// The standard streams are open when the program starts; one that fopen gives need not be.
#include <stdio.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) != NULL)
        fputs(line, stderr);
    FILE *file = fopen("data", "r");
    if (file == NULL)
        return 1;
    int c = fgetc(file);
    fclose(file);
    return c == EOF;
}
