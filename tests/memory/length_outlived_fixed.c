//~ options: --property memsafety
//~ memsafety: true
// The length is taken anew.
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char b[32] = "abc";
    size_t n = strlen(b);
    b[n] = 'd';
    char *d = malloc(strlen(b) + 1);
    strcpy(d, b);
    free(d);
    return 0;
}
