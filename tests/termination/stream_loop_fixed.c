//~ termination: true
//~ memsafety: true
// Every stream is finite.
#include <stdio.h>

int main(void) {
    int c;
    unsigned lines = 0;
    while ((c = getchar()) != EOF)
        if (c == '\n')
            lines++;
    return lines == 0;
}
