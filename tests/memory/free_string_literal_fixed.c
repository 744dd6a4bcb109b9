//~ all: true
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = malloc(4);
    strcpy(s, "abc");
    free(s);
    return 0;
}
