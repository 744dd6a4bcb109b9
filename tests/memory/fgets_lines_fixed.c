// As fgets_lines.c, but fgets is told the size of its buffer.
#include <stdio.h>

int main(void) {
    char line[32];
    unsigned lines = 0;
    while (fgets(line, sizeof line, stdin))
        lines++;
    return lines == 0;
}

//~ memsafety: true
