//~ options: --property memsafety
//~ memsafety: false(valid-deref)
// The end was overwritten after the length was taken: the string goes on to the next 0.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char b[32] = "abc";
    size_t n = strlen(b);
    b[n] = 'd';
    char *d = malloc(n + 1);
    strcpy(d, b);
    free(d);
    return 0;
}
