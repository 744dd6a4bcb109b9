// Lines are read into a buffer, and their ends cut off.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[80];
    int long_ones = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = 0;
        else
            long_ones |= 1;
    }
    return long_ones;
}

//~ memsafety: true
