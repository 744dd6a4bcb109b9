//~ memsafety: true
/* The same; what follows is looked at where the line goes on. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[2];
    double sum = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        long count = strtol(line, &end, 10);
        if (end[0] != 0 && end[1] == ',')
            sum += (double)count * strtod(line, NULL);
    }
    return sum > 0;
}
