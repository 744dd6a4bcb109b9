//~ all: true
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    p[0] = 'a';
    p[3] = 'd';
    p = realloc(p, 8);
    assert(p[0] == 'a' && p[3] == 'd');
    p[7] = 0;
    p = realloc(p, 2);
    assert(p[0] == 'a');
    free(p);
    p = realloc(NULL, 3);
    free(p);
    return 0;
}
