// How large getline makes a block is the library's choice: glibc gives a line of 1000 bytes no multiple of 120.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
void reach_error(void);
int main(void) {
    char *line = 0;
    size_t size = 0;
    if (getline(&line, &size, stdin) < 0)
        return 0;
    if (size % 120 != 0)
        reach_error(); //~ unknown(unreach-call)
    free(line);
    return 0;
}
