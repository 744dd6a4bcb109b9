/* Lines of any number; the end of the first number is looked at beyond the end of the line: the line may end there. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[2];
    double sum = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        long count = strtol(line, &end, 10);
        if (end[1] == ',') //~ false(valid-deref)
            sum += (double)count * strtod(line, NULL);
    }
    return sum > 0;
}
