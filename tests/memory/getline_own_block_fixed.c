// As getline_own_block.c, with its true size.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
//~ memsafety: true
int main(void) {
    size_t size = 5;
    char *line = malloc(5);
    getdelim(&line, &size, 0, stdin);
    free(line);
    return 0;
}
