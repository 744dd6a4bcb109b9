// The standard streams are open when the program starts; one that fopen gives need not be.
#include <stdio.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) != NULL)
        fputs(line, stderr);
    FILE *file = fopen("data", "r");
    int c = fgetc(file); //~ false(valid-deref)
    fclose(file);
    return c == EOF;
}
