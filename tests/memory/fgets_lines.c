// The lines of a stream, each within its buffer.
#include <stdio.h>

int main(void) {
    char line[32];
    unsigned lines = 0;
    while (fgets(line, sizeof line, stdin))
        lines++;
    return lines == 0;
}

//~ memsafety: true
