/* Bytes that are not counted, and none at the end of the input: the run waits for ever. */
#include <stdio.h>

int main(void) {
    int c = 0, i = 0;
    while (i < 200) { //~ false(termination)
        c = getchar();
        if (c == '#')
            i++;
    }
    return 0;
}
