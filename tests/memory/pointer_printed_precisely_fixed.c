// As pointer_printed_precisely.c, without a precision.
//~ options: --engines graph
//~ memsafety: true
#include <stdio.h>

int main(int argc, char **argv) {
    char text[21];
    if (argc > 1)
        sprintf(text, "%p", (void *)argv);
    return 0;
}
