// The lines of a stream, with a buffer that is shorter than fgets is told.
#include <stdio.h>

int main(void) {
    char line[32];
    unsigned lines = 0;
    while (fgets(line, sizeof line + 1, stdin)) //~ false(valid-deref)
        lines++;
    return lines == 0;
}
