// A line in a block that the program made: getdelim is told that it has a byte more than it has.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
//~ memsafety: false(valid-deref)
int main(void) {
    size_t size = 6;
    char *line = malloc(5);
    getdelim(&line, &size, 0, stdin);
    free(line);
    return 0;
}
