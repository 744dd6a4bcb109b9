//~ termination: true
/* Some bytes are counted, some are not: the input comes to its end. */
#include <stdio.h>

int main(void) {
    int c, i = 0;
    while ((c = getchar()) != EOF && i < 200)
        if (c == '#')
            i++;
    return 0;
}
