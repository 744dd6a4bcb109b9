//~ options: --property memsafety
// A line that begins with a byte 0 is empty: there is nothing before its end.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[128];
    int sum = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t n = strlen(line);
        if (line[n - 1] == '\n') //~ false(valid-deref)
            line[n - 1] = 0;
        for (size_t i = 0; line[i]; i++)
            sum ^= line[i];
    }
    return sum;
}
