// The line that is waited for need not come: after the end of the input every read gives null.
#include <stdio.h>

int main(void) {
    char line[32];
    line[0] = 0;
    while (line[0] != '.')
        fgets(line, sizeof line, stdin);
    return 0;
}

//~ termination: false
