//~ options: --property memsafety --engines graph
//~ memsafety: true
// Each line of the input loses the newlines at its end, and is walked to its end then.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[128];
    int sum = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t n = strlen(line);
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
            line[--n] = 0;
        for (size_t i = 0; line[i]; i++)
            sum ^= line[i];
    }
    return sum;
}
